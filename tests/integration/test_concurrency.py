"""Many writers at once: nothing is lost, nothing is doubled, and readers never see a half of a write."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import neo4j
import pytest
import workers
from ledgers import MANY
from oracle import OracleMemory
from servers import TestServer
from snapshot import Snapshot, check_acyclic
from workers import PROCESSES, Place, all_at_once, day

from graph_memory import GraphMemory, Tenant

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture
def place(server: TestServer, tenant: Tenant) -> Place:
    """A fresh tenant with one episode."""
    tenant.record("All of it.", id="e1")
    return Place(server.uri, server.auth, tenant.name, MANY)


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


def test_eight_processes_on_one_slot_lose_and_double_nothing(
    memory: GraphMemory, tenant: Tenant, place: Place, driver: neo4j.Driver
) -> None:
    written = all_at_once(workers.own_and_shared, place)
    assert len({id_ for ids in written for id_ in ids}) == 10 * PROCESSES + 5

    oracle = OracleMemory().tenant(tenant.name)
    oracle.record("All of it.", id="e1")
    for number in range(PROCESSES):
        workers.own_and_shared(oracle, number)  # type: ignore[arg-type]
    history = tenant.history("mira", "home")
    assert [(fact.value, fact.valid_from, fact.valid_to) for fact in history] == [
        (fact.value, fact.valid_from, fact.valid_to) for fact in oracle.history("mira", "home")
    ]
    assert len({fact.recorded_at for fact in history}) == len(history), "two writers at one instant"

    snapshot = Snapshot.read(driver, tenant.name)
    check_acyclic({id_: [old for old, _ in row["supersedes"]] for id_, row in snapshot.entries.items()})
    assert len(snapshot.entries) == len(snapshot.edges) == 10 * PROCESSES + 5
    assert memory.verify(tenant=tenant.name).problems == ()


def test_of_eight_values_with_one_start_exactly_one_is_stored(
    memory: GraphMemory, tenant: Tenant, place: Place
) -> None:
    results = all_at_once(workers.one_start, place)
    (fact,) = tenant.history("mira", "home")
    assert sorted(results) == sorted([fact.id, *[f"lost to {fact.id}"] * (PROCESSES - 1)])
    assert memory.verify(tenant=tenant.name).problems == ()


def test_of_eight_corrections_of_one_fact_exactly_one_is_made(
    memory: GraphMemory, tenant: Tenant, place: Place
) -> None:
    wrong = tenant.assert_fact("mira", "home", "wrong", valid_from=day(0), episode="e1")
    tenant.record(wrong.id, id="wrong")
    results = all_at_once(workers.one_correction, place)
    (fact,) = tenant.history("mira", "home")
    assert sorted(results) == sorted([fact.id, *[f"lost to {fact.id}"] * (PROCESSES - 1)])
    assert fact.supersedes == wrong.id
    assert memory.verify(tenant=tenant.name).problems == ()


def test_eight_processes_that_create_the_same_entities_create_each_once(
    memory: GraphMemory, tenant: Tenant, place: Place, driver: neo4j.Driver
) -> None:
    all_at_once(workers.same_entities, place)
    snapshot = Snapshot.read(driver, tenant.name)
    assert snapshot.entities == {f"p{number}" for number in range(20)}
    assert len(snapshot.entries) == len(snapshot.edges) == 60
    assert len({(edge["subject"], edge["object"]) for edge in snapshot.edges}) == 60
    assert memory.verify(tenant=tenant.name).problems == ()


def test_eight_processes_that_record_the_same_episodes_record_each_once(tenant: Tenant, place: Place) -> None:
    for ids in all_at_once(workers.same_episodes, place):
        assert sorted(ids) == sorted(f"same-{number}" for number in range(10))
    assert tenant.episode("same-3").text == "Text 3."


def test_a_reader_never_misses_a_value_that_is_being_corrected(
    memory: GraphMemory, tenant: Tenant, place: Place
) -> None:
    fact = tenant.assert_fact("mira", "home", 0, valid_from=day(0), episode="e1")
    done = threading.Event()
    seen: list[object] = []

    def read() -> None:
        while not done.is_set():
            found = tenant.as_of("mira", "home", day(1))
            state = tenant.state("mira", day(1))
            seen.append(None if found is None or "home" not in state else found.value)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for number in range(1, 151):
            fact = tenant.correct_fact(fact.id, value=number, episode="e1")
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert len(seen) > 100
    assert None not in seen
    assert memory.verify(tenant=tenant.name).problems == ()
