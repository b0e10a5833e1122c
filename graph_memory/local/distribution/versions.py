"""The Neo4j versions that can be run, and their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph_memory.errors import LocalServerError

DEFAULT_VERSION = "2026.08.1"
"""The Neo4j version that a new home gets."""

BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """One Neo4j version that can be run: the properties in which versions differ.

    Attributes:
        version: as Neo4j names it, such as `2026.08.1`.
        main_class: the class that starts the community server.
        java: the major versions of Java it is supported on, lowest first.
        settings: settings that only this version knows; an unknown one stops the start.
    """

    version: str
    main_class: str
    java: tuple[int, ...]
    settings: Mapping[str, str]

    @property
    def order(self) -> tuple[int, ...]:
        """The version as numbers, which sort by age: 5.26.30 is older than 2026.08.1."""
        return version_order(self.version)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The Maven coordinates of the server, from which the lock file with all dependencies was made."""
        return f"org.neo4j:neo4j:{self.version}", f"org.neo4j.app:neo4j-server:{self.version}", BROWSER

    @property
    def lock_name(self) -> str:
        """The file in `locks/` with the jars and their SHA-256 sums, in jgo's lock format."""
        return f"neo4j-{self.version}.lock.toml"


_KNOWN = (
    ServerVersion(
        version="2026.08.1",
        main_class="org.neo4j.server.Neo4jCommunity",
        java=(21, 25),
        settings={
            # The fleet settings are new in 2026; left on, the server broadcasts on the network.
            "server.fleet_discovery.enabled": "false",
            "dbms.fleet_manager.enabled": "false",
            "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        },
    ),
    ServerVersion(
        version="5.26.30",
        main_class="org.neo4j.server.CommunityEntryPoint",
        java=(17, 21),
        settings={"internal.dbms.bolt.netty_server_shutdown_quiet_period": "0"},
    ),
)

SUPPORTED_VERSIONS: tuple[str, ...] = tuple(known.version for known in _KNOWN)
"""The Neo4j versions whose jars are locked in this package, the default first."""


def version_order(version: str) -> tuple[int, ...]:
    """Return a version as numbers, so that it can be compared."""
    return tuple(int(part) for part in version.split("."))


def server_version(version: str) -> ServerVersion:
    """Return a supported version.

    Raises:
        LocalServerError: this package has no lock file for the version.
    """
    for known in _KNOWN:
        if known.version == version:
            return known
    raise LocalServerError(
        f"Neo4j {version!r} is not one the managed local server can run: choose "
        f"{' or '.join(SUPPORTED_VERSIONS)}, or run your own server and set NEO4J_URI"
    )
