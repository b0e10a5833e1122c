"""One tenant in the database and in the oracle, written and asked together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import neo4j
from ledgers import MANY, Ledger, fresh_name
from oracle import OracleMemory, OracleTenant
from planned import day
from snapshot import Snapshot

from graph_memory import (
    Clock,
    ConflictError,
    Direction,
    Explanation,
    Fact,
    GraphMemory,
    GraphMemoryError,
    Subgraph,
    Tenant,
)

EPISODES = 4
TICK = timedelta(microseconds=1)


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
        found, error = attempt(lambda: operation(self.store, True))
        snapshot = Snapshot.read(self.driver, self.store.name)
        new = sorted(at for at in snapshot.instants() if self.last is None or at > self.last)
        self.last = new[-1] if new else self.last
        instants: Iterator[datetime] = iter(new)
        self.oracles.clock = lambda: next(instants)
        expected, failure = attempt(lambda: operation(self.truth, False))
        assert isinstance(error, type(failure)), (error, failure)
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

    def same_walk(
        self,
        start: str,
        relations: list[str] | None,
        depth: int,
        at: datetime,
        known_at: datetime | None,
        direction: Direction,
    ) -> None:
        """Walk through both."""

        def walk(ledger: Ledger) -> Subgraph:
            return ledger.traverse(start, relations, depth, at, known_at=known_at, direction=direction)

        found, error = attempt(lambda: walk(self.store))
        expected, failure = attempt(lambda: walk(self.truth))
        assert isinstance(error, type(failure))
        if error is None:
            edges = [edge.model_copy(update={"fact_id": self.ids[edge.fact_id]}) for edge in found.edges]
            assert edges == list(expected.edges)
            assert found.nodes == expected.nodes

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

    def _ask_at_every_edge(self) -> None:
        """Ask where answers change: at the bounds of segments, and at recorded instants, and just before."""
        slots = {entry.slot[:2] for entry in self.truth.entries}
        retractions = sorted({e.retracted_at for e in self.truth.entries if e.retracted_at is not None})
        for known in (None, *retractions[-2:], *(at - TICK for at in retractions[-1:])):
            for subject, attribute in sorted(slots):
                self.same(lambda ledger: ledger.history(subject, attribute, known_at=known))  # noqa: B023
        for subject in sorted({subject for subject, attribute in slots if attribute not in MANY}):
            pieces = self.truth.history(subject, "home")
            for at in {at for p in pieces for at in (p.valid_from, p.valid_to and p.valid_to - TICK) if at}:
                self.same(lambda ledger: ledger.as_of(subject, "home", at))  # noqa: B023
                self.same_walk(subject, None, 1, at, None, Direction.BOTH)

    def remember(self, subject: str, attribute: str) -> None:
        """Keep what is believed now, to be asked again when more is known."""
        if self.last is not None:
            self.believed.append((self.last, subject, attribute, self._belief(subject, attribute, None)))

    def _belief(self, subject: str, attribute: str, known_at: datetime | None) -> list[Any]:
        return [
            self.store.history(subject, attribute, known_at=known_at),
            self.store.state(subject, day(5), known_at=known_at),
            *(self.store.changes(day(-10_000), subject=subject, by=by, known_at=known_at) for by in Clock),
        ]

    def finish(self, memory: GraphMemory) -> None:
        """What must hold when all is done."""
        for known_at, subject, attribute, answer in self.believed:
            assert self._belief(subject, attribute, known_at) == answer
        self._ask_at_every_edge()
        Snapshot.read(self.driver, self.store.name).check(self.truth, self.ids)
        assert memory.verify(tenant=self.store.name).problems == ()
        for id_ in list(self.ids)[::4]:
            self.same_explanation(id_)


def attempt(operation: Callable[[], Any]) -> tuple[Any, GraphMemoryError | None]:
    """Return what it returned, or the error that it raised."""
    try:
        return operation(), None
    except GraphMemoryError as error:
        return None, error
