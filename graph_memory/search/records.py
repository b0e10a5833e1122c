"""The records of searches. Instants are UTC."""

from __future__ import annotations

from pydantic import Field

from graph_memory.domain.json_values import ReadOnlyDict
from graph_memory.domain.records import Episode, Fact, ReadOnly, Record


class SupportedFact(Record):
    """A fact that an episode supports, and whether it is still so.

    Attributes:
        fact: the ledger entry, with the interval that was asserted.
        holds: whether its value holds at the instant of the search, whichever entry says so; of an end, whether
            nothing holds then.
    """

    fact: Fact
    holds: bool


class Evidence(Record):
    """An episode that a search found.

    Attributes:
        episode: the episode, whole.
        quote: the words around the best match, exactly as they stand in the text.
        start: where the quote begins in the text, in Unicode code points.
        end: offset after its last character.
        score: higher is better, comparable only within one search; the sum of `parts`.
        parts: what the words (`text`), the vector (`vector`) and the turns beside it (`session`) contribute.
        facts: those that the episode supports, by when they were recorded, 100 at most.
    """

    episode: Episode
    quote: str = ""
    start: int = 0
    end: int = 0
    score: float
    parts: ReadOnly[dict[str, float]] = Field(default_factory=ReadOnlyDict)
    facts: tuple[SupportedFact, ...] = ()
