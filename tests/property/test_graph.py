"""Any history, on Neo4j and on the oracle: the same walks, ways, surroundings and changes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import neo4j
import pytest
from ledgers import MANY, Ledger
from oracle import OracleMemory
from pair import EPISODES, Pair, attempt, typed
from planned import day
from pydantic import BaseModel
from servers import TestServer

from graph_memory import ChangeKind, Clock, Direction, Fact, GraphMemory, Ref, Value

pytestmark = pytest.mark.server

PEOPLE = ["mira", "ann", "bo"]
ENTITIES = [*PEOPLE, "acme", "bank"]
ATTRIBUTES = ["home", "employer", "likes", "knows"]
REFERENCES = [Ref(key, "Company" if key in ("acme", "bank") else None) for key in ENTITIES]
VALUES: list[Value] = ["A", 1, True, 1.0]
BEGINNING = day(-10_000)
HISTORIES = 3
WRITES = 14


@pytest.fixture(scope="module")
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@pytest.fixture(scope="module", params=range(HISTORIES))
def pair(memory: GraphMemory, driver: neo4j.Driver, request: pytest.FixtureRequest) -> Pair:
    """A history of values, ends, corrections and retractions, each of them drawn at random."""
    drawn = random.Random(request.param)
    made = Pair(memory, driver, OracleMemory(many=frozenset(MANY)))
    for _ in range(WRITES):
        made.write(operation(made, drawn))
    return made


def operation(pair: Pair, drawn: random.Random) -> Callable[[Ledger, bool], Any]:
    subject, attribute = drawn.choice([*PEOPLE, "acme"]), drawn.choice(ATTRIBUTES)
    value = drawn.choice(REFERENCES if attribute in ("employer", "knows") else VALUES)
    start, length = drawn.randrange(6), drawn.choice([None, None, 1, 2])
    said: dict[str, Any] = {
        "until": None if length is None else day(start + length),
        "episode": f"e{drawn.randrange(EPISODES)}",
        "quote": drawn.choice([None, "Said in"]),
    }
    kind = drawn.choice(["say", "say", "say", "say", "end", "again", "correct", "retract"])
    known = drawn.choice(list(pair.ids)) if pair.ids else None
    if known is None or kind == "say":
        return lambda ledger, _: ledger.assert_fact(subject, attribute, value, valid_from=day(start), **said)
    if kind == "end":
        ended = value if attribute in MANY else None
        return lambda ledger, _: ledger.end_fact(subject, attribute, at=day(start), value=ended, **said)

    def id_of(stored: bool) -> str:
        return known if stored else pair.ids[known]

    fact = pair.truth.fact(pair.ids[known])
    value_of = fact.value
    if kind == "again" and value_of is not None:
        again = {"valid_from": fact.asserted_from, "until": fact.until, "episode": said["episode"]}
        return lambda ledger, _: ledger.assert_fact(fact.subject, fact.attribute, value_of, **again)
    if kind == "correct" and fact.value is not None:
        return lambda ledger, stored: ledger.correct_fact(
            id_of(stored), value=drawn_like(fact, start), episode=said["episode"]
        )
    return lambda ledger, stored: ledger.retract_fact(
        id_of(stored), reason="misheard", episode=said["episode"] if length else None
    )


def drawn_like(fact: Fact, number: int) -> Value:
    others = REFERENCES if isinstance(fact.value, Ref) else VALUES
    return others[number % len(others)]


def shape(answer: Any, ids: dict[str, str] | None) -> Any:
    """An answer with the oracle's ids, and values that differ where their types do."""
    if isinstance(answer, list | tuple):
        return [shape(part, ids) for part in answer]
    if isinstance(answer, dict):
        return {shape_id(key, ids): part for key, part in answer.items()}
    if isinstance(answer, BaseModel):
        return {
            name: typed(part)
            if name in ("value", "ended_value")
            else shape_id(part, ids)
            if name in ("id", "fact_id", "supersedes")
            else shape(part, ids)
            for name, part in answer
        }
    return answer


def shape_id(id_: str | None, ids: dict[str, str] | None) -> str | None:
    return id_ if id_ is None or ids is None else ids[id_]


def instants(pair: Pair) -> list[Any]:
    """Now, and instants at which something else was known."""
    recorded = sorted({entry.recorded_at for entry in pair.truth.entries})
    return [None, recorded[len(recorded) // 2], recorded[-2]]


def same(pair: Pair, method: str, *args: Any, ordered: bool = True, **kwargs: Any) -> None:
    """Ask both the same."""
    found, error = attempt(lambda: getattr(pair.store, method)(*args, **kwargs))
    expected, failure = attempt(lambda: getattr(pair.truth, method)(*args, **kwargs))
    assert isinstance(error, type(failure)), (error, failure)
    ours, theirs = shape(found, pair.ids), shape(expected, None)
    if not ordered:
        ours, theirs = sorted(ours, key=repr), sorted(theirs, key=repr)
    assert ours == theirs


@pytest.mark.parametrize("direction", Direction)
def test_walks_are_the_same(pair: Pair, direction: Direction) -> None:
    asked: dict[str, Any]
    for known_at in instants(pair):
        for at, start in ((day(1), "mira"), (day(3), "acme"), (day(9), "mira")):
            for asked in (
                {},
                {"limit": 2},
                {"kinds": ["Company"]},
                {"relations": ["knows"], "depth": 1},
                {"to": ["Company"], "depth": 3},
                {"through": ["Company"], "depth": 3},
                {"through": [], "to": ["Company"]},
            ):
                same(pair, "traverse", start, at=at, known_at=known_at, direction=direction, **asked)


@pytest.mark.parametrize("direction", Direction)
def test_ways_are_the_same(pair: Pair, direction: Direction) -> None:
    asked: dict[str, Any]
    for known_at in instants(pair)[:2]:
        for a, b in (("mira", "ann"), ("acme", "bo"), ("bo", "bo")):
            for asked in ({}, {"limit": 2}, {"kinds": ["Company"]}, {"relations": ["knows"], "depth": 2}):
                same(pair, "paths", a, b, at=day(4), known_at=known_at, direction=direction, **asked)


def test_surroundings_are_the_same(pair: Pair) -> None:
    for known_at in instants(pair):
        for key in ENTITIES:
            same(pair, "neighborhood", key, day(3), known_at)
            same(pair, "neighborhood", key, day(5), known_at, depth=2, limit=2)


@pytest.mark.parametrize("by", Clock)
def test_changes_are_the_same_and_in_the_order_of_time(pair: Pair, by: Clock) -> None:
    asked: dict[str, Any]
    middle = instants(pair)[1] if by is Clock.RECORDED else day(2)
    for known_at in instants(pair):
        for since, until in ((BEGINNING, None), (middle, None), (BEGINNING, middle)):
            for asked in (
                dict[str, Any](),
                {"subject": "mira"},
                {"attributes": ["knows", "home"]},
                {"subject": "ann", "attributes": ["knows"]},
                *({"kinds": [kind]} for kind in ChangeKind),
            ):
                same(pair, "changes", since, until, by=by, known_at=known_at, ordered=False, **asked)
    told = pair.store.changes(BEGINNING, by=by)
    assert [event.at for event in told] == sorted(event.at for event in told)


@pytest.mark.parametrize("by", Clock)
def test_a_page_of_changes_is_the_beginning_of_all_of_them(pair: Pair, by: Clock) -> None:
    told = pair.store.changes(BEGINNING, by=by)
    for limit in (1, 2, 3, 5, len(told), len(told) + 1):
        assert pair.store.changes(BEGINNING, by=by, limit=limit) == told[:limit]


def test_differences_are_the_same(pair: Pair) -> None:
    for known_at in instants(pair):
        for subject in PEOPLE:
            for at1, at2 in ((day(0), day(4)), (day(4), day(1)), (day(2), day(9))):
                same(pair, "diff", subject, at1, at2, known_at)


def test_those_who_had_a_value_are_the_same(pair: Pair) -> None:
    for known_at in instants(pair):
        for attribute in ATTRIBUTES:
            for value in (*VALUES, *REFERENCES):
                same(pair, "who_had", attribute, value, day(3), known_at)
