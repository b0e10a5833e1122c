"""Fixtures that every kind of test shares: a server per version, a memory on it, a tenant per test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

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


#: Whose tests run on every version under test, since what they hold to depends on the server: Cypher, plans,
#: indexes, migrations. Others run on the first one.
ON_EVERY_VERSION = (
    "contract/",
    "property/",
    "integration/test_database",
    "integration/test_dense_paths",
    "integration/test_feed",
    "integration/test_plans",
    "integration/test_question_templates",
    "integration/test_search",
    "integration/test_snapshots",
    "integration/test_text_migration",
    "integration/test_vectors",
    "integration/test_verify",
    "integration/test_written_windows",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "server" in metafunc.fixturenames:
        chosen = versions(metafunc.config)
        place = metafunc.definition.path.relative_to(Path(__file__).parent).as_posix()
        if not place.startswith(ON_EVERY_VERSION):
            chosen = chosen[:1]
        metafunc.parametrize("server", chosen, indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what needs no server first, then one version after the other: a process has one server at a time.

    Processes side by side (`-n 2 --dist loadgroup --no-loadscope-reorder`) have a server each. The tests of a
    module on one version stay together, because these may rely on what those before them left in the
    database; and a process never goes back to a version whose server it has stopped.
    """
    order = versions(config)

    def place(item: pytest.Item) -> int:
        return next((n for n, version in enumerate(order) if version in item.name), -1)

    items.sort(key=place)
    side_by_side = config.pluginmanager.hasplugin("xdist")
    for item in items:
        if side_by_side:
            item.add_marker(pytest.mark.xdist_group(f"{place(item)}-{item.path.name}"))
        if _shares_server(item) and place(item) >= 0:
            item.add_marker("server")


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
