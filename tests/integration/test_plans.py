"""How the database runs each reading template: by seeking in an index, in its order, and stopping early."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest
from ledgers import MANY, fresh_name
from query_plans import FORBIDDEN, operators, replan
from servers import TestServer

from graph_memory import GraphMemory, Ref
from graph_memory.domain.slots import slot_key
from graph_memory.storage.templates import template, template_names

pytestmark = pytest.mark.server

START = datetime(2020, 1, 1, tzinfo=UTC)
# Of too many edges those that hold since latest are wanted, so all have to be seen; only so many are kept.
RANKED = {"read/edges_in": {"Top"}, "read/edges_out": {"Top"}, "read/latest": {"Sort"}, "read/provenance": {"Top"}}
OPTIONAL = ("at", "attributes", "types", "kinds", "memory_types", "until")
READING = template_names("read")


@pytest.fixture(scope="module")
def filled(memory: GraphMemory, server: TestServer) -> Iterator[tuple[neo4j.Driver, dict[str, Any]]]:
    """A database in which a bad plan would look cheap to no planner, and parameters for every template."""
    name = fresh_name()
    tenant = memory.tenant(name)
    episode = tenant.record("Mira's passport deadline is 2026-07-15.")
    rows = [
        {"subject": f"p{n % 200}", "attribute": a, "value": v, "valid_from": START.replace(year=2000 + n // 200)}
        for n in range(800)
        for a, v in (("home", n), ("employer", Ref(f"c{n % 50}")), ("likes", f"thing {n % 7}"))
    ]
    report = tenant.assert_facts({**row, "episode": episode.id} for row in rows)
    assert not report.refused.first
    fact = tenant.history("p1", "home")[0]
    parameters = {
        "after": "",
        "all": True,
        "at": START,
        "attribute": "home",
        "attributes": ["home", "employer"],
        "episode": episode.id,
        "exempt": ["c1"],
        "id": fact.id,
        "ids": [fact.id],
        "k": 10,
        "instants": [START, START],
        "key": "c1",
        "keys": ["p1", "c1"],
        "kinds": ["Company"],
        "known": [datetime.now(UTC)],
        "known_at": datetime.now(UTC),
        "limit": 100,
        "memory_types": ["semantic"],
        "names": ["home"],
        "query": "passport",
        "since": START,
        "slots": [slot_key(name, "p1", "home"), slot_key(name, "p2", "employer")],
        "subject": "p1",
        "subjects": ["p1", "p2"],
        "states": ["queued", "failed"],
        "status": "pending",
        "tenant": name,
        "tenants": [name],
        "types": ["HOME", "EMPLOYER"],
        "until": datetime.now(UTC),
        "value": 7,
        "value_type": "int",
    }
    replan(server)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        yield driver, parameters


@pytest.mark.parametrize("optional", ["given", "null"])
@pytest.mark.parametrize("name", READING)
def test_a_reading_template_seeks_and_never_sorts_or_scans(
    filled: tuple[neo4j.Driver, dict[str, Any]], name: str, optional: str
) -> None:
    driver, known = filled
    read = template(name)
    parameters = {parameter: known[parameter] for parameter in read.used}
    if optional == "null":
        parameters |= {p: None for p in OPTIONAL if p in parameters}
    _, summary, _ = driver.execute_query(f"EXPLAIN {read.text}", parameters)
    assert summary.plan is not None
    found = list(operators(summary.plan))
    allowed = RANKED.get(name, set())
    assert [o for o in found if FORBIDDEN.search(o) and o not in allowed] == [], found


def test_the_cardinality_many_attributes_are_declared_as_the_suite_needs_them(memory: GraphMemory) -> None:
    recorded = {info.name: str(info.cardinality) for info in memory.attributes()}
    assert {recorded[name] for name in MANY if name in recorded} <= {"many"}


@pytest.mark.parametrize("entries", [10, 2000])
def test_as_of_touches_as_much_in_a_long_history_as_in_a_short_one(
    filled: tuple[neo4j.Driver, dict[str, Any]], memory: GraphMemory, entries: int
) -> None:
    driver, _ = filled
    tenant = memory.tenant(fresh_name())
    episode = tenant.record("All of it.").id
    tenant.assert_facts(
        {
            "subject": "mira",
            "attribute": "home",
            "value": number,
            "valid_from": datetime(2020 + number // 300, 1 + number // 28 % 10, 1 + number % 28, tzinfo=UTC),
            "episode": episode,
        }
        for number in range(entries)
    )
    _, summary, _ = driver.execute_query(
        f"PROFILE {template('read/as_of').text}",
        slots=[slot_key(tenant.name, "mira", "home")],
        at=datetime(2020, 1, 5, 12, tzinfo=UTC),
    )
    assert summary.profile is not None
    assert sum(hits(summary.profile)) < 60


def hits(profile: dict[str, Any]) -> Iterator[int]:
    yield profile.get("dbHits", 0)
    for child in profile.get("children", ()):
        yield from hits(child)


@pytest.mark.parametrize("name", ["recorded_in", "retracted_in", "starting_in", "ending_in"])
def test_changes_in_an_interval_are_found_without_those_outside(
    filled: tuple[neo4j.Driver, dict[str, Any]], name: str
) -> None:
    driver, parameters = filled
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    read = template(f"read/{name}")
    asked = {p: parameters[p] for p in read.used} | {"since": tomorrow, "until": None, "limit": 1000}
    _, summary, _ = driver.execute_query(f"PROFILE {read.text}", asked)
    assert summary.profile is not None
    assert sum(hits(summary.profile)) < 20


def test_the_first_changes_are_found_without_the_rest(filled: tuple[neo4j.Driver, dict[str, Any]]) -> None:
    driver, parameters = filled
    read = template("read/recorded_in")
    everything = {"since": START, "until": None, "attributes": None, "kinds": None, "limit": 5}
    asked = {p: parameters[p] for p in read.used} | everything
    records, summary, _ = driver.execute_query(f"PROFILE {read.text}", asked)
    assert len(records) == 5
    assert summary.profile is not None
    assert sum(hits(summary.profile)) < 100


@pytest.mark.parametrize(
    "name", ["read/recorded_of", "read/changes", "read/facts", "read/provenance", "read/citations", "read/quotes"]
)
def test_the_episodes_of_an_entry_are_reached_from_it(
    filled: tuple[neo4j.Driver, dict[str, Any]], name: str
) -> None:
    driver, parameters = filled
    read = template(name)
    _, summary, _ = driver.execute_query(f"EXPLAIN {read.text}", {p: parameters[p] for p in read.used})
    assert summary.plan is not None
    assert [o for o in operators(summary.plan) if "RelationshipIndex" in o] == []
