"""Making a driver. It opens connections when they are needed."""

from __future__ import annotations

import logging

from neo4j import AsyncDriver, AsyncGraphDatabase

from graph_memory.storage.address import Address

# The driver logs each attempt, for those who read its log. The final failure is raised as a GraphMemoryError.
logging.getLogger("neo4j").addHandler(logging.NullHandler())


def connected(address: Address) -> AsyncDriver:
    """Return a driver for an address and its credentials."""
    return AsyncGraphDatabase.driver(
        address.uri,
        auth=None if address.auth is None else (address.auth[0], address.auth[1]),
        telemetry_disabled=True,
        notifications_min_severity="OFF",
    )
