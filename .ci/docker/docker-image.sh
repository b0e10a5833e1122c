#!/bin/bash
# Builds a stand-in for the official Neo4j Community image, for machines that reach no image registry.
#   docker-image.sh JAVA_HOME TAG <JARS
# JAVA_HOME: the Java runtime to copy in. JARS, on standard input: the paths of the server's jars, one a line.
# Needs a Docker engine and Debian's busybox-static and tini.
set -euo pipefail
java=$1 tag=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
home=var/lib/neo4j

mkdir -p "$root"/{bin,etc,tmp,proc,sys,dev,data,logs,opt,usr/bin} "$root/$home"/{conf,import,lib,licenses,plugins,run}
ln -s ../bin "$root/usr/sbin"
ln -s bin "$root/sbin"

# One static busybox for the small tools (wget, sed, ps), the machine's own bash and setpriv.
for tool in $(/bin/busybox --list); do ln -s busybox "$root/bin/$tool"; done
cp --remove-destination /bin/busybox /bin/bash /usr/bin/setpriv "$root/bin/"
cp /usr/bin/tini-static "$root/bin/tini"
ln -s /bin/env "$root/usr/bin/env"

# The shared libraries that they and the Java runtime ask for, at their own paths. X11 and sound stay out.
{ ldd "$root/bin/bash" "$root/bin/setpriv" "$java/bin/java"; find "$java/lib" -name '*.so' -exec ldd {} + 2>/dev/null; } |
  awk '$3 ~ "^/" {print $3} $1 ~ "^/lib" && $2 ~ "^\\(" {print $1}' |
  grep -vF "$java/" | grep -Ev '/lib(X|xcb|asound|bsd|md\.)' | sort -u |
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done

printf '%s\n' 'root:x:0:0:root:/:/bin/bash' "neo4j:x:7474:7474::/$home:/bin/bash" >"$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'neo4j:x:7474:' >"$root/etc/group"
cp -rL "$java" "$root/opt/java"
rm -rf "$root/opt/java/legal" "$root/opt/java/include"
xargs -d '\n' cp -L -t "$root/$home/lib"
compgen -G "$root/$home/lib/neo4j-kernel-*.jar" >/dev/null || { echo "No jars of a Neo4j server on standard input." >&2; exit 1; }
ln -s /data "$root/$home/data"
ln -s /logs "$root/$home/logs"

install -m 755 "$here/neo4j-entrypoint.sh" "$root/bin/neo4j-entrypoint"
# The server's own command-line classes under their usual names.
for command in neo4j:startup.Neo4jCommand neo4j-admin:startup.Neo4jAdminCommand; do
  printf '#!/bin/bash\nexec java -cp "/%s/lib/*" org.neo4j.server.%s "$@"\n' "$home" "${command#*:}" >"$root/bin/${command%%:*}"
  chmod 755 "$root/bin/${command%%:*}"
done
chmod 1777 "$root/tmp"
chown -R 7474:7474 "$root"/{data,logs} "$root/$home"
chmod 777 "$root"/{data,logs}

tar -C "$root" --numeric-owner -c . | docker import \
  -c 'ENV PATH=/opt/java/bin:/bin JAVA_HOME=/opt/java NEO4J_HOME=/var/lib/neo4j NEO4J_EDITION=community LANG=C.UTF-8' \
  -c 'WORKDIR /var/lib/neo4j' -c 'VOLUME /data /logs' -c 'EXPOSE 7474 7473 7687' \
  -c 'ENTRYPOINT ["tini","-g","--","neo4j-entrypoint"]' -c 'CMD ["neo4j"]' - "$tag"
