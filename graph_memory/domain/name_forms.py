"""Names as people write them: the words of a text, and the form in which names are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph_memory.domain.folding import folded
from graph_memory.domain.identifiers import MAX_KEY

# Scripts without spaces: each character counts as a word, a run of Katakana as one.
_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff"
_UNSPACED = (
    r"\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han, Hiragana
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0edf\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
)
_WORD = re.compile(rf"(?P<unspaced>[{_KATAKANA}]+|[{_UNSPACED}])|[^\s{_KATAKANA}{_UNSPACED}]+")
# What may stand around a word in a sentence, beside the punctuation of Unicode, and what of that may not. Inside a
# word both stay, as in jo@example.com, C++ or acme/api.
_AROUND = frozenset("`´<>|")  # noqa: RUF001
_PUNCTUATION = frozenset({"Pi", "Pf", "Ps", "Pe", "Po"})
_WITHIN = frozenset("#%‰&@/\\")
_DASHES = frozenset("–—")  # noqa: RUF001
_POSSESSIVE = ("'s", "’s", "'S", "’S")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        written: as it stands there, in NFC, without what stands around it.
        folded: in the form in which names are compared.
        unspaced: it is of a script that is written without spaces: a character, or a run of Katakana.
        start: offset of its first character in the text in NFC.
    """

    written: str
    folded: str
    unspaced: bool
    start: int


def normalise(name: str) -> str:
    """Return the form in which names are compared; empty where a name has nothing but punctuation.

    NFKC, case folded, words with single spaces between them, without the punctuation and the possessive ending
    around a word: `Acme,  INC.` and `acme inc` are one name.
    """
    found = list(words_of(name))
    return joined(found, [word.folded for word in found], " ")


def folded_key(key: str) -> str | None:
    """Return the form of a key by which it is found whatever its case; None where it is empty or too long."""
    form = normalise(key)
    return form if 0 < len(form) <= MAX_KEY else None


def words(text: str) -> list[str]:
    """Return the words of a text in the form in which names are compared."""
    return [word.folded for word in words_of(text)]


def words_of(text: str) -> Iterator[Word]:
    """Yield the words of a text, in its order."""
    for match in _WORD.finditer(unicodedata.normalize("NFC", text)):
        first, written = _stripped(match[0])
        if written.endswith(_POSSESSIVE):
            _, written = _stripped(written[:-2])
        if written:
            yield Word(written, folded(written), match["unspaced"] is not None, match.start() + first)


def _stripped(token: str) -> tuple[int, str]:
    """Return a token without what stands around it, and how much of that comes before it."""
    start, end = 0, len(token)
    while start < end and _stands_around(token[start]):
        start += 1
    while start < end and _stands_around(token[end - 1]):
        end -= 1
    return start, token[start:end]


@lru_cache(maxsize=4096)
def _stands_around(character: str) -> bool:
    if character in _AROUND or character in _DASHES:
        return True
    return unicodedata.category(character) in _PUNCTUATION and character not in _WITHIN


def joined(found: Sequence[Word], forms: Sequence[str], separator: str) -> str:
    """Return words with a separator between them, but where their script has none."""
    if not any(word.unspaced for word in found):
        return separator.join(forms)
    return "".join(
        form if index == 0 or (word.unspaced and found[index - 1].unspaced) else separator + form
        for index, (word, form) in enumerate(zip(found, forms, strict=True))
    )
