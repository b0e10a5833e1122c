"""The records of searches, and of the indexes behind them. Instants are UTC."""

from __future__ import annotations

from pydantic import Field

from graph_memory.records import Episode, Fact, Record


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
    parts: dict[str, float] = Field(default_factory=dict)
    facts: tuple[SupportedFact, ...] = ()


class IndexInfo(Record):
    """An index that searches use.

    Attributes:
        kind: `text` or `vector`.
        name: of the index in the database.
        language: of the text index, the analyzer.
        embedder: of the vector index, which model its vectors come from.
        dimension: of the vector index, how many numbers a vector has.
        missing: of the vector index, how many episodes are not in it yet.
        building: what a rebuild that is not done makes of it: a language or an embedder; None: none is under way.
        left: how many episodes that rebuild has before it.
    """

    kind: str
    name: str
    language: str | None = None
    embedder: str | None = None
    dimension: int | None = None
    missing: int = 0
    building: str | None = None
    left: int = 0
