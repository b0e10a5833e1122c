"""Conflict policies: which of two entries wins when both start at one instant. Guards of protected attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from graph_memory.ledger.timeline import Entry


class Verdict(Enum):
    """A policy's decision about a conflict."""

    STORED_WINS = "stored wins"
    NEW_WINS = "new wins"
    UNDECIDED = "undecided"


Policy: TypeAlias = "Callable[[Entry, Entry], Verdict]"
"""A function of the stored entry and the new one that decides which wins."""


def reject(stored: Entry, new: Entry) -> Verdict:
    """Leave the conflict undecided, so that a person or the caller decides. The default."""
    return Verdict.UNDECIDED


def source_precedence(sources: Sequence[str]) -> Policy:
    """Return the policy that lets the better-ranked source win and leaves a tie undecided.

    Args:
        sources: from the best to the worst; a source that is not named ranks below all of them.
    """

    def decide(stored: Entry, new: Entry) -> Verdict:
        ours, theirs = best_rank(stored, sources), best_rank(new, sources)
        if ours == theirs:
            return Verdict.UNDECIDED
        return Verdict.STORED_WINS if ours < theirs else Verdict.NEW_WINS

    return decide


def overrule(stored: Entry, new: Entry) -> Verdict:
    """Let the new entry win: somebody with the authority has decided so."""
    return Verdict.NEW_WINS


Guard: TypeAlias = "Callable[[Entry, Entry], bool]"
"""A function of the entry that holds and the new one: True where the new one may not replace it."""


def outranks(sources: Sequence[str]) -> Guard:
    """Return the guard of a protected attribute: a source may not replace the value of a better-ranked source."""

    def guards(held: Entry, new: Entry) -> bool:
        return best_rank(held, sources) < best_rank(new, sources)

    return guards


def best_rank(entry: Entry, sources: Sequence[str]) -> int:
    """Return the rank of the best source of an entry: 0 is the best; a source that is not named comes last."""
    behind = entry.confirmed_by | {entry.source}
    return min(sources.index(source) if source in sources else len(sources) for source in behind)
