"""What to look for in episodes, and which episodes count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed, one_of, optional_instant, within
from graph_memory.domain.instants import Instant
from graph_memory.errors import InvalidInputError, brief

MAX_K = 1000
WEIGHTS = (0.7, 0.3)
NEIGHBOURS = 0.5


class SearchMode(StrEnum):
    """How a search finds episodes: by their words, by the meaning of their passages, or by both."""

    HYBRID = "hybrid"
    TEXT = "text"
    VECTOR = "vector"


class Fusion(StrEnum):
    """How a hybrid search fuses scores: by weights of scaled scores, or by reciprocal ranks.

    Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009.
    """

    WEIGHTS = "weights"
    RANKS = "ranks"


@dataclass(frozen=True, slots=True)
class Search:
    """The checked arguments of a search. Instants are UTC.

    Attributes:
        query: any text.
        k: the most episodes to return.
        mode: how episodes are found; None: hybrid if an embedder is set, else text.
        fusion: how the scores are fused.
        weights: the weights of words and of vectors, both at least 0.
        neighbours: the share of its score that a turn lends to the turns before and after it, 0 to 1.
        kinds: the kinds of episodes that count; None: all.
        sources: the sources of episodes that count; None: all.
        session: the conversation that counts; None: all.
        said_from: the first instant at which an episode may have been said; None: any.
        said_before: the first instant after that interval; None: any.
        about: key of the entity that the facts of an episode are about; None: any.
        at: the instant in valid time at which facts are judged; None: now.
        known_at: the instant in recorded time; None: now.
    """

    query: str
    k: int
    mode: SearchMode | None
    fusion: Fusion
    weights: tuple[float, float]
    neighbours: float
    kinds: list[str] | None
    sources: list[str] | None
    session: str | None
    said_from: datetime | None
    said_before: datetime | None
    about: str | None
    at: datetime | None
    known_at: datetime | None

    @property
    def filters(self) -> dict[str, Any]:
        """The parameters by which a template tells which episodes count, but for the tenant."""
        return {
            "kinds": self.kinds,
            "sources": self.sources,
            "session": self.session,
            "said_from": self.said_from,
            "said_before": self.said_before,
            "known_at": self.known_at,
            "about": self.about,
        }


def search_of(
    query: str,
    k: int,
    *,
    mode: SearchMode | str | None = None,
    kinds: Iterable[str] | None = None,
    sources: Iterable[str] | None = None,
    session: str | None = None,
    between: tuple[Instant | None, Instant | None] | None = None,
    about: str | None = None,
    at: Instant | None = None,
    known_at: Instant | None = None,
    fusion: Fusion | str = Fusion.WEIGHTS,
    weights: tuple[float, float] = WEIGHTS,
    neighbours: float = NEIGHBOURS,
) -> Search:
    """Return the checked arguments of a search; raises InvalidInputError if one is not allowed."""
    if not isinstance(query, str):
        raise InvalidInputError(f"query {brief(query)} must be text")
    asked_at = optional_instant(at, "at")
    said_from, said_before = _span(between)
    if asked_at is not None:
        said_before = min(filter(None, (said_before, _just_after(asked_at))), default=None)
    return Search(
        query=query,
        k=within("k", k, 1, MAX_K),
        mode=None if mode is None else one_of(SearchMode, mode, "mode"),
        fusion=one_of(Fusion, fusion, "fusion"),
        weights=_weights(weights),
        neighbours=_share(neighbours),
        kinds=_labels("kinds", "kind", kinds),
        sources=_labels("sources", "source", sources),
        session=None if session is None else identifiers.label(session, "session"),
        said_from=said_from,
        said_before=said_before,
        about=None if about is None else identifiers.entity_key(about),
        at=asked_at,
        known_at=optional_instant(known_at, "known_at"),
    )


def _span(between: Any) -> tuple[datetime | None, datetime | None]:
    if between is None:
        return None, None
    if not isinstance(between, tuple | list) or len(between) != 2:
        raise InvalidInputError(
            f"between {brief(between)} must be a pair of instants, either of which may be None"
        )
    start, end = optional_instant(between[0], "between"), optional_instant(between[1], "between")
    if start is not None and end is not None and end <= start:
        raise InvalidInputError(f"between {brief(between)} ends before it begins: give the earlier instant first")
    return start, end


def _just_after(instant: datetime) -> datetime | None:
    try:
        return instant + timedelta(microseconds=1)
    except OverflowError:
        return None


def _labels(many: str, one: str, given: Iterable[str] | None) -> list[str] | None:
    return None if given is None else sorted({identifiers.label(value, one) for value in listed(many, given)})


def _weights(given: Any) -> tuple[float, float]:
    if isinstance(given, tuple | list) and len(given) == 2 and all(_is_weight(weight) for weight in given):
        words, vectors = float(given[0]), float(given[1])
        if words + vectors > 0:
            return words, vectors
    raise InvalidInputError(
        f"weights {brief(given)} must be two numbers from 0 to 1000: the weights of words and of vectors"
    )


def _share(given: Any) -> float:
    if _is_weight(given) and given <= 1:
        return float(given)
    raise InvalidInputError(f"neighbours {brief(given)} must be a number from 0 to 1: the share that a turn lends")


def _is_weight(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1000
