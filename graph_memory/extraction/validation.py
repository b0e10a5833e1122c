"""Judges the proposals of a model against the episode, the schema and the stored facts. Pure.

Tenant, source and stored values come from the database, never from the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from graph_memory.candidates.records import NOTHING, Understood
from graph_memory.candidates.rows import understood
from graph_memory.domain.instants import MICROSECOND, format_instant, parse_instant
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Cardinality, Entity, Episode, Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value
from graph_memory.episodes.quotes import Quote, find_quote
from graph_memory.errors import GraphMemoryError, InvalidInputError, brief
from graph_memory.extraction.entity_linking import Fate, NewEntity, Resolver, SettledError
from graph_memory.extraction.proposals import Change, Malformed, Proposal, Scalar, as_shown, or_nothing
from graph_memory.extraction.quoted_statements import QuotedStatements
from graph_memory.extraction.stated_times import StatedTimes
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Expected
from graph_memory.ledger.statements import Attributes, Statement
from graph_memory.ledger.timeline import same_value
from graph_memory.schema.attribute_spec import AttributeSpec
from graph_memory.schema.schema import Schema

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about a proposal.

    Attributes:
        number: its place in the answer of the model, from 1.
        proposal: the proposal of the model.
        fate: the decision.
        reason: the reason for the decision; None: the proposal is committed.
        spec: the declaration of its attribute; None: the attribute is not declared.
        quote: its evidence in the episode; None: the episode does not contain it.
        statement: the statement that is committed; None: nothing is.
        understood: what was understood of the proposal, whatever the decision.
        expected: the values that must be stored for it to be committed.
        signal: the key that similar weak signals share.
        new: the entities that it names for the first time.
    """

    number: int
    proposal: Proposal | Malformed
    fate: Fate
    reason: str | None = None
    spec: AttributeSpec | None = None
    quote: Quote | None = None
    statement: Statement | None = None
    understood: Understood = NOTHING
    expected: tuple[Expected, ...] = ()
    signal: str | None = None
    new: tuple[NewEntity, ...] = ()


Held: TypeAlias = Mapping[tuple[str, str], Sequence[Fact]]
"""The facts that hold, by subject and attribute."""


def named_in(schema: Schema, proposals: Iterable[Proposal | Malformed]) -> set[str]:
    """Return all names of entities in the proposals. They are looked up before the proposals are judged."""
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
        schema: declares the attributes.
        attributes: the same declarations, as statements take them.
        episode: the episode that must contain the evidence; it gives tenant and source.
        at: the instant whose stored values the prompt showed (UTC).
        about: key of the entity that "I" and "my" mean; None: it is unknown.
        shown: by key, the entities that the prompt showed.
        known: by name in the proposals, the entities that have it.
        held: the facts about these entities that hold at `at`.
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
        """Return the decisions about proposals, in their order."""
        resolver = Resolver(self.schema, self.episode, self.about, self.shown, self.known)
        stated = StatedTimes(self.episode.text, self.episode.said_at)
        return [
            Judgement(number, proposal, Fate.REFUSE, proposal.reason)
            if isinstance(proposal, Malformed)
            else _Judging(self, resolver, stated, number, proposal).judgement()
            for number, proposal in enumerate(proposals, start=1)
        ]


class _Judging:
    """One proposal while it is judged; its findings are kept whatever the decision is."""

    def __init__(
        self, judge: Judge, resolver: Resolver, stated: StatedTimes, number: int, proposal: Proposal
    ) -> None:
        self._judge = judge
        self._stated = stated
        self._statements = QuotedStatements(judge.attributes, judge.episode)
        self._resolver = resolver
        self._number = number
        self._proposal = proposal
        self._spec: AttributeSpec | None = None
        self._quote: Quote | None = None
        self._statement: Statement | None = None
        self._understood = NOTHING
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
        if self._statement is None:
            self._understood = self._understand()
        return Judgement(
            number=self._number,
            proposal=self._proposal,
            fate=fate,
            reason=reason,
            spec=self._spec,
            quote=self._quote,
            statement=self._statement,
            understood=self._understood
            if self._statement is None
            else understood(self._statement, str(self._proposal.change)),
            expected=self._expected,
            signal=self._signal,
            new=tuple(self._new),
        )

    def _fate(self) -> Fate:
        proposal, judge = self._proposal, self._judge
        self._quote = find_quote(judge.episode.text, proposal.evidence)
        if self._quote is None:
            raise SettledError(Fate.REFUSE, f"evidence {brief(proposal.evidence)} is not in the episode")
        spec = self._spec = judge.schema.attribute(proposal.attribute)
        subject = self._entity(proposal.subject, spec.kinds, "subject")
        stored = self._stored(subject)
        if proposal.change is Change.END:
            if stored is None:
                raise SettledError(Fate.UNCHANGED, f"no such value of {spec.name} is stored, so nothing ends")
            self._ends(subject, stored)
            self._check_times()
        else:
            value = _value_of(stored) if stored is not None and proposal.value is None else self._value()
            if stored is not None and self._repeats(value, stored):
                return self._unchanged(subject, stored)
            if proposal.change is Change.NO_CHANGE:
                other = "nothing" if stored is None else "another value"
                raise SettledError(Fate.STALE, f"{spec.name} is unchanged in the answer, but {other} is stored")
            self._changes(subject, value, stored)
            self._check_times()
            assert self._statement is not None
            if spec.options.recurs > 1 and self._statement.value is not None:
                self._signal = slot_key(judge.episode.tenant, subject, spec.name, _similar(value))
                raise SettledError(Fate.WEAK, f"waits until {spec.options.recurs} episodes have said so")
        if spec.options.sensitive:
            raise SettledError(Fate.REVIEW, f"{spec.name} is sensitive: it waits for the user's confirmation")
        return Fate.COMMIT

    def _understand(self) -> Understood:
        """Return what was understood, part by part, for the person who decides; one bad part spoils no other."""
        proposal, spec = self._proposal, self._spec
        if spec is None:
            return Understood(attribute=proposal.attribute, change=str(proposal.change))
        value, many = None, spec.cardinality is Cardinality.MANY
        if many or proposal.change is not Change.END:  # of one value, whatever it is ends
            value = _part(lambda: self._value(proposal.current_value if many else None))
        start, until = _part(self._start), _part(self._until)
        if proposal.change is Change.END and until is not None:
            start, until = until, None  # an end is at `until` where that is said
        return Understood(
            subject=_part(lambda: self._entity(proposal.subject, spec.kinds, "subject")),
            attribute=spec.name,
            change=str(proposal.change),
            value=value,
            valid_from=start,
            until=until,
        )

    def _entity(self, said: str, kinds: Sequence[str], role: str) -> str:
        proposal, quote = self._proposal, self._quote
        words = str(proposal.value), proposal.attribute.replace("_", " ")
        key, new = self._resolver.resolve(
            said, kinds, role, (quote, *words) if quote and role == "subject" else None
        )
        if new is not None and new not in self._new:
            self._new.append(new)
        return key

    def _stored(self, subject: str) -> Fact | None:
        """Return the stored fact that the proposal is about; None: nothing is stored.

        Raises:
            SettledError: the proposal is incomplete, or the model believed another value to be stored.
        """
        spec, proposal = self._spec, self._proposal
        assert spec is not None
        value, current = proposal.value, proposal.current_value
        held = self._judge.held.get((subject, spec.name), ())
        if value is None and proposal.change in (Change.NEW, Change.UPDATE):
            raise SettledError(Fate.REFUSE, f"{spec.name}: a change of kind {proposal.change} needs a value")
        if spec.cardinality is Cardinality.MANY:
            meant = current if value is None else value
            if meant is None:
                raise SettledError(Fate.REFUSE, f"{spec.name} has many values: name the value that is meant")
            if current is not None and current != meant:
                raise SettledError(
                    Fate.REFUSE,
                    f"{spec.name} has many values, each with a history of its own: end {brief(current)}, and give "
                    f"{brief(meant)} as new",
                )
            return next((fact for fact in held if self._is(fact, meant)), None)
        stored = held[0] if held else None
        if current is None if stored is None else self._is(stored, current) or self._is(stored, value):
            return stored
        raise SettledError(
            Fate.STALE,
            f"current_value of {spec.name} is {or_nothing(current)} in the answer, but "
            f"{or_nothing(None if stored is None else as_shown(_value_of(stored)))} is stored",
        )

    def _is(self, fact: Fact, said: Scalar | None) -> bool:
        """Whether a model's text is the value of a fact, in the form that the prompt showed."""
        spec, stored = self._spec, as_shown(_value_of(fact))
        assert spec is not None
        if isinstance(fact.value, Ref):
            return said == stored or any(entity.key == stored for entity in self._judge.known.get(str(said), ()))
        if spec.options.recurs > 1 and isinstance(said, str) and isinstance(stored, str):
            return normalise(said) == normalise(stored)  # the comparison of weak signals
        return said == stored and isinstance(said, bool) is isinstance(stored, bool)

    def _value(self, otherwise: Scalar | None = None) -> Value:
        """Return the value that is proposed; where there is none, the other."""
        spec, said = self._spec, self._proposal.value
        assert spec is not None
        if said is None:
            said = otherwise
        if isinstance(said, str) and not said.strip():
            raise InvalidInputError(f"{spec.name} {brief(said)} is blank")
        if spec.type != "ref":
            return self._judge.schema.check(spec.name, said)
        if not isinstance(said, str):
            raise InvalidInputError(f"{spec.name} {brief(said)} must name an entity")
        return Ref(self._entity(said, () if spec.target is None else (spec.target,), "value"), spec.target)

    def _repeats(self, value: Value, stored: Fact) -> bool:
        """Whether a value says no more than the stored fact.

        Raises:
            SettledError: the value lasts longer than the stored fact; a person has to decide that.
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
            Fate.REVIEW, f"the value holds {lasts}, but the stored fact ends at {format_instant(stored.until)}"
        )

    def _is_cut(self, stored: Fact) -> bool:
        """Whether the proposal repeats a stored text as the prompt showed it: cut, or in another case."""
        return isinstance(stored.value, str) and self._is(stored, self._proposal.value)

    def _unchanged(self, subject: str, stored: Fact) -> Fate:
        """Return the fate of a candidate that repeats a stored fact: a confirmation where it is declared so."""
        spec = self._spec
        assert spec is not None
        if not spec.options.confirms:
            raise SettledError(Fate.UNCHANGED, "repeats the stored fact")
        self._expected = (Expected(self._judge.at, stored.value),)
        self._statement = self._assertion(subject, _value_of(stored), stored.asserted_from, stored.until)
        return Fate.COMMIT

    def _start(self) -> datetime:
        """Return the instant at which the value begins (UTC): the proposal's, else when the episode was said."""
        episode, said = self._judge.episode, self._proposal.valid_from
        if said is None:
            return episode.said_at
        return parse_instant(said, "valid_from")

    def _until(self) -> datetime | None:
        said = self._proposal.until
        return None if said is None else parse_instant(said, "until")

    def _check_times(self) -> None:
        """Raise SettledError where the model wrote a date of which the episode does not speak."""
        statement, start = self._statement, self._start()
        assert statement is not None
        said = {"valid_from": self._proposal.valid_from and start, statement.attribute: statement.value}
        reason = self._stated.lacks(said) or self._stated.lacks({"until": self._until()}, start)
        if reason is not None:
            raise SettledError(Fate.REVIEW, reason)

    def _changes(self, subject: str, value: Value, stored: Fact | None) -> None:
        """Set the statement of a new value; a value that holds already and has an end becomes an end."""
        start, until = statements.interval(self._start(), self._until(), "valid_from")
        same = stored is not None and same_value(value, stored.value)
        late = stored is not None and start < stored.asserted_from
        if stored is not None and same and not late and until is not None:
            self._end_of(subject, stored, until)
            return
        if stored is not None and late and not same and until is None and self._proposal.change is Change.UPDATE:
            raise SettledError(
                Fate.REVIEW,
                f"cannot replace the stored fact: that begins at {format_instant(stored.asserted_from)}, and the "
                f"new value before it, at {format_instant(start)}",
            )
        self._expected = (Expected(self._judge.at, None if stored is None else stored.value),)
        self._statement = self._assertion(subject, value, start, until)

    def _ends(self, subject: str, stored: Fact) -> None:
        """Set the statement of an end, at `until` if given: `valid_from` may then be the start of what ends."""
        until = self._until()
        self._end_of(subject, stored, self._start() if until is None else until)

    def _end_of(self, subject: str, stored: Fact, at: datetime) -> None:
        """Set the statement that ends the stored fact, which must hold until that instant."""
        spec = self._spec
        assert spec is not None
        if at <= stored.asserted_from:
            raise SettledError(
                Fate.REVIEW,
                f"would end the stored fact at {format_instant(at)}, but that fact begins at "
                f"{format_instant(stored.asserted_from)}",
            )
        if stored.until is not None and stored.until <= at:
            raise SettledError(Fate.UNCHANGED, f"{spec.name} ends at {format_instant(stored.until)} already")
        held = (self._judge.at, max(at - MICROSECOND, stored.asserted_from))
        self._expected = tuple(Expected(one, stored.value) for one in held)
        assert self._quote is not None
        self._statement = self._statements.end(subject, spec, stored.value, at, self._quote)

    def _assertion(self, subject: str, value: Value, start: datetime, until: datetime | None) -> Statement:
        spec, quote = self._spec, self._quote
        assert spec is not None
        assert quote is not None
        return self._statements.assertion(subject, spec, value, start, until, quote)


def _part(read: Callable[[], Part]) -> Part | None:
    try:
        return read()
    except (GraphMemoryError, SettledError):
        return None


def _value_of(fact: Fact) -> Value:
    assert fact.value is not None  # an end is not held
    return fact.value


def _similar(value: Value) -> Value:
    """Return the value by which weak signals are compared: a text in normal form, any other value as it is."""
    return (normalise(value) or value) if isinstance(value, str) else value
