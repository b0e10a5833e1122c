"""Passages: the parts of an episode that searches find, by words and by vectors."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# The most characters of a passage: about 256 tokens, which a small sentence model reads.
LONGEST = 1000
OVERLAP = 200
# A cut is after a paragraph that ends in the last third, else after a line, a sentence, a word.
_ENDS = tuple(
    map(re.compile, (r"\n\s*\n", r"\n", r"[.!?\u3002\uff01\uff1f](?:\s|(?<=[\u3002\uff01\uff1f]))", r"\s"))
)

# About as many vectors as a scan compares in the time in which an index gives one hit.
_SCANNED_FOR_A_HIT = 0.5
_LEAST_SCANNED = 1000
MOST_SCANNED = 10_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of an episode's text.

    Attributes:
        number: its number; the first is 0.
        start: offset of its first character, in Unicode code points.
        end: offset after its last character.
        text: its text, unchanged.
    """

    number: int
    start: int
    end: int
    text: str


def passages(text: str) -> list[Passage]:
    """Return the passages of a text, in order. Each has at most LONGEST characters; together they cover the text.

    Neighbours share at most OVERLAP characters, so that a phrase across a cut is whole in one of them. A text of
    white space alone has no passages.
    """
    found: list[Passage] = []
    start = 0
    while start < len(text):
        end = _end(text, start)
        if text[start:end].strip():
            found.append(Passage(len(found), start, end, text[start:end]))
        if end == len(text):
            break
        start = _next_start(text, start, end)
    return found


def _end(text: str, start: int) -> int:
    limit = start + LONGEST
    if limit >= len(text):
        return len(text)
    for ends in _ENDS:
        cuts = [match.end() for match in ends.finditer(text, limit - LONGEST // 3, limit)]
        if cuts:
            return cuts[-1]
    return limit


def _next_start(text: str, start: int, end: int) -> int:
    first = max(start + 1, end - OVERLAP)
    blank = _ENDS[-1].search(text, first, end)
    return blank.end() if blank is not None else first


def scan_limit(total: int, wanted: int) -> int:
    """Return the most passages of a tenant that are compared one by one, if an index cannot filter by tenant.

    Only a share of the hits of such an index belongs to the tenant, so it must return many more than are wanted.
    Beyond this limit that is still less work than comparing all passages.
    """
    even = math.isqrt(int(wanted * total * _SCANNED_FOR_A_HIT))
    return min(max(_LEAST_SCANNED, even), MOST_SCANNED)


def as_rows(episode: str, parts: Sequence[Passage], vectors: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Return an episode with its passages and their vectors as `write/embed` takes it."""
    return {
        "episode": episode,
        "passages": [
            {"number": part.number, "start": part.start, "end": part.end, "embedding": vector}
            for part, vector in zip(parts, vectors, strict=True)
        ],
    }
