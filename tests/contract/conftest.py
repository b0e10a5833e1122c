"""The contract suite runs against the naive oracle and against Neo4j, sync and async, on each version."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from ledgers import MANY, Ledger, Memory, Servers, fresh_name, open_awaited, versions
from oracle import OracleMemory
from story import Story

from graph_memory import GraphMemory


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" in metafunc.fixturenames:
        names = ["oracle", *(f"{f}-{v}" for v in versions(metafunc.config) for f in ("sync", "async"))]
        metafunc.parametrize("backend", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Memory]:
    """What the suite is run against."""
    face, _, version = request.param.partition("-")
    if face == "oracle":
        yield OracleMemory(many=frozenset(MANY))
    elif face == "sync":
        server = servers.get(version)
        with GraphMemory.open(server.uri, server.auth, many=MANY) as opened:
            yield opened
    else:
        with asyncio.Runner() as runner, awaited(servers, version, runner) as memory:
            yield memory


@contextmanager
def awaited(servers: Servers, version: str, runner: asyncio.Runner) -> Iterator[GraphMemory]:
    """An asynchronous memory, closed at the end."""
    memory = open_awaited(servers.get(version), MANY, runner)
    yield memory
    memory.close()


@pytest.fixture
def tenant(backend: Memory) -> Ledger:
    """A tenant of this test alone."""
    return backend.tenant(fresh_name())


@pytest.fixture
def story(tenant: Ledger) -> Story:
    """A tenant, and short words for writing its history."""
    return Story(tenant)
