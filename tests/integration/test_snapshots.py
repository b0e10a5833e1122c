"""Reads beside writes: each is the state before a transaction or after it, never one between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import neo4j
import pytest
from servers import TestServer
from workers import day

from graph_memory import Fact, Tenant, WriteReport

pytestmark = pytest.mark.server

SECONDS = 8.0
EXPIRED = 1000
AFTER = day(EXPIRED + 100)


@pytest.fixture
def tenant(tenant: Tenant) -> Tenant:
    tenant.record("All of it.", id="e1")
    return tenant


@contextmanager
def meanwhile(write: Callable[[int], None], threads: int = 1) -> Iterator[None]:
    """Write over and over, in some threads; raises what a writer raised."""
    stop, failed = threading.Event(), list[BaseException]()

    def work(number: int) -> None:
        try:
            while not stop.is_set():
                write(number)
        except BaseException as error:
            failed.append(error)

    writers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for writer in writers:
        writer.start()
    try:
        yield
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert not failed, failed


def moving(tenant: Tenant, attribute: str = "home") -> Callable[[int], None]:
    """Return what corrects the start of an open fact back and forth across expired ones."""
    tenant.assert_facts(
        {
            "subject": "mira",
            "attribute": attribute,
            "value": f"hotel {number}",
            "valid_from": day(number),
            "until": day(number + 1),
            "episode": "e1",
        }
        for number in range(EXPIRED)
    )
    fact = tenant.assert_fact("mira", attribute, "home", valid_from=day(-10), episode="e1")
    ends = [day(EXPIRED + 10), day(-10)]

    def write(_: int) -> None:
        nonlocal fact
        fact = tenant.correct_fact(fact.id, valid_from=ends[0], episode="e1")
        ends.reverse()

    return write


def reading(check: Callable[[], str | None], threads: int = 2) -> None:
    """Read over and over for some seconds, in some threads; `check` says what was wrong."""
    end, wrong, reads = time.monotonic() + SECONDS, list[str](), 0

    def work() -> None:
        nonlocal reads
        while time.monotonic() < end:
            reads += 1
            if (problem := check()) is not None:
                wrong.append(problem)

    readers = [threading.Thread(target=work) for _ in range(threads)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert reads
    assert not wrong, f"{len(wrong)} of {reads} reads: {wrong[:3]}"


@pytest.mark.slow
@pytest.mark.parametrize("known", [False, True])
def test_a_slot_whose_fact_moves_across_expired_ones_never_shows_another(tenant: Tenant, known: bool) -> None:
    write = moving(tenant)

    def as_of() -> str | None:
        fact = tenant.as_of("mira", "home", AFTER, known_at=datetime.now(UTC) if known else None)
        return None if fact is not None and fact.value == "home" and fact.retracted_at is None else repr(fact)

    with meanwhile(write):
        reading(as_of)


@pytest.mark.slow
def test_the_state_of_a_subject_never_lacks_a_fact_that_moves(tenant: Tenant) -> None:
    write = moving(tenant)

    def state() -> str | None:
        fact = tenant.state("mira", at=AFTER).get("home")
        return None if isinstance(fact, Fact) and fact.value == "home" else repr(fact)

    with meanwhile(write):
        reading(state)


@pytest.mark.slow
@pytest.mark.parametrize("known", [False, True])
def test_a_history_shows_a_fact_that_moves_once(tenant: Tenant, known: bool) -> None:
    write = moving(tenant)

    def history() -> str | None:
        segments = tenant.history("mira", "home", known_at=datetime.now(UTC) if known else None)
        ids = {fact.id for fact in segments if fact.value == "home"}
        return None if len(ids) == 1 else f"{len(ids)} entries of {len(segments)} segments"

    with meanwhile(write):
        reading(history)


def counting(tenant: Tenant, keys: list[tuple[str, str]]) -> Callable[[int], None]:
    """Return what asserts a number of several slots, one more in each transaction."""
    numbers = iter(range(10**9))

    def write(_: int) -> None:
        number = next(numbers)
        rows = [
            {"subject": s, "attribute": a, "value": number, "valid_from": day(number), "episode": "e1"}
            for s, a in keys
        ]
        assert not tenant.assert_facts(rows).refused.first

    return write


@pytest.mark.slow
@pytest.mark.parametrize("known", [False, True])
def test_facts_of_several_subjects_from_one_transaction_are_seen_together(tenant: Tenant, known: bool) -> None:
    keys = [(f"s{number}", "number") for number in range(20)]
    write = counting(tenant, keys)
    write(0)

    def as_of_many() -> str | None:
        facts = tenant.as_of_many(keys, day(10**6), known_at=datetime.now(UTC) if known else None)
        values = {None if fact is None else fact.value for fact in facts}
        return None if len(values) == 1 else repr(values)

    with meanwhile(write):
        reading(as_of_many)


@pytest.mark.slow
def test_facts_of_one_subject_from_one_transaction_are_seen_together(tenant: Tenant) -> None:
    attributes = [f"number_{number}" for number in range(10)]
    write = counting(tenant, [("mira", attribute) for attribute in attributes])
    write(0)

    def state() -> str | None:
        facts = tenant.state("mira", at=day(10**6)).values()
        values = {fact.value for fact in facts if isinstance(fact, Fact)}
        return None if len(values) == 1 and len(facts) == len(attributes) else repr(values)

    with meanwhile(write):
        reading(state)


@pytest.mark.slow
def test_new_facts_of_a_new_subject_are_seen_together(tenant: Tenant) -> None:
    made, names = ["w0"], iter(range(1, 10**9))

    def write(_: int) -> None:
        name = f"w{next(names)}"
        made.append(name)
        rows = [
            {"subject": name, "attribute": a, "value": v, "valid_from": day(0), "episode": "e1"}
            for a, v in (("home", "x"), ("office", "y"), ("likes", "tea"), ("likes", "rain"))
        ]
        assert not tenant.assert_facts(rows).refused.first

    def whole() -> str | None:
        name = made[-1]
        state = tenant.state(name, at=AFTER)
        if state and (len(state) != 3 or len(state["likes"]) != 2):  # type: ignore[arg-type]
            return f"state {name}: {sorted(state)}"
        likes = len(tenant.values(name, "likes", at=AFTER))
        if likes not in (0, 2):
            return f"{likes} values of {name}"
        likes = len(tenant.history(name, "likes"))
        return None if likes in (0, 2) else f"{likes} segments of {name}"

    with meanwhile(write):
        reading(whole)


@pytest.mark.slow
def test_what_was_written_is_read_at_once(tenant: Tenant) -> None:
    """The read beside a write may take the state before it; one after it has to take the state after it."""
    write = moving(tenant)
    with meanwhile(write):
        for number in range(30):
            fact = tenant.assert_fact("mira", "mood", number, valid_from=day(number), episode="e1")
            read = tenant.as_of("mira", "mood", day(10**5))
            assert read is not None
            assert read.id == fact.id
            state = tenant.state("mira", at=day(10**5))["mood"]
            assert isinstance(state, Fact)
            assert state.id == fact.id


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@pytest.mark.parametrize("known", [False, True])
def test_a_write_that_the_server_has_applied_by_half_is_not_seen(
    tenant: Tenant, driver: neo4j.Driver, known: bool
) -> None:
    """As a read may find it: what is in no index is as after the write, the indexes are as before it."""
    rows = [
        {"subject": "mira", "attribute": a, "value": v, "valid_from": day(0), "episode": "e1"}
        for a, v in (("home", "Berlin"), ("office", "Mitte"))
    ]
    before = [str(fact_id) for fact_id in ids(tenant.assert_facts(rows))]
    wrong, right = before[0], tenant.correct_fact(before[0], value="Bonn", episode="e1")
    fields = {"tenant": tenant.name, "wrong": wrong, "right": right.id}
    driver.execute_query(
        "MATCH (:Entity {tenant: $tenant, key: 'mira'})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) "
        "MATCH (w:Fact {id: $wrong}) MATCH (r:Fact {id: $right}) SET h.clock = w.recorded_at REMOVE r:Live:Open",
        fields,
    )
    at = datetime.now(UTC) if known else None
    (home,) = tenant.history("mira", "home", known_at=at)
    assert (home.id, home.value, home.retracted_at) == (wrong, "Berlin", None)
    assert tenant.as_of("mira", "home", day(1), known_at=at) == home

    driver.execute_query(
        "MATCH (:Entity {tenant: $tenant, key: 'mira'})-[h:HAS_SLOT]->(:Slot {attribute: 'home'}) "
        "MATCH (r:Fact {id: $right}) SET h.clock = h.moved, r:Live:Open",
        fields,
    )
    found = tenant.as_of_many([("mira", "home"), ("mira", "office")], day(1), known_at=at)
    assert [fact.value for fact in found if fact] == ["Bonn", "Mitte"]


def test_facts_of_a_new_slot_are_not_seen_before_all_of_their_write_is(
    tenant: Tenant, driver: neo4j.Driver
) -> None:
    tenant.assert_fact("mira", "home", "Berlin", valid_from=day(0), episode="e1")
    about = "MATCH (:Entity {tenant: $tenant, key: 'mira'})-[h:HAS_SLOT]->(s:Slot {attribute: 'home'}) "
    hide = "SET s.kept = s.key, h.kept = h.clock REMOVE s.key, h.clock"
    driver.execute_query(about + hide, {"tenant": tenant.name})
    assert tenant.as_of("mira", "home", day(1)) is None
    assert tenant.history("mira", "home") == []
    show = "SET s.key = s.kept, h.clock = h.kept REMOVE s.kept, h.kept"
    driver.execute_query(about + show, {"tenant": tenant.name})
    assert [fact.value for fact in tenant.history("mira", "home")] == ["Berlin"]


def ids(report: WriteReport) -> list[str | None]:
    return [outcome.fact_id for outcome in report.committed.first]
