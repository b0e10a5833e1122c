#!/bin/bash
# Brings docker-compose.yml up, writes facts with the library, restarts, recreates the container with another
# password in .env, and checks that facts and first password are still there. Its own project, volumes and ports.
#   PYTHON=python compose-test.sh      needs a Docker engine; NEO4J_IMAGE names another image
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
check() { "$python" .ci/docker/compose_check.py "$@"; }
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi

work=$(mktemp -d)
export COMPOSE_PROJECT_NAME=graph-memory-test-$$
env_file=$work/first.env doing='setting up'
compose() { "${compose[@]}" --env-file "$env_file" "$@"; }
# shellcheck disable=SC2317,SC2329 # called by the trap
finish() {
  local rc=$?
  if [ $rc != 0 ]; then
    compose logs --no-color --tail=40 >&2 || true
    echo "compose test failed (status $rc) at: $doing" >&2
  fi
  compose down -v -t 0 >/dev/null 2>&1 || rc=1
  rm -rf "$work"
  exit $rc
}
trap finish EXIT

# What .env says must count, whatever this shell has set.
unset NEO4J_PASSWORD NEO4J_URI NEO4J_USERNAME NEO4J_DATABASE NEO4J_HTTP_PORT NEO4J_BOLT_PORT
read -r http bolt < <("$python" -c 'import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in held))')
for name in first second; do
  sed -e "s/^NEO4J_PASSWORD=.*/NEO4J_PASSWORD=$name-password/" -e "s/^NEO4J_HTTP_PORT=.*/NEO4J_HTTP_PORT=$http/" \
    -e "s/^NEO4J_BOLT_PORT=.*/NEO4J_BOLT_PORT=$bolt/" -e "s/^\(NEO4J_URI=.*\):7687/\1:$bolt/" .env.example >"$work/$name.env"
done
# What a program has after sourcing .env, the first password kept.
# shellcheck source=.env.example
with_env() { (set -a && . "$work/first.env" && set +a && "$@"); }

step() {
  local start=$SECONDS
  doing=$*
  "$@"
  echo "ok  $* ($((SECONDS - start)) s)"
}
refuses_without_password() {
  local env_file=.env.example said
  if said=$(compose config 2>&1); then
    echo "docker-compose.yml accepted an empty password" >&2
    return 1
  fi
  grep -q '\.env' <<<"$said" || { echo "$said" >&2; return 1; }
}
healthy() { # Compose 1 has no 'up --wait'
  local id state='' _
  id=$(compose ps -q neo4j)
  for _ in $(seq 360); do
    state=$(docker inspect -f '{{.State.Status}}/{{.State.Health.Status}}' "$id")
    case $state in
      running/healthy) return 0 ;;
      exited/* | */unhealthy) break ;;
    esac
    sleep 0.5
  done
  echo "neo4j is $state" >&2
  return 1
}
only_on_this_machine() {
  local hosts # as asked for: an engine may have a default of its own
  hosts=$(docker inspect -f '{{range .HostConfig.PortBindings}}{{range .}}{{.HostIp}} {{end}}{{end}}' "$(compose ps -q neo4j)")
  [ "$hosts" = "127.0.0.1 127.0.0.1 " ] || { echo "published on: $hosts" >&2; return 1; }
}
stopped_in_order() { # 143 is Java's answer to SIGTERM, 137 a kill
  local code
  code=$(docker inspect -f '{{.State.ExitCode}}' "$(compose ps -aq neo4j)")
  case $code in 0 | 143) ;; *) echo "the server exited with $code" >&2; return 1 ;; esac
}

step refuses_without_password
step compose up -d
step healthy
step only_on_this_machine
step with_env check settings
step with_env check write
step compose restart
step healthy
step with_env check read
step compose stop
step stopped_in_order
step compose down # the container goes, the volumes stay
env_file=$work/second.env
step compose up -d
step healthy
step with_env check read # the first password still holds
step with_env check refuses second-password

# As docs/docker.md has it: a dump of the stopped database, into a volume that never held it.
admin() { compose run --rm --no-deps -T neo4j neo4j-admin database "$@"; }
dumped() { admin dump neo4j --to-stdout >"$work/memory.dump"; }
loaded() { admin load neo4j --from-stdin --overwrite-destination=true <"$work/memory.dump"; }
step compose stop
step dumped
step compose down -v
# The server of a volume that is new has the password of its time.
sed -i 's/first-password/second-password/' "$work/first.env"
step compose up -d
step healthy
step compose stop
step loaded

# With TLS the server takes no other connection, and the data is that of the dump.
mkdir "$work/certificates"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout "$work/certificates/private.key" \
  -out "$work/certificates/public.crt" 2>/dev/null
chmod -R a+rX "$work"
export NEO4J_CERTIFICATES=$work/certificates
with_tls() { "${compose[@]}" --env-file "$env_file" -f docker-compose.yml -f docker-compose.tls.yml "$@"; }
step with_tls up -d
step healthy
step with_env check unencrypted
sed -i 's/^NEO4J_URI=bolt:/NEO4J_URI=bolt+ssc:/' "$work/first.env"
step with_env check read
step with_env check untrusted
