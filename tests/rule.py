"""The rule of docs/time.md evaluated as plainly as it can be said: slow, and easy to believe.

At an instant t, of a slot's live entries with valid_from <= t < until, the one that starts latest holds; at
equal starts a value beats an end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from graph_memory.domain.records import Citation, Episode
from graph_memory.domain.values import Value, identity

Identity: TypeAlias = tuple[str, str]
SlotKey: TypeAlias = tuple[str, str, Identity | None]
Segment: TypeAlias = tuple[datetime, datetime | None, "Entry"]


@dataclass(eq=False)
class Said:
    """What is asserted of a slot: a value, or an end (`value` None), over a half-open interval."""

    slot: SlotKey
    value: Value | None
    valid_from: datetime
    until: datetime | None
    ended_value: Value | None = None

    @property
    def sameness(self) -> Identity | None:
        """What equal typed values have in common."""
        return None if self.value is None else identity(self.value)

    @property
    def says(self) -> tuple[datetime, datetime | None, Identity | None]:
        """Since when, until when, which typed value."""
        return self.valid_from, self.until, self.sameness

    @property
    def place(self) -> tuple[SlotKey, datetime, bool]:
        """Where one live entry has room: a slot and a start, once for a value and once for an end."""
        return self.slot, self.valid_from, self.value is None

    def covers(self, at: datetime) -> bool:
        """Whether it is asserted of this instant."""
        return self.valid_from <= at and (self.until is None or at < self.until)


@dataclass(eq=False, kw_only=True)
class Entry(Said):
    """An assertion in the ledger, and what became of it."""

    id: str
    recorded_at: datetime
    citations: list[Citation] = field(default_factory=list)
    retracted_at: datetime | None = None
    successor: Entry | None = None
    retraction: tuple[str, Episode | None] | None = None
    supersedes: tuple[Entry, str] | None = None

    def cites(self, episode: Episode) -> bool:
        """Whether this episode supports the entry."""
        return any(citation.episode.id == episode.id for citation in self.citations)

    def known(self, known_at: datetime | None) -> bool:
        """Whether the ledger believed it then; None is now."""
        if known_at is None:
            return self.retracted_at is None
        return self.recorded_at <= known_at and (self.retracted_at is None or known_at < self.retracted_at)


def holder(entries: Iterable[Entry], at: datetime) -> Entry | None:
    """The rule."""
    return max(
        (entry for entry in entries if entry.covers(at)),
        key=lambda entry: (entry.valid_from, entry.value is not None),
        default=None,
    )


def segments(entries: Sequence[Entry]) -> list[Segment]:
    """Where each entry holds, in time order: the rule at every instant at which anything can change."""
    breaks = sorted({e.valid_from for e in entries} | {e.until for e in entries if e.until is not None})
    found: list[Segment] = []
    for start, stop in itertools.pairwise([*breaks, None]):
        assert start is not None
        winner = holder(entries, start)
        if winner is None:
            continue
        if found and found[-1][1] == start and found[-1][2] is winner:
            found[-1] = (found[-1][0], stop, winner)
        else:
            found.append((start, stop, winner))
    return found


def coalesced(pieces: Iterable[Segment]) -> list[Segment]:
    """Join touching segments of equal typed value; the earliest entry stands for them."""
    joined: list[Segment] = []
    for start, stop, entry in pieces:
        if joined and joined[-1][1] == start and joined[-1][2].sameness == entry.sameness:
            joined[-1] = (joined[-1][0], stop, joined[-1][2])
        else:
            joined.append((start, stop, entry))
    return joined
