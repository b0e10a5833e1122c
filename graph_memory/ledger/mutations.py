"""The decisions of one write, made once everything it depends on is locked and read: parameters of write/apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph_memory.domain.identifiers import relationship_type
from graph_memory.domain.instants import format_instant, to_micros, to_pair
from graph_memory.domain.records import Fact
from graph_memory.domain.values import Ref, Value, shown, to_property, value_type
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
    brief,
    merged_error,
)
from graph_memory.ledger.commands import Authority, Command, StaleExpectationError, Stored, Written
from graph_memory.ledger.conflict_policy import overrule
from graph_memory.ledger.planner import (
    Assertion,
    Change,
    Confirmation,
    Correction,
    Decision,
    Plan,
    Retraction,
    Status,
    Window,
)
from graph_memory.ledger.statements import Statement
from graph_memory.ledger.timeline import Entry, Segment, holding, same_value


@dataclass(slots=True)
class Mutation:
    """The decisions of one write, made once everything it depends on is locked and read."""

    tenant: str
    new_id: Callable[[], str]
    instant: datetime
    created: set[str]
    new_slots: set[str]
    windows: Mapping[str, Window]
    plan: Plan = field(default_factory=Plan)
    merged: dict[str, str] = field(default_factory=dict)
    _statements: dict[str, tuple[Statement, str, int | None]] = field(default_factory=dict)
    _by_slot: dict[str, tuple[str, str]] = field(default_factory=dict)
    _commands: list[tuple[Command, int | None, GraphMemoryError | None]] = field(default_factory=list)
    _changes: list[tuple[Command, str | None]] = field(default_factory=list)

    def change(self, command: Command, episodes: Mapping[str, tuple[str | None, str | None]]) -> Change | None:
        """Return the planner's change for a command; None where the command is refused, which is noted."""
        try:
            change, entry = self._change(command, episodes)
        except GraphMemoryError as error:
            self._commands.append((command, None, error))
            return None
        self._commands.append((command, len(self._changes), None))
        self._changes.append((command, entry))
        return change

    def _change(
        self, command: Command, episodes: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[Change, str | None]:
        statement, old = command.statement, command.old
        for known in (statement, old):
            if known is not None:
                self._by_slot[known.slot] = known.subject, known.attribute
        if statement is None:
            assert old is not None
            if command.episode is not None:
                _source(self.tenant, command.episode, episodes)
            return Retraction(old.id), None
        if not command.moved and not command.confirms:
            self._require_unmerged(statement, old)
        source, text = _source(self.tenant, statement.episode, episodes)
        entry = Entry(
            id=self.new_id(),
            slot=statement.slot,
            valid_from=statement.valid_from,
            until=statement.until,
            value=statement.value,
            source=source,
            episodes=frozenset({statement.episode}),
        )
        self._statements[entry.id] = statement, source, _offset(statement, text)
        if old is not None:
            return Correction(old.id, entry, command.moved), entry.id
        if command.confirms:
            return Confirmation(entry), entry.id
        if command.decided is not None:
            guard = statement.terms.guard if command.decided is Authority.GUARDED else None
            return Assertion(entry, overrule, guard), entry.id
        self._compare(statement, command)
        return Assertion(entry, statement.terms.policy, statement.terms.guard), entry.id

    def _require_unmerged(self, statement: Statement, old: Stored | None) -> None:
        """Raise ConflictError where a statement names an entity that was merged into another.

        A correction that keeps the reference is not checked here: the merge replaced its entry, so the planner
        refuses it and names the successor.
        """
        named = [] if old is not None else [statement.subject]
        value = statement.stored_value
        if isinstance(value, Ref) and (old is None or not same_value(value, old.value)):
            named.append(value.key)
        for key in named:
            if key in self.merged:
                raise merged_error(key, self.merged[key])

    def _compare(self, statement: Statement, command: Command) -> None:
        """Raise StaleExpectationError where another value holds, or an entity that was new exists by now."""
        for expected in command.expected:
            held = holding(self.windows[statement.slot].entries, expected.at)
            stored = None if held is None else held.value
            if not same_value(stored, expected.value):
                raise StaleExpectationError(
                    f"{statement.subject}.{statement.attribute} at {format_instant(expected.at)} was expected to "
                    f"be {_or_nothing(expected.value)} and is {_or_nothing(stored)}"
                )
        for key in command.new:
            if key not in self.created:
                raise StaleExpectationError(
                    f"entity {key} did not exist and exists by now: it may be another entity of the same name"
                )

    def to_apply(self) -> dict[str, Any]:
        """Return the parameters of write/apply."""
        plan = self.plan
        new = {entry.id: entry for entry in plan.created}
        opened = set(plan.opened)
        edges: dict[str, list[dict[str, Any]]] = {}
        for segment in plan.added:
            if segment.entry.id in new:
                edges.setdefault(segment.entry.id, []).append(_interval(segment))
        rows = [self._row(e, e.id in opened, edges.get(e.id, [])) for e in plan.created]
        used_slots = {entry.slot for entry in plan.created}
        needed = {key for entry in plan.created for key in self._entities(entry)}
        parameters: dict[str, Any] = {
            "tenant": self.tenant,
            "instant": self.instant,
            "unused": sorted(self.created - needed),
            "retracted": [id_ for id_ in plan.retracted if id_ not in new],
            "closed": plan.closed,
            "slots": [self._slot(slot) for slot in sorted(used_slots & self.new_slots)],
            "literals": [row for row in rows if not row["is_reference"]],
            "references": [row for row in rows if row["is_reference"]],
            "kinds": self._kinds(plan.created),
            "opened": [id_ for id_ in plan.opened if id_ not in new],
            "supersedes": [
                {"id": id_, "old": old, "kind": str(link)} for id_, (old, link) in plan.supersedes.items()
            ],
            "confirmed": [self._confirmation(id_, index) for id_, index in plan.confirmed],
        }
        return parameters | self._retractions() | self._stored_edges(new)

    def _row(self, entry: Entry, is_open: bool, edges: list[dict[str, Any]]) -> dict[str, Any]:
        statement, _, start = self._statements[entry.id]
        stored = statement.stored_value
        labels = ["Live"] if entry.live else []
        return {
            "id": entry.id,
            "labels": [*labels, "Open"] if is_open else labels,
            "subject": statement.subject,
            "attribute": statement.attribute,
            "type": relationship_type(statement.attribute),
            "slot": entry.slot,
            "value": None if stored is None else to_property(stored),
            "has_value": entry.value is not None,
            "value_type": None if stored is None else value_type(stored),
            "valid_from": to_pair(entry.valid_from),
            "until": None if entry.until is None else to_pair(entry.until),
            "live": entry.live,
            "schema_version": statement.terms.schema_version,
            "memory_type": statement.terms.memory_type,
            "retention": statement.terms.retention,
            "is_reference": isinstance(stored, Ref),
            "edges": edges,
            **_citation(statement, start),
        }

    def _entities(self, entry: Entry) -> Iterable[str]:
        stored = self._statements[entry.id][0].stored_value
        yield self._by_slot[entry.slot][0]
        if isinstance(stored, Ref):
            yield stored.key

    def _slot(self, slot: str) -> dict[str, Any]:
        subject, attribute = self._by_slot[slot]
        return {"key": slot, "subject": subject, "attribute": attribute}

    def _kinds(self, created: Iterable[Entry]) -> list[dict[str, Any]]:
        kinds: dict[str, set[str]] = {}
        for entry in created:
            statement = self._statements[entry.id][0]
            if statement.terms.kind is not None:
                kinds.setdefault(statement.subject, set()).add(statement.terms.kind)
            if isinstance(entry.value, Ref) and entry.value.kind is not None:
                kinds.setdefault(entry.value.key, set()).add(entry.value.kind)
        return [{"key": key, "labels": sorted(labels)} for key, labels in kinds.items()]

    def _confirmation(self, id_: str, index: int) -> dict[str, Any]:
        proposed = self._changes[index][1]
        assert proposed is not None
        statement, _, start = self._statements[proposed]
        return {"id": id_, **_citation(statement, start)}

    def _retractions(self) -> dict[str, Any]:
        reasons = {
            decision.entry: command
            for (command, _), decision in zip(self._changes, self.plan.decisions, strict=True)
            if command.statement is None
        }
        corrected = {
            command.old.id: command.reason or "corrected"
            for command, _ in self._changes
            if command.statement and command.old
        }
        replaced, withdrawn = [], []
        for id_, by in self.plan.retracted.items():
            if by is None:
                command = reasons[id_]
                withdrawn.append({"id": id_, "episode": command.episode, "reason": command.reason})
            else:
                reason = corrected.get(id_, "outranked by a better source")
                replaced.append({"id": id_, "by": by, "reason": reason})
        return {"replaced": replaced, "withdrawn": withdrawn}

    def _stored_edges(self, new: Mapping[str, Entry]) -> dict[str, Any]:
        plan = self.plan
        changed: dict[str, dict[str, Any]] = {}
        for segments, gone in ((plan.removed, True), (plan.resized, False)):
            for segment in segments:
                row = changed.setdefault(segment.entry.id, {**self._ends(segment.entry), "edges": {}})
                row["edges"][str(to_micros(segment.valid_from))] = {**_interval(segment), "gone": gone}
        added = [
            {**self._ends(segment.entry), **_interval(segment)}
            for segment in plan.added
            if segment.entry.id not in new
        ]
        return {
            "literal_edges": [row for row in changed.values() if row["object"] is None],
            "reference_edges": [row for row in changed.values() if row["object"] is not None],
            "literal_additions": [row for row in added if row["object"] is None],
            "reference_additions": [row for row in added if row["object"] is not None],
        }

    def _ends(self, entry: Entry) -> dict[str, Any]:
        subject, attribute = self._by_slot[entry.slot]
        return {
            "id": entry.id,
            "type": relationship_type(attribute),
            "subject": subject,
            "object": entry.value.key if isinstance(entry.value, Ref) else None,
        }

    def results(self) -> list[Written]:
        """Return the result of each command, in order."""
        return [
            Written(Status.REFUSED, error=error)
            if index is None
            else self._result(command, self._changes[index][1], self.plan.decisions[index])
            for command, index, error in self._commands
        ]

    def _result(self, command: Command, proposed: str | None, decision: Decision) -> Written:
        if decision.status is Status.REFUSED:
            error = self._conflict(command, decision)
            return Written(Status.REFUSED, error=error, against=decision.against)
        fact = reason = None
        if proposed is not None and decision.entry == proposed:
            if len(self._commands) == 1:  # a write of many commands returns only ids
                fact = self._fact(self.plan.known[proposed])
            if decision.against:
                reason = f"kept, but not live: fact {decision.against[0]} comes from a better source"
        return Written(decision.status, decision.entry, fact, reason=reason)

    def _conflict(self, command: Command, decision: Decision) -> ConflictError:
        against = [self.plan.known[id_] for id_ in decision.against if id_ in self.plan.known]
        if command.old is not None and decision.entry == command.old.id:
            if not decision.against:
                return ConflictError(f"fact {command.old.id} was retracted: assert the right value as a new fact")
            return ConflictError(
                f"fact {command.old.id} is not live, because fact {decision.against[0]} replaced it: correct fact "
                f"{decision.against[0]} instead"
            )
        statement = command.statement
        assert statement is not None
        stored = ", ".join(_said_by(entry) for entry in against)
        if all(entry.rank != (statement.valid_from, statement.value is not None) for entry in against):
            return ConflictError(
                f"{statement.attribute} is protected, and {statement.subject}.{statement.attribute} at "
                f"{format_instant(statement.valid_from)} is {stored}. The source of episode {statement.episode} "
                f"ranks lower, so it cannot change this to {_saying(statement.value, statement.until)}: record it "
                "from a better source, or confirm it"
            )
        return ConflictError(
            f"{statement.subject}.{statement.attribute} at {format_instant(statement.valid_from)} is already "
            f"{stored}, and episode {statement.episode} says {_saying(statement.value, statement.until)}: "
            "correct the stored fact, retract it, or give another start"
        )

    def _fact(self, entry: Entry) -> Fact:
        statement, source, _ = self._statements[entry.id]
        first: Segment | None = self.plan.first.get(entry.id)
        link = self.plan.supersedes.get(entry.id)
        return Fact.model_construct(
            id=entry.id,
            tenant=self.tenant,
            subject=statement.subject,
            attribute=statement.attribute,
            value=entry.value,
            valid_from=first.valid_from if first else entry.valid_from,
            valid_to=first.valid_to if first else entry.valid_from,
            asserted_from=entry.valid_from,
            until=entry.until,
            ended=entry.value is None,
            ended_value=statement.ended_value,
            recorded_at=self.instant,
            retracted_at=None if entry.live else self.instant,
            episode_id=statement.episode,
            source=source,
            supersedes=link[0] if link else None,
            schema_version=statement.terms.schema_version,
            memory_type=statement.terms.memory_type,
            retention=statement.terms.retention,
        )


def _interval(segment: Segment) -> dict[str, Any]:
    return {
        "valid_from": to_pair(segment.valid_from),
        "valid_to": None if segment.valid_to is None else to_pair(segment.valid_to),
    }


def _citation(statement: Statement, start: int | None) -> dict[str, Any]:
    end = None if start is None or statement.quote is None else start + len(statement.quote)
    return {"episode": statement.episode, "quote": statement.quote, "start": start, "end": end}


def _source(
    tenant: str, episode: str, episodes: Mapping[str, tuple[str | None, str | None]]
) -> tuple[str, str | None]:
    source, text = episodes[episode]
    if source is None:
        raise NotFoundError(f"tenant {tenant} has no episode {brief(episode)}: record it first")
    return source, text


def _offset(statement: Statement, text: str | None) -> int | None:
    if statement.quote is None or statement.quoted_at is not None:
        return statement.quoted_at
    start = -1 if text is None else text.find(statement.quote)
    if start < 0:
        raise InvalidInputError(
            f"quote {brief(statement.quote)} is not in the text of episode {statement.episode}: give the exact "
            "words of the episode, or leave quote out"
        )
    return start


def _or_nothing(value: Value | None) -> str:
    return "nothing" if value is None else shown(value)


def _said_by(entry: Entry) -> str:
    episodes = ", ".join(sorted(entry.episodes))
    return f"{_saying(entry.value, entry.until)} (fact {entry.id}, episode {episodes}, source {entry.source})"


def _saying(value: Value | None, until: datetime | None) -> str:
    what = "ended" if value is None else shown(value)
    return what if until is None else f"{what} until {format_instant(until)}"
