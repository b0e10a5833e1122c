"""What a database must have before it is used, and what it remembers for all who open it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

import neo4j
import pytest
import workers
from ledgers import MANY, fresh_name
from servers import TestServer
from workers import Place, all_at_once

from graph_memory import RECORDED, GraphMemory, SchemaMismatchError, Tenant, UnavailableError
from graph_memory.storage.templates import template_names

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)
MIGRATIONS = tuple(name.removeprefix("migrations/") for name in template_names("migrations"))


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@pytest.fixture
def attribute() -> str:
    """An attribute that no database has recorded."""
    return f"a{uuid.uuid4().hex[:12]}"


def test_the_database_says_what_it_is(memory: GraphMemory, server: TestServer) -> None:
    info = memory.info()
    assert info.version.startswith(server.version)
    assert info.migrations == MIGRATIONS
    assert server.password not in repr(info)


@pytest.mark.slow
def test_eight_processes_that_open_an_unprepared_database_prepare_it_once(
    server: TestServer, memory: GraphMemory, tenant: Tenant, driver: neo4j.Driver
) -> None:
    tenant.record("All of it.", id="e1")
    for kind, column in (("CONSTRAINT", "SHOW CONSTRAINTS"), ("INDEX", "SHOW INDEXES WHERE type <> 'LOOKUP'")):
        records, _, _ = driver.execute_query(f"{column} YIELD name" if kind == "CONSTRAINT" else column)
        for record in records:
            driver.execute_query(f"DROP {kind} `{record['name']}` IF EXISTS")
    driver.execute_query("MATCH (m:Migration) DELETE m")

    written = all_at_once(workers.one_start, Place(server.uri, server.auth, tenant.name, MANY))
    # The text index that was dropped may have had another name than one of a new database.
    memory.rebuild_text_index()
    assert sum(not result.startswith("lost") for result in written) == 1
    assert memory.info().migrations == MIGRATIONS
    records, _, _ = driver.execute_query("MATCH (m:Migration) RETURN m.id AS id ORDER BY id")
    assert tuple(record["id"] for record in records) == MIGRATIONS
    names = driver.execute_query("SHOW CONSTRAINTS YIELD name")[0]
    assert {"entity_key", "episode_id", "slot_key", "fact_id", "live_start", "open_slot"} <= {
        record["name"] for record in names
    }


def test_a_database_that_is_newer_than_the_code_is_refused(server: TestServer, driver: neo4j.Driver) -> None:
    driver.execute_query("CREATE (:Migration {id: '9999_from_the_future'})")
    try:
        with pytest.raises(SchemaMismatchError, match="9999_from_the_future"):
            GraphMemory.open(server.uri, server.auth)
    finally:
        driver.execute_query("MATCH (m:Migration {id: '9999_from_the_future'}) DELETE m")


def test_wrong_credentials_are_said_without_showing_them(server: TestServer) -> None:
    with pytest.raises(UnavailableError) as caught:
        GraphMemory.open(server.uri, (server.username, "a-wrong-password"))
    assert "a-wrong-password" not in str(caught.value)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1:9"):
        GraphMemory.open("bolt://127.0.0.1:9", ("neo4j", "x"))


@pytest.mark.parametrize("first", ["one", "many"])
def test_an_attribute_keeps_the_cardinality_of_its_first_use(
    server: TestServer, attribute: str, first: str
) -> None:
    name = fresh_name()
    ways: dict[str, tuple[str, ...]] = {"one": (), "many": (attribute,)}
    other = "many" if first == "one" else "one"
    with GraphMemory.open(server.uri, server.auth, many=ways[first]) as memory:
        tenant = memory.tenant(name)
        tenant.record("All of it.", id="e1")
        tenant.assert_fact("mira", attribute, "A", valid_from=START, episode="e1")
        assert str({i.name: i.cardinality for i in memory.attributes()}[attribute]) == first
    with GraphMemory.open(server.uri, server.auth, many=ways[other]) as memory:
        tenant = memory.tenant(name)
        with pytest.raises(SchemaMismatchError, match=attribute):
            tenant.assert_fact("mira", attribute, "B", valid_from=START, episode="e1")
        with pytest.raises(SchemaMismatchError, match=attribute):
            tenant.history("mira", attribute)
        report = tenant.assert_facts(
            [{"subject": "m", "attribute": attribute, "value": 1, "valid_from": START, "episode": "e1"}]
        )
        assert attribute in str(report.refused.first[0].reason)
    with GraphMemory.open(server.uri, server.auth, many=RECORDED) as memory:
        tenant = memory.tenant(name)
        facts = tenant.values("mira", attribute) if first == "many" else [tenant.current("mira", attribute)]
        assert [fact and fact.value for fact in facts] == ["A"]
