# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Making a driver. It opens connections when they are needed."""

from __future__ import annotations

import logging

from neo4j import Driver, GraphDatabase

from graph_memory.storage.address import Address

# The driver logs each attempt, for those who read its log. The final failure is raised as a GraphMemoryError.
logging.getLogger("neo4j").addHandler(logging.NullHandler())


def connected(address: Address) -> Driver:
    """Return a driver for an address and its credentials."""
    return GraphDatabase.driver(
        address.uri,
        auth=None if address.auth is None else (address.auth[0], address.auth[1]),
        telemetry_disabled=True,
        notifications_min_severity="OFF",
    )
