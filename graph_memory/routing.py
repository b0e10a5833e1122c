"""From the words of a question to what is to be read: which subjects, attributes and time it is about. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from graph_memory.context_records import Intent, Router, Routing
from graph_memory.date_forms import unread
from graph_memory.dates import Date, Window, asked
from graph_memory.question_model import Reading
from graph_memory.questions import (
    MAX_SUBJECTS,
    Lexicon,
    Mention,
    Named,
    asks_what_was_known,
    attributes,
    blanked,
    intent,
)
from graph_memory.records import Entity


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller has decided already; None: the question decides. Instants are UTC.

    Attributes:
        subject: key of an entity.
        attribute: what of it.
        at: the instant in valid time.
        known_at: by what the ledger knew at this instant.
        now: from when relative dates count; None: by the database's clock.
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
        question: in NFC.
        said: the question without the times and the subjects that it names, in which values are looked for.
        routing: what it asks for.
        lexicon: the attributes that it could be about.
        entities: those that it may mean, by key.
        possible: attributes that it may be about, where it decides on none.
        left: the stems that are about nothing that was found.
        bare: days that it names without saying that they are times: perhaps values.
        mentioned: keys of the entities that it names.
        ambiguous: keys of entities that go by one name in it.
        inward: attributes as whose value the subjects are asked for.
        onward: attributes of what the subjects refer to.
        failure: why the rules decided, though there was a model to ask.
        unread: its words for a time of which it is not understood which it is.
    """

    question: str
    said: str
    routing: Routing
    lexicon: Lexicon
    entities: Mapping[str, Entity]
    possible: tuple[str, ...] = ()
    left: frozenset[str] = frozenset()
    bare: tuple[Date, ...] = ()
    mentioned: frozenset[str] = frozenset()
    ambiguous: tuple[tuple[str, ...], ...] = ()
    inward: tuple[str, ...] = ()
    onward: tuple[str, ...] = ()
    failure: str | None = None
    unread: tuple[str, ...] = ()

    @property
    def of_all(self) -> bool:
        """Whether it asks for all that is known of its subjects."""
        return bool(self.routing.subjects) and not (self.routing.attributes or self.possible or self.left)

    def about(self, routing: Routing, unread: tuple[str, ...] = ()) -> Asked:
        """Return the same question with another reading of its time."""
        return replace(self, routing=routing, bare=(), unread=unread)

    def name(self, key: str) -> str:
        """Return what an entity is called; its key where that is not known."""
        return self.entities[key].name if key in self.entities else key


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


def kept_apart(dates: Sequence[Date], mentions: Sequence[Mention]) -> tuple[list[Date], list[Mention]]:
    """Return the dates and mentions of a text without those that stand within one of the other sort."""
    names = [m for m in mentions if not any(d.start <= m.start and m.end <= d.end for d in dates)]
    times = [d for d in dates if not any(m.start < d.end and d.end - len(d.words) < m.end for m in names)]
    return times, names


def routed(words: Words, given: Given, now: datetime | None, read: Reading | None = None) -> Asked:
    """Return what a question asks for by its words, but for what the caller, then a model, has decided.

    Args:
        words: what stands in it.
        given: what the caller has decided.
        now: the end of what it says to last since a date; None where it says nothing of that kind.
        read: how a model reads it; of its time only where the words bound none.
    """
    spans = [(d.start, d.end) for d in words.dates] + [(m.start, m.end) for m in words.mentions]
    bare_text = blanked(words.text, spans)
    named_keys = list(dict.fromkeys(key for mention in words.mentions for key in mention.keys))
    pinned = [given.subject] if given.subject else list(read.subjects) if read is not None else []
    candidates = pinned or named_keys
    fits = {name: max((words.fit(k, name) for k in candidates), default=0) for name in words.lexicon.topics}
    named = attributes(bare_text, words.lexicon, fits)
    wanted = intent(blanked(bare_text, named.spans))
    if read is not None:
        covered = named.left if read.attributes else frozenset[str]()
        named, wanted = Named(read.attributes, (), covered), read.intent
    if given.attribute is not None:
        named = Named((given.attribute,), (), named.left)
    subjects, inward, onward = _subjects(words, candidates, bool(pinned), named)
    bare = tuple(date for date in words.dates if date.bare)
    times = [date for date in words.dates if not date.bare]
    window, known_at, left = _time(words, given, times, bare, wanted, now)
    not_read = () if given.at is not None else (*left, *unread(bare_text))
    if not_read:
        window = None
    if window is None and read is not None and given.at is None:
        window = read.window
    if wanted is None:
        wanted = Intent.CURRENT if window is None else Intent.AS_OF
    routing = Routing(
        intent=wanted,
        subjects=subjects,
        values=tuple(key for key in named_keys if key not in subjects),
        attributes=tuple(name for name in named.decided if name not in onward),
        start=None if window is None else window.start,
        end=None if window is None else window.end,
        known_at=known_at,
        by=Router.RULES if read is None else Router.MODEL,
    )
    named_subjects = [(m.start, m.end) for m in words.mentions if set(m.keys) & set(subjects)]
    return Asked(
        question=words.text,
        said=blanked(words.text, [(d.start, d.end) for d in times] + named_subjects),
        routing=routing,
        lexicon=words.lexicon,
        entities=words.entities,
        possible=named.possible,
        left=named.left,
        bare=bare if given.at is None else (),
        mentioned=frozenset(named_keys),
        ambiguous=_ambiguous(words, given, subjects),
        inward=inward,
        onward=onward,
        unread=not_read if window is None else (),
    )


def _subjects(
    words: Words, keys: Sequence[str], pinned: bool, named: Named
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the subjects, the attributes as whose value they are asked for, and those of what they refer to.

    Args:
        words: what stands in the question.
        keys: the entities that may be subjects.
        pinned: whether these are what somebody has decided, and not all that the question names.
        named: the attributes.
    """
    wanted = named.decided or named.possible
    if not wanted or not keys:
        return tuple(keys[:MAX_SUBJECTS]), (), ()
    best = {key: max(words.fit(key, name) for name in wanted) for key in keys}
    top = max(best.values())
    chosen = list(keys) if pinned else [key for key in keys if best[key] == top]
    refers = [name for name in wanted if name in words.lexicon.topics and words.lexicon.topics[name].refers]
    if refers and top and not pinned:
        # Two entities and a reference between them: the one that is named first has it, the other is its value.
        first = next(mention.keys for mention in words.mentions if set(mention.keys) & set(chosen))
        chosen = [key for key in chosen if key in first]
    chosen = chosen[:MAX_SUBJECTS]
    unfit = tuple(name for name in named.decided if not any(words.fit(key, name) for key in chosen))
    if unfit and len(unfit) == len(named.decided):
        return tuple(chosen), unfit, ()
    return tuple(chosen), (), unfit


def _time(
    words: Words,
    given: Given,
    times: list[Date],
    bare: tuple[Date, ...],
    wanted: Intent | None,
    now: datetime | None,
) -> tuple[Window | None, datetime | None, tuple[str, ...]]:
    """Return the time that is asked about; by what was known when, both None for now; and what dates are left."""
    changes = wanted is Intent.CHANGED
    end = now or max((date.window.last for date in times), default=datetime.max.replace(tzinfo=UTC))
    time = asked(times, end, changes=changes)
    known_at = given.known_at
    if known_at is None and time.window is not None and asks_what_was_known(words.text):
        known_at = time.window.last
        time = asked(time.left or bare, end, changes=changes) if time.left or bare else time
    window = time.window if given.at is None else Window(given.at)
    return window, known_at, tuple(date.words for date in time.left)


def _ambiguous(words: Words, given: Given, subjects: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if given.subject:
        return ()
    return tuple(m.keys for m in words.mentions if len(m.keys) > 1 and len(set(m.keys) & set(subjects)) > 1)
