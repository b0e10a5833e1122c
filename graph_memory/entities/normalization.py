"""By which names a text may mean an entity: its phrases, and whom they lead to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graph_memory.domain.identifiers import MAX_KEY
from graph_memory.domain.name_forms import Word, joined, words_of
from graph_memory.domain.records import Entity

MAX_MENTIONED = 50
# How long a phrase may be: in words, or in characters of scripts without spaces, of which three stand for a word.
MAX_PHRASE_WORDS = 6
MAX_PHRASE_CHARACTERS = 18
# The words of a longer phrase are not joined as they are written: hardly anybody writes such a key with capitals.
_MAX_WRITTEN = 3
# Of a longer text only its beginning and its end are looked at, so that no text costs more than this.
MAX_FIRST_WORDS = 3000
MAX_LAST_WORDS = 1000
_SEPARATORS = (" ", "-", "_", "")


Form: TypeAlias = tuple[str, bool]
"""What is looked up: a text, and whether it is one of a key or of a name."""
Found: TypeAlias = dict[Form, dict[str, Entity]]
"""The entities that each form leads to, by key."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words that may name an entity.

    Attributes:
        name: their normal form, in which names, aliases and keys are looked up whatever their case.
        keys: the entity keys that people write for such words, exactly.
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


def slug(name: str) -> str:
    """Return the key that an entity of this name gets: its words with hyphens, or the name itself without any."""
    found = list(words_of(name))
    return joined(found, [word.folded for word in found], "-") or " ".join(name.split())


def phrase(name: str) -> Phrase:
    """Return the whole of a name as one phrase, however many words it has."""
    found = list(words_of(name))
    keys = (unicodedata.normalize("NFC", name), *_keys(found))
    return Phrase(joined(found, [word.folded for word in found], " "), tuple(dict.fromkeys(keys)))


def phrases(text: str) -> list[Phrase]:
    """Return the different phrases of a text, in the order in which they begin.

    A phrase has one to six words, or up to 18 characters of scripts without spaces. Of a text of more than 4,000
    words (each such character is one), the first 3,000 and the last 1,000 count.
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
    for part in _parts(list(words_of(text))):
        for start in range(len(part)):
            room, name, unspaced = MAX_PHRASE_CHARACTERS, "", True
            for end in range(start + 1, len(part) + 1):
                word = part[end - 1]
                room -= 1 if word.unspaced else MAX_PHRASE_CHARACTERS // MAX_PHRASE_WORDS
                between = "" if not name or (word.unspaced and part[end - 2].unspaced) else " "
                name, unspaced = f"{name}{between}{word.folded}", unspaced and word.unspaced
                if room < 0 or len(name) > MAX_KEY:
                    break
                # A longer run of such a script is its own key, which is looked up in the form of names.
                keys = () if unspaced and end - start > _MAX_WRITTEN else _keys(part[start:end])
                yield Place(Phrase(name, keys), part[start].start, word.start + len(word.written))


def _parts(found: Sequence[Word]) -> list[Sequence[Word]]:
    if len(found) <= MAX_FIRST_WORDS + MAX_LAST_WORDS:
        return [found]
    return [found[:MAX_FIRST_WORDS], found[-MAX_LAST_WORDS:]]


def _keys(found: Sequence[Word]) -> tuple[str, ...]:
    """Return keys that words make: as written and case folded; with spaces, hyphens, underscores or nothing."""
    written, folded = [word.written for word in found], [word.folded for word in found]
    if all(word.unspaced for word in found):
        keys = [joined(found, written, "")]
    elif len(found) > _MAX_WRITTEN:
        keys = [joined(found, written, " "), *(joined(found, folded, separator) for separator in "-_")]
    else:
        separators = _SEPARATORS if len(found) > 1 else ("",)
        kinds = (folded,) if written == folded else (written, folded)
        keys = [joined(found, forms, separator) for forms in kinds for separator in separators]
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
