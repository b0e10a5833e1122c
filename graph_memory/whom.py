"""Whom a question is about: which of the entities that it names have what is asked for. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graph_memory.dates import Date
from graph_memory.questions import MAX_SUBJECTS, Lexicon, Mention
from graph_memory.records import Entity

# What `Words.fit` says of an entity of the kind that an attribute is declared for.
_OF_ITS_KIND = 2
_AND = re.compile(r"(?:['’]s)?\s*(?:,|,?\s*(?:and|or|nor|&|as well as))\s*(?:the\s+)?", re.IGNORECASE)  # noqa: RUF001
_OF = re.compile(r"\bof\s+(?:the\s+)?$", re.IGNORECASE)
_POSSESSIVE = re.compile("['’]")  # noqa: RUF001

Group: TypeAlias = list[Mention]


@dataclass(frozen=True, slots=True)
class Words:
    """What stands in a question.

    Attributes:
        text: the question in NFC.
        dates: those in it.
        mentions: where it names entities.
        entities: those, by key.
        known: by entity, the attributes of which anything was ever said.
        lexicon: the attributes that it could be about.
    """

    text: str
    dates: Sequence[Date]
    mentions: Sequence[Mention]
    entities: Mapping[str, Entity]
    known: Mapping[str, frozenset[str]]
    lexicon: Lexicon

    def fit(self, key: str, attribute: str) -> int:
        """Return how well an attribute fits an entity, as `Topic.fits` has it."""
        topic, entity = self.lexicon.topics.get(attribute), self.entities.get(key)
        recorded = self.known.get(key, frozenset())
        if topic is None or entity is None:
            return 3 if attribute in recorded else 1
        return topic.fits(entity, recorded)

    def declares(self, attribute: str) -> bool:
        """Whether an attribute is declared for some kinds."""
        return attribute in self.lexicon.topics and bool(self.lexicon.topics[attribute].kinds)

    def could_have(self, key: str, attributes: Sequence[str]) -> bool:
        """Whether an entity may have one of some attributes, though nothing of that was ever said."""
        topics, entity = [self.lexicon.topics.get(name) for name in attributes], self.entities.get(key)
        return any(topic is None or entity is None or topic.could_be_of(entity) for topic in topics)

    def could_be(self, key: str, attribute: str) -> bool:
        """Whether an entity may be the value of an attribute that is declared."""
        topic, entity = self.lexicon.topics.get(attribute), self.entities.get(key)
        return topic is not None and entity is not None and topic.could_be(entity)


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name that means several entities: keys of those that are answered for, and of those that are not."""

    answered: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a question is about.

    Attributes:
        subjects: keys of the entities, at most MAX_SUBJECTS.
        more: those beyond that.
        ambiguous: names that mean several.
        inward: attributes as whose value the subjects are asked for.
        onward: attributes of what the subjects refer to.
    """

    subjects: tuple[str, ...]
    more: tuple[str, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()
    inward: tuple[str, ...] = ()
    onward: tuple[str, ...] = ()


def whom(words: Words, keys: Sequence[str], pinned: bool, decided: Sequence[str], possible: Sequence[str]) -> Whom:
    """Return whom a question is about.

    Args:
        words: what stands in it.
        keys: the entities that may be subjects.
        pinned: whether these are what somebody has decided, and not all that the question names.
        decided: the attributes that it asks for.
        possible: those that it may ask for, where it decides on none.
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
    """Return the entities that have what is wanted, and are not named as its value; the best of each name first.

    Names with "and" or "or" between them are in one part. Of two entities that may refer to each other, those have
    it of whom the question says so ("Rui's", "of Rui"), else the one that is named first.
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
    return bool(_POSSESSIVE.match(text, mention.end) or _OF.search(text[: mention.start]))


def _is_value(words: Words, wanted: Sequence[str], group: Group, owned: bool) -> bool:
    """Whether a group may be the value; `owned`: what is not declared is taken for one."""
    if owned and not any(words.declares(name) for name in wanted):
        return True
    return any(words.could_be(key, name) for mention in group for key in mention.keys for name in wanted)
