"""Which facts of a timeline answer what is asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from graph_memory.context.records import Role
from graph_memory.context.selection import (
    Picked,
    changed_of_all,
    facts_with_value,
    hold_at_once,
    naming,
    of_many,
    of_timeline,
    overlapping,
)
from graph_memory.domain.records import Fact
from graph_memory.domain.values import Ref, Value
from graph_memory.questions.records import Intent
from graph_memory.questions.time_expressions import Period, dates

YEAR = {year: datetime(year, 1, 1, tzinfo=UTC) for year in range(2018, 2030)}
NOW = YEAR[2026]


def run(value: Value, start: int, end: int | None = None, subject: str = "mira") -> Fact:
    return Fact(
        id=f"{value}-{start}",
        tenant="acme",
        subject=subject,
        attribute="home",
        value=value,
        valid_from=YEAR[start],
        valid_to=None if end is None else YEAR[end],
        asserted_from=YEAR[start],
        recorded_at=YEAR[start],
        episode_id="e1",
        source="user",
    )


RUNS = [run("Bern", 2019, 2021), run("Oslo", 2021, 2024), run("Rome", 2024)]


def told(picked: Sequence[Picked]) -> list[tuple[Any, Role]]:
    return [(pick.fact.value, pick.role) for pick in picked]


def values(facts: Sequence[Fact]) -> list[Any]:
    return [fact.value for fact in facts]


@pytest.mark.parametrize(
    ("period", "found"),
    [
        (Period(YEAR[2021]), ["Oslo"]),
        (Period(YEAR[2018]), []),
        (Period(YEAR[2020], YEAR[2022]), ["Bern", "Oslo"]),
        (Period(YEAR[2019], YEAR[2021]), ["Bern"]),
        (Period(YEAR[2025], YEAR[2029]), ["Rome"]),
    ],
)
def test_segments_are_half_open(period: Period, found: list[str]) -> None:
    assert values(overlapping(RUNS, period)) == found


def test_two_segments_meet_where_both_hold_at_an_instant() -> None:
    assert not hold_at_once(RUNS[0], RUNS[1])
    assert hold_at_once(RUNS[2], run("Lima", 2025))


@pytest.mark.parametrize(
    ("intent", "window", "answers"),
    [
        (Intent.CURRENT, None, [("Rome", Role.ANSWER)]),
        (Intent.AS_OF, Period(YEAR[2020]), [("Bern", Role.ANSWER)]),
        (Intent.SINCE, None, [("Rome", Role.ANSWER)]),
        (Intent.REPLACED, None, [("Oslo", Role.ANSWER), ("Rome", Role.AFTER)]),
        (Intent.REPLACED_BY, None, [("Oslo", Role.BEFORE), ("Rome", Role.ANSWER)]),
        (Intent.REPLACED, Period(YEAR[2022]), [("Bern", Role.ANSWER), ("Oslo", Role.AFTER)]),
        (Intent.CHANGED, None, [("Bern", Role.ANSWER), ("Oslo", Role.ANSWER), ("Rome", Role.ANSWER)]),
        (Intent.CHANGED, Period(YEAR[2022], YEAR[2025]), [("Oslo", Role.BEFORE), ("Rome", Role.ANSWER)]),
    ],
)
def test_of_one_timeline_the_facts_that_answer_come_with_those_beside_them(
    intent: Intent, window: Period | None, answers: list[tuple[str, Role]]
) -> None:
    assert told(of_timeline(RUNS, [], intent, window, NOW)) == answers


def test_a_value_that_is_named_is_what_a_question_is_about() -> None:
    named = [RUNS[0]]
    assert told(of_timeline(RUNS, named, Intent.CURRENT, None, NOW)) == [("Bern", Role.ANSWER)]
    assert told(of_timeline(RUNS, named, Intent.REPLACED_BY, None, NOW)) == [
        ("Bern", Role.BEFORE),
        ("Oslo", Role.ANSWER),
    ]
    [since] = of_timeline(RUNS, named, Intent.SINCE, None, NOW)
    assert since.since == YEAR[2019]


def test_nothing_answers_of_an_empty_timeline() -> None:
    assert all(of_timeline([], [], intent, None, NOW) == [] for intent in Intent)


def test_of_many_values_those_that_are_over_were_replaced() -> None:
    runs = [run("tea", 2019), run("jazz", 2019, 2022)]
    assert told(of_many(runs, [], Intent.CURRENT, None, NOW)) == [("tea", Role.ANSWER)]
    assert told(of_many(runs, [], Intent.REPLACED, None, NOW)) == [("jazz", Role.ANSWER)]


def test_what_changed_of_many_timelines_leaves_out_what_holds_all_through() -> None:
    runs = [run("tea", 2019), run("jazz", 2019, 2023), run("rum", 2022)]
    assert told(changed_of_all(runs, Period(YEAR[2021], YEAR[2025]))) == [
        ("jazz", Role.BEFORE),
        ("rum", Role.ANSWER),
    ]


@pytest.mark.parametrize(
    ("intent", "window", "subjects"),
    [
        (Intent.CURRENT, None, ["ben"]),
        (Intent.AS_OF, Period(YEAR[2020]), ["mira"]),
        (Intent.REPLACED, None, ["mira"]),
        (Intent.CHANGED, None, ["mira", "ben"]),
    ],
)
def test_who_has_an_entity_as_value_is_asked_of_the_time(
    intent: Intent, window: Period | None, subjects: list[str]
) -> None:
    runs = [run(Ref("acme"), 2019, 2021), run(Ref("acme"), 2023, subject="ben"), run(Ref("globex"), 2019)]
    assert [pick.fact.subject for pick in facts_with_value(runs, ["acme"], intent, window, NOW)] == subjects


def test_a_value_within_a_longer_one_is_not_named() -> None:
    facts = [run("analyst", 2019), run("senior analyst", 2021)]
    assert values(naming("since when is she a senior analyst", facts, [], [])) == ["senior analyst"]
    assert values(naming("was she an analyst before", facts, [], [])) == ["analyst"]


def test_a_value_is_named_as_an_entity_a_day_or_a_number() -> None:
    [day] = dates("2026-06-30", NOW)
    facts = [run(Ref("globex"), 2019), run(date(2026, 6, 30), 2020), run(42, 2021)]
    assert values(naming("who is it", facts, ["globex"], [])) == [Ref("globex")]
    assert values(naming("is it", facts, [], [day])) == [date(2026, 6, 30)]
    assert values(naming("is she 42", facts, [], [])) == [42]
