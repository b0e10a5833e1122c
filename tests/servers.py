"""The Neo4j servers that tests run on: the managed local one, or the one GRAPH_MEMORY_TEST_URI names.

NEO4J_URI is never read: it may be somebody's database, and tests write and delete.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graph_memory.local import DEFAULT_VERSION, LocalServer

URI_VARIABLE = "GRAPH_MEMORY_TEST_URI"


@dataclass(frozen=True, slots=True)
class TestServer:
    """A server that tests may fill and empty.

    Attributes:
        local: the managed server behind it, which a test may kill and start again; None for another's.
    """

    __test__ = False

    uri: str
    username: str
    password: str = field(repr=False)
    version: str
    local: LocalServer | None = None

    @property
    def auth(self) -> tuple[str, str]:
        """What the driver takes as its ``auth``."""
        return self.username, self.password


@contextmanager
def running_server(version: str = DEFAULT_VERSION) -> Iterator[TestServer]:
    """A server of that version in a home of its own, stopped and deleted at the end.

    Where ``GRAPH_MEMORY_TEST_URI`` (with ``GRAPH_MEMORY_TEST_USERNAME`` and ``GRAPH_MEMORY_TEST_PASSWORD``)
    names a server, that one stands in for the default version, and other versions are skipped.
    """
    if uri := os.environ.get(URI_VARIABLE):
        if version != DEFAULT_VERSION:
            pytest.skip(f"{URI_VARIABLE} names the one server to test")
        username = os.environ.get("GRAPH_MEMORY_TEST_USERNAME", "neo4j")
        password = os.environ.get("GRAPH_MEMORY_TEST_PASSWORD", "")
        yield TestServer(uri, username, password, _version_of(uri, username, password))
        return
    home = Path(tempfile.mkdtemp(prefix="graph-memory-test-"))
    server = LocalServer(home, version)
    try:
        info = server.up()
        yield TestServer(info.uri, info.username, info.password, info.version, server)
    finally:
        server.down()
        shutil.rmtree(home, ignore_errors=True)


def _version_of(uri: str, username: str, password: str) -> str:
    from neo4j import GraphDatabase

    with GraphDatabase.driver(uri, auth=(username, password), telemetry_disabled=True) as driver:
        records, _, _ = driver.execute_query("CALL dbms.components() YIELD versions RETURN versions[0] AS version")
    return str(records[0]["version"])
