# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Making a driver, which opens its connections when they are needed."""

from __future__ import annotations

import logging

from neo4j import Driver, GraphDatabase

from graph_memory.storage.address import Address

# What the driver says of each try goes to whoever reads its log; what comes of them all is an error of ours.
logging.getLogger("neo4j").addHandler(logging.NullHandler())


def connected(address: Address) -> Driver:
    """Return a driver for an address and its credentials."""
    return GraphDatabase.driver(
        address.uri,
        auth=None if address.auth is None else (address.auth[0], address.auth[1]),
        telemetry_disabled=True,
        notifications_min_severity="OFF",
    )
