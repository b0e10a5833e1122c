"""The planner: a pure function from the affected part of a slot and the changes to it, to the writes they need.

The edges of the graph are the segments of the rule in timeline.py. The planner compares the segments before the
changes with those after, and says which edges to remove, add or resize, which entry becomes the open one, and
which entry supersedes which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import TypeAlias

from graph_memory.ledger.conflict_policy import Guard, Policy, Verdict, reject
from graph_memory.ledger.timeline import Entry, LiveEntries, Segment, holding, same_value, segments


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a slot that changes can affect.

    Attributes:
        since: the earliest start of the changes (UTC); nothing changes before it.
        entries: all live entries that cover `since` or a later instant, except: entries that start before the last
            entry without `until` that starts strictly before `since`, and entries that start at `boundary` or
            later. Also the retracted entries that start at the start of a change.
        boundary: the instant (UTC) from which on nothing changes. It is the start of the first live entry without
            `until` after the latest start of the changes. Where all changes, and all live entries at their starts,
            are over by some instant, it is the start of the first live entry from then on, if that is earlier.
            None where there is no such entry.
        resumed: for the entry that held just before `since` and still covers it: the instant (UTC) at which the
            last entry with a higher rank was over; None where there was none.
    """

    since: datetime
    entries: tuple[Entry, ...] = ()
    boundary: datetime | None = None
    resumed: datetime | None = None

    def segments(self, entries: Iterable[Entry]) -> list[Segment]:
        """Return the segments of these entries from `since` to `boundary`.

        The segment that contains `since` is returned from its own start, so that it is equal before and after.
        """
        found = segments(entries, self.since, self.boundary)
        held = holding((e for e in self.entries if e.valid_from < self.since), self.since)
        if held is None:
            return found
        start = held.valid_from if self.resumed is None else max(held.valid_from, self.resumed)
        if found and found[0].valid_from == self.since and found[0].entry.id == held.id:
            return [replace(found[0], valid_from=start), *found[1:]]
        return [Segment(held, start, self.since), *found] if start < self.since else found


@dataclass(frozen=True, slots=True)
class Assertion:
    """Assert a value, or an end, over an interval.

    Attributes:
        entry: the entry to store.
        policy: decides which entry wins when a stored one starts at the same instant.
        guard: decides whether the entry may not replace the value that holds at its start; None: it may.
    """

    entry: Entry
    policy: Policy = reject
    guard: Guard | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Replace an entry that was wrong from its start.

    Attributes:
        old: id of the wrong entry.
        entry: the entry that replaces it.
        anew: store `entry` even where it says the same as `old`, or `old` is not live any more.
    """

    old: str
    entry: Entry
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Add the episodes of `entry` to the live entry that says the same; never store `entry` itself."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Retraction:
    """Retract an entry, given by its id: it was never true."""

    old: str


Change: TypeAlias = Assertion | Correction | Confirmation | Retraction


class Status(StrEnum):
    """The result of a change; each value is the name of the WriteReport field that counts it."""

    COMMITTED = "committed"
    CONFIRMED = "confirmed"
    REPLAYED = "replayed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about one change.

    Attributes:
        status: the result of the change.
        entry: id of the entry that states the change now; for a retraction, the retracted entry.
        against: ids of the entries that contradict the change, or of the entry that already replaced the old one.
    """

    status: Status
    entry: str
    against: tuple[str, ...] = ()


class Link(StrEnum):
    """How an entry supersedes another."""

    CHANGE = "change"
    RESTATEMENT = "restatement"
    END = "end"
    CORRECTION = "correction"


@dataclass(slots=True)
class Plan:
    """The writes that make the ledger and its edges agree with the rule.

    Attributes:
        decisions: one for each change, in order.
        created: the new entries; an entry that lost a decided conflict is not live.
        supersedes: id of a new entry -> (id of the entry that it supersedes, how).
        retracted: id of a stored or new entry -> id of the entry that it was retracted for, or None.
        confirmed: (id of an entry, index of a change) for each episode that the entry gains.
        removed: segments whose edge is deleted; like the next two, without the segments of ends.
        resized: segments whose edge gets another `valid_to`.
        added: segments that need a new edge.
        opened: ids of stored and new entries that become the open entry of their slot.
        closed: ids of stored entries that are no longer the open entry of their slot.
        first: id of an entry of a changed slot -> its first segment, where it has one.
        known: every entry of the windows and every new one, by id, as it is after the changes.
    """

    decisions: list[Decision] = field(default_factory=list)
    created: list[Entry] = field(default_factory=list)
    supersedes: dict[str, tuple[str, Link]] = field(default_factory=dict)
    retracted: dict[str, str | None] = field(default_factory=dict)
    confirmed: list[tuple[str, int]] = field(default_factory=list)
    removed: list[Segment] = field(default_factory=list)
    resized: list[Segment] = field(default_factory=list)
    added: list[Segment] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    first: dict[str, Segment] = field(default_factory=dict)
    known: dict[str, Entry] = field(default_factory=dict)

    @property
    def writes(self) -> bool:
        """Whether anything has to be written."""
        return bool(self.created or self.retracted or self.confirmed)


def plan(windows: Mapping[str, Window], changes: Sequence[Change]) -> Plan:
    """Plan changes, in order, over the windows of all slots that they touch.

    A change that conflicts with an entry is refused and changes nothing; the others are planned.

    Args:
        windows: by slot, each wide enough for all changes to that slot together.
        changes: the changes of one transaction.
    """
    planner = _Planner(windows)
    for index, change in enumerate(changes):
        planner.take(index, change)
    return planner.finish()


class _Planner:
    """The entries of the windows, to which changes are applied one by one."""

    def __init__(self, windows: Mapping[str, Window]) -> None:
        self.windows = windows
        self.entries = {e.id: e for window in windows.values() for e in window.entries}
        self.starts: dict[tuple[str, datetime], list[str]] = {}
        self.by_slot: dict[str, list[str]] = {}
        self.live: dict[str, LiveEntries] = {}  # of the slots in which a guard was asked
        for entry in self.entries.values():
            self._index(entry)
        self.created: list[str] = []
        self.corrected: dict[str, str] = {}
        self.touched: set[str] = set()
        self.plan = Plan()

    def _index(self, entry: Entry) -> None:
        self.starts.setdefault((entry.slot, entry.valid_from), []).append(entry.id)
        self.by_slot.setdefault(entry.slot, []).append(entry.id)

    def take(self, index: int, change: Change) -> None:
        match change:
            case Assertion(entry, policy, guard):
                decision = self._assert(index, entry, policy, guard)
            case Correction(old, entry, anew):
                decision = self._correct(index, self.entries[old], entry, anew)
            case Confirmation(entry):
                decision = self._confirm_live(index, entry)
            case Retraction(old):
                decision = self._retract_only(self.entries[old])
        self.plan.decisions.append(decision)

    def _at_start_of(self, new: Entry) -> list[Entry]:
        return [self.entries[id_] for id_ in self.starts.get((new.slot, new.valid_from), ())]

    def _assert(self, index: int, new: Entry, policy: Policy, guard: Guard | None) -> Decision:
        stored = self._at_start_of(new)
        said = [e for e in stored if e.says_same(new) and new.episodes <= e.episodes]
        if said:  # live or retracted; of several, prefer the live one
            return Decision(Status.REPLAYED, max(said, key=attrgetter("live")).id)
        rival = next((e for e in stored if e.live and e.rank == new.rank), None)
        if rival is None:
            return self._take_over(new, guard)
        if rival.says_same(new):
            return self._confirm(index, rival, new)
        match policy(rival, new):
            case Verdict.NEW_WINS:
                return self._take_over(new, guard, rival)
            case Verdict.STORED_WINS:
                self._create(new)
                self._retract(new, by=rival.id)
                return Decision(Status.COMMITTED, new.id, (rival.id,))
            case Verdict.UNDECIDED:
                return Decision(Status.REFUSED, new.id, (rival.id,))

    def _take_over(self, new: Entry, guard: Guard | None, rival: Entry | None = None) -> Decision:
        """Create a new entry, and retract the rival that it beat, unless the guard forbids the replacement."""
        guarded = None if guard is None else self._guarded(new, guard)
        if rival is not None and guard is not None and guard(rival, new):
            guarded = rival.id
        if guarded is not None:
            return Decision(Status.REFUSED, new.id, (guarded,))
        if rival is not None:
            self._retract(rival, by=new.id)
        return self._create(new)

    def _guarded(self, new: Entry, guard: Guard) -> str | None:
        """Return the id of an entry that holds within a new entry's interval and is protected from it."""
        if new.slot not in self.live:
            self.live[new.slot] = LiveEntries(self.entries[id_] for id_ in self.by_slot.get(new.slot, ()))
        boundary = self.windows[new.slot].boundary
        at: datetime | None = new.valid_from
        while at is not None and new.covers(at) and (boundary is None or at < boundary or at == new.valid_from):
            held = self.live[new.slot].holding(at)
            if held is None:
                return None  # What starts later ranks above the new entry.
            if held.rank < new.rank and guard(self.entries[held.id], new):
                return held.id
            at = held.until  # Until then nothing of a lower rank holds.
        return None

    def _correct(self, index: int, old: Entry, new: Entry, anew: bool) -> Decision:
        if not old.live and not anew:
            successor = self.entries.get(old.retracted_by or "")
            if successor and successor.says_same(new) and new.episodes <= successor.episodes:
                return Decision(Status.REPLAYED, successor.id)
            return Decision(Status.REFUSED, old.id, (old.retracted_by,) if old.retracted_by else ())
        if old.slot == new.slot and old.says_same(new) and not anew:
            return self._confirm(index, old, new)
        rival = next((e for e in self._at_start_of(new) if e.live and e.rank == new.rank and e.id != old.id), None)
        if rival is None:
            if old.live:
                self._retract(old, by=new.id)
            self.corrected[new.id] = old.id
            return self._create(new)
        if not rival.says_same(new):
            return Decision(Status.REFUSED, new.id, (rival.id,))
        if old.live:
            self._retract(old, by=rival.id)
        self._confirm(index, rival, new)
        return Decision(Status.CONFIRMED, rival.id)

    def _confirm_live(self, index: int, new: Entry) -> Decision:
        rival = next((e for e in self._at_start_of(new) if e.live and e.rank == new.rank), None)
        if rival is None or not rival.says_same(new):
            return Decision(Status.REFUSED, new.id, () if rival is None else (rival.id,))
        return self._confirm(index, rival, new)

    def _retract_only(self, old: Entry) -> Decision:
        if not old.live:
            return Decision(Status.REPLAYED, old.id)
        self._retract(old, by=None)
        return Decision(Status.COMMITTED, old.id)

    def _create(self, new: Entry) -> Decision:
        self.entries[new.id] = new
        self._index(new)
        if new.slot in self.live:
            self.live[new.slot].add(new)
        self.created.append(new.id)
        self.touched.add(new.slot)
        return Decision(Status.COMMITTED, new.id)

    def _confirm(self, index: int, entry: Entry, new: Entry) -> Decision:
        if new.episodes <= entry.episodes:
            return Decision(Status.REPLAYED, entry.id)
        self.entries[entry.id] = replace(
            entry, episodes=entry.episodes | new.episodes, confirmed_by=entry.confirmed_by | {new.source}
        )
        self.plan.confirmed.append((entry.id, index))
        return Decision(Status.CONFIRMED, entry.id)

    def _retract(self, entry: Entry, by: str | None) -> None:
        if entry.slot in self.live and entry.live:
            self.live[entry.slot].remove(entry)
        self.entries[entry.id] = replace(entry, live=False, retracted_by=by)
        self.plan.retracted[entry.id] = by
        self.touched.add(entry.slot)

    def finish(self) -> Plan:
        plan = self.plan
        plan.known = self.entries
        plan.created = [self.entries[id_] for id_ in self.created]
        new = set(self.created)
        now: dict[str, list[Entry]] = {slot: [] for slot in self.touched}
        for entry in self.entries.values():
            if entry.live and entry.slot in now:
                now[entry.slot].append(entry)
        for slot, live in now.items():
            live.sort(key=attrgetter("rank"))
            window = self.windows[slot]
            was = [e for e in window.entries if e.live]
            self._edges(window.segments(was), window.segments(live))
            if window.boundary is None:
                self._open_label(was, live)
            self._links(live, new)
        return plan

    def _edges(self, was: list[Segment], now: list[Segment]) -> None:
        plan = self.plan
        for segment in now:
            plan.first.setdefault(segment.entry.id, segment)
        before = {(s.entry.id, s.valid_from): s for s in was if s.entry.value is not None}
        after = {(s.entry.id, s.valid_from): s for s in now if s.entry.value is not None}
        plan.removed += [s for key, s in before.items() if key not in after]
        plan.added += [s for key, s in after.items() if key not in before]
        plan.resized += [s for key, s in after.items() if key in before and before[key].valid_to != s.valid_to]

    def _open_label(self, was: list[Entry], now: list[Entry]) -> None:
        before, after = _open_one(was), _open_one(now)
        if before == after:
            return
        if before is not None:
            self.plan.closed.append(before)
        if after is not None:
            self.plan.opened.append(after)

    def _links(self, live: list[Entry], new: set[str]) -> None:
        """Say what each new entry supersedes, among the live entries of a slot sorted by rank.

        An end and a value that come together with one start are taken in that order, so the end does not
        supersede the value: two entries never supersede each other.
        """
        before: list[Entry] = []  # those that may still hold, the one that does last
        for place, entry in enumerate(live):
            above = live[place + 1] if place + 1 < len(live) else None
            while before and not before[-1].covers(entry.valid_from):
                before.pop()  # what is over by now is over at each later start
            held = before[-1] if before else None
            before.append(entry)
            if entry.id not in new:
                continue
            if above is not None and above.valid_from == entry.valid_from and above.id not in new:
                held = above
            if old := self.corrected.get(entry.id):
                self.plan.supersedes[entry.id] = old, Link.CORRECTION
            elif held is not None:
                self.plan.supersedes[entry.id] = held.id, _link(entry, held)


def _open_one(live: Iterable[Entry]) -> str | None:
    entry = max((e for e in live if e.until is None), key=attrgetter("rank"), default=None)
    return None if entry is None else entry.id


def _link(entry: Entry, held: Entry) -> Link:
    if entry.value is None:
        return Link.END
    return Link.RESTATEMENT if same_value(entry.value, held.value) else Link.CHANGE
