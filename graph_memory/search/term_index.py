"""The text index: what it holds of episodes, how it is asked, and how counts over a tenant rank what it gives."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from graph_memory.search.analysis import token
from graph_memory.search.index_generations import Generation, Generations
from graph_memory.search.passages import passages

MAX_TERMS = 256
"""How many different terms of a query count."""
MOST_COUNTED = 10_000
"""Up to how many passages are counted: in a larger tenant the terms that are in so many weigh alike."""

# BM25. A passage is short by itself, so its length matters less than where whole documents are compared, and it is
# compared with a fixed length: an average would let many short notes push a long text aside.
_SATURATION = 1.2
_LENGTH_MATTERS = 0.4
_USUAL_LENGTH = 60
_LEAST_WEIGHT = 0.05
# What the index adds for how often a term stands in a passage, beside the weight of all its terms.
_TIE = 0.05


def entries(tenant: str, text: str, index: Generation) -> list[dict[str, Any]]:
    """Return the passages of an episode with what a text index holds of them."""
    return [
        {"number": part.number, "start": part.start, "end": part.end, "terms": _held(tenant, part.text, index)}
        for part in passages(text)
    ]


def all_entries(tenant: str, text: str, known: Generations) -> list[dict[str, Any]]:
    """Return the passages of a new episode with what the text index in use, and one being built, hold of them."""
    indexes = {index.terms_property: index for index in (known.active, known.building) if index is not None}
    return [
        {"number": part.number, "start": part.start, "end": part.end, "terms_a": None, "terms_b": None}
        | {name: _held(tenant, part.text, index) for name, index in indexes.items()}
        for part in passages(text)
    ]


def _held(tenant: str, text: str, index: Generation) -> str:
    return " ".join(token(tenant, term.text) for term in index.analyzer.terms(text))


def tokens_of(tenant: str, query: str, index: Generation) -> list[str]:
    """Return what is looked for in an index, as it stands there: at most MAX_TERMS different ones."""
    terms = index.analyzer.asked(query)
    return [token(tenant, term) for term in terms[:MAX_TERMS]]


def weights(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """Return what each term weighs: the more, the fewer of a tenant's passages have it. Those in none have none.

    Args:
        counts: in how many passages of the tenant each stands, counted up to MOST_COUNTED.
        total: how many passages the tenant has, counted up to the same.
    """
    return {
        term: max(_LEAST_WEIGHT, math.log(1 + (max(total, number) - number + 0.5) / (number + 0.5)))
        for term, number in counts.items()
        if number
    }


def lucene_query(weighed: Mapping[str, float]) -> str:
    """Return a query for passages with any of the terms, those first whose terms weigh most together.

    A prefix gives each passage that has the term the same, whatever the lengths and the words of others' are. How
    often the term stands there decides between equals only, for what comes back is ranked by `score`.
    """
    return " ".join(f"{term}*^{weight:.4f} {term}^{weight * _TIE:.4f}" for term, weight in weighed.items())


def score(terms: Sequence[str], weighed: Mapping[str, float]) -> float:
    """Return how well a passage answers a query.

    Args:
        terms: all that the index holds of it.
        weighed: the terms of the query, by `weights`.
    """
    there = Counter(term for term in terms if term in weighed)
    length = 1 - _LENGTH_MATTERS + _LENGTH_MATTERS * len(terms) / _USUAL_LENGTH
    return sum(weighed[term] * number / (number + _SATURATION * length) for term, number in there.items())
