"""Which entities a question is about: those that it names and that can have what it asks for. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from graph_memory.domain.records import Entity
from graph_memory.questions.attribute_matching import (
    MAX_SUBJECTS,
    Lexicon,
    MatchedAttributes,
    Mention,
    blanked,
    stem,
    stems,
    unasked,
)
from graph_memory.questions.records import Intent
from graph_memory.questions.relations import belongs, between, chained, turned
from graph_memory.questions.time_expressions import Date

# The result of `Words.fit` for an entity of the kind that an attribute is declared for.
_OF_ITS_KIND = 2
_AND = re.compile(r"(?:['’]s)?\s*(?:,|,?\s*(?:and|or|nor|&|as well as))\s*(?:the\s+)?", re.IGNORECASE)  # noqa: RUF001
# Where a word begins within the name of a kind.
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|\d+$")

# Words that ask for a value other than the one that holds.
_NO_VALUE = frozenset({"next"})

Group: TypeAlias = list[Mention]


@dataclass(frozen=True, slots=True)
class Words:
    """What a question names: dates, entities and attributes.

    Attributes:
        text: the question in NFC.
        dates: the dates in it.
        mentions: the places where it names entities.
        entities: the entities that it names, by key.
        known: by key of an entity, the attributes that were ever recorded of it.
        lexicon: the attributes that it could be about.
    """

    text: str
    dates: Sequence[Date]
    mentions: Sequence[Mention]
    entities: Mapping[str, Entity]
    known: Mapping[str, frozenset[str]]
    lexicon: Lexicon

    def fit(self, key: str, attribute: str) -> int:
        """Return how well an attribute fits an entity, on the scale of `Topic.fits`."""
        topic, entity = self.lexicon.topics.get(attribute), self.entities.get(key)
        recorded = self.known.get(key, frozenset())
        if topic is None or entity is None:
            return 3 if attribute in recorded else 1
        return topic.fits(entity, recorded)

    def declares(self, attribute: str) -> bool:
        """Whether an attribute is declared for some kinds."""
        return attribute in self.lexicon.topics and bool(self.lexicon.topics[attribute].kinds)

    def could_have(self, key: str, attributes: Sequence[str]) -> bool:
        """Whether an entity may have one of the attributes, recorded or not."""
        topics, entity = [self.lexicon.topics.get(name) for name in attributes], self.entities.get(key)
        return any(topic is None or entity is None or topic.could_be_of(entity) for topic in topics)

    def targets(self, attribute: str) -> tuple[str, ...]:
        """Return the kind of the entities that are values of an attribute; empty where none is declared."""
        topic = self.lexicon.topics.get(attribute)
        return () if topic is None else topic.targets

    def within_a_kind(self, attribute: str) -> bool:
        """Whether an entity can both have an attribute and be its value, by the schema; True where undeclared."""
        topic = self.lexicon.topics.get(attribute)
        return topic is None or not topic.kinds or bool(set(topic.kinds) & set(topic.targets))

    def could_be(self, key: str, attribute: str) -> bool:
        """Whether an entity may be the value of a declared attribute."""
        topic, entity = self.lexicon.topics.get(attribute), self.entities.get(key)
        return topic is not None and entity is not None and topic.could_be(entity)


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name that means several entities: keys of those that the answer covers, and of the others."""

    answered: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Whom:
    """The entities that a question is about.

    Attributes:
        subjects: keys of the entities, at most MAX_SUBJECTS.
        more: keys of the entities beyond MAX_SUBJECTS.
        ambiguous: the names that mean several entities.
        inward: attributes to read backwards: the question asks who has the subjects as their value.
        onward: attributes that the question asks of the entities that the subjects refer to.
        open: why the question is unclear, though it names subjects and attributes.
    """

    subjects: tuple[str, ...]
    more: tuple[str, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()
    inward: tuple[str, ...] = ()
    onward: tuple[str, ...] = ()
    open: str | None = None


def whom(words: Words, keys: Sequence[str], pinned: bool, decided: Sequence[str], possible: Sequence[str]) -> Whom:
    """Return the entities that a question is about.

    Args:
        words: what the question names.
        keys: keys of the entities that may be subjects.
        pinned: whether the caller or the model chose `keys`; False: the question names them.
        decided: the attributes that it asks for.
        possible: the attributes that it may ask for, where `decided` is empty.
    """
    wanted = decided or possible
    fits = {key: max((words.fit(key, name) for name in wanted), default=0) for key in keys}
    could: Sequence[str] = keys
    chosen = list(keys)
    if not pinned and any(fits.values()):
        could = [key for key in keys if fits[key] or words.could_have(key, wanted)]
        chosen = _having(words, wanted, fits, could)
    elif not pinned and any(words.could_be(key, name) for key in keys for name in wanted):
        could = chosen = [key for key in keys if any(words.could_be(key, name) for name in wanted)]
    subjects, more = tuple(chosen[:MAX_SUBJECTS]), tuple(chosen[MAX_SUBJECTS:])
    ambiguous = []
    for mention in words.mentions:
        answered = tuple(key for key in subjects if key in mention.keys)
        others = tuple(
            key
            for key in mention.keys
            if key not in subjects and (key in could or (pinned and (not wanted or words.could_have(key, wanted))))
        )
        if answered and len(answered) + len(others) > 1:
            ambiguous.append(Ambiguity(answered, others))
    unfit = tuple(name for name in decided if not any(words.fit(key, name) for key in subjects))
    inward: tuple[str, ...] = ()
    if len(unfit) == len(decided):
        inward = tuple(name for name in unfit if any(words.could_be(key, name) for key in subjects))
        unfit = ()
    return Whom(subjects, more, tuple(ambiguous), inward, unfit)


def _having(words: Words, wanted: Sequence[str], fits: Mapping[str, int], could: Sequence[str]) -> list[str]:
    """Return the entities that have the wanted attributes and are not named as a value.

    The best entity of each name comes first. Names joined by "and" or "or" form a group. Of two groups that may
    refer to each other, the owners are those with a possessive ("Rui's", "of Rui"), else the group named first.
    """
    groups = _joined(words)
    best = [max(fits[key] for mention in group for key in mention.keys) for group in groups]
    top = max(best)
    alike = [group for group, fit in zip(groups, best, strict=True) if fit == top]
    owners = [group for group in alike if any(_owns(words.text, mention) for mention in group)]
    having = [
        group
        for group, fit in zip(groups, best, strict=True)
        if group in (owners or alike[:1])
        or any(_owns(words.text, m) and not set(could).isdisjoint(m.keys) for m in group)
        or (fit >= min(top, _OF_ITS_KIND) and not _is_value(words, wanted, group, bool(owners)))
    ]
    by_name = [
        sorted((key for key in mention.keys if key in could), key=lambda key: -fits[key])
        for group in having
        for mention in group
    ]
    firsts = [keys[0] for keys in by_name if keys]
    return list(dict.fromkeys([*firsts, *(key for keys in by_name for key in keys)]))


def _joined(words: Words) -> list[Group]:
    groups: list[Group] = []
    for mention in words.mentions:
        if groups and _AND.fullmatch(words.text[groups[-1][-1].end : mention.start]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _owns(text: str, mention: Mention) -> bool:
    return belongs(text, (mention.start, mention.end))


def _is_value(words: Words, wanted: Sequence[str], group: Group, owned: bool) -> bool:
    """Whether a group may be the value; with `owned`, it counts as one where the attributes are undeclared."""
    if owned and not any(words.declares(name) for name in wanted):
        return True
    return any(words.could_be(key, name) for mention in group for key in mention.keys for name in wanted)


def standing(words: Words, who: Whom, named: MatchedAttributes, wanted: Intent | None) -> Whom:
    """Return `who` with the relations that the wording states: chains of references, and their direction.

    Args:
        words: what the question names.
        who: the entities that the question is about, by the attributes that they can have.
        named: the attributes that it asks for.
        wanted: the intent; None: the value.
    """
    if not named.decided:
        return who
    subjects = [(m.start, m.end) for m in words.mentions if set(m.keys) & set(who.subjects)]
    strange = between(words.text, subjects, named.spans, _left(words, words.text, who, named))
    if strange:
        what = " and ".join(map(repr, strange))
        none = "is not a known entity or attribute"
        if len(strange) > 1:
            none = "are not known entities or attributes"
        return replace(who, open=f"{what} {none}, so this may not be about {', '.join(who.subjects)}")
    onward, longer = chained(words.text, named.placed, subjects)
    if longer:
        text = "the question follows more than two references, or one attribute twice: ask one step at a time"
        return replace(who, open=text)
    if onward and not who.inward:
        return replace(who, onward=onward)
    if any(words.within_a_kind(name) for name in named.decided):
        agents = all(name.endswith(("er", "or")) for name in named.decided)
        way = turned(words.text, subjects, [(start, end) for start, end, _ in named.placed], agents)
        if way is None and wanted is not Intent.WHO_SAID:
            what, of = ", ".join(named.decided), ", ".join(who.subjects)
            return replace(who, open=f"unclear: the {what} of {of}, or who has {of} as {what}?")
        if way:
            return replace(who, inward=tuple(named.decided), onward=())
    return who


def strange_words(words: Words, text: str, who: Whom, named: MatchedAttributes) -> tuple[str, ...]:
    """Return the words that match nothing known, where a question has the whole name of an attribute; else none.

    Args:
        words: what the question names.
        text: the question without its dates and the names of entities.
        who: the entities that it is about.
        named: the attributes that it asks for.
    """
    if not named.named:
        return ()
    told = words.lexicon.told_of({kind for name in named.decided for kind in words.targets(name)})
    left = _left(words, text, who, named, _NO_VALUE)
    return tuple(text[start:end] for start, end in left if stem(text[start:end]) not in told)


def _left(
    words: Words, text: str, who: Whom, named: MatchedAttributes, also: Collection[str] = ()
) -> list[tuple[int, int]]:
    """Return the places of words that match nothing known and do not name the kind of a subject."""
    kinds = {kind for key in who.subjects if key in words.entities for kind in words.entities[key].kinds}
    dates = [(date.start, date.end) for date in words.dates]
    names = [(mention.start, mention.end) for mention in words.mentions]
    bare = blanked(text, [*dates, *names])
    return unasked(bare, named.left - {word for kind in kinds for word in stems(_CAPITAL.sub(" ", kind))}, also)
