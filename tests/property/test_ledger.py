"""Any operations, on Neo4j and on the oracle: the same answers, and a database true to the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
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
from ledgers import MANY, Ledger, fresh_name
from oracle import OracleMemory, OracleTenant
from planned import day
from servers import TestServer
from snapshot import Snapshot

from graph_memory import ConflictError, Explanation, Fact, GraphMemory, Ref, Tenant, Value
from graph_memory.errors import GraphMemoryError

pytestmark = pytest.mark.server

EPISODES = 4
WHICH = st.integers(0, 1)
SUBJECTS = st.sampled_from(["mira", "acme"])
ATTRIBUTES = st.sampled_from(["home", "home", "likes"])
VALUES: st.SearchStrategy[Value] = st.sampled_from(["A", "B", 1, True, Ref("acme"), Ref("mira")])
DAYS = st.integers(0, 7)
LENGTHS = st.none() | st.integers(1, 4)
EPISODE = st.integers(0, EPISODES - 1).map("e{}".format)
PICK = st.integers(0, 10_000)


def typed(value: object) -> tuple[str, object]:
    """A value that differs from one of another type: True is not 1 here."""
    return type(value).__name__, value


class Pair:
    """One tenant in the database, and in the oracle; ids of the database lead to the oracle's."""

    def __init__(self, memory: GraphMemory, driver: neo4j.Driver, oracles: OracleMemory) -> None:
        name = fresh_name()
        self.store: Tenant = memory.tenant(name)
        self.truth: OracleTenant = oracles.tenant(name)
        self.oracles = oracles
        self.driver = driver
        self.ids: dict[str, str] = {}
        self.last: datetime | None = None
        self.believed: list[tuple[datetime, str, str, list[Any]]] = []
        for number in range(EPISODES):
            for ledger in (self.store, self.truth):
                ledger.record(f"Said in {number}.", id=f"e{number}", source=f"s{number % 2}")

    # -- one operation on both --------------------------------------------------------------------------

    def write(self, operation: Callable[[Ledger, bool], Any]) -> None:
        """Do it on the database, then on the oracle at the same recorded instants, and compare."""
        found, error = _try(lambda: operation(self.store, True))
        snapshot = Snapshot.read(self.driver, self.store.name)
        new = sorted(at for at in snapshot.instants() if self.last is None or at > self.last)
        self.last = new[-1] if new else self.last
        instants: Iterator[datetime] = iter(new)
        self.oracles.clock = lambda: next(instants)
        expected, failure = _try(lambda: operation(self.truth, False))
        assert type(error) is type(failure), (error, failure)
        assert list(instants) == [], "an instant without a write"
        if isinstance(found, Fact):
            self._learn(found, expected)
        elif found is not None:
            self._learn_rows(found, expected)
        if isinstance(error, ConflictError) and isinstance(failure, ConflictError):
            assert [self.ids[fact.id] for fact in error.facts] == [fact.id for fact in failure.facts]
        snapshot.check(self.truth, self.ids)

    def _learn(self, found: Fact, expected: Fact) -> None:
        self.ids.setdefault(found.id, expected.id)
        if self.ids[found.id] != expected.id:
            # Of several entries that are not live and say the same, any may stand for a replay.
            expected = self.truth.fact(self.ids[found.id])
            assert expected.retracted_at is not None
        assert self.shape(found) == self.shape(expected, mapped=True)

    def _learn_rows(self, found: Any, expected: Any) -> None:
        assert found.counts() == expected.counts()
        for name in ("committed", "confirmed", "replayed", "refused"):
            ours, theirs = getattr(found, name).first, getattr(expected, name).first
            assert [outcome.row for outcome in ours] == [outcome.row for outcome in theirs]
            if name == "committed":
                self.ids.update({o.fact_id: t.fact_id for o, t in zip(ours, theirs, strict=True)})
            elif name == "confirmed":
                assert [self.ids[o.fact_id] for o in ours] == [t.fact_id for t in theirs]

    # -- comparing answers ------------------------------------------------------------------------------

    def shape(self, fact: Fact | None, mapped: bool = False) -> Any:
        """A fact without the ids of the database."""
        if fact is None:
            return None
        parts = fact.model_dump(exclude={"id", "supersedes", "value", "ended_value"})
        ids = [fact.id, fact.supersedes]
        names = ids if mapped else [id_ and self.ids[id_] for id_ in ids]
        return names, typed(fact.value), typed(fact.ended_value), parts

    def same(self, read: Callable[[Ledger], Any], ordered: bool = True) -> None:
        """Ask both the same question."""
        found, expected = read(self.store), read(self.truth)
        ours = self._shapes(found, False)
        theirs = self._shapes(expected, True)
        if not ordered:
            ours, theirs = sorted(ours, key=repr), sorted(theirs, key=repr)
        assert ours == theirs

    def _shapes(self, answer: Any, mapped: bool) -> Any:
        if isinstance(answer, dict):
            return {name: self._shapes(part, mapped) for name, part in answer.items()}
        if isinstance(answer, list):
            shapes = [self.shape(fact, mapped) for fact in answer]
            many = any(fact is not None and fact.attribute in MANY for fact in answer)
            return sorted(shapes, key=lambda s: (s[-1]["valid_from"], repr(s))) if many else shapes
        return self.shape(answer, mapped)

    def same_explanation(self, fact_id: str) -> None:
        """Ask both why a fact is in the ledger."""
        found, expected = self.store.explain(fact_id), self.truth.explain(self.ids[fact_id])
        assert self._reasons(found, self.ids) == self._reasons(expected, None)
        assert self.shape(found.fact) == self.shape(expected.fact, mapped=True)
        assert found.episodes[0].id == expected.episodes[0].id

    def _reasons(self, found: Explanation, ids: dict[str, str] | None) -> tuple[Any, ...]:
        def name(fact: Fact | None) -> str | None:
            return None if fact is None else fact.id if ids is None else ids[fact.id]

        return (
            found.since,
            sorted((c.recorded_at, c.episode.id, c.quote or "", c.start or 0) for c in found.citations),
            name(found.replaced),
            found.replaced_as,
            sorted(str(name(fact)) for fact in found.replaced_by),
            name(found.retracted_by),
            found.retraction_episode and found.retraction_episode.id,
            found.retraction_reason,
        )

    def remember(self, subject: str, attribute: str) -> None:
        """Keep what is believed now, to be asked again when more is known."""
        if self.last is not None:
            self.believed.append((self.last, subject, attribute, self._timeless(subject, attribute, None)))

    def _timeless(self, subject: str, attribute: str, known_at: datetime | None) -> list[Any]:
        facts = self.store.history(subject, attribute, known_at=known_at)
        return [fact.model_dump(exclude={"retracted_at"}) for fact in facts]

    def finish(self, memory: GraphMemory) -> None:
        """What must hold when all is done."""
        for known_at, subject, attribute, answer in self.believed:
            assert self._timeless(subject, attribute, known_at) == answer
        Snapshot.read(self.driver, self.store.name).check(self.truth, self.ids)
        assert memory.verify(tenant=self.store.name).problems == ()
        for id_ in self.ids:
            self.same_explanation(id_)


def _try(operation: Callable[[], Any]) -> tuple[Any, GraphMemoryError | None]:
    try:
        return operation(), None
    except GraphMemoryError as error:
        return None, error


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
            min_size=1,
            max_size=6,
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
        """A recorded instant, or just before one."""
        entries = self.pairs[which].truth.entries
        if pick is None or not entries:
            return None
        return entries[pick % len(entries)].recorded_at

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
        pair, known_at = self.pairs[which], self._instant(which, known)
        found, expected = (
            _try(
                lambda ledger=ledger: ledger.traverse(  # type: ignore[misc]
                    start, relations, depth, day(at), known_at=known_at, direction=direction
                )
            )
            for ledger in (pair.store, pair.truth)
        )
        assert type(found[1]) is type(expected[1])
        if found[0] is not None:
            edges = [edge.model_copy(update={"fact_id": pair.ids[edge.fact_id]}) for edge in found[0].edges]
            assert edges == list(expected[0].edges)
            assert found[0].nodes == expected[0].nodes

    def teardown(self) -> None:
        for pair in getattr(self, "pairs", ()):
            pair.finish(self.memory)


def test_any_operations_leave_the_database_true_to_the_rule(server: TestServer, memory: GraphMemory) -> None:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:

        class Machine(LedgerMachine):
            pass

        Machine.memory, Machine.driver = memory, driver
        run_state_machine_as_test(Machine, settings=settings(max_examples=60, stateful_step_count=25))
