#!/bin/bash
# Entry point of the stand-in image: environment -> neo4j.conf, then the server in the foreground.
# Follows what the official image documents for NEO4J_AUTH, NEO4J_<setting>, *_FILE, /conf, /data, /logs.
set -euo pipefail
die() { echo "$*" >&2; exit 1; }
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=7474 --regid=7474 --clear-groups --); fi
if [ $# -gt 1 ] || [ "${1:-neo4j}" != neo4j ]; then exec "${as[@]}" "$@"; fi

export NEO4J_CONF=$NEO4J_HOME/conf
file=$NEO4J_CONF/neo4j.conf

# NEO4J_X_FILE=/path (a Docker secret) gives NEO4J_X.
for name in $(compgen -e NEO4J_ | grep '_FILE$' || true); do
  [ -r "${!name}" ] || die "The file '${!name}' named by $name is not readable."
  value=$(<"${!name}")
  export "${name%_FILE}=$value"
  unset "$name"
done

# One value per setting (the server refuses a setting given twice): the image's, then /conf, then the environment.
declare -A conf=([server.default_listen_address]=0.0.0.0 [server.memory.pagecache.size]=512M)
jvm=()
for module in java.nio java.io sun.nio.ch java.util.concurrent; do
  jvm+=("--add-opens=java.base/$module=ALL-UNNAMED")
done
put() { if [ "$1" = server.jvm.additional ]; then jvm+=("$2"); else conf[$1]=$2; fi; }
if [ -r /conf/neo4j.conf ]; then
  while IFS='=' read -r key value; do
    key=${key//[[:space:]]/}
    case $key in '' | '#'*) ;; *) put "$key" "$value" ;; esac
  done </conf/neo4j.conf
fi
for folder in import plugins; do
  if [ -d /$folder ]; then put server.directories.$folder /$folder; fi
done
put server.directories.logs /logs
for name in $(compgen -e NEO4J_); do
  case $name in
    NEO4J_AUTH | NEO4J_AUTH_PATH | NEO4J_HOME | NEO4J_CONF | NEO4J_EDITION | NEO4J_PLUGINS | NEO4J_DEBUG) continue ;;
    NEO4J_ACCEPT_LICENSE_AGREEMENT | NEO4J_DEPRECATION_WARNING | NEO4J_SHA256 | NEO4J_TARBALL) continue ;;
  esac
  [ -n "${!name}" ] || continue
  key=${name#NEO4J_} key=${key//__/%} key=${key//_/.} key=${key//%/_} # '__' is '_', '_' is '.'
  put "$key" "${!name}"
done

auth=${NEO4J_AUTH:-} password='' change=false
if [ -n "${NEO4J_AUTH_PATH:-}" ]; then auth=$(<"$NEO4J_AUTH_PATH"); fi
if [ "$auth" = none ]; then
  put dbms.security.auth_enabled false
elif [[ $auth =~ ^neo4j/([^/]+)(/[tT][rR][uU][eE])?$ ]]; then
  password=${BASH_REMATCH[1]}
  if [ -n "${BASH_REMATCH[2]}" ]; then change=true; fi
  [ "$password" != neo4j ] || die "NEO4J_AUTH: the password must differ from the default, neo4j."
elif [ -n "$auth" ]; then
  die "NEO4J_AUTH: expected none or neo4j/PASSWORD (no slash in PASSWORD)."
fi

umask 077
{
  for key in "${!conf[@]}"; do printf '%s=%s\n' "$key" "${conf[$key]}"; done
  for flag in "${jvm[@]}"; do printf 'server.jvm.additional=%s\n' "$flag"; done
} >"$file"
if [ ${#as[@]} -gt 0 ]; then
  chown 7474:7474 "$file"
  for folder in /data /logs; do
    if [ "$(stat -c %u "$folder")" != 7474 ]; then chown -R 7474:7474 "$folder"; fi
  done
fi

# Only counts before the first start; after that the password is in the system database.
if [ -n "$password" ] && [ ! -d /data/databases/system ]; then
  "${as[@]}" java -XX:TieredStopAtLevel=1 -cp "$NEO4J_HOME/lib/*" org.neo4j.cli.AdminTool \
    dbms set-initial-password --require-password-change=$change -- "$password"
fi
unset NEO4J_AUTH password

# The server's own launcher prints the full java command for this version and configuration.
command=$("${as[@]}" java -XX:TieredStopAtLevel=1 -cp "$NEO4J_HOME/lib/*" org.neo4j.server.startup.Neo4jCommand console --dry-run)
eval "exec ${as[*]} $command"
