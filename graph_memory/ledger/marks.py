"""Whether what was read of some slots is of one state, by the marks that each write leaves on a slot.

The server is read-committed: while it applies a commit, a read may see a half of it. It applies first what is in
no index, then the indexes of nodes, last those of relationships. A slot carries the instant of its last write
twice: `clock`, in an index of relationships, tells which writes are done, and `moved`, in none, tells which have
begun. A read that takes the clocks first, then the entries, then what moved, was of one state where the two agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from graph_memory.domain.instants import FIRST_INSTANT, LAST_INSTANT, from_micros, to_micros


class SlotMark(NamedTuple):
    """What was read of a slot beside its entries, in microseconds since 1970.

    Attributes:
        clock: the last write that was done before its entries were read; None: not to be seen.
        moved: the last write that had begun after they were read.
        exists: whether the slot is there although `clock` is not to be seen.
    """

    clock: int | None
    moved: int | None
    exists: bool

    @property
    def unknown(self) -> bool:
        """Whether nothing had ever been written to the slot: what was read of it comes from a write under way."""
        return self.clock is None and not self.exists

    def settled(self, known_at: int | None) -> bool:
        """Whether no write was under way that is known at an instant, or now."""
        if self.clock is None:
            return not self.exists
        return self.clock == self.moved or (known_at is not None and known_at <= self.clock)


def settled(marks: Sequence[SlotMark], known_at: datetime | None) -> bool:
    """Whether the entries of some slots were read as of one state."""
    known = None if known_at is None else to_micros(known_at)
    return all(mark.settled(known) for mark in marks)


def last_known(marks: Sequence[SlotMark], known_at: datetime | None) -> list[datetime]:
    """Return, for each slot, the recorded instant up to which no write under way can still change its entries.

    Args:
        marks: of the slots, in order. A slot that is there although its clock cannot be seen counts as unchanged;
            of a slot that is not there, nothing is known.
        known_at: the instant asked for (UTC), and the latest that is returned; None: now.
    """
    latest = LAST_INSTANT if known_at is None else known_at
    return [FIRST_INSTANT if mark.unknown else min(latest, _clock(mark)) for mark in marks]


def _clock(mark: SlotMark) -> datetime:
    return LAST_INSTANT if mark.clock is None else from_micros(mark.clock)
