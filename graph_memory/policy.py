"""Who wins where two entries of a slot start at the same instant and say different things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from graph_memory.timeline import Entry


class Verdict(Enum):
    """What a policy decides about a conflict."""

    STORED_WINS = "stored wins"
    NEW_WINS = "new wins"
    UNDECIDED = "undecided"


Policy: TypeAlias = "Callable[[Entry, Entry], Verdict]"
"""Called with the stored entry and the new one."""


def reject(stored: Entry, new: Entry) -> Verdict:
    """Decide nothing: a person, or the caller, has to. The default."""
    return Verdict.UNDECIDED


def source_precedence(sources: Sequence[str]) -> Policy:
    """Return the policy by which the better-ranked source wins, and a tie is left undecided.

    Args:
        sources: from the best to the worst; one that is not named ranks below all of them.
    """
    ranks = {source: rank for rank, source in enumerate(sources)}

    def decide(stored: Entry, new: Entry) -> Verdict:
        ours, theirs = ranks.get(stored.source, len(ranks)), ranks.get(new.source, len(ranks))
        if ours == theirs:
            return Verdict.UNDECIDED
        return Verdict.STORED_WINS if ours < theirs else Verdict.NEW_WINS

    return decide
