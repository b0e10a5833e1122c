"""Selects the facts of a timeline that answer a question. Pure: from runs of values to facts with their roles.

A run is a fact over touching segments of equal value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from graph_memory.context.records import Note, NoteKind, Role
from graph_memory.domain.instants import FIRST_INSTANT, MICROSECOND
from graph_memory.domain.records import Fact
from graph_memory.domain.values import Ref, Value
from graph_memory.questions.attribute_matching import runs_of, says, words_of
from graph_memory.questions.records import REPLACING, Intent
from graph_memory.questions.time_expressions import Date, Period

MAX_FACTS = 50

Pair: TypeAlias = tuple[str, str]
"""A subject and an attribute."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A fact with its role in the context; `since` is set if the question asks for its start."""

    fact: Fact
    role: Role
    since: datetime | None = None


@dataclass(slots=True)
class Answers:
    """The answer of exact state to a question.

    Attributes:
        picked: the facts that answer, with the facts before or after them that the answer needs.
        related: facts on the way to what was asked, if that is not known.
        notes: what was not read, or could not be answered.
        unsaid: the pairs that those notes are about.
        missing: pairs of what the subjects refer to, of which nothing was found.
        total: how many facts answer, where not all of them are in `picked`.
    """

    picked: list[Picked] = field(default_factory=list)
    related: list[Picked] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    unsaid: set[Pair] = field(default_factory=set)
    missing: list[Pair] = field(default_factory=list)
    total: int = 0

    def say(self, pair: Pair, text: str) -> None:
        """Note why a pair has no answer, though something is known of it."""
        self.unsaid.add(pair)
        self.notes.append(Note(kind=NoteKind.NOTHING_KNOWN, text=text))


def overlapping(facts: Iterable[Fact], window: Period) -> list[Fact]:
    """Return the segments that hold at an instant, or at some instant of an interval."""
    end = window.end
    return [
        fact
        for fact in facts
        if (fact.valid_from <= window.start if end is None else fact.valid_from < end)
        and (fact.valid_to is None or fact.valid_to > window.start)
        and fact.valid_from != fact.valid_to
    ]


def hold_at_once(one: Fact, other: Fact) -> bool:
    """Whether there is an instant at which both segments hold."""
    return (one.valid_to is None or other.valid_from < one.valid_to) and (
        other.valid_to is None or one.valid_from < other.valid_to
    )


def referring(facts: Iterable[Fact], keys: Collection[str]) -> list[Fact]:
    """Return the facts whose value is one of the entities."""
    return [fact for fact in facts if isinstance(fact.value, Ref) and fact.value.key in keys]


def naming(said: str, facts: Iterable[Fact], values: Sequence[str], days: Sequence[Date]) -> list[Fact]:
    """Return the facts whose value a question names: by its words, as a day, or as an entity.

    A value that occurs only within a longer one is not named: "senior data analyst" does not name "data analyst".
    """
    named = [f for f in facts if f.value is not None and _names(said, f.value, values, days)]
    texts = {_text(f.value) for f in named if isinstance(f.value, str | Ref)}
    within = {text for text in texts if _only_within(said, text, texts - {text})}
    return [
        f
        for f in named
        if not (isinstance(f.value, str | Ref) and _text(f.value) in within)
        or (isinstance(f.value, Ref) and f.value.key in values)
    ]


def _text(value: str | Ref) -> str:
    return value.key if isinstance(value, Ref) else value


def _only_within(said: str, value: str, others: Iterable[str]) -> bool:
    """Whether a text has the words of a value only within the words of longer values."""
    words = words_of(said)
    longer = [span for other in others for span in runs_of(words, words_of(other))]
    found = runs_of(words, words_of(value))
    return bool(found) and all(
        any(start <= first and last <= end and end - start > last - first for start, end in longer)
        for first, last in found
    )


def _names(said: str, value: Value, values: Sequence[str], days: Sequence[Date]) -> bool:
    if isinstance(value, Ref):
        return value.key in values or says(said, value.key)
    if isinstance(value, datetime):
        return any(day.window.start <= value <= day.window.last for day in days)
    if isinstance(value, date):
        return any(day.window.start.date() == value for day in days)
    if isinstance(value, bool):
        return says(said, "true" if value else "false")
    return says(said, str(value))


def replaced(runs: Sequence[Fact], at: Fact, forwards: bool) -> list[Picked]:
    """Return a run of a timeline and its neighbour in time: the run that it replaced, or that replaced it.

    Args:
        runs: the runs in time order.
        at: one of the runs.
        forwards: True: the neighbour is the run after it; False: the run before it.
    """
    place = next(i for i, run in enumerate(runs) if run.id == at.id and run.valid_from == at.valid_from)
    if forwards:
        after = [Picked(run, Role.ANSWER) for run in runs[place + 1 : place + 2]]
        return [Picked(at, Role.BEFORE), *after]
    before = [Picked(run, Role.ANSWER) for run in runs[max(0, place - 1) : place]]
    return [*before, Picked(at, Role.AFTER)]


def former(runs: Iterable[Fact], window: Period | None, now: datetime) -> list[Fact]:
    """Return the runs that have ended by now, or by the instant; for an interval, the runs that held in it."""
    if window is not None and window.end is not None:
        return overlapping(runs, window)
    at = now if window is None else window.start
    return [run for run in runs if run.valid_to is not None and run.valid_to <= at]


def facts_with_value(
    runs: Iterable[Fact], keys: Collection[str], wanted: Intent, window: Period | None, now: datetime
) -> list[Picked]:
    """Return the runs whose value is one of the entities, for a question who has or had it.

    Args:
        runs: runs of any timelines.
        keys: keys of the entities.
        wanted: the intent; REPLACED: who had the value and no longer has it; CHANGED: who ever had it.
        window: the time that is asked about (UTC); None: now.
        now: the instant that counts as now (UTC).
    """
    theirs = referring(runs, keys)
    if wanted is Intent.REPLACED:
        return [Picked(run, Role.ANSWER) for run in former(theirs, window, now)]
    if wanted is Intent.CHANGED:
        ever = theirs if window is None else overlapping(theirs, _until(window))
        return [Picked(run, Role.ANSWER) for run in ever]
    held = overlapping(theirs, window or Period(now))
    if wanted is Intent.SINCE:
        return [Picked(run, Role.ANSWER, since=run.valid_from) for run in held]
    return [Picked(run, Role.ANSWER) for run in held]


def changed(runs: Sequence[Fact], window: Period | None) -> list[Picked]:
    """Return the runs that began in an interval, or until an instant, and the run that held before.

    The run that held before holds at the first instant of the interval, or ends there: the change may be at that
    instant.
    """
    if window is None:
        return [Picked(run, Role.ANSWER) for run in runs]
    window = _until(window)
    start = window.start
    there = [run for run in runs if run.valid_to == start != run.valid_from or overlapping([run], window)]
    return [Picked(run, Role.BEFORE if run.valid_from < start else Role.ANSWER) for run in there]


def changed_of_all(runs: Sequence[Fact], window: Period | None) -> list[Picked]:
    """Return the changes of many timelines, as `changed` does, without runs that hold all through the interval."""
    picked = changed(runs, window)
    if window is None or window.end is None:
        return picked
    last = window.end
    return [
        pick
        for pick in picked
        if pick.role is Role.ANSWER or (pick.fact.valid_to is not None and pick.fact.valid_to < last)
    ]


def _until(window: Period) -> Period:
    """Return an interval unchanged; for an instant, all time until it."""
    return window if window.end is not None else Period(FIRST_INSTANT, window.start + MICROSECOND)


def reference(runs: Sequence[Fact], at: datetime) -> Fact | None:
    """Return the run that holds at an instant; if none does, the latest before it, else the first of all."""
    held = overlapping(runs, Period(at)) or [run for run in runs if run.valid_from <= at][-1:] or list(runs[:1])
    return held[-1] if held else None


def of_many(
    runs: Sequence[Fact], named: Sequence[Fact], wanted: Intent, window: Period | None, now: datetime
) -> list[Picked]:
    """Return the facts that answer for an attribute of cardinality many, whose values do not replace each other.

    The arguments are those of `of_timeline`; REPLACED asks for the values that have ended.
    """
    if wanted is Intent.CHANGED:
        return changed(runs, window)
    if wanted is Intent.REPLACED:
        return [Picked(run, Role.ANSWER) for run in former(runs, window, now)]
    held = named or overlapping(runs, window or Period(now))
    return [Picked(run, Role.ANSWER, since=run.valid_from) for run in held]


def of_timeline(
    runs: Sequence[Fact], named: Sequence[Fact], wanted: Intent, window: Period | None, now: datetime
) -> list[Picked]:
    """Return the facts of one timeline that answer, with the facts before or after them that the answer needs.

    Args:
        runs: the runs of one attribute of cardinality one, in time order.
        named: the runs whose value the question names.
        wanted: the intent.
        window: the time that is asked about (UTC); None: now.
        now: the instant that counts as now (UTC).
    """
    if not runs:
        return []
    if wanted is Intent.CHANGED:
        return changed(runs, window)
    if named and window is not None:
        named = overlapping(named, window) or named
    if wanted is Intent.SINCE:
        at = reference(runs, now if window is None else window.last)
        held = list(named) or ([at] if at is not None else [])
        return [Picked(run, Role.ANSWER, since=run.valid_from) for run in held]
    if wanted in REPLACING:
        at = named[-1] if named else reference(runs, now if window is None else window.last)
        assert at is not None
        if wanted is Intent.REPLACED_BY and not named and runs.index(at) > 0:
            # "What replaced the deadline?" asks about the value before the one that holds.
            at = runs[runs.index(at) - 1]
        return replaced(runs, at, wanted is Intent.REPLACED_BY)
    return [Picked(run, Role.ANSWER) for run in (named or overlapping(runs, window or Period(now)))]
