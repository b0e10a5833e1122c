"""Merging entities and undoing it, after any history: the ledger is as if all had been said of one entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest
import rule
from hypothesis import HealthCheck, given, settings, strategies as st
from ledgers import fresh_name
from servers import TestServer
from snapshot import Snapshot, check_acyclic

from graph_memory import ConflictError, Fact, GraphMemory, Merge, Ref, Tenant
from graph_memory.domain.values import Value, from_property, identity

pytestmark = [pytest.mark.server, pytest.mark.slow]

KEYS = ("a", "b", "c", "d")
ONE, MANY = ("home", "employer"), ("likes", "knows")
START = datetime(2026, 1, 1, tzinfo=UTC)
SOME = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])

references: st.SearchStrategy[Ref] = st.sampled_from(KEYS).map(Ref)
values = {
    "home": st.integers(0, 2),
    "likes": st.sampled_from(["tea", "rye"]),
    "employer": references,
    "knows": references,
}


@st.composite
def saying(draw: st.DrawFn) -> dict[str, Any]:
    """Something to assert, to end, to correct or to retract; of these two, which fact, counted from the last."""
    attribute = draw(st.sampled_from((*ONE, *MANY)))
    start = draw(st.integers(0, 4))
    length = draw(st.none() | st.integers(1, 4))
    return {
        "what": draw(st.sampled_from(("assert", "assert", "assert", "end", "correct", "retract"))),
        "subject": draw(st.sampled_from(KEYS)),
        "attribute": attribute,
        "value": draw(values[attribute]),
        "start": START + timedelta(days=start),
        "until": None if length is None else START + timedelta(days=start + length),
        "episode": draw(st.sampled_from(("e0", "e1", "e2"))),
        "fact": draw(st.integers(0, 5)),
    }


@dataclass(frozen=True)
class Live:
    """A live entry but for its id and its recorded instant."""

    subject: str
    attribute: str
    value: Value | None
    ended_value: Value | None
    valid_from: datetime
    until: datetime | None
    first: str
    episodes: frozenset[str]

    @property
    def slot(self) -> rule.SlotKey:
        said = self.ended_value if self.value is None else self.value
        return (
            self.subject,
            self.attribute,
            identity(said) if self.attribute in MANY and said is not None else None,
        )

    def speaks_of(self, key: str) -> bool:
        return self.subject == key or Ref(key) in (self.value, self.ended_value)

    def renamed(self, old: str, new: str) -> Live:
        def of(value: Value | None) -> Value | None:
            return Ref(new) if value == Ref(old) else value

        subject = new if self.subject == old else self.subject
        return replace(self, subject=subject, value=of(self.value), ended_value=of(self.ended_value))

    @property
    def order(self) -> tuple[Any, ...]:
        member = self.slot[2] or ("", "")
        return self.subject, self.attribute, *member, self.valid_from, self.value is None


class World:
    """A tenant, what is said in it, and what it holds."""

    def __init__(self, memory: GraphMemory, driver: neo4j.Driver) -> None:
        self.memory, self.driver = memory, driver
        self.tenant: Tenant = memory.tenant(fresh_name())
        self.facts: list[Fact] = []
        for episode in ("e0", "e1", "e2", "m", "u"):
            self.tenant.record(f"Said in {episode}.", id=episode)
        for key in KEYS:
            self.tenant.name_entity(key, f"Name {key}", [f"alias {key}"])

    def say(self, sayings: Iterable[dict[str, Any]]) -> None:
        for said in sayings:
            with suppress(ConflictError):
                self.facts.append(self._say(said))

    def _say(self, said: dict[str, Any]) -> Fact:
        tenant, episode = self.tenant, said["episode"]
        subject, attribute, value = said["subject"], said["attribute"], said["value"]
        if said["what"] == "end":
            value = value if attribute in MANY else None
            return tenant.end_fact(
                subject, attribute, at=said["start"], until=said["until"], value=value, episode=episode
            )
        if said["what"] == "assert" or said["fact"] >= len(self.facts):
            return tenant.assert_fact(
                subject, attribute, value, valid_from=said["start"], until=said["until"], episode=episode
            )
        fact = self.facts[-1 - said["fact"]]
        if said["what"] == "retract":
            return tenant.retract_fact(fact.id, reason="it was not so", episode=episode)
        return tenant.correct_fact(fact.id, valid_from=said["start"], until=said["until"], episode=episode)

    def live(self) -> dict[str, Live]:
        """The live entries by id."""
        return {
            id_: _live(row)
            for id_, row in Snapshot.read(self.driver, self.tenant.name).entries.items()
            if "Live" in row["labels"]
        }

    def check(self, live: Iterable[Live]) -> None:
        """Everything that the database says agrees with these entries, and with itself."""
        assert self.memory.verify(tenant=self.tenant.name).problems == ()
        rows = Snapshot.read(self.driver, self.tenant.name).entries
        check_acyclic({id_: [old for old, _ in row["supersedes"]] for id_, row in rows.items()})
        assert self.histories() == histories(live)

    def histories(self, known_at: datetime | None = None) -> dict[tuple[str, str], list[Any]]:
        pairs = [(key, attribute) for key in KEYS for attribute in (*ONE, *MANY)]
        # A key that was merged leads to the entity kept, so only what is said of the key itself counts.
        found = {
            pair: [f for f in self.tenant.history(*pair, known_at=known_at) if f.subject == pair[0]]
            for pair in pairs
        }
        return {
            pair: sorted(
                (repr(f.value or f.ended_value), f.ended, f.valid_from, f.valid_to or START.replace(2100))
                for f in facts
            )
            for pair, facts in found.items()
            if facts
        }

    def entities(self) -> list[Any]:
        return [self.tenant.entity(key) for key in KEYS]


def _live(row: dict[str, Any]) -> Live:
    fact = row["fact"]
    said = None if fact.get("value") is None else from_property(fact["value_type"], fact["value"])
    until = fact.get("until")
    return Live(
        subject=fact["subject"],
        attribute=fact["attribute"],
        value=said if fact["has_value"] else None,
        ended_value=None if fact["has_value"] else said,
        valid_from=fact["valid_from"].to_native(),
        until=None if until is None else until.to_native(),
        first=fact["episode_id"],
        episodes=frozenset(id_ for _, id_, *_ in row["episodes"]),
    )


def histories(live: Iterable[Live]) -> dict[tuple[str, str], list[Any]]:
    """What the rule makes of live entries."""
    slots: dict[rule.SlotKey, list[rule.Entry]] = {}
    for number, e in enumerate(live):
        entry = rule.Entry(
            e.slot, e.value, e.valid_from, e.until, e.ended_value, id=str(number), recorded_at=START
        )
        slots.setdefault(e.slot, []).append(entry)
    found: dict[tuple[str, str], list[Any]] = {}
    for (subject, attribute, _), entries in slots.items():
        found.setdefault((subject, attribute), []).extend(
            (repr(e.value or e.ended_value), e.value is None, start, stop or START.replace(2100))
            for start, stop, e in rule.segments(entries)
        )
    return {pair: sorted(pieces) for pair, pieces in found.items() if pieces}


def said_of_one(live: Iterable[Live], merged: str, kept: str) -> tuple[list[Live], int]:
    """What is live once the entries of one entity are said of another, after all others; how many are refused."""
    there = {(e.slot, e.valid_from, e.value is None): e for e in live if not e.speaks_of(merged)}
    refused = 0
    for old in sorted((e for e in live if e.speaks_of(merged)), key=lambda e: e.order):
        new = old.renamed(merged, kept)
        place = new.slot, new.valid_from, new.value is None
        other = there.get(place)
        if other is None:
            there[place] = new
        elif (other.until, other.value) == (new.until, new.value):
            there[place] = replace(other, episodes=other.episodes | new.episodes)
        else:
            refused += 1
    return list(there.values()), refused


def alike(one: Iterable[Live], other: Iterable[Live]) -> bool:
    return sorted(map(repr, map(_sortable, one))) == sorted(map(repr, map(_sortable, other)))


def _sortable(e: Live) -> tuple[Any, ...]:
    return (*e.order, e.until, e.value, e.ended_value, e.first, sorted(e.episodes))


@pytest.fixture(scope="module")
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


def now(driver: neo4j.Driver) -> datetime:
    return driver.execute_query("RETURN datetime.realtime('UTC')").records[0][0].to_native()  # type: ignore[no-any-return]


@SOME
@given(
    sayings=st.lists(saying(), max_size=14),
    pairs=st.lists(st.permutations(KEYS).map(lambda keys: tuple(keys[:2])), min_size=1, max_size=3, unique=True),
)
def test_a_merge_is_as_if_all_had_been_said_of_one_and_its_undoing_as_if_it_had_not_been(
    memory: GraphMemory, driver: neo4j.Driver, sayings: list[dict[str, Any]], pairs: list[tuple[str, str]]
) -> None:
    world = World(memory, driver)
    world.say(sayings)
    states = []
    done: list[Merge] = []
    for kept, merged in pairs:
        before = list(world.live().values())
        states.append((before, world.entities(), world.histories(), now(driver)))
        try:
            merge = world.tenant.merge_entities(kept, merged, episode="m")
        except ConflictError:
            states.pop()
            continue
        expected, refused = said_of_one(before, merged, kept)
        assert alike(world.live().values(), expected)
        assert len(merge.conflicts) == refused
        world.check(expected)
        done.append(merge)
    for _, _, was, known_at in states:
        assert world.histories(known_at) == was
    for merge, (before, entities, _, _) in zip(reversed(done), reversed(states), strict=True):
        assert world.tenant.undo_merge(merge.id, episode="u").stayed == ()
        assert alike(world.live().values(), before)
        assert world.entities() == entities
    world.check(states[0][0])


@SOME
@given(
    sayings=st.lists(saying(), max_size=10),
    since=st.lists(saying(), min_size=1, max_size=6),
    pair=st.permutations(KEYS).map(lambda keys: keys[:2]),
)
def test_what_was_changed_since_a_merge_outlives_its_undoing_and_nothing_else_of_it_does(
    memory: GraphMemory,
    driver: neo4j.Driver,
    sayings: list[dict[str, Any]],
    since: list[dict[str, Any]],
    pair: list[str],
) -> None:
    world = World(memory, driver)
    world.say(sayings)
    kept, merged = pair
    before, known_at = world.live(), now(driver)
    was = world.histories()
    merge = world.tenant.merge_entities(kept, merged, episode="m")
    moved = world.live()
    world.say(since)
    changed = world.live()
    assert not [e for e in changed.values() if e.speaks_of(merged)]

    undone = world.tenant.undo_merge(merge.id, episode="u")
    after = list(world.live().values())
    world.check(after)
    assert world.histories(known_at) == was
    assert set(undone.stayed) <= {id_ for id_, e in before.items() if e.speaks_of(merged)}
    back = [e for id_, e in before.items() if e.speaks_of(merged) and id_ not in undone.stayed]
    assert alike([e for e in after if e.speaks_of(merged)], back)
    # What was said of the others since, by episodes of its own, is still said of them.
    for id_, e in changed.items():
        if id_ not in moved:
            assert any(
                (o.slot, o.valid_from, o.until, o.value) == (e.slot, e.valid_from, e.until, e.value) for o in after
            )
