"""The words of a text as searches compare them: normalised, without the commonest, by their stems. Pure."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graph_memory.domain.folding import folded
from graph_memory.errors import InvalidInputError, brief

STEMMED = (
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
)
PLAIN = ("cjk", "standard", "standard-folding")
LANGUAGES = tuple(sorted((*STEMMED, *PLAIN)))
"""The names of all analyzers."""

# Words of English that say nothing of what a text is about, as Lucene's analyzer leaves them out.
_STOP_WORDS = {
    "english": frozenset(
        """
        a an and are as at be but by for if in into is it no not of on or such that the their then there these they
        this to was will with
        """.split()  # noqa: SIM905
    )
}
# No word of a language is longer; a stemmer takes its time, and what is kept of words takes room.
_LONGEST_STEMMED = 64

# Scripts that put no spaces between words, and Hangul, which hangs endings on them.
UNSPACED = (
    r"\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff\uac00-\ud7af\u1100-\u11ff"
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0edf\u1000-\u109f\u1780-\u17d3"
)
_INNER = ".,'\u2019"
_JOINERS = "\u200c\u200d"
_PARTS = re.compile(f"[{_INNER}]")


def is_word_character(character: str) -> bool:
    """Whether a character belongs to words: a letter, a digit, an underscore, or a mark on one of these."""
    return (
        character.isalnum()
        or character == "_"
        or character in _JOINERS
        or (character > "\u02ff" and unicodedata.category(character)[0] == "M")
    )


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text as it is compared, and where it stands: [start, end) in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Analyzer:
    """What makes terms of texts.

    Attributes:
        language: a name of LANGUAGES.
    """

    language: str

    def terms(self, text: str) -> Iterator[Term]:
        """Yield the terms of a text, in its order.

        Words are compared in NFKC, case folded, and by their stems in a language that has any. What has a digit or
        an underscore in it is compared whole. What has a full stop, a comma or an apostrophe inside counts whole
        and, unless it is a number, in its parts. Of scripts without spaces each character counts, and each pair
        of neighbours.
        """
        return self._found(text, single=True)

    def asked(self, text: str) -> list[str]:
        """Return the different terms of a query, in its order.

        They are those of a text, but of a run of a script without spaces only the pairs, where it has any.
        """
        return list(dict.fromkeys(term.text for term in self._found(text, single=False)))

    def _found(self, text: str, single: bool) -> Iterator[Term]:
        for match in _words().finditer(text):
            if match["unspaced"] is None:
                made = _terms_of if len(match[0]) <= _LONGEST_STEMMED else _terms_of.__wrapped__
                for term in made(self.language, match[0]):
                    yield Term(term, match.start(), match.end())
                continue
            run, at = match[0], match.start()
            for place in range(len(run)):
                if single or len(run) == 1:
                    yield Term(_folded(run[place]), at + place, at + place + 1)
                if place + 1 < len(run):
                    yield Term(_folded(run[place : place + 2]), at + place, at + place + 2)


@lru_cache(maxsize=65_536)
def _terms_of(language: str, word: str) -> tuple[str, ...]:
    """Return the terms of a word: the whole and, unless it is a number, the parts."""
    whole = _term(language, word)
    parts = _PARTS.split(word)
    if len(parts) == 1 or all(map(str.isdigit, parts)):
        return () if whole is None else (whole,)
    several = (_term(language, part) for part in parts if part and not (len(part) == 1 and part.isascii()))
    return tuple(dict.fromkeys(term for term in (whole, *several) if term is not None))


def _term(language: str, word: str) -> str | None:
    plain = _folded(word.replace("\u2019", "'"))
    if plain in _STOP_WORDS.get(language, ()):
        return None
    if language == "standard-folding":
        return without_marks(plain)
    return plain if language in PLAIN else stem(language, plain)


def analyzer(language: str) -> Analyzer:
    """Return the analyzer of a language; raises InvalidInputError where there is none."""
    if language not in LANGUAGES:
        raise InvalidInputError(
            f"language {brief(language)} is none that searches can use: use {', '.join(LANGUAGES)}; texts in "
            "scripts without spaces, such as Thai, are found with any of them"
        )
    return Analyzer(language)


def token(tenant: str, term: str) -> str:
    """Return what stands for a term of a tenant in the index: letters and digits, and nobody else's.

    So the index counts each tenant's words apart, no text can be an operator of a query, and the index holds no
    word.
    """
    return _token(tenant, term) if len(term) <= _LONGEST_STEMMED else _token.__wrapped__(tenant, term)


@lru_cache(maxsize=65_536)
def _token(tenant: str, term: str) -> str:
    digest = hashlib.blake2b(f"{len(tenant)} {tenant} {term}".encode("utf-8", "replace"), digest_size=8).digest()
    return base64.b32encode(digest).decode().rstrip("=").lower()


def without_marks(text: str) -> str:
    """Return a text without accents and other marks."""
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


@lru_cache(maxsize=65_536)
def stem(language: str, word: str) -> str:
    """Return what the inflected forms of a word have in common, by Snowball's rules for a language.

    What is no word, since a digit or an underscore is in it, stays as it is.

    Args:
        language: of STEMMED.
        word: case folded.
    """
    if len(word) > _LONGEST_STEMMED or "_" in word or any(map(str.isdigit, word)):
        return word
    import snowballstemmer  # where it is used: it loads the rules of all its languages

    # One of its own for each word: a stemmer keeps the word that it works on, and threads would share that.
    return str(snowballstemmer.stemmer(language).stemWord(word))


@lru_cache(maxsize=65_536)
def _folded(word: str) -> str:
    return folded(word)


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    """Return what finds words: runs of a script without spaces, and others with what stands inside them."""
    unspaced = re.compile(f"[{UNSPACED}]")
    marks = [
        chr(code)
        for code in (*range(0x300, 0x1F000), *range(0xE0100, 0xE01F0))
        if unicodedata.category(chr(code))[0] == "M" and not unspaced.match(chr(code))
    ]
    word = f"(?:[^\\W{UNSPACED}]|[{_JOINERS}{''.join(marks)}])+"
    return re.compile(f"(?P<unspaced>[{UNSPACED}]+)|{word}(?:[{_INNER}]{word})*")
