"""Who wins where two entries of a slot start at the same instant and say different things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from graph_memory.ledger.timeline import Entry


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

    def decide(stored: Entry, new: Entry) -> Verdict:
        ours, theirs = best_rank(stored, sources), best_rank(new, sources)
        if ours == theirs:
            return Verdict.UNDECIDED
        return Verdict.STORED_WINS if ours < theirs else Verdict.NEW_WINS

    return decide


def overrule(stored: Entry, new: Entry) -> Verdict:
    """Let the new entry win: somebody who may has decided so."""
    return Verdict.NEW_WINS


Guard: TypeAlias = "Callable[[Entry, Entry], bool]"
"""Called with the entry that holds and the new one that would replace it: whether it may not."""


def outranks(sources: Sequence[str]) -> Guard:
    """Return the guard of a protected attribute: what holds is safe from a source that ranks below its own."""

    def guards(held: Entry, new: Entry) -> bool:
        return best_rank(held, sources) < best_rank(new, sources)

    return guards


def best_rank(entry: Entry, sources: Sequence[str]) -> int:
    """Return the place of the best source behind an entry, 0 the first; one that is not named comes last."""
    behind = entry.confirmed_by | {entry.source}
    return min(sources.index(source) if source in sources else len(sources) for source in behind)
