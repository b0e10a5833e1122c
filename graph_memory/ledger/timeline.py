"""The one rule of valid time.

    At an instant t, of a slot's live entries with valid_from <= t < until (no until: for ever), the one
    that starts latest holds; at equal starts a value beats an end.

Pure functions of their arguments: no clock, no database. docs/time.md explains the rule to newcomers, and
planner.py decides what a change makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import heappop, heappush
from operator import attrgetter
from typing import TypeAlias

from graph_memory.domain.values import Value, identity

Rank: TypeAlias = tuple[datetime, bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the rule needs to know of a ledger entry.

    Attributes:
        id: of the fact.
        slot: key of its slot.
        valid_from: first instant it speaks of (UTC).
        until: first instant it no longer speaks of; None: for ever.
        value: None for an end.
        source: of the episode that said it first.
        episodes: ids of the episodes that said it first or confirmed it.
        live: not retracted.
        retracted_by: id of the fact it was retracted for.
        confirmed_by: the sources of the other episodes, where it counts whose word stands behind it.
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
        """Of two entries that speak of an instant, the one with the higher rank holds."""
        return self.valid_from, self.value is not None

    def covers(self, at: datetime) -> bool:
        """Whether it speaks of this instant."""
        return self.valid_from <= at and (self.until is None or at < self.until)

    def says_same(self, other: Entry) -> bool:
        """Whether it says the same typed value, or end, of the same interval."""
        return (
            self.valid_from == other.valid_from
            and self.until == other.until
            and same_value(self.value, other.value)
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """A half-open interval in which one entry holds; `valid_to` None: unbounded."""

    entry: Entry
    valid_from: datetime
    valid_to: datetime | None


def same_value(one: Value | None, other: Value | None) -> bool:
    """Whether two values are the same, types included; two ends are."""
    if one is None or other is None:
        return one is other
    return identity(one) == identity(other)


def holding(entries: Iterable[Entry], at: datetime) -> Entry | None:
    """Return the entry that holds at an instant, or None where nothing is known."""
    return max((e for e in entries if e.live and e.covers(at)), key=attrgetter("rank"), default=None)


def lasting_start(entries: Iterable[Entry], starts: Sequence[datetime], value: Value | None) -> datetime:
    """Return the earliest of some starts from which a value would still hold at the latest of them.

    Args:
        entries: of one slot.
        starts: since when it is said to hold, each by another episode (UTC); at least one.
        value: that is said.
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
        entries: of one slot.
        since: leave out everything before this instant.
        before: leave out everything from this instant on.
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
    """Join touching segments of equal typed value (and touching ends), keeping the first one's entry."""
    joined: list[Segment] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.valid_to == piece.valid_from and same_value(last.entry.value, piece.entry.value):
            joined[-1] = replace(last, valid_to=piece.valid_to)
        else:
            joined.append(piece)
    return joined
