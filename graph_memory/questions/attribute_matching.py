"""Matches the words of a question with attributes and names. Pure: no model, no clock.

It reads English, and never guesses: what its rules cannot decide stays open (docs/reading.md). Words are stemmed
with the Snowball stemmer for English (Porter, 2001).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity
from graph_memory.entities.normalization import Place
from graph_memory.questions.stop_words import STOP_WORDS
from graph_memory.schema.schema import Schema
from graph_memory.search import analysis

MAX_SUBJECTS = 3
# A question that does not name an attribute must share more than this part of its words with the attribute.
_DECIDED = 0.5
_NAME_WEIGHT = 2.0
_MISFIT = 0.5

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[\"“]([^\"“”]*)[\"”]")
_IDENTIFIER = re.compile(r"[a-z]{0,2}\d+")

# Words by which a question asks for a source or a change. None of them names a value.
_ASKING = """
    accord claim confirm episode follow mention message next overrode record report states stating wrote word
    become join one set starting supersed took
"""
# Words of questions that carry no meaning, but may be part of a value.
_SAYING = """
    ago answer assume believe call check display find first hello hey hi initial list look move name nowadays
    original presently question really remind show suppose think thought true wonder
"""


@dataclass(frozen=True, slots=True)
class Topic:
    """An attribute that a question may be about, with the words that describe it.

    Attributes:
        name: name of the attribute.
        words: its description, its choices and the kind that it refers to.
        kinds: the kinds of entities that have it; empty: not declared.
        targets: the kinds of entities that are its values; empty: its values are not entities, or not declared.
    """

    name: str
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def could_be_of(self, entity: Entity) -> bool:
        """Whether an entity may have it, by its kind."""
        return not self.kinds or not entity.kinds or bool(set(self.kinds) & set(entity.kinds))

    def could_be(self, entity: Entity) -> bool:
        """Whether an entity may be its value, by its kind; False if its targets are not declared."""
        return bool(self.targets) and (not entity.kinds or bool(set(self.targets) & set(entity.kinds)))

    def fits(self, entity: Entity, recorded: Collection[str]) -> int:
        """Return how well it fits an entity: 3: recorded of it, 2: declared for its kind, 1: perhaps, 0: not."""
        if self.name in recorded:
            return 3
        if self.kinds and entity.kinds:
            return 2 if set(self.kinds) & set(entity.kinds) else 0
        return 1 if self.kinds else 0


class Lexicon:
    """The attributes that questions may be about, and the number of attributes that use each word."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics: Mapping[str, Topic] = {topic.name: topic for topic in topics}
        self.names = {name: tuple(map(stem, name.split("_"))) for name in self.topics}
        self.words = {
            name: frozenset(stem(w) for text in topic.words for w in words_of(text) if w not in STOP_WORDS)
            for name, topic in self.topics.items()
        }
        self.rarity = Counter(word for name in self.topics for word in {*self.names[name], *self.words[name]})

    def told_of(self, kinds: Collection[str]) -> frozenset[str]:
        """Return the words of the names and descriptions of the attributes of some kinds."""
        theirs = [name for name, topic in self.topics.items() if set(kinds) & set(topic.kinds)]
        return frozenset(word for name in theirs for word in (*self.names[name], *self.words[name]))

    def required(self, name: str) -> tuple[str, ...]:
        """Return the words that a question needs to name an attribute: not `of`, nor `p108` of `p108_employer`."""
        parts = name.split("_")
        needed = [stem(p) for p in parts if p not in STOP_WORDS and not _IDENTIFIER.fullmatch(p)]
        return tuple(needed) or self.names[name]


@lru_cache(maxsize=8)
def declared(schema: Schema) -> Lexicon:
    """Return the lexicon of the attributes that a schema declares."""
    return Lexicon(
        Topic(
            name=spec.name,
            words=(spec.description, *(str(c) for c in spec.choices), *([spec.target] if spec.target else [])),
            kinds=spec.kinds,
            targets=(spec.target,) if spec.target else (),
        )
        for spec in schema.attributes.values()
    )


def stem(word: str) -> str:
    """Return what the inflected forms of an English word have in common, by Snowball's rules."""
    return analysis.stem("english", word.casefold())


def words_of(text: str) -> list[str]:
    """Return the words of a text, case folded, their letters composed."""
    return [match[0].casefold() for match in _WORD.finditer(unicodedata.normalize("NFC", text))]


Form: TypeAlias = tuple[str, bool]
"""What is looked up: a text, and whether it is one of a key or of a name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The place where a question names an entity, or several entities with the same name."""

    start: int
    end: int
    keys: tuple[str, ...]


def mentions(spots: Iterable[Place], found: Mapping[Form, Iterable[str]]) -> list[Mention]:
    """Return where a question has names of entities, those within others included.

    Args:
        spots: the phrases of the question.
        found: the keys of the entities that names and keys lead to.
    """
    named = []
    for spot in spots:
        keys = dict.fromkeys(key for form in forms(spot) for key in found.get(form, ()))
        written = spot.phrase.keys[0] if spot.phrase.keys else ""
        if written in keys:  # a key as it is written is no other one that differs in case alone
            keys = dict.fromkeys(k for k in keys if k == written or normalise(k) != spot.phrase.name)
        if keys:
            named.append(Mention(spot.start, spot.end, tuple(keys)))
    return named


def longest(found: Iterable[Mention]) -> list[Mention]:
    """Return the places where a question names entities, in its order; a longer name hides names within it."""
    named = sorted(found, key=lambda mention: (mention.start - mention.end, mention.start))
    kept: list[Mention] = []
    for mention in named:
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def without_attributes(
    text: str, found: Sequence[Mention], lexicon: Lexicon, may_have: Callable[[str, str], bool], pinned: str | None
) -> list[Mention]:
    """Return the mentions without names that mean an attribute of another entity: "employer", "Mira's employer".

    So an entity with such a name, even one from an extracted text, cannot hide exact state.

    Args:
        text: the question.
        found: the mentions in it.
        lexicon: the attributes.
        may_have: tells whether an entity, by key, may have an attribute.
        pinned: key of the subject; None: the caller gave none.
    """
    tokens = [(stem(m[0]), m.start(), m.end(), False) for m in _WORD.finditer(text)]
    placed = _placed(tokens, lexicon, _fully_named(tokens, lexicon, {})[0])
    starts = [start for start, _, _ in placed]
    owners = {
        name: [one for one in found if any(may_have(key, name) for key in one.keys)]
        for name in {name for _, _, name in placed}
    }

    def stands_for(one: Mention, start: int, end: int, name: str) -> bool:
        if start <= one.start and one.end <= end:
            beside = (other for other in owners[name] if other.end <= one.start or one.end <= other.start)
            return pinned is not None or any(beside)
        # A name with another one in it: "Mira's employer", and not "Bank of Portugal".
        return text[start:end].islower() and any(
            one.start <= other.start and other.end <= one.end and (other.end <= start or end <= other.start)
            for other in _from(owners[name], one.start, one.end)
        )

    def hides(one: Mention) -> bool:
        near = placed[max(0, bisect_right(starts, one.start) - 1) : bisect_left(starts, one.end)]
        return any(stands_for(one, *place) for place in near if place[0] < one.end and one.start < place[1])

    kept = [one for one in found if not hides(one)]
    return kept if kept or pinned is not None else list(found)


def _from(found: Sequence[Mention], start: int, end: int) -> Sequence[Mention]:
    """Return the mentions that begin in a part of the text; `found` is in the order of the text."""
    return found[bisect_left(found, start, key=_start) : bisect_left(found, end, key=_start)]


def _start(mention: Mention) -> int:
    return mention.start


def forms(spot: Place) -> list[Form]:
    """Return as what a phrase is looked up: as a name, and as keys."""
    by_key = [(key, True) for key in spot.phrase.keys]
    return [(spot.phrase.name, False), *by_key] if spot.phrase.name else by_key


@dataclass(frozen=True, slots=True)
class MatchedAttributes:
    """The attributes that a question is about.

    Attributes:
        decided: the attributes that it names, or describes with most of its words.
        possible: the attributes that it may mean by some of its words, if `decided` is empty.
        left: the stems of its words that match none of these.
        spans: the places of the names, or of the words that describe the decided attributes.
        named: whether it has the whole name of the decided attributes.
        placed: every place of each name; empty if an attribute is only described, or its words stand apart.
    """

    decided: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    left: frozenset[str] = frozenset()
    spans: tuple[tuple[int, int], ...] = field(default=())
    named: bool = False
    placed: tuple[tuple[int, int, str], ...] = ()


def attributes(text: str, lexicon: Lexicon, fits: Mapping[str, int]) -> MatchedAttributes:
    """Return the attributes that a text is about.

    Args:
        text: the question without its dates and the names of entities.
        lexicon: the attributes.
        fits: by attribute, the best `Topic.fits` over the entities that the question names.
    """
    tokens = [(stem(m[0]), m.start(), m.end(), _says_nothing(m[0].casefold())) for m in _WORD.finditer(text)]
    asked = dict.fromkeys(stem for stem, _, _, stop in tokens if not stop)
    named, used = _fully_named(tokens, lexicon, fits)
    if named:
        covered = {tokens[p][0] for p in used}
        covered |= {word for name in named for word in lexicon.words[name]}
        spans = tuple((tokens[p][1], tokens[p][2]) for p in sorted(used))
        left = frozenset(asked.keys() - covered)
        return MatchedAttributes(tuple(named), (), left, spans, True, _placed(tokens, lexicon, named))
    scores: dict[str, float] = {}
    for name in lexicon.topics:
        words, parts = lexicon.words[name], lexicon.names[name]
        score = sum(
            (_NAME_WEIGHT if word in parts else 1.0) / lexicon.rarity[word]
            for word in asked
            if word in words or word in parts
        )
        if score:
            scores[name] = score * (1.0 if fits.get(name) else _MISFIT)
    if not scores:
        return MatchedAttributes(left=frozenset(asked))
    best = max(scores.values())
    chosen = tuple(sorted(name for name, score in scores.items() if score == best))
    if len(chosen) > MAX_SUBJECTS:
        return MatchedAttributes(left=frozenset(asked))
    covered = {w for name in chosen for w in (*lexicon.words[name], *lexicon.names[name])}
    left = frozenset(asked.keys() - covered)
    if 1 - len(left) / len(asked) > _DECIDED:
        spans = tuple((start, end) for word, start, end, stop in tokens if word in covered and not stop)
        return MatchedAttributes(chosen, (), left, spans)
    return MatchedAttributes((), chosen, left)


def _placed(
    tokens: Sequence[tuple[str, int, int, bool]], lexicon: Lexicon, named: Sequence[str]
) -> tuple[tuple[int, int, str], ...]:
    """Return the places where the words of a name stand together."""
    stems = [token[0] for token in tokens]
    found: list[tuple[int, int, str]] = []
    taken: set[int] = set()
    for name in sorted(named, key=lambda name: -len(lexicon.names[name])):
        for words in dict.fromkeys((lexicon.names[name], lexicon.required(name))):
            for at in range(len(stems) - len(words) + 1):
                places = range(at, at + len(words))
                if tuple(stems[at : at + len(words)]) == words and taken.isdisjoint(places):
                    found.append((tokens[at][1], tokens[places[-1]][2], name))
                    taken.update(places)
    return tuple(sorted(found))


def _says_nothing(word: str) -> bool:
    # An apostrophe leaves a single letter: Ana's, don't.
    return word in STOP_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def _fully_named(
    tokens: Sequence[tuple[str, int, int, bool]], lexicon: Lexicon, fits: Mapping[str, int]
) -> tuple[list[str], set[int]]:
    """Return the attributes whose whole name a text has, and the positions of its words; longer names first."""
    stems = [token[0] for token in tokens]
    candidates: dict[tuple[Any, ...], list[tuple[str, tuple[int, ...]]]] = {}
    for name in lexicon.topics:
        whole = lexicon.names[name]
        at = next((i for i in range(len(stems)) if tuple(stems[i : i + len(whole)]) == whole), None)
        if at is not None:
            positions = tuple(range(at, at + len(whole)))
        else:
            required = lexicon.required(name)
            if not set(required) <= set(stems):
                continue
            positions = tuple(stems.index(word) for word in required)
        rank = (-len(positions), at is None, -fits.get(name, 0), positions)
        candidates.setdefault(rank, []).append((name, positions))
    named: list[tuple[int, str]] = []
    used: set[int] = set()
    for rank in sorted(candidates):
        free = [(name, places) for name, places in candidates[rank] if not used & set(places)]
        named += [(places[0], name) for name, places in free]
        used |= {place for _, places in free for place in places}
    return [name for _, name in sorted(named)], used


def values_among(text: str, left: Collection[str]) -> tuple[str, ...]:
    """Return the words of a text that may name a value: those with one of the stems that do not ask for it."""
    return tuple(word for word in words_of(text) if stem(word) in left and stem(word) not in _stems_of(_ASKING))


def unasked(text: str, left: Collection[str], also: Collection[str] = ()) -> list[tuple[int, int]]:
    """Return the places of words with one of the stems, without words that only ask or say, unless in `also`."""
    passed = (_stems_of(_ASKING) | _stems_of(_SAYING)) - set(also)
    found = [(stem(match[0]), match.span()) for match in _WORD.finditer(text)]
    return [span for word, span in found if word in left and word not in passed]


@lru_cache(maxsize=2)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text)))


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, without stop words."""
    return frozenset(stem(word) for word in words_of(text) if not _says_nothing(word))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with blanks in place of some spans."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def says(question: str, value: str) -> bool:
    """Whether a question has the words of a value in a row.

    A value of stop words, such as "on", counts only at the end of the question or in quotes: not in "on which
    channel".
    """
    words, sought = words_of(question), words_of(value)
    if not sought:
        return False
    if all(map(_says_nothing, sought)):
        quoted = any(words_of(match[1]) == sought for match in _QUOTED.finditer(question))
        return quoted or words[-len(sought) :] == sought
    return bool(runs_of(words, sought))


def runs_of(words: Sequence[str], sought: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions [start, end) at which `sought` occurs in `words`, in a row."""
    size = len(sought)
    return [(i, i + size) for i in range(len(words) - size + 1) if words[i : i + size] == sought]


def shares_word(text: str, value: str) -> bool:
    """Whether a text has one of the words of a value."""
    return not set(words_of(text)).isdisjoint(words_of(value))


def overlap(asked: Collection[str], lexicon: Lexicon, attribute: str) -> int:
    """Return the number of stems in `asked` that occur in the name or description of an attribute."""
    words = {*map(stem, attribute.split("_")), *lexicon.words.get(attribute, ())}
    return len(words & set(asked))
