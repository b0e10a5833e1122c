"""From the words of a question to the subjects, attributes and time that it asks about. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.date_forms import unread_times
from graph_memory.domain.instants import LAST_INSTANT
from graph_memory.domain.records import Entity
from graph_memory.questions.attribute_matching import (
    Lexicon,
    MatchedAttributes,
    Mention,
    attributes,
    blanked,
    stems,
    values_among,
)
from graph_memory.questions.intent import (
    asks_for_all,
    asks_for_several,
    asks_of_what_was,
    asks_what_has_been,
    asks_what_was_known,
    asks_who_beside,
    condition,
    intent,
)
from graph_memory.questions.llm_reading import Reading
from graph_memory.questions.records import AT_ONCE, REPLACING, Intent, Router, Routing
from graph_memory.questions.subjects import Ambiguity, Words, standing, strange_words, whom
from graph_memory.questions.time_expressions import Date, Period, asked

_NEAR = 20
_DOES = re.compile(r"\b(?:do|does|did)\s+(?:the\s+)?\Z", re.IGNORECASE)
_CHANGE = re.compile(r"\bchang", re.IGNORECASE)
_YEAR = re.compile(r"\b\d{4}\b")


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller has decided already; None: the question decides. Instants are UTC.

    Attributes:
        subject: key of the entity that the question is about.
        attribute: name of the attribute that it asks for.
        at: the instant in valid time.
        known_at: the instant in recorded time.
        now: the instant from which relative dates count; None: the database's clock decides.
    """

    subject: str | None = None
    attribute: str | None = None
    at: datetime | None = None
    known_at: datetime | None = None
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, as far as it was understood.

    Attributes:
        question: the text in NFC.
        said: the question without the times and the subjects that it names; values are looked for in it.
        timed: the question without the subjects, with the times; a value may contain one: "Wednesday next week".
        routing: what it asks for.
        lexicon: the attributes that it could be about.
        entities: the entities that it may mean, by key.
        possible: the attributes that it may be about, where it names and describes none.
        left: the stems of its words that match nothing found.
        unread: its words that may name a value.
        bare: the days in it without a word that makes them a time; each may be a value.
        mentioned: keys of the entities that it names.
        ambiguous: its names that mean several entities.
        more: keys of further entities that it may be about; the answer does not cover them.
        inward: attributes to read backwards: it asks who has the subjects as their value.
        onward: attributes that it asks of the entities that the subjects refer to.
        former: whether REPLACED means an earlier value, and not which value another one replaced.
        failure: why the rules decided, though a model was asked.
        time_unread: its words for a time that could not be read.
        open: why its subject or attribute is unclear, though it names both.
        strange: its words that match nothing known, where it names an attribute and asks what holds.
        several: whether it asks for all values, or for how many there are.
        beside: whether it asks for people by their relation to its subjects: "who was at Globex".
        overall: whether all of its words ask for all that is known.
        until_now: whether it asks for what has been until now, and not for what will be.
    """

    question: str
    said: str
    timed: str
    routing: Routing
    lexicon: Lexicon
    entities: Mapping[str, Entity]
    possible: tuple[str, ...] = ()
    left: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    bare: tuple[Date, ...] = ()
    mentioned: frozenset[str] = frozenset()
    ambiguous: tuple[Ambiguity, ...] = ()
    more: tuple[str, ...] = ()
    inward: tuple[str, ...] = ()
    onward: tuple[str, ...] = ()
    former: bool = False
    failure: str | None = None
    time_unread: tuple[str, ...] = ()
    open: str | None = None
    strange: tuple[str, ...] = ()
    several: bool = False
    beside: bool = False
    overall: bool = True
    until_now: bool = False

    @property
    def of_all(self) -> bool:
        """Whether it asks for all that is known about its subjects."""
        if not self.overall or self.beside or self.routing.intent in REPLACING:
            return False
        return bool(self.routing.subjects) and not (self.routing.attributes or self.possible or self.left)

    @property
    def names_value(self) -> bool:
        """Whether it has words that may name a value."""
        return bool(self.bare or self.routing.values or self.unread)

    @property
    def unread_words(self) -> tuple[str, ...]:
        """The days, the keys of entities and the words that may name a value, as a note shows them."""
        unread = (" ".join(self.unread),) if self.unread else ()
        return (*(day.words for day in self.bare), *self.routing.values, *unread)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The subjects and attributes that it asks for, each subject with each attribute."""
        return [(subject, name) for subject in self.routing.subjects for name in self.routing.attributes]

    def at_once(self, window: Period | None) -> Asked:
        """Return the same question with another intent: what holds now, or in the window."""
        intent = Intent.CURRENT if window is None else Intent.AS_OF
        return replace(self, routing=self.routing.model_copy(update={"intent": intent}))

    def about_them(self, keys: Sequence[str]) -> Asked:
        """Return the question about the `onward` attributes of entities that the subjects refer to."""
        update = {"subjects": tuple(keys), "attributes": self.onward}
        return replace(self, routing=self.routing.model_copy(update=update), onward=())

    def about(self, routing: Routing, time_unread: tuple[str, ...] = ()) -> Asked:
        """Return the same question with another reading of its time."""
        return replace(self, routing=routing, bare=(), time_unread=time_unread)

    def name(self, key: str) -> str:
        """Return the name of an entity; its key where the name is unknown."""
        return self.entities[key].name if key in self.entities else key


def kept_apart(dates: Sequence[Date], mentions: Sequence[Mention]) -> tuple[list[Date], list[Mention]]:
    """Return the dates and mentions of a text without names within dates and dates that overlap names."""
    names = [m for m in mentions if not any(d.start <= m.start and m.end <= d.end for d in dates)]
    times = [d for d in dates if not any(m.start < d.end and d.end - len(d.words) < m.end for m in names)]
    return times, names


def routed(words: Words, given: Given, now: datetime | None, read: Reading | None = None) -> Asked:
    """Return what a question asks for. The caller decides first, then the model, then the words.

    Args:
        words: what the question names: dates, entities, attributes.
        given: what the caller has decided.
        now: the end of an interval that begins at a date ("since May"), in UTC; None where there is none.
        read: how a model reads the question; its time counts only where the words name none.
    """
    spans = [(d.start, d.end) for d in words.dates] + [(m.start, m.end) for m in words.mentions]
    bare_text = blanked(words.text, spans)
    named_keys = list(dict.fromkeys(key for mention in words.mentions for key in mention.keys))
    pinned = [given.subject] if given.subject else list(read.subjects) if read is not None else []
    candidates = pinned or named_keys
    fits = {name: max((words.fit(k, name) for k in candidates), default=0) for name in words.lexicon.topics}
    named = attributes(bare_text, words.lexicon, fits)
    unnamed = blanked(bare_text, named.spans)
    wanted = intent(unnamed)
    former = asks_of_what_was(bare_text)
    unread = values_among(bare_text, named.left)
    if read is not None:
        named, wanted, former = MatchedAttributes(read.attributes, (), named.left), read.intent, False
        unread = tuple(read.value.split()) if read.value and stems(read.value) & named.left else ()
    if given.attribute is not None:
        named = MatchedAttributes((given.attribute,), (), named.left)
    who = whom(words, candidates, bool(pinned), named.decided, named.possible)
    by_words = read is None and given.attribute is None
    if by_words:
        who = standing(words, who, named, wanted)
        if who.open is None and named.decided and (bound := condition(words.text)):
            who = replace(who, open=f"the condition {bound!r} is not understood: leave it out, or give a date")
    subjects, onward = who.subjects, who.onward
    theirs = {key for m in words.mentions if {*subjects, *who.more} & set(m.keys) for key in m.keys}
    bare = tuple(date for date in words.dates if date.bare)
    times = [date for date in words.dates if not date.bare]
    window, known_at, left = _time(words, given, times, bare, wanted, now)
    time_words = unread_times(bare_text)
    not_read = () if given.at is not None else (*left, *time_words)
    if not_read:
        window = None
    if window is None and read is not None and given.at is None:
        window = read.window
    at_once = wanted in (None, *AT_ONCE)
    perfect = wanted is None and window is None and not (bare or not_read) and asks_what_has_been(bare_text)
    if perfect:
        wanted = Intent.CHANGED
    if wanted is None:
        wanted = Intent.CURRENT if window is None else Intent.AS_OF
    routing = Routing(
        intent=wanted,
        subjects=subjects,
        values=tuple(key for key in named_keys if key not in theirs),
        attributes=tuple(name for name in named.decided if name not in onward),
        start=None if window is None else window.start,
        end=None if window is None else window.end,
        known_at=known_at,
        by=Router.RULES if read is None else Router.MODEL,
    )
    untimed = _without(bare_text, time_words)
    if given.at is not None:
        untimed = _without(untimed, _YEAR.findall(untimed))
    strange = () if not (by_words and at_once) else strange_words(words, untimed, who, named)
    named_subjects = [(m.start, m.end) for m in words.mentions if set(m.keys) & set(subjects)]
    return Asked(
        question=words.text,
        said=blanked(words.text, [(d.start, d.end) for d in times] + named_subjects),
        timed=blanked(words.text, named_subjects),
        routing=routing,
        lexicon=words.lexicon,
        entities=words.entities,
        possible=named.possible,
        left=named.left,
        unread=unread,
        bare=bare if given.at is None else (),
        mentioned=frozenset(named_keys),
        ambiguous=() if given.subject else who.ambiguous,
        more=who.more,
        inward=who.inward,
        onward=onward,
        former=former,
        time_unread=not_read if window is None else (),
        open=who.open,
        strange=strange,
        several=by_words and asks_for_several(unnamed),
        beside=by_words and at_once and asks_who_beside(bare_text),
        overall=asks_for_all(untimed) and not _does(words),
        until_now=perfect,
    )


def _does(words: Words) -> bool:
    """Whether a question asks what somebody does ("what does Mira know"), and not how she changed."""
    asked = any(_DOES.search(words.text, max(0, m.start - _NEAR), m.start) for m in words.mentions)
    return asked and _CHANGE.search(words.text) is None


def _without(text: str, words: Sequence[str]) -> str:
    """Return a text with blanks in place of some words."""
    for some in words:
        text = text.replace(some, " " * len(some))
    return text


def _time(
    words: Words,
    given: Given,
    times: list[Date],
    bare: tuple[Date, ...],
    wanted: Intent | None,
    now: datetime | None,
) -> tuple[Period | None, datetime | None, tuple[str, ...]]:
    """Return the valid time and the recorded time that are asked about, None for now, and the dates left over."""
    changes = wanted is Intent.CHANGED
    end = now or max((date.window.last for date in times), default=LAST_INSTANT)
    time = asked(times, end, changes=changes)
    known_at = given.known_at
    if known_at is None and time.window is not None and asks_what_was_known(words.text):
        known_at = time.window.last
        time = asked(time.left or bare, end, changes=changes) if time.left or bare else time
    window = time.window if given.at is None else Period(given.at)
    return window, known_at, tuple(date.words for date in time.left)
