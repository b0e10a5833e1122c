"""What is to become of what a model proposed: checked against the episode, the schema and what is stored.

Pure: the model's word is never taken for the tenant, the source, or what is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

from graph_memory import names, statements
from graph_memory.declaration import AttributeSpec, Conflict
from graph_memory.errors import GraphMemoryError, InvalidInputError, brief
from graph_memory.instants import parse_instant
from graph_memory.intents import Expected
from graph_memory.mentions import normalise, slug, words
from graph_memory.proposals import Change, Malformed, Proposal, Scalar, as_shown
from graph_memory.quotes import Quote, find_quote
from graph_memory.records import Cardinality, Entity, Episode, Fact
from graph_memory.schema import Schema
from graph_memory.slots import slot_key
from graph_memory.statements import Attributes, Statement
from graph_memory.timeline import same_value
from graph_memory.values import Ref, Value

# Whom these mean depends on who speaks, which only the caller knows.
_PRONOUNS = frozenset(
    (
        *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "user", "speaker"),
        *("you", "your", "yours", "he", "him", "his", "she", "her", "hers"),
        *("it", "its", "they", "them", "their", "theirs"),
    )
)


class Fate(StrEnum):
    """What is to become of a candidate, as far as that can be told before the transaction."""

    COMMIT = "commit"
    UNCHANGED = "unchanged"
    WEAK = "weak"
    REVIEW = "review"
    STALE = "stale"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that a text names for the first time."""

    key: str
    name: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to become of a proposal.

    Attributes:
        number: its place in the answer of the model, from 1.
        proposal: what the model said.
        fate: what is to become of it.
        reason: why, where it is not simply to be committed.
        spec: of its attribute, where that is declared.
        quote: its evidence, where that stands in the episode.
        statement: what it says, as far as it was understood.
        expected: what has to hold for it to be committed.
        signal: names what similar weak signals have in common.
        new: the entities that it names for the first time.
    """

    number: int
    proposal: Proposal | Malformed
    fate: Fate
    reason: str | None = None
    spec: AttributeSpec | None = None
    quote: Quote | None = None
    statement: Statement | None = None
    expected: Expected | None = None
    signal: str | None = None
    new: tuple[Named, ...] = ()


Held: TypeAlias = Mapping[tuple[str, str], Sequence[Fact]]
"""What is stored, by subject and attribute."""


class _SettledError(Exception):
    """Ends the judging of a candidate: its fate is set."""

    def __init__(self, fate: Fate, reason: str) -> None:
        super().__init__(reason)
        self.fate = fate
        self.reason = reason


def named_in(schema: Schema, proposals: Iterable[Proposal | Malformed]) -> set[str]:
    """Return all names of entities that proposals use, to be resolved before they are judged."""
    found: set[str] = set()
    for proposal in proposals:
        if isinstance(proposal, Malformed):
            continue
        found.add(proposal.subject)
        spec = schema.attributes.get(proposal.attribute)
        if spec is not None and spec.type == "ref":
            found |= {name for name in (proposal.value, proposal.current_value) if isinstance(name, str)}
    return {name for name in found if name}


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the proposals of one answer.

    Attributes:
        schema: what may be remembered.
        attributes: the same, as statements take it.
        episode: whose text the evidence must stand in; tenant and source are its own.
        at: the instant whose stored values the model was shown.
        about: the entity that the text is about where it names none.
        shown: keys of the entities that it may mean, as the model was shown them.
        known: the entities that each name used can mean.
        held: what is stored of them at that instant.
    """

    schema: Schema
    attributes: Attributes
    episode: Episode
    at: datetime
    about: str | None
    shown: Collection[str]
    known: Mapping[str, Sequence[Entity]]
    held: Held

    def judge(self, proposals: Sequence[Proposal | Malformed]) -> list[Judgement]:
        """Return what is to become of proposals, in their order."""
        return [self._one(number, proposal) for number, proposal in enumerate(proposals, start=1)]

    def _one(self, number: int, proposal: Proposal | Malformed) -> Judgement:
        if isinstance(proposal, Malformed):
            return Judgement(number, proposal, Fate.REFUSE, proposal.reason)
        return _Judging(self, number, proposal).judgement()


class _Judging:
    """One proposal while it is judged: what is known of it is kept, whatever becomes of it."""

    def __init__(self, judge: Judge, number: int, proposal: Proposal) -> None:
        self._judge = judge
        self._number = number
        self._proposal = proposal
        self._spec: AttributeSpec | None = None
        self._quote: Quote | None = None
        self._statement: Statement | None = None
        self._expected: Expected | None = None
        self._signal: str | None = None
        self._new: list[Named] = []

    def judgement(self) -> Judgement:
        try:
            fate, reason = self._fate(), None
        except _SettledError as end:
            fate, reason = end.fate, end.reason
        except GraphMemoryError as error:
            fate, reason = Fate.REFUSE, str(error)
        return Judgement(
            number=self._number,
            proposal=self._proposal,
            fate=fate,
            reason=reason,
            spec=self._spec,
            quote=self._quote,
            statement=self._statement,
            expected=self._expected,
            signal=self._signal,
            new=tuple(self._new),
        )

    def _fate(self) -> Fate:
        proposal, judge = self._proposal, self._judge
        self._quote = find_quote(judge.episode.text, proposal.evidence)
        if self._quote is None:
            raise _SettledError(Fate.REFUSE, f"evidence {brief(proposal.evidence)} does not stand in the episode")
        spec = self._spec = judge.schema.attribute(proposal.attribute)
        subject = self._entity(proposal.subject, spec.kinds, "subject")
        stored = self._stored(subject)
        if proposal.change is Change.NO_CHANGE or self._repeats(stored):
            return self._unchanged(subject, stored)
        self._expected = Expected(judge.at, None if stored is None else stored.value)
        if proposal.change is Change.END:
            assert stored is not None
            self._statement = self._end(subject, stored.value, self._start(), self._until())
        else:
            value = self._value()
            self._statement = self._change(subject, value, stored)
        if spec.options.recurs > 1 and proposal.change is not Change.END:
            self._signal = slot_key(judge.episode.tenant, subject, spec.name, _similar(value))
            raise _SettledError(Fate.WEAK, f"waits until {spec.options.recurs} episodes have said so")
        if spec.options.sensitive:
            raise _SettledError(Fate.REVIEW, f"{spec.name} is sensitive: it waits for the user's confirmation")
        return Fate.COMMIT

    def _entity(self, said: str, kinds: Sequence[str], role: str) -> str:
        """Return the key of the entity that a name means; ends where it means several, or none that may be."""
        judge = self._judge
        found = judge.known.get(said, ())
        fitting = [entity for entity in found if self._fits(entity, kinds)]
        if len(fitting) == 1 and self._is_meant(fitting[0], said):
            return fitting[0].key
        if len(fitting) == 1:
            raise _SettledError(Fate.REVIEW, f"{role} {brief(said)} is known, and the episode does not name it")
        if fitting:
            could = ", ".join(sorted(entity.key for entity in fitting))
            raise _SettledError(Fate.REVIEW, f"{role} {brief(said)} could be {could}")
        if found:
            other = found[0]
            raise _SettledError(
                Fate.REVIEW,
                f"{role} {brief(said)} is {other.key}, a {' and '.join(other.kinds)}, and a "
                f"{' or '.join(kinds)} is wanted",
            )
        if said == judge.about:
            return said
        if normalise(said) in _PRONOUNS:
            raise _SettledError(Fate.REFUSE, f"{role} {brief(said)} names nobody: say with about= who is meant")
        if not _stands_in(judge.episode.text, said):
            raise _SettledError(Fate.REFUSE, f"{role} {brief(said)} is neither known nor named in the episode")
        key = names.entity_key(slug(said))
        self._new.append(Named(key, said.strip(), kinds[0] if len(kinds) == 1 else None))
        return key

    def _is_meant(self, entity: Entity, said: str) -> bool:
        judge = self._judge
        return entity.key in judge.shown or entity.key == judge.about or _stands_in(judge.episode.text, said)

    def _fits(self, entity: Entity, kinds: Sequence[str]) -> bool:
        is_a = self._judge.schema.is_a
        return not entity.kinds or not kinds or any(is_a(own, kind) for own in entity.kinds for kind in kinds)

    def _stored(self, subject: str) -> Fact | None:
        """Return what is stored in the slot that is meant; ends where the model took it for something else."""
        spec, proposal = self._spec, self._proposal
        assert spec is not None
        value, current = proposal.value, proposal.current_value
        held = self._judge.held.get((subject, spec.name), ())
        if value is None and proposal.change in (Change.NEW, Change.UPDATE):
            raise _SettledError(Fate.REFUSE, f"{spec.name}: a change of kind {proposal.change} needs a value")
        if spec.cardinality is Cardinality.MANY:
            meant = current if value is None else value
            if meant is None:
                raise _SettledError(Fate.REFUSE, f"{spec.name} has many values: the one that is meant is missing")
            if current is not None and current != meant:
                raise _SettledError(
                    Fate.REFUSE,
                    f"{spec.name} has many values, each with a history of its own: end {brief(current)}, and say "
                    f"{brief(meant)} as new",
                )
            return next((fact for fact in held if self._is(fact, meant)), None)
        stored = held[0] if held else None
        if current is None if stored is None else self._is(stored, current):
            return stored
        raise _SettledError(
            Fate.STALE,
            f"current_value of {spec.name} was given as {_or_nothing(current)}, and stored is "
            f"{_or_nothing(None if stored is None else as_shown(_value_of(stored)))}",
        )

    def _is(self, fact: Fact, said: Scalar | None) -> bool:
        """Whether what a model wrote is the value of a fact, as it was shown."""
        stored = as_shown(_value_of(fact))
        if isinstance(fact.value, Ref):
            return said == stored or any(entity.key == stored for entity in self._judge.known.get(str(said), ()))
        return said == stored and isinstance(said, bool) is isinstance(stored, bool)

    def _repeats(self, stored: Fact | None) -> bool:
        """Whether a change would change nothing."""
        proposal = self._proposal
        if proposal.change is Change.END:
            return stored is None
        return stored is not None and proposal.until is None and self._is(stored, proposal.value)

    def _unchanged(self, subject: str, stored: Fact | None) -> Fate:
        """Return the fate of a candidate that says what is stored already; as a confirmation where declared."""
        spec, proposal = self._spec, self._proposal
        assert spec is not None
        if stored is None:
            if proposal.change is Change.END:
                raise _SettledError(Fate.UNCHANGED, f"no such value of {spec.name} is stored, so none ends")
            raise _SettledError(
                Fate.STALE, f"{spec.name} is said not to have changed, and no such value is stored"
            )
        if proposal.value is not None and not self._is(stored, proposal.value):
            raise _SettledError(
                Fate.STALE,
                f"{spec.name} is said not to have changed from {brief(proposal.value)}, and stored is "
                f"{brief(as_shown(_value_of(stored)))}",
            )
        if not spec.options.confirms:
            raise _SettledError(Fate.UNCHANGED, "repeats what is stored")
        self._expected = Expected(self._judge.at, stored.value)
        self._statement = self._assertion(subject, _value_of(stored), stored.asserted_from, stored.until)
        return Fate.COMMIT

    def _value(self) -> Value:
        spec, said = self._spec, self._proposal.value
        assert spec is not None
        if spec.type != "ref":
            return self._judge.schema.check(spec.name, said)
        if not isinstance(said, str):
            raise InvalidInputError(f"{spec.name} {brief(said)} must name an entity")
        return Ref(self._entity(said, () if spec.target is None else (spec.target,), "value"), spec.target)

    def _start(self) -> datetime:
        """Return since when it is so: since the episode, where it does not say."""
        episode, said = self._judge.episode, self._proposal.valid_from
        return (
            parse_instant(said, "valid_from") if said is not None else episode.occurred_at or episode.recorded_at
        )

    def _until(self) -> datetime | None:
        said = self._proposal.until
        return None if said is None else parse_instant(said, "until")

    def _change(self, subject: str, value: Value, stored: Fact | None) -> Statement:
        start, until = self._start(), self._until()
        if stored is not None and until is not None and same_value(value, stored.value):
            statements.interval(start, until, "valid_from")
            return self._end(subject, value, until, None)  # it holds already, and will end then
        return self._assertion(subject, value, start, until)

    def _assertion(self, subject: str, value: Value, start: datetime, until: datetime | None) -> Statement:
        judge, spec = self._judge, self._spec
        assert spec is not None
        assert self._quote is not None
        return statements.assertion(
            judge.episode.tenant,
            judge.attributes,
            subject,
            spec.name,
            value,
            valid_from=start,
            until=until,
            episode=judge.episode,
            quote=self._quote.text,
        )

    def _end(self, subject: str, value: Value | None, at: datetime, until: datetime | None) -> Statement:
        judge, spec = self._judge, self._spec
        assert spec is not None
        assert self._quote is not None
        return statements.end(
            judge.episode.tenant,
            judge.attributes,
            subject,
            spec.name,
            at=at,
            until=until,
            value=value if spec.cardinality is Cardinality.MANY else None,
            episode=judge.episode,
            quote=self._quote.text,
        )


def confirmers(schema: Schema, spec: AttributeSpec | None) -> tuple[str, ...] | None:
    """Return the sources whose confirmation an attribute waits for; None: any."""
    if spec is None or not (spec.options.sensitive or spec.options.conflict is Conflict.CONFIRM):
        return None
    return schema.users


def _value_of(fact: Fact) -> Value:
    assert fact.value is not None  # an end is not held
    return fact.value


def _similar(value: Value) -> Value:
    """Return what weak signals with this value have in common: of text, its words whatever their case."""
    return (normalise(value) or value) if isinstance(value, str) else value


def _stands_in(text: str, name: str) -> bool:
    """Whether the words of a name stand in a text one after the other."""
    sought, found = list(words(name)), list(words(text))
    if len(sought) == 1:
        return sought[0] in found
    size = len(sought)
    firsts = (i for i, pair in enumerate(pairwise(found)) if list(pair) == sought[:2])
    return bool(sought) and any(found[i : i + size] == sought for i in firsts)


def _or_nothing(value: Scalar | None) -> str:
    return "nothing" if value is None else brief(value)
