"""The first use of an attribute: what it records for the database, raced for and bounded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar
from uuid import uuid4

import neo4j
import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import RECORDED, GraphMemory, InvalidInputError, Recorded, SchemaMismatchError, Tenant

pytestmark = pytest.mark.server

T = TypeVar("T")

START = "2026-01-01"


@pytest.fixture
def attribute() -> str:
    """An attribute that the database has not seen."""
    return f"seen_{uuid4().hex[:12]}"


@pytest.fixture
def adopting(server: TestServer) -> Iterator[Tenant]:
    """A tenant of a memory that takes each attribute as the database has it."""
    with GraphMemory.open(server.uri, server.auth, many=RECORDED) as memory:
        tenant = memory.tenant(fresh_name())
        tenant.record("All of it.", id="e1")
        yield tenant


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@contextmanager
def first_elsewhere(driver: neo4j.Driver, attribute: str, cardinality: str) -> Iterator[Callable[[], None]]:
    """Another process's first use that is not committed yet; what is yielded commits it once somebody waits."""
    with driver.session() as session, session.begin_transaction() as transaction:
        transaction.run(
            "MERGE (a:Attribute {name: $name}) SET a.cardinality = $cardinality",
            name=attribute,
            cardinality=cardinality,
        ).consume()

        def commit() -> None:
            waiting = (
                "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS blocked"
            )
            deadline = threading.Event()
            for _ in range(600):
                if driver.execute_query(waiting).records[0]["blocked"]:
                    break
                deadline.wait(0.05)
            else:
                raise AssertionError("nobody waits for the attribute")
            transaction.commit()

        yield commit


def meanwhile(commit: Callable[[], None], call: Callable[[], T]) -> Future[T]:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call)
        commit()
    return waiting


def test_who_waited_for_another_s_first_use_writes_into_the_slot_of_what_was_recorded(
    adopting: Tenant, driver: neo4j.Driver, attribute: str, memory: GraphMemory
) -> None:
    with first_elsewhere(driver, attribute, "many") as commit:
        meanwhile(
            commit, lambda: adopting.assert_fact("mira", attribute, "tea", valid_from=START, episode="e1")
        ).result()
    assert memory.verify(adopting.name).problems == ()
    adopting.end_fact("mira", attribute, at="2026-02-01", value="tea", episode="e1")
    assert [fact.value for fact in adopting.values("mira", attribute, "2026-01-15")] == ["tea"]
    assert adopting.values("mira", attribute, "2026-03-01") == []


def test_a_batch_that_waited_places_each_of_its_rows_anew(
    adopting: Tenant, driver: neo4j.Driver, attribute: str, memory: GraphMemory
) -> None:
    rows = [
        {"subject": "mira", "attribute": attribute, "value": value, "valid_from": START, "episode": "e1"}
        for value in ("tea", "coffee")
    ]
    with first_elsewhere(driver, attribute, "many") as commit:
        # With one value at a time the second would be in conflict with the first.
        report = meanwhile(commit, lambda: adopting.assert_facts(rows)).result()
    assert (len(report.committed), len(report.refused)) == (2, 0)
    assert memory.verify(adopting.name).problems == ()


def test_an_end_that_waited_says_which_of_the_values_ends(
    adopting: Tenant, driver: neo4j.Driver, attribute: str
) -> None:
    with first_elsewhere(driver, attribute, "many") as commit:
        waiting = meanwhile(commit, lambda: adopting.end_fact("mira", attribute, at=START, episode="e1"))
    with pytest.raises(InvalidInputError, match="say with value= which one ends"):
        waiting.result()


def test_who_declared_it_otherwise_is_refused_after_the_wait(
    server: TestServer, driver: neo4j.Driver, attribute: str
) -> None:
    with (
        GraphMemory.open(server.uri, server.auth, many=Recorded(attribute)) as memory,
        first_elsewhere(driver, attribute, "one") as commit,
    ):
        tenant = memory.tenant(fresh_name())
        tenant.record("All of it.", id="e1")
        waiting = meanwhile(
            commit, lambda: tenant.assert_fact("mira", attribute, "tea", valid_from=START, episode="e1")
        )
        with pytest.raises(SchemaMismatchError, match="recorded in the database with cardinality one"):
            waiting.result()
        assert tenant.history("mira", "home") == []


def test_a_first_use_waits_for_no_batch_of_another_tenant_that_is_being_written(
    adopting: Tenant, memory: GraphMemory, driver: neo4j.Driver, attribute: str
) -> None:
    other = memory.tenant(fresh_name())
    other.record("All of it.", id="e1")
    other.assert_fact("held", "home", "Berlin", valid_from=START, episode="e1")
    rows = [
        {"subject": subject, "attribute": attribute, "value": 1, "valid_from": START, "episode": "e1"}
        for subject in ("first", "held")
    ]
    with (
        ThreadPoolExecutor(1) as pool,
        driver.session() as session,
        session.begin_transaction() as transaction,
    ):
        # The other's batch uses the attribute first, and is kept from its end by one of its entities.
        transaction.run(
            "MATCH (e:Entity {tenant: $tenant, key: 'held'}) SET e.lock = 'x' REMOVE e.lock", tenant=other.name
        ).consume()
        batch = pool.submit(other.assert_facts, rows)
        blocked = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS blocked"
        while not driver.execute_query(blocked).records[0]["blocked"]:
            threading.Event().wait(0.05)
        assert adopting.assert_fact("mira", attribute, 2, valid_from=START, episode="e1").value == 2
        assert not batch.done()
        transaction.commit()
        assert len(batch.result().committed) == 2


def test_verify_finds_a_fact_in_the_slot_of_the_other_cardinality(
    adopting: Tenant, memory: GraphMemory, driver: neo4j.Driver, attribute: str
) -> None:
    adopting.assert_fact("mira", attribute, "tea", valid_from=START, episode="e1")
    assert memory.verify(adopting.name).problems == ()
    driver.execute_query("MATCH (a:Attribute {name: $name}) SET a.cardinality = 'many'", name=attribute)
    assert [problem.kind for problem in memory.verify(adopting.name).problems] == ["slot"]
    driver.execute_query("MATCH (a:Attribute {name: $name}) DELETE a", name=attribute)
    assert [problem.kind for problem in memory.verify(adopting.name).problems] == ["attribute"]
    driver.execute_query("CREATE (:Attribute {name: $name, cardinality: 'one'})", name=attribute)


def test_a_tenant_adds_so_many_attributes_and_no_more(
    adopting: Tenant, server: TestServer, monkeypatch: pytest.MonkeyPatch, attribute: str
) -> None:
    from graph_memory.schema import recorded

    monkeypatch.setattr(recorded, "MAX_OF_TENANT", 3)
    names = [f"{attribute}_{number}" for number in range(5)]
    rows = [
        {"subject": "mira", "attribute": name, "value": 1, "valid_from": START, "episode": "e1"} for name in names
    ]
    report = adopting.assert_facts(rows)
    assert (len(report.committed), len(report.refused)) == (3, 2)
    assert "may not add another" in str(report.refused.first[0].reason)
    with pytest.raises(InvalidInputError, match="was the first to use 3 attributes"):
        adopting.assert_fact("mira", names[4], 1, valid_from=START, episode="e1")
    assert set(adopting.state("mira", "2026-02-01")) == set(names[:3])
    # What there is may be used by anybody, and another tenant has room of its own.
    adopting.assert_fact("tom", names[0], 1, valid_from=START, episode="e1")
    with GraphMemory.open(server.uri, server.auth, many=RECORDED) as memory:
        other = memory.tenant(fresh_name())
        other.record("All of it.", id="e1")
        other.assert_fact("mira", names[4], 1, valid_from=START, episode="e1")


def test_a_database_that_is_nearly_full_of_relationship_types_takes_no_new_attribute(
    adopting: Tenant, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch, attribute: str
) -> None:
    from graph_memory.schema import recorded

    adopting.assert_fact("mira", "home", "Berlin", valid_from=START, episode="e1")
    # Those of transactions that were rolled back count.
    with driver.session() as session, session.begin_transaction() as transaction:
        transaction.run(f"CREATE ()-[:{attribute.upper()}_NEVER]->()").consume()
        transaction.rollback()
    types = driver.execute_query("CALL db.relationshipTypes() YIELD relationshipType RETURN count(*) AS n")
    monkeypatch.setattr(recorded, "MAX_OF_DATABASE", types.records[0]["n"])
    with pytest.raises(InvalidInputError, match="relationship types, which leaves no room"):
        adopting.assert_fact("mira", attribute, 1, valid_from=START, episode="e1")
    adopting.assert_fact("tom", "home", "Rome", valid_from=START, episode="e1")
