"""Fixtures that every kind of test shares: a server per version, a memory on it, a tenant per test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings
from ledgers import MANY, Servers, fresh_name, versions
from servers import TestServer

from graph_memory import GraphMemory, Tenant
from graph_memory.local import DEFAULT_VERSION

# What is printed is as wide as in a pipe, also in the processes of pytest-xdist, which tells them its own width.
os.environ.pop("COLUMNS", None)

VERSIONS_VARIABLE = "GRAPH_MEMORY_TEST_VERSIONS"

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--neo4j-versions",
        default=os.environ.get(VERSIONS_VARIABLE, DEFAULT_VERSION),
        help=f"Neo4j versions to test on, with commas between (else {VERSIONS_VARIABLE}, else the default)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "server" in metafunc.fixturenames:
        metafunc.parametrize("server", versions(metafunc.config), indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what needs no server first, then one version after the other: a process has one server at a time.

    With `-n 2 --dist loadgroup`, each of two versions has a process to itself.
    """
    order = versions(config)
    for item in items:
        for version in order:
            if version in item.name and _shares_server(item):
                item.add_marker("server")
                item.add_marker(pytest.mark.xdist_group(version))
    items.sort(key=lambda item: next((n for n, v in enumerate(order, start=1) if v in item.name), 0))


def _shares_server(item: pytest.Item) -> bool:
    return "servers" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Start servers, one at a time."""
    manager = Servers()
    yield manager
    manager.stop()


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, servers: Servers) -> TestServer:
    """A real Neo4j, once for each version under test."""
    return servers.get(request.param)


@pytest.fixture(scope="session")
def memory(server: TestServer) -> Iterator[GraphMemory]:
    """A memory on the server, with the attributes `likes` and `knows` of cardinality many."""
    with GraphMemory.open(server.uri, server.auth, many=MANY) as opened:
        yield opened


@pytest.fixture
def tenant(memory: GraphMemory) -> Tenant:
    """A tenant of this test alone."""
    return memory.tenant(fresh_name())
