"""Ranks episodes: fuses hits by words (BM25) and by vectors (cosine), and adds shares of neighbours in a session.

Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009. BM25, by which Lucene scores words: Robertson
and others, TREC-3, 1994.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_memory.search.query import Fusion

# The number of best hits that take part, unless more are wanted.
POOL = 50
_RANK = 60


@dataclass(frozen=True, slots=True)
class Hit:
    """An episode that an index found.

    Attributes:
        id: of the episode.
        score: of the index; higher is better.
        recorded_at: in microseconds since 1970.
        in_session: whether turns may stand beside it.
        start: where the passage that was found begins in the episode's text.
        end: offset after its last character.
    """

    id: str
    score: float
    recorded_at: int
    in_session: bool = False
    start: int = 0
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer of an index, and the hits that pass the filters.

    Attributes:
        hits: the hits that pass, the best first, each episode once.
        returned: the number of hits that the index returned.
    """

    hits: list[Hit]
    returned: int

    def enough(self, limit: int, wanted: int) -> bool:
        """Whether `wanted` hits pass, or the index has no hits beyond `limit`."""
        return len(self.hits) >= wanted or self.returned < limit


NOTHING = Found([], 0)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranked episode.

    Attributes:
        id: id of the episode.
        score: the sum of `parts`.
        parts: the parts of the score: `text` (words), `vector`, `session` (neighbours).
    """

    id: str
    score: float
    parts: Mapping[str, float]


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits with the best first, each episode once; hits with equal scores in the order of recording."""
    found: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.recorded_at, hit.id)):
        found.setdefault(hit.id, hit)
    return list(found.values())


def fused(
    text: Sequence[Hit], vector: Sequence[Hit], fusion: Fusion, weights: tuple[float, float]
) -> dict[str, dict[str, float]]:
    """Return the parts of the scores of all hits, each between 0 and 1.

    Args:
        text: hits by words, the best first.
        vector: hits by vectors, the best first; `score` is the cosine as Neo4j gives it, from 0 to 1.
        fusion: `weights` divides scores by the best score of their kind; `ranks` is reciprocal rank fusion and
            takes 1 / (60 + rank) instead (Cormack, Clarke and Buettcher, SIGIR 2009).
        weights: the weights of words and of vectors; if one found nothing, the other has all the weight.
    """
    scores = _by_ranks if fusion is Fusion.RANKS else _by_scores
    words, vectors = scores(text), scores([Hit(h.id, 2 * h.score - 1, h.recorded_at) for h in vector])
    heavy, light = weights if words and vectors else (1.0, 1.0)
    total = heavy + light if words and vectors else 1.0
    parts: dict[str, dict[str, float]] = {}
    for name, weight, found in (("text", heavy, words), ("vector", light, vectors)):
        for id_, score in found.items():
            parts.setdefault(id_, {})[name] = weight / total * score
    return parts


def _by_scores(hits: Sequence[Hit]) -> dict[str, float]:
    best = max((hit.score for hit in hits), default=0.0)
    return {hit.id: max(hit.score, 0.0) / best if best > 0 else 0.0 for hit in hits}


def _by_ranks(hits: Sequence[Hit]) -> dict[str, float]:
    return {hit.id: (_RANK + 1) / (_RANK + rank) for rank, hit in enumerate(hits, start=1)}


def with_neighbours(
    parts: Mapping[str, Mapping[str, float]], beside: Mapping[str, Iterable[str]], share: float
) -> dict[str, dict[str, float]]:
    """Return the parts of scores, with the share that each turn gets from the turns before and after it.

    An answer seldom repeats the words of its question, so a turn without a hit may get all of its score this way.

    Args:
        parts: the parts of the scores of hits, by id.
        beside: the ids of the turns before and after each hit.
        share: the share of its own score that a hit lends to each neighbour, 0 to 1.
    """
    lent = {id_: dict(found) for id_, found in parts.items()}
    if not share:
        return lent
    for lender, found in parts.items():
        for borrower in beside.get(lender, ()):
            of_borrower = lent.setdefault(borrower, {})
            of_borrower["session"] = of_borrower.get("session", 0.0) + share * sum(found.values())
    return lent


def ranked(parts: Mapping[str, Mapping[str, float]], recorded_at: Mapping[str, int], k: int) -> list[Ranked]:
    """Return the best `k`; equal scores in the order of recording, then of ids."""
    order = sorted(
        (Ranked(id_, sum(found.values()), found) for id_, found in parts.items()),
        key=lambda one: (-one.score, recorded_at[one.id], one.id),
    )
    return order[:k]
