"""By which names a text may mean an entity: the normal form of a name, and the phrases of a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graph_memory.domain.identifiers import MAX_KEY
from graph_memory.domain.records import Entity

MAX_MENTIONED = 50
MAX_PHRASE_WORDS = 6
# Each of its words makes several more keys to look up, and hardly anybody writes a key of more.
MAX_KEY_WORDS = 3
# Of a longer text only its beginning and its end are looked at, so that no text costs more than this.
MAX_FIRST_WORDS = 3000
MAX_LAST_WORDS = 1000
_SEPARATORS = (" ", "-", "_", "")

# Scripts without spaces: each character counts as a word, a run of Katakana as one.
_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff"
_UNSPACED = (
    r"\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han, Hiragana
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0edf\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
)
_WORD = re.compile(rf"(?P<unspaced>[{_KATAKANA}]+|[{_UNSPACED}])|[^\s{_KATAKANA}{_UNSPACED}]+")
# What may stand around a word in a sentence; inside a word it stays, as in jo@example.com, C++ or acme/api.
_AROUND = ".,;:!?…¿¡\"'`´‘’‚“”„‹›«»()[]{}<>|*、。，．！？；：「」『』（）【】《》〈〉–—·・"  # noqa: RUF001
_POSSESSIVE = ("'s", "’s", "'S", "’S")  # noqa: RUF001


Form: TypeAlias = tuple[str, bool]
"""What is looked up: a text, and whether it is one of a key or of a name."""
Found: TypeAlias = dict[Form, dict[str, Entity]]
"""The entities that each form leads to, by key."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words that may name an entity.

    Attributes:
        name: their normal form, in which names and aliases are looked up.
        keys: the entity keys that people write for such words.
    """

    name: str
    keys: tuple[str, ...]

    @property
    def forms(self) -> Iterator[Form]:
        """All that it is looked up as."""
        if self.name:
            yield self.name, False
        for key in self.keys:
            yield key, True


@dataclass(frozen=True, slots=True)
class _Word:
    written: str
    folded: str
    unspaced: bool
    start: int


def normalise(name: str) -> str:
    """Return the form in which names are compared; empty where a name has nothing but punctuation.

    NFKC, case folded, words with single spaces between them, without the punctuation and the possessive ending
    around a word: `Acme,  INC.` and `acme inc` are one name.
    """
    found = list(_words(name))
    return _joined(found, [word.folded for word in found], " ")


def words(text: str) -> list[str]:
    """Return the words of a text in the form in which names are compared."""
    return [word.folded for word in _words(text)]


def slug(name: str) -> str:
    """Return the key that an entity of this name gets: its words with hyphens, or the name itself without any."""
    found = list(_words(name))
    return _joined(found, [word.folded for word in found], "-") or " ".join(name.split())


def phrase(name: str) -> Phrase:
    """Return the whole of a name as one phrase, however many words it has."""
    found = list(_words(name))
    keys = (unicodedata.normalize("NFC", name), *_keys(found))
    return Phrase(_joined(found, [word.folded for word in found], " "), tuple(dict.fromkeys(keys)))


def phrases(text: str) -> list[Phrase]:
    """Return the different phrases of one to six words of a text, in the order in which they begin.

    Those of more than three words have no keys. Of a text of more than 4,000 words, the first 3,000 and the last
    1,000 count.
    """
    found: dict[str, tuple[str, ...]] = {}
    for place in places(text):
        name, keys = place.phrase.name, place.phrase.keys
        found[name] = (*found[name], *keys) if name in found else keys
    return [Phrase(name, tuple(dict.fromkeys(keys))) for name, keys in found.items()]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a phrase stands in a text that is normalised to NFC: [start, end) in characters."""

    phrase: Phrase
    start: int
    end: int


def places(text: str) -> Iterator[Place]:
    """Return where each of those phrases stands, those that stand twice included."""
    for part in _parts(list(_words(text))):
        for start in range(len(part)):
            for end in range(start + 1, min(start + MAX_PHRASE_WORDS, len(part)) + 1):
                some = part[start:end]
                name = _joined(some, [word.folded for word in some], " ")
                if len(name) > MAX_KEY:
                    break
                keys = _keys(some) if len(some) <= MAX_KEY_WORDS else ()
                yield Place(Phrase(name, keys), some[0].start, some[-1].start + len(some[-1].written))


def _parts(found: Sequence[_Word]) -> list[Sequence[_Word]]:
    if len(found) <= MAX_FIRST_WORDS + MAX_LAST_WORDS:
        return [found]
    return [found[:MAX_FIRST_WORDS], found[-MAX_LAST_WORDS:]]


def _words(text: str) -> Iterator[_Word]:
    for match in _WORD.finditer(unicodedata.normalize("NFC", text)):
        written = match[0].strip(_AROUND)
        if written.endswith(_POSSESSIVE):
            written = written[:-2].strip(_AROUND)
        if written:
            folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
            start = match.start() + match[0].index(written)
            yield _Word(written, folded, match["unspaced"] is not None, start)


def _joined(found: Sequence[_Word], forms: Sequence[str], separator: str) -> str:
    """Return words with a separator between them, but where their script has none."""
    if not any(word.unspaced for word in found):
        return separator.join(forms)
    return "".join(
        form if index == 0 or (word.unspaced and found[index - 1].unspaced) else separator + form
        for index, (word, form) in enumerate(zip(found, forms, strict=True))
    )


def _keys(found: Sequence[_Word]) -> tuple[str, ...]:
    """Return keys that words make: as written and case folded; with spaces, hyphens, underscores or nothing."""
    written, folded = [word.written for word in found], [word.folded for word in found]
    separators = _SEPARATORS if len(found) > 1 else ("",)
    kinds = (folded,) if written == folded else (written, folded)
    keys = (_joined(found, forms, separator) for forms in kinds for separator in separators)
    return tuple(key for key in keys if 0 < len(key) <= MAX_KEY)


def meant(p: Phrase, found: Mapping[Form, Mapping[str, Entity]]) -> list[Entity]:
    """Return the entities that a phrase can mean, by key: the one whose key it is, else all that it leads to."""
    exact = found.get((p.keys[0], True)) if p.keys else None
    if exact:
        return list(exact.values())
    led_to = {key: entity for form in p.forms for key, entity in found.get(form, {}).items()}
    return [led_to[key] for key in sorted(led_to)]


@dataclass(frozen=True, slots=True)
class Mentions:
    """Whom a text may mean.

    Attributes:
        ranks: all forms that were looked up, with what comes first.
        found: the entities that they lead to.
    """

    ranks: Mapping[Form, tuple[int, int]]
    found: Found

    @property
    def entities(self) -> list[Entity]:
        """At most 50 of them, in a fixed order.

        Those that the longest phrases name before the others, at equal length those that are named earlier, then
        by key.
        """
        best: dict[str, tuple[tuple[int, int], str]] = {}
        by_key: dict[str, Entity] = {}
        for form, led_to in self.found.items():
            for key, entity in led_to.items():
                by_key[key] = entity
                best[key] = min(best.get(key, (self.ranks[form], key)), (self.ranks[form], key))
        return [by_key[key] for _, key in sorted(best.values())[:MAX_MENTIONED]]

    def meant(self, name: str) -> list[Entity] | None:
        """Return the entities that a name can mean; None where the text does not hold it, so nobody has looked."""
        p = phrase(name)
        return meant(p, self.found) if all(form in self.ranks for form in p.forms) else None
