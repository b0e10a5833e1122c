# shellcheck shell=bash
# To be sourced: a private Docker engine, started here and stopped by its own process id.
#   install_docker       the packages, where they are missing (Debian, root)
#   start_docker FOLDER  exports DOCKER_HOST; FOLDER is created, on a disk, and its path is short
#                        (a socket's path holds 107 characters)
#   stop_docker          for a trap on EXIT; removes FOLDER

install_docker() {
  if command -v dockerd docker >/dev/null && { docker compose version || command -v docker-compose; } >/dev/null 2>&1 &&
    command -v setpriv >/dev/null && [ -x /bin/busybox ] && [ -x /usr/bin/tini-static ]; then
    return 0
  fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Docker is missing, and installing it takes root and apt-get." >&2
    return 1
  fi
  local log
  log=$(mktemp)
  if ! { apt-get -o DPkg::Lock::Timeout=300 update &&
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends \
      docker.io docker-compose busybox-static tini util-linux; } >"$log" 2>&1; then
    echo "Docker could not be installed:" >&2
    tail -20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

docker_dir='' docker_pid=''

start_docker() {
  if [ "$(id -u)" != 0 ]; then
    echo "No Docker engine answers, and starting one takes root." >&2
    return 1
  fi
  docker_dir=$1
  mkdir -p "$docker_dir"
  export DOCKER_HOST=unix://$docker_dir/docker.sock
  # Its own session: Ctrl-C reaches the script, which then stops the engine in order.
  setsid dockerd --data-root "$docker_dir/data" --exec-root "$docker_dir/exec" --pidfile "$docker_dir/pid" \
    --host "$DOCKER_HOST" --ip 127.0.0.1 --bip 172.30.0.1/24 --default-address-pool base=172.30.16.0/20,size=24 \
    >"$docker_dir/log" 2>&1 </dev/null &
  docker_pid=$!
  local _
  for _ in $(seq 300); do
    if docker version >/dev/null 2>&1; then return 0; fi
    kill -0 "$docker_pid" 2>/dev/null || break
    sleep 0.2
  done
  echo "The Docker engine did not start:" >&2
  tail -20 "$docker_dir/log" >&2
  return 1
}

stop_docker() {
  [ -n "$docker_pid" ] || return 0
  docker ps -q 2>/dev/null | xargs -r docker stop -t 30 >/dev/null 2>&1
  kill "$docker_pid" 2>/dev/null
  local _
  for _ in $(seq 150); do
    if ! kill -0 "$docker_pid" 2>/dev/null; then
      rm -rf "$docker_dir"
      return 0
    fi
    sleep 0.2
  done
  echo "The Docker engine (process $docker_pid) did not stop; its files are in $docker_dir." >&2
  return 1
}
