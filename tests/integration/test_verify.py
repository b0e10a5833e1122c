"""Verify finds what differs from the ledger, repair mends it, and neither is fooled by writers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import neo4j
import pytest
from ledgers import MANY
from oracle import OracleMemory, OracleTenant
from servers import TestServer
from snapshot import Snapshot

from graph_memory import GraphMemory, Ref, Tenant, Value, VerifyReport

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)
TOLD: list[tuple[str, Value, int, int | None]] = [
    ("home", "Berlin", 1, None),
    ("home", "hotel", 5, 8),
    ("home", "Paris", 9, None),
    ("employer", Ref("acme"), 1, None),
    ("employer", Ref("globex"), 5, None),
    ("likes", "tea", 1, None),
]


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@pytest.fixture
def truth(tenant: Tenant) -> tuple[OracleTenant, dict[str, str]]:
    """The same facts in the tenant and in an oracle, and which id of the one is which of the other."""
    memory = OracleMemory(many=frozenset(MANY))
    oracle = memory.tenant(tenant.name)
    ids: dict[str, str] = {}
    for ledger in (tenant, oracle):
        ledger.record("All of it.", id="e1")
    for attribute, value, start, until in TOLD:
        last = None if until is None else START + timedelta(days=until)
        first = START + timedelta(days=start)
        fact = tenant.assert_fact("mira", attribute, value, valid_from=first, until=last, episode="e1")
        memory.clock = lambda fact=fact: fact.recorded_at  # type: ignore[misc]
        ids[fact.id] = oracle.assert_fact("mira", attribute, value, valid_from=first, until=last, episode="e1").id
    return oracle, ids


DAMAGE = {
    "an edge that is gone": ("MATCH (:Entity {tenant: $tenant})-[r:HOME]->() DELETE r", "edge missing"),
    "a reference's edge that is gone": (
        "MATCH (:Entity {tenant: $tenant})-[r:EMPLOYER]->() DELETE r",
        "edge missing",
    ),
    "an edge that ends elsewhere": (
        "MATCH (:Entity {tenant: $tenant})-[r:HOME]->() SET r.valid_to = datetime('2031-01-01T00:00Z')",
        "edge unexpected",
    ),
    "an edge that starts elsewhere": (
        "MATCH (:Entity {tenant: $tenant})-[r:HOME]->() SET r.valid_from = datetime('1999-01-01T00:00Z')",
        "edge unexpected",
    ),
    "an edge that nothing asks for": (
        "MATCH (a:Entity {tenant: $tenant, key: 'mira'}), (b:Entity {tenant: $tenant, key: 'acme'}) "
        "CREATE (a)-[:OWNER {fact_id: 'none', tenant: $tenant, valid_from: datetime('2026-01-01T00:00Z')}]->(b)",
        "edge unexpected",
    ),
    "a slot that is gone": (
        "MATCH (:Entity {tenant: $tenant})-[:HAS_SLOT]->(s:Slot {attribute: 'home'}) DETACH DELETE s",
        "slot missing",
    ),
    "the same edge twice": (
        "MATCH (a:Entity {tenant: $tenant})-[r:HOME]->(f) CREATE (a)-[d:HOME]->(f) SET d = properties(r)",
        "edge unexpected",
    ),
    "an edge of another type": (
        "MATCH (a:Entity {tenant: $tenant})-[r:HOME]->(f) "
        "CREATE (a)-[d:HOUSE]->(f) SET d = properties(r) DELETE r",
        "edge unexpected",
    ),
    "an edge to another entity": (
        "MATCH (a:Entity {tenant: $tenant})-[r:EMPLOYER]->(:Entity {key: 'acme'}) "
        "CREATE (a)-[d:EMPLOYER]->(a) SET d = properties(r) DELETE r",
        "edge unexpected",
    ),
    "an open label that is gone": (
        "MATCH (:Entity {tenant: $tenant})-[:HOME]->(f:Open) REMOVE f:Open",
        "open label",
    ),
    "an open label on another": (
        "MATCH (:Entity {tenant: $tenant})-[r:HOME]->(f:Open) REMOVE f:Open "
        "WITH DISTINCT f MATCH (f)-[:SUPERSEDES]->(o) SET o:Open",
        "open label",
    ),
    "a mark that is gone": (
        "MATCH (:Entity {tenant: $tenant})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) REMOVE h.clock",
        "slot mark",
    ),
    "a mark of a write that is over": (
        "MATCH (:Entity {tenant: $tenant})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) "
        "SET h.moved = h.moved + duration({seconds: 1})",
        "slot mark",
    ),
    "marks of an earlier write": (
        "MATCH (:Entity {tenant: $tenant})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) "
        "SET h.clock = h.clock - duration({hours: 1}), h.moved = h.clock",
        "slot mark",
    ),
    "marks of another slot": (
        "MATCH (:Entity {tenant: $tenant})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) SET h.slot = 'another'",
        "slot mark",
    ),
    "a live label that is gone": (
        "MATCH (:Entity {tenant: $tenant})-[:HOME]->(f:Live) REMOVE f:Live",
        "live label",
    ),
}


@pytest.fixture(params=["at once", "in pieces"])
def read(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verify reads a subject at once, or as if it were too large for that, one slot at a time."""
    if request.param == "in pieces":
        monkeypatch.setattr("graph_memory._sync.ledger.consistency._READ", 1)
        monkeypatch.setattr("graph_memory._sync.ledger.consistency._SLOTS", 2)


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize("damage", DAMAGE, ids=str)
def test_what_was_damaged_is_found_and_repair_makes_it_true_to_the_rule_again(
    memory: GraphMemory,
    tenant: Tenant,
    driver: neo4j.Driver,
    truth: tuple[OracleTenant, dict[str, str]],
    damage: str,
) -> None:
    statement, kind = DAMAGE[damage]
    assert memory.verify(tenant=tenant.name).problems == ()
    driver.execute_query(statement, tenant=tenant.name)

    found = memory.verify(tenant=tenant.name)
    assert kind in {problem.kind for problem in found.problems}
    assert not found.clean
    assert all(problem.tenant == tenant.name and not problem.repaired for problem in found.problems)

    repaired = memory.verify(tenant=tenant.name, repair=True)
    assert repaired.clean
    assert all(problem.repaired for problem in repaired.problems)
    assert memory.verify(tenant=tenant.name).problems == ()
    Snapshot.read(driver, tenant.name).check(*truth)


UNMENDABLE = {
    "a clock that is far ahead": (
        "MATCH (e:Entity {tenant: $tenant, key: 'mira'}) SET e.clock = datetime.realtime() + duration({days: 2})",
        "clock ahead",
    ),
    "a fact without an episode": (
        "MATCH (:Entity {tenant: $tenant})-[:HOME]->(f)-[r:FROM_EPISODE]->() DELETE r",
        "no provenance",
    ),
    "a fact that supersedes a later one": (
        "MATCH (:Entity {tenant: $tenant})-[:HOME]->(f)-[r:SUPERSEDES]->(o) "
        "DELETE r WITH DISTINCT f, o CREATE (o)-[:SUPERSEDES {kind: 'change'}]->(f)",
        "supersedes",
    ),
    "a reference that points nowhere": (
        "MATCH (:Entity {tenant: $tenant})<-[r:OBJECT]-() DELETE r",
        "object",
    ),
}


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize("damage", UNMENDABLE, ids=str)
def test_what_no_entry_can_tell_is_found_and_stays_reported(
    memory: GraphMemory,
    tenant: Tenant,
    driver: neo4j.Driver,
    truth: tuple[OracleTenant, dict[str, str]],
    damage: str,
) -> None:
    statement, kind = UNMENDABLE[damage]
    driver.execute_query(statement, tenant=tenant.name)
    assert {problem.kind for problem in memory.verify(tenant=tenant.name).problems} == {kind}
    assert not memory.verify(tenant=tenant.name, repair=True).clean


@pytest.mark.usefixtures("truth", "read")
def test_verify_counts_what_it_compared(memory: GraphMemory, tenant: Tenant) -> None:
    report = memory.verify(tenant=tenant.name)
    assert (report.slots, report.facts, report.edges) == (3, 6, 7)


@pytest.mark.usefixtures("truth", "read")
def test_verify_and_repair_beside_a_writer_find_nothing_and_break_nothing(
    memory: GraphMemory, tenant: Tenant
) -> None:
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            start = START + timedelta(hours=number * 37 % 4001)
            fact = tenant.assert_fact("mira", "desk", number, valid_from=start, episode="e1")
            if number % 3 == 0:
                tenant.correct_fact(fact.id, value=-number, episode="e1")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = [
            problem
            for number in range(30)
            for problem in memory.verify(tenant=tenant.name, repair=number % 2 == 0).problems
        ]
    finally:
        done.set()
        writer.join()
    assert found == []
    assert memory.verify(tenant=tenant.name).problems == ()


def test_a_verify_of_a_database_in_use_raises_no_false_alarm(memory: GraphMemory, tenant: Tenant) -> None:
    tenant.record("All of it.", id="e1")
    stop = threading.Event()

    def write() -> None:
        for number in range(10_000):
            if stop.is_set():
                return
            first = START + timedelta(minutes=number)
            tenant.assert_fact(f"s{number % 50}", "home", number, valid_from=first, episode="e1")

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(2):
            stray = [p for p in memory.verify().problems if p.tenant in ("", tenant.name)]
            assert stray == []
    finally:
        stop.set()
        for writer in writers:
            writer.join()


@pytest.mark.usefixtures("truth")
def test_reads_of_a_slot_are_fast_again_once_its_marks_are_mended(
    memory: GraphMemory, tenant: Tenant, driver: neo4j.Driver
) -> None:
    driver.execute_query("MATCH (:Entity {tenant: $tenant})-[h:HAS_SLOT]->() REMOVE h.clock", tenant=tenant.name)

    def seconds() -> float:
        begin = time.monotonic()
        fact = tenant.current("mira", "home")
        assert fact is not None
        assert fact.value == "Paris"
        return time.monotonic() - begin

    assert seconds() > 2
    assert {problem.kind for problem in memory.verify(tenant=tenant.name).problems} == {"slot mark"}
    assert memory.verify(tenant=tenant.name, repair=True).clean
    assert seconds() < 2


def test_a_large_subject_is_read_in_pieces_of_bounded_size(
    memory: GraphMemory, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant.record("All of it.", id="e1")
    rows = [
        {
            "subject": "hub",
            "attribute": attribute,
            "value": number,
            "valid_from": START + number * timedelta(days=1),
        }
        for number in range(40)
        for attribute in ("home", "office", "likes")
    ]
    assert not tenant.assert_facts({**row, "episode": "e1"} for row in rows).refused.first
    monkeypatch.setattr("graph_memory._sync.ledger.consistency._READ", 50)
    monkeypatch.setattr("graph_memory._sync.ledger.consistency._SLOTS", 7)
    seen = [VerifyReport(slots=0, facts=0, edges=0)]
    report = memory.verify(tenant=tenant.name, progress=seen.append)
    assert report.problems == ()
    assert (report.slots, report.facts, report.edges) == (42, 120, 120)
    assert max(after.facts - before.facts for before, after in pairwise(seen)) <= 50
