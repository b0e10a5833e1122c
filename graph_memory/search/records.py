"""The records of searches. Instants are UTC."""

from __future__ import annotations

from pydantic import Field

from graph_memory.domain.json_values import ReadOnlyDict
from graph_memory.domain.records import Episode, Fact, ReadOnly, Record


class SupportedFact(Record):
    """A fact that an episode supports, and whether it still holds.

    Attributes:
        fact: the ledger entry, with the interval that was asserted.
        holds: whether its value holds at the instant of the search, by any entry; for an end, whether no value
            holds then.
    """

    fact: Fact
    holds: bool


class Evidence(Record):
    """An episode that a search found.

    Attributes:
        episode: the episode with its whole text.
        quote: the words of the text around the best match, unchanged.
        start: offset of the quote in the text, in Unicode code points.
        end: offset after its last character.
        score: the sum of `parts`; higher is better, and comparable only within one search.
        parts: the parts of the score: `text` (words), `vector`, `session` (neighbouring turns).
        facts: the facts that the episode supports, in the order of recording, at most 100.
    """

    episode: Episode
    quote: str = ""
    start: int = 0
    end: int = 0
    score: float
    parts: ReadOnly[dict[str, float]] = Field(default_factory=ReadOnlyDict)
    facts: tuple[SupportedFact, ...] = ()
