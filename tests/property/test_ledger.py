"""Any operations, on Neo4j and on the oracle: the same answers, and a database true to the rule."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import neo4j
import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from ledgers import MANY
from oracle import OracleMemory
from pair import EPISODES, Pair
from planned import day
from servers import TestServer

from graph_memory import Direction, GraphMemory, Ref, Value

pytestmark = pytest.mark.server

WHICH = st.sampled_from([0, 0, 0, 1])
SUBJECTS = st.sampled_from(["mira", "mira", "acme"])
ATTRIBUTES = st.sampled_from(["home", "home", "likes"])
REFERENCES = [Ref(key) for key in ("acme", "mira", "acme", "bank", "ann", "globex")]
VALUES: st.SearchStrategy[Value] = st.sampled_from(["A", "B", 1, True, *REFERENCES])
DAYS = st.integers(0, 9)
LENGTHS = st.none() | st.integers(1, 4)
EPISODE = st.integers(0, EPISODES - 1).map("e{}".format)
PICK = st.integers(0, 10_000)


class LedgerMachine(RuleBasedStateMachine):
    """Two tenants that share a database and nothing else."""

    memory: GraphMemory
    driver: neo4j.Driver

    @initialize()
    def start(self) -> None:
        oracles = OracleMemory(many=frozenset(MANY))
        self.pairs = [Pair(self.memory, self.driver, oracles) for _ in range(2)]

    def _known(self, which: int, pick: int) -> str | None:
        ids = list(self.pairs[which].ids)
        return ids[pick % len(ids)] if ids else None

    def _has_facts(self) -> bool:
        return any(pair.ids for pair in getattr(self, "pairs", ()))

    # -- writes -----------------------------------------------------------------------------------------

    @rule(
        which=WHICH,
        subject=SUBJECTS,
        attribute=ATTRIBUTES,
        value=VALUES,
        start=DAYS,
        length=LENGTHS,
        episode=EPISODE,
    )
    def say(
        self,
        which: int,
        subject: str,
        attribute: str,
        value: Value,
        start: int,
        length: int | None,
        episode: str,
    ) -> None:
        until = None if length is None else day(start + length)
        self.pairs[which].write(
            lambda ledger, _: ledger.assert_fact(
                subject, attribute, value, valid_from=day(start), until=until, episode=episode, quote="Said"
            )
        )

    @rule(
        which=WHICH,
        subject=SUBJECTS,
        attribute=ATTRIBUTES,
        value=VALUES,
        at=DAYS,
        length=LENGTHS,
        episode=EPISODE,
    )
    def end(
        self,
        which: int,
        subject: str,
        attribute: str,
        value: Value,
        at: int,
        length: int | None,
        episode: str,
    ) -> None:
        until = None if length is None else day(at + length)
        ended = value if attribute in MANY else None
        self.pairs[which].write(
            lambda ledger, _: ledger.end_fact(
                subject, attribute, at=day(at), until=until, value=ended, episode=episode
            )
        )

    @precondition(_has_facts)
    @rule(which=WHICH, pick=PICK, episode=EPISODE)
    def say_again(self, which: int, pick: int, episode: str) -> None:
        id_ = self._known(which, pick)
        if id_ is None:
            return
        fact = self.pairs[which].truth.fact(self.pairs[which].ids[id_])
        if fact.value is None:
            self.pairs[which].write(
                lambda ledger, _: ledger.end_fact(
                    fact.subject, fact.attribute, at=fact.asserted_from, until=fact.until,
                    value=fact.ended_value, episode=episode,
                )
            )  # fmt: skip
        else:
            said = fact.value
            self.pairs[which].write(
                lambda ledger, _: ledger.assert_fact(
                    fact.subject, fact.attribute, said, valid_from=fact.asserted_from, until=fact.until,
                    episode=episode,
                )
            )  # fmt: skip

    @precondition(_has_facts)
    @rule(
        which=WHICH,
        pick=PICK,
        value=st.none() | VALUES,
        start=st.none() | DAYS,
        until=st.none() | DAYS,
        unbounded=st.booleans(),
        episode=EPISODE,
    )
    def correct(
        self,
        which: int,
        pick: int,
        value: Value | None,
        start: int | None,
        until: int | None,
        unbounded: bool,
        episode: str,
    ) -> None:
        id_ = self._known(which, pick)
        if id_ is None:
            return
        changes: dict[str, Any] = {"value": value, "valid_from": start, "until": until}
        changes = {
            name: day(part) if isinstance(part, int) and name != "value" else part
            for name, part in changes.items()
            if part is not None
        }
        if unbounded:
            changes["until"] = None
        pair = self.pairs[which]
        pair.write(
            lambda ledger, stored: ledger.correct_fact(
                id_ if stored else pair.ids[id_], episode=episode, **changes
            )
        )

    @precondition(_has_facts)
    @rule(which=WHICH, pick=PICK, episode=st.none() | EPISODE)
    def retract(self, which: int, pick: int, episode: str | None) -> None:
        id_ = self._known(which, pick)
        if id_ is None:
            return
        pair = self.pairs[which]
        pair.write(
            lambda ledger, stored: ledger.retract_fact(
                id_ if stored else pair.ids[id_], reason="misheard", episode=episode
            )
        )

    @rule(
        which=WHICH,
        rows=st.lists(
            st.tuples(SUBJECTS, ATTRIBUTES, VALUES, DAYS, LENGTHS, st.integers(0, EPISODES)),
            min_size=2,
            max_size=10,
        ),
        size=st.integers(1, 6),
    )
    def load(self, which: int, rows: list[tuple[str, str, Value, int, int | None, int]], size: int) -> None:
        told = [
            {
                "subject": subject,
                "attribute": attribute,
                "value": value,
                "valid_from": day(start),
                "until": None if length is None else day(start + length),
                "episode": f"e{episode}",  # one of them is unknown
            }
            for subject, attribute, value, start, length, episode in rows
        ]
        self.pairs[which].write(lambda ledger, _: ledger.assert_facts(told, batch_size=size))

    # -- reads ------------------------------------------------------------------------------------------

    def _instant(self, which: int, pick: int | None) -> datetime | None:
        """A recorded instant, or the last one before it."""
        entries = self.pairs[which].truth.entries
        instants = sorted({at for e in entries for at in (e.recorded_at, e.retracted_at) if at is not None})
        if pick is None or not instants:
            return None
        return instants[pick // 2 % len(instants)] - timedelta(microseconds=pick % 2)

    @rule(which=WHICH, subject=SUBJECTS, at=DAYS, known=st.none() | PICK)
    def ask_what_holds(self, which: int, subject: str, at: int, known: int | None) -> None:
        pair, known_at = self.pairs[which], self._instant(which, known)
        pair.same(lambda ledger: ledger.as_of(subject, "home", day(at), known_at=known_at))
        pair.same(lambda ledger: ledger.values(subject, "likes", day(at), known_at=known_at))
        pair.same(lambda ledger: ledger.state(subject, day(at), known_at=known_at))
        keys = [("acme", "home"), (subject, "employer"), ("mira", "home")]
        pair.same(lambda ledger: ledger.as_of_many(keys, day(at), known_at=known_at))

    @rule(which=WHICH, subject=SUBJECTS, attribute=ATTRIBUTES, known=st.none() | PICK, coalesce=st.booleans())
    def ask_for_history(self, which: int, subject: str, attribute: str, known: int | None, coalesce: bool) -> None:
        pair, known_at = self.pairs[which], self._instant(which, known)
        pair.same(lambda ledger: ledger.history(subject, attribute, known_at=known_at, coalesce=coalesce))
        pair.remember(subject, attribute)

    @rule(
        which=WHICH,
        start=SUBJECTS,
        at=DAYS,
        depth=st.integers(0, 3),
        direction=st.sampled_from(["out", "in", "both"]),
        relations=st.sampled_from([None, ["home"], ["likes", "home"]]),
        known=st.none() | PICK,
    )
    def walk(
        self,
        which: int,
        start: str,
        at: int,
        depth: int,
        direction: str,
        relations: list[str] | None,
        known: int | None,
    ) -> None:
        self.pairs[which].same_walk(
            start, relations, depth, day(at), self._instant(which, known), Direction(direction)
        )

    @precondition(_has_facts)
    @rule(which=WHICH, pick=PICK)
    def ask_why(self, which: int, pick: int) -> None:
        if (id_ := self._known(which, pick)) is not None:
            self.pairs[which].same_explanation(id_)

    def teardown(self) -> None:
        for pair in getattr(self, "pairs", ()):
            pair.finish(self.memory)


def test_any_operations_leave_the_database_true_to_the_rule(server: TestServer, memory: GraphMemory) -> None:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:

        class Machine(LedgerMachine):
            pass

        Machine.memory, Machine.driver = memory, driver
        run_state_machine_as_test(Machine, settings=settings(max_examples=20, stateful_step_count=40))


def test_a_long_history_of_one_slot_stays_true_to_the_rule(server: TestServer, memory: GraphMemory) -> None:
    chance = random.Random(20260801)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        pair = Pair(memory, driver, OracleMemory(many=frozenset(MANY)))
        for _ in range(250):
            one_more(pair, chance)
        pair.finish(memory)


def one_more(pair: Pair, chance: random.Random) -> None:
    """Do something at random to the one slot; mostly assert, often for a while only."""
    start = day(chance.randrange(90))
    until = None if chance.random() < 0.4 else start + timedelta(days=chance.choice([1, 2, 5, 20, 60]))
    episode = f"e{chance.randrange(EPISODES)}"
    kind = chance.choices(["say", "end", "correct", "retract"], [10, 3, 4, 3])[0]
    gone = {entry.id for entry in pair.truth.entries if entry.retracted_at is not None}
    live = [id_ for id_, name in pair.ids.items() if name not in gone]
    if kind == "end":
        pair.write(lambda ledger, _: ledger.end_fact("mira", "home", at=start, until=until, episode=episode))
    elif kind == "say" or not live:
        value = chance.choice("ABC")
        pair.write(
            lambda ledger, _: ledger.assert_fact(
                "mira", "home", value, valid_from=start, until=until, episode=episode
            )
        )
    else:
        id_ = chance.choice(live)
        if kind == "retract":
            pair.write(
                lambda ledger, stored: ledger.retract_fact(id_ if stored else pair.ids[id_], reason="misheard")
            )
        else:
            pair.write(
                lambda ledger, stored: ledger.correct_fact(
                    id_ if stored else pair.ids[id_], valid_from=start, until=until, episode=episode
                )
            )
    at = day(chance.randrange(100))
    pair.same(lambda ledger: ledger.as_of("mira", "home", at))
