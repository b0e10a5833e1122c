"""Finding a quote in the text of an episode: exact, after normalisation of Unicode and of white space."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of an episode.

    Attributes:
        text: exactly as they stand there.
        start: offset of the first character, in Unicode code points.
        end: offset after the last one.
    """

    text: str
    start: int
    end: int


def find_quote(text: str, words: str) -> Quote | None:
    """Return where words stand in a text first, or None where they do not.

    Compared are the NFKC forms with each run of white space as one space. What holds no letter and no digit is
    nobody's evidence, so it is not found.
    """
    wanted = " ".join(unicodedata.normalize("NFKC", words).split())
    if not any(character.isalnum() for character in wanted):
        return None
    start = text.find(words)
    if start >= 0:
        end = start + len(words)
    else:
        normal, offsets = _normalised(text)
        found = normal.find(wanted)
        if found < 0:
            return None
        start, end = offsets[found][0], offsets[found + len(wanted) - 1][1]
    exact = text[start:end].strip()
    start = text.index(exact, start)
    return Quote(exact, start, start + len(exact))


def _normalised(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the normal form of a text, and where each of its characters comes from: (start, end)."""
    characters: list[str] = []
    offsets: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        for character in unicodedata.normalize("NFKC", text[start:end]):
            if not character.isspace():
                characters.append(character)
                offsets.append((start, end))
            elif characters and characters[-1] != " ":
                characters.append(" ")
                offsets.append((start, end))
    return "".join(characters), offsets


def _clusters(text: str) -> list[tuple[int, int]]:
    """Return the pieces of a text that normalisation leaves apart: a character with the marks that follow it."""
    starts = [position for position, character in enumerate(text) if position == 0 or not _joins(character)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _joins(character: str) -> bool:
    # Conjoining Hangul vowels and finals have no combining class, and compose nevertheless.
    return unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff"
