"""Which facts of a timeline answer what is asked of it. Pure: from runs of values to facts with their roles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from graph_memory.context_records import Intent, Role
from graph_memory.dates import Date, Window
from graph_memory.instants import FIRST_INSTANT, MICROSECOND
from graph_memory.questions import says
from graph_memory.records import Fact
from graph_memory.values import Ref, Value

MAX_FACTS = 50


@dataclass(frozen=True, slots=True)
class Picked:
    """A fact, and why it was picked; `since` where its start is what was asked."""

    fact: Fact
    role: Role
    since: datetime | None = None


def overlapping(facts: Iterable[Fact], window: Window) -> list[Fact]:
    """Return the segments that hold at an instant, or at any one of an interval."""
    end = window.end
    return [
        fact
        for fact in facts
        if (fact.valid_from <= window.start if end is None else fact.valid_from < end)
        and (fact.valid_to is None or fact.valid_to > window.start)
        and fact.valid_from != fact.valid_to
    ]


def naming(said: str, facts: Iterable[Fact], values: Sequence[str], days: Sequence[Date]) -> list[Fact]:
    """Return the facts whose value a question names: by its words, as a day, or as an entity."""
    return [f for f in facts if f.value is not None and _names(said, f.value, values, days)]


def _names(said: str, value: Value, values: Sequence[str], days: Sequence[Date]) -> bool:
    if isinstance(value, Ref):
        return value.key in values or says(said, value.key)
    if isinstance(value, datetime):
        return any(day.window.start <= value <= day.window.last for day in days)
    if isinstance(value, date):
        return any(day.window.start.date() == value for day in days)
    if isinstance(value, bool):
        return False
    return says(said, str(value))


def replaced(runs: Sequence[Fact], at: Fact, forwards: bool) -> list[Picked]:
    """Return a run of a timeline and its neighbour in time: what it took the place of, or what took its place.

    Args:
        runs: in time order, touching segments of equal value as one.
        at: one of them.
        forwards: whether the neighbour is the one after it.
    """
    place = next(i for i, run in enumerate(runs) if run.id == at.id and run.valid_from == at.valid_from)
    if forwards:
        after = [Picked(run, Role.ANSWER) for run in runs[place + 1 : place + 2]]
        return [Picked(at, Role.BEFORE), *after]
    before = [Picked(run, Role.ANSWER) for run in runs[max(0, place - 1) : place]]
    return [*before, Picked(at, Role.AFTER)]


def changed(runs: Sequence[Fact], window: Window | None) -> list[Picked]:
    """Return what a timeline became in an interval, or until an instant: what began then, and what held before."""
    if window is None:
        return [Picked(run, Role.ANSWER) for run in runs]
    if window.end is None:
        window = Window(FIRST_INSTANT, window.start + MICROSECOND)
    held = overlapping(runs, window)
    return [Picked(run, Role.BEFORE if run.valid_from < window.start else Role.ANSWER) for run in held]


def reference(runs: Sequence[Fact], at: datetime) -> Fact | None:
    """Return the run that holds at an instant; where none does the latest before it, else the first of all."""
    held = overlapping(runs, Window(at)) or [run for run in runs if run.valid_from <= at][-1:] or list(runs[:1])
    return held[-1] if held else None


def of_timeline(
    runs: Sequence[Fact], named: Sequence[Fact], wanted: Intent, window: Window | None, now: datetime
) -> list[Picked]:
    """Return the facts of one timeline that answer, with those beside them that an answer needs.

    Args:
        runs: of one attribute of cardinality one, in time order, touching segments of equal value as one.
        named: those of them whose value the question names.
        wanted: what is asked of it.
        window: the time that is asked about; None: now.
        now: the instant that stands for now.
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
    if wanted in (Intent.REPLACED, Intent.REPLACED_BY):
        at = named[-1] if named else reference(runs, now if window is None else window.last)
        assert at is not None
        if wanted is Intent.REPLACED_BY and not named and runs.index(at) > 0:
            # "What replaced the deadline?": the value that held before the one that holds.
            at = runs[runs.index(at) - 1]
        return replaced(runs, at, wanted is Intent.REPLACED_BY)
    return [Picked(run, Role.ANSWER) for run in (named or overlapping(runs, window or Window(now)))]
