"""What is to become of what a model proposed: checked against the episode, the schema and what is stored.

Pure: the model's word is never taken for the tenant, the source, or what is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from graph_memory.domain.instants import MICROSECOND, format_instant, parse_instant
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Cardinality, Entity, Episode, Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value
from graph_memory.episodes.quotes import Quote, find_quote
from graph_memory.errors import GraphMemoryError, InvalidInputError, brief
from graph_memory.extraction.entity_linking import Fate, NewEntity, Resolver, SettledError
from graph_memory.extraction.proposals import Change, Malformed, Proposal, Scalar, as_shown
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Expected
from graph_memory.ledger.statements import Attributes, Statement
from graph_memory.ledger.timeline import same_value
from graph_memory.schema.attribute_spec import AttributeSpec, Conflict
from graph_memory.schema.schema import Schema


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
    expected: tuple[Expected, ...] = ()
    signal: str | None = None
    new: tuple[NewEntity, ...] = ()


Held: TypeAlias = Mapping[tuple[str, str], Sequence[Fact]]
"""What is stored, by subject and attribute."""


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
        shown: by key, the entities that it may mean, as the model was shown them.
        known: the entities that each name used can mean.
        held: what is stored of them at that instant.
    """

    schema: Schema
    attributes: Attributes
    episode: Episode
    at: datetime
    about: str | None
    shown: Mapping[str, Entity]
    known: Mapping[str, Sequence[Entity]]
    held: Held

    def judge(self, proposals: Sequence[Proposal | Malformed]) -> list[Judgement]:
        """Return what is to become of proposals, in their order."""
        resolver = Resolver(self.schema, self.episode, self.about, self.shown, self.known)
        return [
            Judgement(number, proposal, Fate.REFUSE, proposal.reason)
            if isinstance(proposal, Malformed)
            else _Judging(self, resolver, number, proposal).judgement()
            for number, proposal in enumerate(proposals, start=1)
        ]


class _Judging:
    """One proposal while it is judged: what is known of it is kept, whatever becomes of it."""

    def __init__(self, judge: Judge, resolver: Resolver, number: int, proposal: Proposal) -> None:
        self._judge = judge
        self._resolver = resolver
        self._number = number
        self._proposal = proposal
        self._spec: AttributeSpec | None = None
        self._quote: Quote | None = None
        self._statement: Statement | None = None
        self._expected: tuple[Expected, ...] = ()
        self._signal: str | None = None
        self._new: list[NewEntity] = []

    def judgement(self) -> Judgement:
        try:
            fate, reason = self._fate(), None
        except SettledError as end:
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
            raise SettledError(Fate.REFUSE, f"evidence {brief(proposal.evidence)} does not stand in the episode")
        spec = self._spec = judge.schema.attribute(proposal.attribute)
        subject = self._entity(proposal.subject, spec.kinds, "subject")
        try:
            stored = self._stored(subject)
        except SettledError:
            with suppress(GraphMemoryError, SettledError):  # for the person who decides it, as far as it goes
                self._statement = self._taken_alone(subject)
            raise
        if proposal.change is Change.END:
            if stored is None:
                raise SettledError(Fate.UNCHANGED, f"no such value of {spec.name} is stored, so none ends")
            self._ends(subject, stored)
        else:
            value = _value_of(stored) if stored is not None and proposal.value is None else self._value()
            if stored is not None and self._repeats(value, stored):
                return self._unchanged(subject, stored)
            if proposal.change is Change.NO_CHANGE:
                raise SettledError(Fate.STALE, f"{spec.name} is said not to have changed, and stored is another")
            self._changes(subject, value, stored)
            assert self._statement is not None
            if spec.options.recurs > 1 and self._statement.value is not None:
                self._signal = slot_key(judge.episode.tenant, subject, spec.name, _similar(value))
                raise SettledError(Fate.WEAK, f"waits until {spec.options.recurs} episodes have said so")
        if spec.options.sensitive:
            raise SettledError(Fate.REVIEW, f"{spec.name} is sensitive: it waits for the user's confirmation")
        return Fate.COMMIT

    def _taken_alone(self, subject: str) -> Statement:
        """Return what it says, whatever is stored."""
        if self._proposal.change is Change.END:
            value = None if self._proposal.value is None else self._value()
            return self._end(subject, value, self._until() or self._start())
        return self._assertion(subject, self._value(), self._start(), self._until())

    def _entity(self, said: str, kinds: Sequence[str], role: str) -> str:
        key, new = self._resolver.resolve(said, kinds, role)
        if new is not None:
            self._new.append(new)
        return key

    def _stored(self, subject: str) -> Fact | None:
        """Return what is stored in the slot that is meant; ends where the model took it for something else."""
        spec, proposal = self._spec, self._proposal
        assert spec is not None
        value, current = proposal.value, proposal.current_value
        held = self._judge.held.get((subject, spec.name), ())
        if value is None and proposal.change in (Change.NEW, Change.UPDATE):
            raise SettledError(Fate.REFUSE, f"{spec.name}: a change of kind {proposal.change} needs a value")
        if spec.cardinality is Cardinality.MANY:
            meant = current if value is None else value
            if meant is None:
                raise SettledError(Fate.REFUSE, f"{spec.name} has many values: the one that is meant is missing")
            if current is not None and current != meant:
                raise SettledError(
                    Fate.REFUSE,
                    f"{spec.name} has many values, each with a history of its own: end {brief(current)}, and say "
                    f"{brief(meant)} as new",
                )
            return next((fact for fact in held if self._is(fact, meant)), None)
        stored = held[0] if held else None
        if current is None if stored is None else self._is(stored, current) or self._is(stored, value):
            return stored
        raise SettledError(
            Fate.STALE,
            f"current_value of {spec.name} was given as {_or_nothing(current)}, and stored is "
            f"{_or_nothing(None if stored is None else as_shown(_value_of(stored)))}",
        )

    def _is(self, fact: Fact, said: Scalar | None) -> bool:
        """Whether what a model wrote is the value of a fact, as it was shown."""
        spec, stored = self._spec, as_shown(_value_of(fact))
        assert spec is not None
        if isinstance(fact.value, Ref):
            return said == stored or any(entity.key == stored for entity in self._judge.known.get(str(said), ()))
        if spec.options.recurs > 1 and isinstance(said, str) and isinstance(stored, str):
            return normalise(said) == normalise(stored)  # as weak signals are compared
        return said == stored and isinstance(said, bool) is isinstance(stored, bool)

    def _value(self) -> Value:
        spec, said = self._spec, self._proposal.value
        assert spec is not None
        if isinstance(said, str) and not said.strip():
            raise InvalidInputError(f"{spec.name} {brief(said)} says nothing")
        if spec.type != "ref":
            return self._judge.schema.check(spec.name, said)
        if not isinstance(said, str):
            raise InvalidInputError(f"{spec.name} {brief(said)} must name an entity")
        return Ref(self._entity(said, () if spec.target is None else (spec.target,), "value"), spec.target)

    def _repeats(self, value: Value, stored: Fact) -> bool:
        """Whether a value says no more than what is stored.

        Raises:
            SettledError: it lasts longer than that, or for ever, which only a person should decide.
        """
        proposal, start = self._proposal, self._start()
        if not same_value(value, stored.value) and not self._is_cut(stored):
            return False
        if proposal.change is Change.NO_CHANGE:
            return True
        until = self._until()
        if until == stored.until:
            return start >= stored.asserted_from or proposal.valid_from is None
        if stored.until is None:
            return False
        lasts = "for ever" if until is None else f"until {format_instant(until)}"
        raise SettledError(
            Fate.REVIEW, f"is said to hold {lasts}, and what is stored ends on {format_instant(stored.until)}"
        )

    def _is_cut(self, stored: Fact) -> bool:
        """Whether the proposal repeats a text as it was shown: cut where it is long, or in another case."""
        return isinstance(stored.value, str) and self._is(stored, self._proposal.value)

    def _unchanged(self, subject: str, stored: Fact) -> Fate:
        """Return the fate of a candidate that says what is stored already; as a confirmation where declared."""
        spec = self._spec
        assert spec is not None
        if not spec.options.confirms:
            raise SettledError(Fate.UNCHANGED, "repeats what is stored")
        self._expected = (Expected(self._judge.at, stored.value),)
        self._statement = self._assertion(subject, _value_of(stored), stored.asserted_from, stored.until)
        return Fate.COMMIT

    def _start(self) -> datetime:
        """Return since when it is so: since the episode, where it does not say."""
        episode, said = self._judge.episode, self._proposal.valid_from
        if said is None:
            return episode.said_at
        return parse_instant(said, "valid_from")

    def _until(self) -> datetime | None:
        said = self._proposal.until
        return None if said is None else parse_instant(said, "until")

    def _changes(self, subject: str, value: Value, stored: Fact | None) -> None:
        """Note what a new value says; one that holds already and is said to end ends then."""
        start, until = statements.interval(self._start(), self._until(), "valid_from")
        same = stored is not None and same_value(value, stored.value)
        late = stored is not None and start < stored.asserted_from
        if stored is not None and same and not late and until is not None:
            self._end_of(subject, stored, until)
            return
        if stored is not None and late and not same and until is None and self._proposal.change is Change.UPDATE:
            raise SettledError(
                Fate.REVIEW,
                f"would not take the place of what is stored, which holds since "
                f"{format_instant(stored.asserted_from)} only: {format_instant(start)} is before",
            )
        self._expected = (Expected(self._judge.at, None if stored is None else stored.value),)
        self._statement = self._assertion(subject, value, start, until)

    def _ends(self, subject: str, stored: Fact) -> None:
        """Note an end: at `until` where that is said, for `valid_from` may then be the start of what ends."""
        until = self._until()
        self._end_of(subject, stored, self._start() if until is None else until)

    def _end_of(self, subject: str, stored: Fact, at: datetime) -> None:
        """Note the end of what is stored, which has to hold right up to then."""
        spec = self._spec
        assert spec is not None
        if at <= stored.asserted_from:
            raise SettledError(
                Fate.REVIEW,
                f"ends at {format_instant(at)} what is stored since {format_instant(stored.asserted_from)}",
            )
        if stored.until is not None and stored.until <= at:
            raise SettledError(Fate.UNCHANGED, f"{spec.name} ends on {format_instant(stored.until)} already")
        held = (self._judge.at, max(at - MICROSECOND, stored.asserted_from))
        self._expected = tuple(Expected(one, stored.value) for one in held)
        self._statement = self._end(subject, stored.value, at)

    def _assertion(self, subject: str, value: Value, start: datetime, until: datetime | None) -> Statement:
        judge, spec = self._judge, self._spec
        assert spec is not None
        assert self._quote is not None
        said = statements.assertion(
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
        return replace(said, quoted_at=self._quote.start)

    def _end(self, subject: str, value: Value | None, at: datetime) -> Statement:
        judge, spec = self._judge, self._spec
        assert spec is not None
        assert self._quote is not None
        said = statements.end(
            judge.episode.tenant,
            judge.attributes,
            subject,
            spec.name,
            at=at,
            until=None,
            value=value if spec.cardinality is Cardinality.MANY else None,
            episode=judge.episode,
            quote=self._quote.text,
        )
        return replace(said, quoted_at=self._quote.start)


def confirmers(schema: Schema | None, attribute: str | None) -> tuple[str, ...] | None:
    """Return the sources whose confirmation an attribute waits for; None: any."""
    spec = None if schema is None or attribute is None else schema.attributes.get(attribute)
    if schema is None or spec is None or not (spec.options.sensitive or spec.options.conflict is Conflict.CONFIRM):
        return None
    return schema.users


def _value_of(fact: Fact) -> Value:
    assert fact.value is not None  # an end is not held
    return fact.value


def _similar(value: Value) -> Value:
    """Return what weak signals with this value have in common: of text, its words whatever their case."""
    return (normalise(value) or value) if isinstance(value, str) else value


def _or_nothing(value: Scalar | None) -> str:
    return "nothing" if value is None else brief(value)
