"""Prints the paths of the Neo4j server's jars, fetching what is missing: server_jars.py VERSION."""

import sys

from graph_memory.local.distribution.jars import JarCache
from graph_memory.local.distribution.versions import server_version
from graph_memory.local.home import jar_folder

print(*JarCache(jar_folder(), server_version(sys.argv[1])).ensure(), sep="\n")
