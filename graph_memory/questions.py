"""What a question asks for, by its words: whom, which attributes, and what of them. Pure: no model, no clock.

It reads English. What it cannot decide it leaves open, and never guesses: docs/reading.md tells how.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from graph_memory.context_records import Intent
from graph_memory.mentions import Place
from graph_memory.records import Entity
from graph_memory.schema import Schema
from graph_memory.stop_words import STOP_WORDS

MAX_SUBJECTS = 3
# More than half of what a question is about has to be words of an attribute that it does not name.
_DECIDED = 0.5
_NAME_WEIGHT = 2.0
_MISFIT = 0.5

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[\"“]([^\"“”]*)[\"”]")
_IDENTIFIER = re.compile(r"[a-z]{0,2}\d+")

_BEFORE = r"\b(?:previous|former|prior|earlier)(?:ly)?\b|\bbefore\b|\bused to\b"
_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (
            Intent.WHO_SAID,
            r"\bwho(?:m|ever)?\b[^?]{0,40}\b(?:said|says|told|tells|stated?|claim\w*|report\w*|mention\w*|wrote|"
            r"recorded|confirm\w*)\b|\bsays who\b|\bsources?\b|\baccording to wh\w+\b|"
            r"\bhow do (?:we|you|i) know\b|\bwhy do (?:we|you|i) (?:think|believe)\b|"
            r"\bwhere (?:does|did|do) (?:this|that|it|we|you|the)\b[^?]{0,40}\b(?:come|from)\b|"
            r"\bevidence\b|\bproof\b|\bin which (?:episode|message|words)\b|\bin what words\b",
        ),
        (
            Intent.REPLACED_BY,
            r"\b(?:what|who|which)\b[^?]{0,30}\b(?:has |have |was it that )?(?:replaced|supersede[ds]|succeeded|"
            r"overrode|replaces|took over)\b|\b(?:replaced|superseded|succeeded|followed) (?:by|with)\b|"
            r"\b(?:came|come|was|is|held) next\b|\bafter\b",
        ),
        (
            Intent.REPLACED,
            r"\b(?:did|does|has|had)\b[^?]{0,60}\b(?:replaced?|superseded?|succeed(?:ed)?)\b|" + _BEFORE,
        ),
        (
            Intent.CHANGED,
            r"\bchang\w*\b|\bhistor\w+\b|\btimeline\b|\bover (?:the )?(?:time|years)\b|\bevol\w+\b|"
            r"\bcorrect(?:ed|ions?)\b|\bupdat\w+\b|\bhappened\b|\bever\b|\ball (?:the )?(?:past|values)\b",
        ),
        (
            Intent.SINCE,
            r"\bsince (?:when|what|which)\b|\bhow long\b|\b(?:from|until) when\b|\bwhen did\b|"
            r"\bwhen (?:has|have|was|were)\b[^?]*\b(?:start\w*|begin|began|begun|become|became|join\w*|set)\b",
        ),
        # The first of some values is not picked out: all of them in their order have it.
        (Intent.CHANGED, r"\b(?:first|initial(?:ly)?|original(?:ly)?|ago)\b"),
    )
)
# "What did X replace" is about what was before, though "what ... replaced" is about what came after.
_DID_REPLACE = re.compile(r"\b(?:did|does)\b[^?]*\b(?:replace|supersede|succeed)\b", re.IGNORECASE)
_FORMER = re.compile(_BEFORE, re.IGNORECASE)
# Words by which a question asks for a source or for a change, whatever of: none of them is a value.
_ASKING = """
    accord claim confirm episode follow mention message next overrode record report states stating wrote word
    become join one set starting supersed took
"""
# "Did you know where she worked?" is about what was so; "where did we think she worked?" is about what was known.
_WH = r"\b(?:what|who|whom|whose|where|which|when|how)\b(?:\s+[\w'\u2019-]+){0,4}?\s+"
_THINK = r"(?:known?|believed?|th(?:ink|ought)|assumed?|supposed?)\b"
_BELIEVED = re.compile(
    rf"{_WH}(?:did|had)\s+(?:we|you|they|i|one|people)\s+{_THINK}"
    rf"|{_WH}(?:was|were|been)\s+(?:[\w'\u2019-]+\s+){{0,4}}?{_THINK}"
    r"|\bwhat\s+(?:we|you|they|i|one|people)\s+(?:knew|believed|thought|assumed)\b|\bas\s+(?:known|believed|recorded)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What can be asked about: an attribute, with the words that tell of it.

    Attributes:
        name: of the attribute.
        words: of its description, its choices and the kind that it refers to.
        kinds: what it is about; empty: not declared.
        targets: the kind of the entities that are its values; empty: they are none, or it is not declared.
    """

    name: str
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def could_be_of(self, entity: Entity) -> bool:
        """Whether an entity may have it, by its kind."""
        return not self.kinds or not entity.kinds or bool(set(self.kinds) & set(entity.kinds))

    def could_be(self, entity: Entity) -> bool:
        """Whether an entity may be its value, by its kind; not of one that is not declared."""
        return bool(self.targets) and (not entity.kinds or bool(set(self.targets) & set(entity.kinds)))

    def fits(self, entity: Entity, recorded: Collection[str]) -> int:
        """Return how well it fits an entity: 3 recorded of it, 2 of its kind, 1 perhaps, 0 not."""
        if self.name in recorded:
            return 3
        if self.kinds and entity.kinds:
            return 2 if set(self.kinds) & set(entity.kinds) else 0
        return 1 if self.kinds else 0


class Lexicon:
    """The attributes that questions may be about, and in how many of them each word occurs."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics: Mapping[str, Topic] = {topic.name: topic for topic in topics}
        self.names = {name: tuple(map(stem, name.split("_"))) for name in self.topics}
        self.words = {
            name: frozenset(stem(w) for text in topic.words for w in _words(text) if w not in STOP_WORDS)
            for name, topic in self.topics.items()
        }
        self.rarity = Counter(word for name in self.topics for word in {*self.names[name], *self.words[name]})

    def required(self, name: str) -> tuple[str, ...]:
        """Return the words without which a name is not named: not `of`, and not `p108` of `p108_employer`."""
        parts = name.split("_")
        needed = [stem(p) for p in parts if p not in STOP_WORDS and not _IDENTIFIER.fullmatch(p)]
        return tuple(needed) or self.names[name]


@lru_cache(maxsize=8)
def declared(schema: Schema) -> Lexicon:
    """Return the lexicon of what a schema declares."""
    return Lexicon(
        Topic(
            name=spec.name,
            words=(spec.description, *(str(c) for c in spec.choices), *([spec.target] if spec.target else [])),
            kinds=spec.kinds,
            targets=(spec.target,) if spec.target else (),
        )
        for spec in schema.attributes.values()
    )


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return what the inflected forms of an English word have in common, by Snowball's rules."""
    return str(_stemmer().stemWord(word.casefold()))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer  # where it is used: it loads the rules of all its languages

    return snowballstemmer.stemmer("english")


def _words(text: str) -> list[str]:
    return [match[0].casefold() for match in _WORD.finditer(text)]


Form: TypeAlias = tuple[str, bool]
"""What is looked up: a text, and whether it is one of a key or of a name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a question names entities: one, or several of the same name."""

    start: int
    end: int
    keys: tuple[str, ...]


def mentions(spots: Iterable[Place], found: Mapping[Form, Iterable[str]]) -> list[Mention]:
    """Return where a question names entities, in its order; a longer name hides those within it.

    Args:
        spots: the phrases of the question.
        found: the keys of the entities that names and keys lead to.
    """
    named = []
    for spot in spots:
        keys = dict.fromkeys(key for form in forms(spot) for key in found.get(form, ()))
        if keys:
            named.append(Mention(spot.start, spot.end, tuple(keys)))
    named.sort(key=lambda mention: (mention.start - mention.end, mention.start))
    kept: list[Mention] = []
    for mention in named:
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def forms(spot: Place) -> list[Form]:
    """Return as what a phrase is looked up: as a name, and as keys."""
    by_key = [(key, True) for key in spot.phrase.keys]
    return [(spot.phrase.name, False), *by_key] if spot.phrase.name else by_key


@dataclass(frozen=True, slots=True)
class Named:
    """Which attributes a question is about.

    Attributes:
        decided: those that it names, or describes for the most part.
        possible: the one, or those alike, that it may mean by some of its words.
        left: the stems that are about nothing of these.
        spans: where the names stand.
    """

    decided: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    left: frozenset[str] = frozenset()
    spans: tuple[tuple[int, int], ...] = field(default=())


def attributes(text: str, lexicon: Lexicon, fits: Mapping[str, int]) -> Named:
    """Return which attributes a text is about; `fits` tells how well each fits what the question names.

    Args:
        text: the question without its dates and the names of entities.
        lexicon: the attributes.
        fits: by attribute, `Topic.fits` at its best.
    """
    tokens = [(stem(m[0]), m.start(), m.end(), _says_nothing(m[0].casefold())) for m in _WORD.finditer(text)]
    asked = dict.fromkeys(stem for stem, _, _, stop in tokens if not stop)
    named, used = _fully_named(tokens, lexicon, fits)
    if named:
        covered = {tokens[p][0] for p in used}
        covered |= {word for name in named for word in lexicon.words[name]}
        spans = tuple((tokens[p][1], tokens[p][2]) for p in sorted(used))
        return Named(tuple(named), (), frozenset(asked.keys() - covered), spans)
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
        return Named(left=frozenset(asked))
    best = max(scores.values())
    chosen = tuple(sorted(name for name, score in scores.items() if score == best))
    if len(chosen) > MAX_SUBJECTS:
        return Named(left=frozenset(asked))
    covered = {w for name in chosen for w in (*lexicon.words[name], *lexicon.names[name])}
    left = frozenset(asked.keys() - covered)
    if 1 - len(left) / len(asked) > _DECIDED:
        return Named(chosen, (), left)
    return Named((), chosen, left)


def _says_nothing(word: str) -> bool:
    # A letter alone is what an apostrophe leaves: Ana's, don't.
    return word in STOP_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def _fully_named(
    tokens: Sequence[tuple[str, int, int, bool]], lexicon: Lexicon, fits: Mapping[str, int]
) -> tuple[list[str], set[int]]:
    """Return the attributes of which a text has the whole name, and where; longer names come first."""
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


def intent(text: str) -> Intent | None:
    """Return what of an attribute a question asks for, or None: just its value.

    Args:
        text: the question without its dates, entities and attributes, so that no name is taken for such a word.
    """
    if _DID_REPLACE.search(text):
        return Intent.REPLACED
    return next((intent for intent, pattern in _INTENTS if pattern.search(text)), None)


def asks_what_was_known(text: str) -> bool:
    """Whether a question asks what was known or believed then, and not what was so."""
    return _BELIEVED.search(text) is not None


def asks_of_what_was(text: str) -> bool:
    """Whether a question asks for what was so before, and not for what took the place of what."""
    return _FORMER.search(text) is not None


def values_among(text: str, left: Collection[str]) -> tuple[str, ...]:
    """Return the words of a text that may be of a value: those of some stems, but not such as ask for it."""
    return tuple(word for word in _words(text) if stem(word) in left and stem(word) not in _asking())


@lru_cache(maxsize=1)
def _asking() -> frozenset[str]:
    return frozenset(map(stem, _words(_ASKING)))


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say something."""
    return frozenset(stem(word) for word in _words(text) if not _says_nothing(word))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with blanks in some places."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def says(question: str, value: str) -> bool:
    """Whether a question has the words of a value, one after the other.

    Words that say nothing, such as "on", are a value only at its end or in quotes: not in "on which channel".
    """
    words, sought = _words(question), _words(value)
    if not sought:
        return False
    if all(map(_says_nothing, sought)):
        quoted = any(_words(match[1]) == sought for match in _QUOTED.finditer(question))
        return quoted or words[-len(sought) :] == sought
    return any(words[i : i + len(sought)] == sought for i in range(len(words)))


def shares_word(text: str, value: str) -> bool:
    """Whether a text has one of the words of a value."""
    return not set(_words(text)).isdisjoint(_words(value))


def overlap(asked: Collection[str], lexicon: Lexicon, attribute: str) -> int:
    """Return how many of some stems are words of an attribute, declared or not."""
    words = {*map(stem, attribute.split("_")), *lexicon.words.get(attribute, ())}
    return len(words & set(asked))
