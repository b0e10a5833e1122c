"""A real Neo4j on this machine, without Docker and without Java installed.

`LocalServer` fetches the community server's jars, starts it as a background process on 127.0.0.1 with a random
password, finds it again, and stops it.
"""

from graph_memory.local.distribution.versions import DEFAULT_VERSION, SUPPORTED_VERSIONS
from graph_memory.local.info import ServerInfo, ServerStatus
from graph_memory.local.server import LocalServer

__all__ = ["DEFAULT_VERSION", "SUPPORTED_VERSIONS", "LocalServer", "ServerInfo", "ServerStatus"]
