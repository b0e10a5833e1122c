"""The one rule of valid time.

    At an instant t, of a slot's live entries with valid_from <= t < until (no until: for ever), the one
    that starts latest holds; at equal starts a value beats an end.

Pure functions: no clock, no database. docs/time.md explains the rule to newcomers; planner.py applies changes
under it. Valid time is the application time of SQL:2011; its intervals are half-open, and how two of them can lie
to each other is described by Allen's interval relations (1983).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import heappop, heappush
from operator import attrgetter
from typing import TypeAlias

from graph_memory.domain.values import Value, identity

Rank: TypeAlias = tuple[datetime, bool]

# How many entries of a slot are looked at or skipped together.
_BLOCK = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a ledger entry that the rule uses.

    Attributes:
        id: id of the fact.
        slot: key of the fact's slot.
        valid_from: first instant of the asserted interval (UTC).
        until: first instant after the asserted interval (UTC); None: for ever.
        value: the value; None for an end.
        source: the source of the first episode that said the fact.
        episodes: ids of the episodes that said or confirmed the fact.
        live: whether the entry is not retracted.
        retracted_by: id of the fact that this one was retracted for.
        confirmed_by: the sources of the confirming episodes, where the attribute's terms rank sources.
    """

    id: str
    slot: str
    valid_from: datetime
    until: datetime | None
    value: Value | None
    source: str = ""
    episodes: frozenset[str] = frozenset()
    live: bool = True
    retracted_by: str | None = None
    confirmed_by: frozenset[str] = frozenset()

    @property
    def rank(self) -> Rank:
        """The order of entries: of the live entries that cover an instant, the one with the highest rank holds."""
        return self.valid_from, self.value is not None

    def covers(self, at: datetime) -> bool:
        """Whether the asserted interval contains an instant (UTC)."""
        return self.valid_from <= at and (self.until is None or at < self.until)

    def says_same(self, other: Entry) -> bool:
        """Whether both entries assert the same typed value, or an end, over the same interval."""
        return (
            self.valid_from == other.valid_from
            and self.until == other.until
            and same_value(self.value, other.value)
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """A half-open interval in which one entry holds (UTC); `valid_to` None: unbounded."""

    entry: Entry
    valid_from: datetime
    valid_to: datetime | None


def same_value(one: Value | None, other: Value | None) -> bool:
    """Whether two values are the same, types included; two ends (None) are the same."""
    if one is None or other is None:
        return one is other
    return identity(one) == identity(other)


def holding(entries: Iterable[Entry], at: datetime) -> Entry | None:
    """Return the entry that holds at an instant (UTC), or None where nothing is known."""
    return max((e for e in entries if e.live and e.covers(at)), key=attrgetter("rank"), default=None)


class LiveEntries:
    """Live entries of one slot in the order of their ranks, which tell who holds without a look at those before.

    They lie in blocks, and each block knows until when its entries reach: what is over by an instant is skipped a
    block at a time.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._blocks: list[list[Entry]] = []
        self._starts: list[Rank] = []
        self._reach: list[datetime | None] = []
        ordered = sorted((e for e in entries if e.live), key=attrgetter("rank"))
        for first in range(0, len(ordered), _BLOCK):
            self._put(len(self._blocks), ordered[first : first + _BLOCK])

    def _put(self, place: int, block: list[Entry]) -> None:
        self._blocks.insert(place, block)
        self._starts.insert(place, block[0].rank)
        self._reach.insert(place, _reach(block))

    def _take(self, place: int) -> list[Entry]:
        del self._starts[place], self._reach[place]
        return self._blocks.pop(place)

    def _of(self, rank: Rank) -> int:
        return bisect_right(self._starts, rank) - 1

    def add(self, entry: Entry) -> None:
        """Add a live entry."""
        place = max(self._of(entry.rank), 0)
        block = self._take(place) if self._blocks else []
        insort(block, entry, key=attrgetter("rank"))
        if len(block) > 2 * _BLOCK:
            self._put(place, block[_BLOCK:])
            block = block[:_BLOCK]
        self._put(place, block)

    def remove(self, entry: Entry) -> None:
        """Remove an entry, which is there."""
        place = self._of(entry.rank)
        left = [e for e in self._take(place) if e.id != entry.id]
        if left:
            self._put(place, left)

    def holding(self, at: datetime) -> Entry | None:
        """Return the entry that holds at an instant (UTC), or None where nothing is known."""
        for place in range(self._of((at, True)), -1, -1):
            reach = self._reach[place]
            if reach is None or at < reach:
                for entry in reversed(self._blocks[place]):
                    if entry.covers(at):
                        return entry
        return None


def _reach(entries: Iterable[Entry]) -> datetime | None:
    """Return the instant from which on none of some entries is asserted; None: there is none."""
    untils = [e.until for e in entries]
    return None if None in untils else max(until for until in untils if until is not None)


def lasting_start(entries: Iterable[Entry], starts: Sequence[datetime], value: Value | None) -> datetime:
    """Return the earliest of several starts from which a value would still hold at the latest of them.

    Args:
        entries: the entries of one slot.
        starts: the starts (UTC) that different episodes state for the value; at least one.
        value: the value.
    """
    others = [e for e in entries if e.live and not same_value(e.value, value)]
    latest = max(starts)

    def interrupted(start: datetime) -> bool:
        between = any(start < e.valid_from <= latest and e.covers(latest) for e in others)
        return between or any(e.rank == (start, True) for e in others)

    return next((start for start in sorted(starts) if not interrupted(start)), latest)


def segments(
    entries: Iterable[Entry], since: datetime | None = None, before: datetime | None = None
) -> list[Segment]:
    """Return the segments of a slot's live entries in time order, those of ends included.

    Args:
        entries: the entries of one slot.
        since: leave out everything before this instant (UTC).
        before: leave out everything from this instant on (UTC).
    """
    ordered = sorted((e for e in entries if e.live), key=attrgetter("rank"))
    points = {e.valid_from for e in ordered} | {e.until for e in ordered if e.until is not None}
    if since is not None:
        points = {p for p in points if p > since} | {since}
    cuts: list[datetime | None] = [p for p in sorted(points) if before is None or p < before]
    found: list[Segment] = []
    active: list[tuple[int, Entry]] = []  # a heap, the highest rank on top
    arrived = 0
    for at, following in zip(cuts, [*cuts, before][1:], strict=True):
        assert at is not None
        while arrived < len(ordered) and ordered[arrived].valid_from <= at:
            heappush(active, (-arrived, ordered[arrived]))
            arrived += 1
        while active and not active[0][1].covers(at):
            heappop(active)
        if not active:
            continue
        winner = active[0][1]
        if found and found[-1].entry is winner and found[-1].valid_to == at:
            found[-1] = replace(found[-1], valid_to=following)
        else:
            found.append(Segment(winner, at, following))
    return found


def coalesce(pieces: Iterable[Segment]) -> list[Segment]:
    """Join segments that touch and have equal typed values, or are both ends; the first entry stands for them.

    Coalescing in the sense of Böhlen, Snodgrass and Soo (1996): the value at each instant stays the same.
    """
    joined: list[Segment] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.valid_to == piece.valid_from and same_value(last.entry.value, piece.entry.value):
            joined[-1] = replace(last, valid_to=piece.valid_to)
        else:
            joined.append(piece)
    return joined
