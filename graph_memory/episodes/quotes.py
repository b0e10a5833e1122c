"""Finding a quote in the text of an episode, after normalisation of Unicode (NFKC) and of white space."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage of an episode's text.

    Attributes:
        text: the words, exactly as in the episode.
        start: offset of the first character, in Unicode code points.
        end: offset after the last character.
    """

    text: str
    start: int
    end: int


def find_quote(text: str, words: str) -> Quote | None:
    """Return the first passage of a text that has these words, or None where there is none.

    The comparison uses the NFKC forms, with each run of white space as one space. Words without a letter or digit,
    and parts of a word, are no evidence, so they are never found.
    """
    wanted = " ".join(unicodedata.normalize("NFKC", words).split())
    if not any(character.isalnum() for character in wanted):
        return None
    start = _at_words(text, words)
    if start is not None:
        end = start + len(words)
    else:
        normal, offsets = _normalised(text)
        found = _at_words(normal, wanted)
        if found is None:
            return None
        start, end = offsets[found][0], offsets[found + len(wanted) - 1][1]
    exact = text[start:end].strip()
    start = text.index(exact, start)
    return Quote(exact, start, start + len(exact))


def _at_words(text: str, words: str) -> int | None:
    """Return the first offset of `words` in a text that cuts no word, in scripts that put spaces between words."""
    start = text.find(words)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(words) : start + len(words) + 1]
        if not (_cuts(before, words[0]) or _cuts(words[-1], after)):
            return start
        start = text.find(words, start + 1)
    return None


def _cuts(one: str, other: str) -> bool:
    return (
        all(character.isalnum() and character < "\u0e00" for character in (one, other)) if one and other else False
    )


@lru_cache(maxsize=8)  # the quotes of all candidates of an episode are searched in the same text
def _normalised(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the normal form of a text, and for each of its characters the (start, end) offsets in the text."""
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
    """Return the pieces of a text that normalise independently: a character with the marks that follow it."""
    starts = [position for position, character in enumerate(text) if position == 0 or not _joins(character)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _joins(character: str) -> bool:
    # Conjoining Hangul vowels and finals have no combining class but compose all the same.
    return unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff"
