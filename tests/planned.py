"""A slot store that is kept by the planner alone, beside the oracle, and compared after each transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from oracle import OracleMemory, OracleTenant
from rule import Entry as Truth, Said, SlotKey, holder, segments as true_segments

from graph_memory.domain.records import Citation, Episode
from graph_memory.domain.values import identity
from graph_memory.errors import ConflictError
from graph_memory.ledger.conflict_policy import Guard, Policy, outranks, reject, source_precedence
from graph_memory.ledger.planner import (
    Assertion,
    Change,
    Confirmation,
    Correction,
    Plan,
    Retraction,
    Status,
    Window,
    plan,
)
from graph_memory.ledger.timeline import Entry

START = datetime(2026, 1, 1, tzinfo=UTC)
SOURCES = ("crm", "user", "agent")
MANY = "tags"


def day(number: int) -> datetime:
    """Return midnight of a numbered day."""
    return START + timedelta(days=number)


@dataclass(frozen=True)
class Say:
    """Assert a value, or an end where it is None."""

    value: str | None
    start: int
    until: int | None = None
    episode: int = 0
    attribute: str = "home"
    member: str = ""


@dataclass(frozen=True)
class Correct:
    """Correct the entry that was created as number `which`; None leaves a part as it is."""

    which: int
    value: str | None = None
    start: int | None = None
    until: int | None = None
    unbounded: bool = False
    episode: int = 0


@dataclass(frozen=True)
class Retract:
    """Retract the entry that was created as number `which`."""

    which: int


Step: TypeAlias = Say | Correct | Retract


class PlannedStore:
    """What a database would hold if it did exactly as the planner says, checked against the oracle.

    Args:
        ranking: sources, the best first, which decides conflicts; None refuses every conflict.
        protection: sources, the best first: a worse one may not replace what a better one said; None: it may.
    """

    def __init__(self, ranking: Sequence[str] | None = None, protection: Sequence[str] | None = None) -> None:
        self.policy: Policy = reject if ranking is None else source_precedence(ranking)
        self.guard: Guard | None = None if protection is None else outranks(protection)
        self.protection = protection
        self.protected = 0
        self.entries: dict[str, Entry] = {}
        self.edges: dict[tuple[str, datetime], datetime | None] = {}
        self.open: dict[str, str] = {}
        self.supersedes: dict[str, tuple[str, str]] = {}
        self.oracle: OracleTenant = OracleMemory(many=frozenset({MANY}), ranking=ranking).tenant("t")
        self.truth: dict[str, Truth] = {}
        self.slots: dict[str, SlotKey] = {}
        self.names: list[str] = []
        self.counter = 0
        for number, source in enumerate(SOURCES * 2):
            self.oracle.record(f"said {number}", id=f"e{number}", source=source)

    # -- from steps to changes ----------------------------------------------------------------------

    def commit(self, *steps: Step) -> Plan:
        """Take the steps as one transaction, in the planner and in the oracle, and compare all they did."""
        changes = [self._change(step) for step in steps]
        planned = plan(self._windows(changes), changes)
        before = len(self.oracle.entries)
        for change, decision in zip(changes, planned.decisions, strict=True):
            self._follow(change, decision.status, decision.entry)
        self.oracle.commit()
        self._apply(planned, changes)
        self._compare(planned, self.oracle.entries[before:])
        return planned

    def _episode(self, number: int) -> Episode:
        return self.oracle.episodes[f"e{number}"]

    def _new_id(self) -> str:
        self.counter += 1
        return f"n{self.counter}"

    def _slot(self, key: SlotKey) -> str:
        self.slots[repr(key)] = key
        return repr(key)

    def _change(self, step: Step) -> Change:
        if isinstance(step, Retract):
            old = self.entries[self.names[step.which % len(self.names)]]
            return Retraction(old.id)
        episode = self._episode(step.episode)
        if isinstance(step, Say):
            member = step.value if step.value is not None else step.member
            many = identity(member) if step.attribute == MANY else None
            slot: SlotKey = ("mira", step.attribute, many)
            return Assertion(
                Entry(
                    id=self._new_id(),
                    slot=self._slot(slot),
                    valid_from=day(step.start),
                    until=None if step.until is None else day(step.until),
                    value=step.value,
                    source=episode.source,
                    episodes=frozenset({episode.id}),
                ),
                self.policy,
                self.guard,
            )
        old = self.entries[self.names[step.which % len(self.names)]]
        key = self.slots[old.slot]
        if step.value is not None and key[1] == MANY:
            key = (*key[:2], identity(step.value))
        start = old.valid_from if step.start is None else day(step.start)
        until = old.until if step.until is None else day(step.until)
        if until is not None and (step.unbounded or until <= start):
            until = None
        return Correction(
            old.id,
            Entry(
                id=self._new_id(),
                slot=self._slot(key),
                valid_from=start,
                until=until,
                value=old.value if step.value is None else step.value,
                source=episode.source,
                episodes=frozenset({episode.id}),
            ),
        )

    # -- the window, as its documentation says ----------------------------------------------------------

    def _windows(self, changes: Sequence[Change]) -> dict[str, Window]:
        starts: dict[str, set[datetime]] = {}
        for change in changes:
            concerned = [] if isinstance(change, Retraction) else [change.entry]
            if not isinstance(change, Assertion):
                assert not isinstance(change, Confirmation)
                concerned.append(self.entries[change.old])
            for entry in concerned:
                starts.setdefault(entry.slot, set()).add(entry.valid_from)
        said = [change.entry for change in changes if not isinstance(change, Retraction)]
        return {
            slot: self._window(slot, concerned, [entry.until for entry in said if entry.slot == slot])
            for slot, concerned in starts.items()
        }

    def _window(self, slot: str, starts: set[datetime], untils: list[datetime | None]) -> Window:
        mine = [entry for entry in self.entries.values() if entry.slot == slot]
        anchors = [entry.valid_from for entry in mine if entry.live and entry.until is None]
        there = [entry.until for entry in mine if entry.live and entry.valid_from in starts]
        over = [*starts, *untils, *there]
        ahead = [at for at in anchors if at > max(starts)]
        known = [until for until in over if until is not None]
        if len(known) == len(over):
            last = max(known)
            ahead += [e.valid_from for e in mine if e.live and e.valid_from >= last and e.valid_from > max(starts)]
        boundary = min(ahead, default=None)
        left = max((at for at in anchors if at < min(starts)), default=None)
        since = min(starts)
        earlier = [entry for entry in mine if entry.live and entry.valid_from < since]
        held = max((e for e in earlier if e.covers(since)), key=lambda e: e.rank, default=None)
        above = [e.until for e in earlier if held is not None and e.rank > held.rank and e.until is not None]
        return Window(
            entries=tuple(
                entry
                for entry in mine
                if (
                    entry.live
                    and (left is None or entry.valid_from >= left)
                    and (boundary is None or entry.valid_from < boundary)
                    and (entry.until is None or entry.until > since)
                )
                or (not entry.live and entry.valid_from in starts)
            ),
            since=since,
            boundary=boundary,
            resumed=max(above, default=None),
        )

    # -- doing as the plan says -----------------------------------------------------------------------

    def _apply(self, planned: Plan, changes: Sequence[Change]) -> None:
        for entry in planned.created:
            assert entry.id not in self.entries
            self.entries[entry.id] = entry
            self.names.append(entry.id)
        for id_, by in planned.retracted.items():
            assert self.entries[id_].live or id_ in {entry.id for entry in planned.created}
            self.entries[id_] = replace(self.entries[id_], live=False, retracted_by=by)
        for id_, index in planned.confirmed:
            change = changes[index]
            assert not isinstance(change, Retraction)
            gained = self.entries[id_].episodes | change.entry.episodes
            self.entries[id_] = replace(
                self.entries[id_], episodes=gained, confirmed_by=planned.known[id_].confirmed_by
            )
        for segment in planned.removed:
            del self.edges[segment.entry.id, segment.valid_from]
        for segment in planned.resized:
            assert self.edges[segment.entry.id, segment.valid_from] != segment.valid_to
            self.edges[segment.entry.id, segment.valid_from] = segment.valid_to
        for segment in planned.added:
            assert (segment.entry.id, segment.valid_from) not in self.edges
            self.edges[segment.entry.id, segment.valid_from] = segment.valid_to
        for id_ in planned.closed:
            assert self.open.pop(self.entries[id_].slot) == id_
        for id_ in planned.opened:
            assert self.entries[id_].slot not in self.open
            self.open[self.entries[id_].slot] = id_
        self.supersedes |= {id_: (old, str(kind)) for id_, (old, kind) in planned.supersedes.items()}

    # -- what must be so ------------------------------------------------------------------------------

    def _follow(self, change: Change, status: Status, entry: str) -> None:
        """Let the oracle do the same, and compare what became of it."""
        if isinstance(change, Retraction):
            old = self.truth[change.old]
            assert status == (Status.COMMITTED if old.retracted_at is None else Status.REPLAYED)
            self.oracle.withdraw(old)
            return
        new = change.entry
        episode = self.oracle.episodes[next(iter(new.episodes))]
        said = Said(self.slots[new.slot], new.value, new.valid_from, new.until)
        citation = Citation(episode=episode, recorded_at=episode.recorded_at)
        if isinstance(change, Assertion) and self._would_replace_better(said, episode):
            assert status == Status.REFUSED
            self.protected += 1
            return
        assert not isinstance(change, Confirmation)
        known = {id(truth): len(truth.citations) for truth in self.oracle.entries}
        try:
            if isinstance(change, Assertion):
                found = self.oracle.insert(said, citation)
            else:
                found = self.oracle.replace(self.truth[change.old], said, citation)
        except ConflictError:
            assert status == Status.REFUSED
            return
        if id(found) not in known:
            assert (status, entry) == (Status.COMMITTED, new.id)
            self.truth[new.id] = found
        else:
            gained = known[id(found)] < len(found.citations)
            landed = isinstance(change, Correction) and self.truth[change.old].successor is found
            if status == Status.REPLAYED:
                assert not gained
            else:
                assert status == Status.CONFIRMED
                assert gained or landed
            # Of several entries that are not live and say the same, any may stand for a replay.
            alike = found.retracted_at is not None and self.truth[entry].says == found.says
            assert self.truth[entry] is found or alike

    def _would_replace_better(self, said: Said, episode: Episode) -> bool:
        """Whether it would be stored and, at some instant, hold where a better source's entry holds."""
        if self.protection is None:
            return False
        mine = [entry for entry in self.oracle.entries if entry.slot == said.slot]
        live = [entry for entry in mine if entry.retracted_at is None]
        rival = next((entry for entry in live if entry.place == said.place), None)
        if any(entry.says == said.says for entry in mine if entry.cites(episode) or entry is rival):
            return False
        ranking = self.oracle.memory.ranking or ()
        if rival is not None and _place(episode.source, ranking) >= _best(rival, ranking):
            return False
        new = Truth(**vars(said), id="new", recorded_at=START)
        after = [new, *(entry for entry in live if entry is not rival)]
        breaks = {entry.valid_from for entry in after} | {entry.until for entry in live if entry.until is not None}
        replaced = (holder(live, at) for at in breaks if holder(after, at) is new)
        return any(
            _best(held, self.protection) < _place(episode.source, self.protection)
            for held in replaced
            if held is not None and held is not rival
        )

    def _compare(self, planned: Plan, new: Sequence[Truth]) -> None:
        assert {id(self.truth[entry.id]) for entry in planned.created} == {id(entry) for entry in new}
        edges: dict[tuple[str, datetime], datetime | None] = {}
        opened: dict[str, str] = {}
        ids = {id(truth): name for name, truth in self.truth.items()}
        for name, key in self.slots.items():
            live = [e for e in self.oracle.entries if e.slot == key and e.retracted_at is None]
            for start, stop, entry in true_segments(live):
                if entry.value is not None:
                    edges[ids[id(entry)], start] = stop
                if stop is None:
                    opened[name] = ids[id(entry)]
                if any(entry is written for written in new):
                    first = planned.first[ids[id(entry)]]
                    assert first.valid_from <= start
        assert self.edges == edges
        assert self.open == opened
        for name, truth in self.truth.items():
            kept = self.entries[name]
            assert kept.live == (truth.retracted_at is None)
            assert kept.retracted_by == (ids[id(truth.successor)] if truth.successor else None)
            assert kept.episodes == {citation.episode.id for citation in truth.citations}
            link = truth.supersedes and (ids[id(truth.supersedes[0])], truth.supersedes[1])
            assert self.supersedes.get(name) == link


def _best(entry: Truth, ranking: Sequence[str]) -> int:
    return min(_place(cited.episode.source, ranking) for cited in entry.citations)


def _place(source: str, ranking: Sequence[str]) -> int:
    return ranking.index(source) if source in ranking else len(ranking)
