"""The dates of a question, and the time that they bound."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from graph_memory.domain.date_forms import unread_times
from graph_memory.domain.instants import LAST_INSTANT
from graph_memory.errors import InvalidInputError
from graph_memory.questions.attribute_matching import blanked
from graph_memory.questions.time_expressions import Bounded, Date, Period, asked, counts_from_now, dates, period_of

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def found(text: str) -> Period | None:
    bounded = asked([date for date in dates(text, NOW) if not date.bare], NOW)
    assert bounded.left == ()
    return bounded.window


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("on 2026-06-02", "2026-06-02", "2026-06-03"),
        ("as of 2026-06", "2026-06-01", "2026-07-01"),
        ("in June 2026", "2026-06-01", "2026-07-01"),
        ("on June 2, 2026", "2026-06-02", "2026-06-03"),
        ("on the 2nd of June 2026", "2026-06-02", "2026-06-03"),
        ("on June 2nd", "2026-06-02", "2026-06-03"),
        ("on 6/2/2026", "2026-06-02", "2026-06-03"),
        ("on 2.6.2026", "2026-06-02", "2026-06-03"),
        ("on 2026-6-2", "2026-06-02", "2026-06-03"),
        ("in 1926", "1926-01-01", "1927-01-01"),
        ("in the year 98", "0098-01-01", "0099-01-01"),
        ("in the 1990s", "1990-01-01", "2000-01-01"),
        ("in June", "2026-06-01", "2026-07-01"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("last June", "2026-06-01", "2026-07-01"),
        ("last November", "2025-11-01", "2025-12-01"),
        ("next June", "2027-06-01", "2027-07-01"),
        ("last week", "2026-11-23", "2026-11-30"),
        ("this week", "2026-11-30", "2026-12-07"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("this year", "2026-01-01", "2027-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("last Monday", "2026-11-23", "2026-11-24"),
        ("next Friday", "2026-12-04", "2026-12-05"),
        ("on Friday", "2026-11-27", "2026-11-28"),
        ("yesterday", "2026-11-29", "2026-11-30"),
        ("the day before yesterday", "2026-11-28", "2026-11-29"),
        ("two weeks ago", "2026-11-16", "2026-11-17"),
        ("a month ago", "2026-10-01", "2026-11-01"),
        ("a year ago today", "2025-11-30", "2025-12-01"),
        ("in 3 days", "2026-12-03", "2026-12-04"),
        ("on Monday, 4 May 2026", "2026-05-04", "2026-05-05"),
        ("on Mon May 4, 2026", "2026-05-04", "2026-05-05"),
        ("in the month of May", "2026-05-01", "2026-06-01"),
        ("in the course of 2026", "2026-01-01", "2027-01-01"),
        ("not before 2026-06-01", "2026-06-01", "2026-11-30T12:00:00.000001"),
        ("in Q2 2026", "2026-04-01", "2026-07-01"),
        ("in the second half of 2026", "2026-07-01", "2027-01-01"),
        ("over the past year", "2025-11-30T12:00:00", "2026-11-30T12:00:00.000001"),
        ("in the last 30 days", "2026-10-31T12:00:00", "2026-11-30T12:00:00.000001"),
        ("in the last three months", "2026-08-30T12:00:00", "2026-11-30T12:00:00.000001"),
        ("for the next two weeks", "2026-11-30T12:00:00", "2026-12-14T12:00:00"),
        ("the day before 2026-06-02", "2026-06-01", "2026-06-02"),
        ("two days before 2 June 2026", "2026-05-31", "2026-06-01"),
        ("a month after 2026-01-31", "2026-02-28", "2026-03-01"),
        ("a year before May 2026", "2025-05-01", "2025-06-01"),
        ("the week before May 2026", "2026-04-24", "2026-05-01"),
        ("in May and June 2026", "2026-05-01", "2026-07-01"),
        ("in May, June and July 2026", "2026-05-01", "2026-08-01"),
        ("in either 2025 or 2026", "2025-01-01", "2027-01-01"),
        ("in 2026 or 2025", "2025-01-01", "2027-01-01"),
        ("in May through July 2026", "2026-05-01", "2026-08-01"),
        ("from March 1 to July 5, 2026", "2026-03-01", "2026-07-06"),
        ("between November and February 2026", "2025-11-01", "2026-03-01"),
        ("between May 2025 and July", "2025-05-01", "2025-08-01"),
        ("from 2026-05-04 to Friday", "2026-05-04", "2026-05-09"),
        ("between Monday and Wednesday", "2026-11-23", "2026-11-26"),
        ("between May 2026 and 3 July 2026", "2026-05-01", "2026-07-04"),
        ("from 2026-06-01 to 2026-06-04", "2026-06-01", "2026-06-05"),
        ("since 2026-06-01", "2026-06-01", "2026-11-30T12:00:00.000001"),
        ("after June 2026", "2026-07-01", "2026-11-30T12:00:00.000001"),
    ],
)
def test_a_date_is_the_whole_of_its_day_month_or_year(text: str, start: str, end: str) -> None:
    assert found(f"What was it {text}?") == Period(at(start), at(end))


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("at 2026-06-03T09:00:00+02:00", "2026-06-03T07:00:00"),
        ("at 2026-06-03 09:00", "2026-06-03T09:00:00"),
        ("on June 2, 2026 at 9:30", "2026-06-02T09:30:00"),
        ("yesterday at 3pm", "2026-11-29T15:00:00"),
        ("on 2026-06-02 at 09:00", "2026-06-02T09:00:00"),
        ("on 2026-06-02 at 9:00 UTC", "2026-06-02T09:00:00"),
        ("on 2 June 2026 at noon", "2026-06-02T12:00:00"),
        ("on 2.6.2026, 12:30 am", "2026-06-02T00:30:00"),
        ("on Friday at 3pm", "2026-11-27T15:00:00"),
        ("before 2026-06-03", "2026-06-02T23:59:59.999999"),
        ("until June 2026", "2026-05-31T23:59:59.999999"),
        ("by June 2026", "2026-06-30T23:59:59.999999"),
        ("no later than June 2026", "2026-06-30T23:59:59.999999"),
        ("on or before 2026-06-02", "2026-06-02T23:59:59.999999"),
        ("at the end of 2025", "2025-12-31T23:59:59.999999"),
        ("at the beginning of 2025", "2025-01-01T00:00:00"),
    ],
)
def test_a_time_of_the_day_and_an_edge_are_instants(text: str, instant: str) -> None:
    assert found(f"What was it {text}?") == Period(at(instant))


@pytest.mark.parametrize("bound", ["at", "since", "after", "before", "until", "by", "from 2026 to"])
@pytest.mark.parametrize("changes", [False, True])
def test_time_may_end(bound: str, changes: bool) -> None:
    last = datetime.max.replace(tzinfo=UTC)
    read = dates(f"What was it {bound} 9999-12-31T23:59:59.999999Z?", last)
    window = asked(read, last, changes=changes).window
    assert window is not None
    assert window.end is None or window.start < window.end


def test_before_a_date_is_all_the_time_before_it_where_changes_are_asked_for() -> None:
    changes = dates("What changed before 2026-06-03?", NOW)
    assert asked(changes, NOW, changes=True).window == Period(at("0001-01-01"), at("2026-06-03"))


@pytest.mark.parametrize(
    "text",
    [
        "May I march on?",
        "2026-13-45",
        "31 Feb 2026",
        "version 2000",
        "1-2-3",
        "a1-2026-06-02-x",
        "second",
        "",
        "98",
        "at 1600 Main Street",
        "for 1500 euros",
        "by 1500 euros",
        "over 2000 people",
        "Who introduced Mira to April?",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert dates(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("in 2019 or 2026", ["2026"]),
        ("in March and June 2026", ["June 2026"]),
        ("on 2026-05-01 and on 2026-06-01", ["2026-06-01"]),
        ("from 2019 to 2020 and 2022", ["2022"]),
        ("between July 2026 and March 2026", ["March 2026"]),
    ],
)
def test_dates_with_time_between_them_are_not_one_time(text: str, words: list[str]) -> None:
    assert [date.words for date in asked(dates(f"What was it {text}?", NOW), NOW).left] == words


@pytest.mark.parametrize(
    "text",
    [
        "in early May 2026",
        "in mid-May 2026",
        "in the middle of 2026",
        "in the week of 4 May 2026",
        "on the last day of May 2026",
        "from 1 to 20 May 2026",
        "from May 1 to 20, 2026",
        "in the summer of 2026",
        "last winter",
        "in Q2",
        "last quarter",
        "last night",
        "this morning",
        "on Christmas 2025",
        "in the last few weeks",
        "over the last years",
        "a few days ago",
        "within 2 weeks",
        "on 31 February 2026",
        "on 2026-02-31",
        "on 31.2.2026",
        "on 2026-05-10 12:00 CET",
        "on 10 May 2026 at 3pm EST",
        "on 10 May 2026 at midnight",
        "in May 2026 at noon",
        "2019-2021",
        "2019 to 2021",
        "May to July 2026",
        "at 9:30",
        "on the 5th of last month",
        "on the 5th",
        "on 5/6",
        "in 05/2026",
        "in 2026/05",
        "on 20260510",
        "in week 20 of 2026",
        "in FY2026",
        "in May '25",
        "in '19",
        "in 2026-W25",
        "two days later",
        "the other day",
    ],
)
def test_what_names_a_time_and_is_not_understood_is_told(text: str) -> None:
    question = f"Where did she live {text}?"
    read = dates(question, NOW)
    assert asked(read, NOW) == Bounded(None)
    assert unread_times(blanked(question, [(date.start, date.end) for date in read])) != []


@pytest.mark.parametrize(
    "text",
    [
        "Where did she live in May 2026?",
        "at the end of 2025",
        "in the last 3 months",
        "What changed over the years?",
        "May I march on?",
        "What is her second city at 1600 Main Street, in a fall?",
        "Who lives on the 5th floor, in the first quarter of the town?",
        "Where does she live these days, or now?",
    ],
)
def test_what_is_understood_or_names_no_time_is_not_told(text: str) -> None:
    assert unread_times(blanked(text, [(date.start, date.end) for date in dates(text, NOW)])) == []


@pytest.mark.parametrize("now", ["2026-11-30", "2027-06-01", "2031-02-03"])
def test_a_month_without_a_year_goes_by_the_one_that_has_it_whenever_it_is_asked(now: str) -> None:
    read = dates("Where did Mira live between March and July 2026?", at(now))
    assert asked(read, at(now)) == Bounded(Period(at("2026-03-01"), at("2026-08-01")))


@pytest.mark.parametrize(
    "text", ["Who said 2026-07-15?", "Did it change to 2026-07-15?", "2026-07-15, who said so?"]
)
def test_a_date_that_no_word_calls_a_time_may_be_a_value(text: str) -> None:
    [date] = dates(text, NOW)
    assert (date.bare, date.words) == (True, "2026-07-15")


@pytest.mark.parametrize(
    ("text", "depends"),
    [
        ("on 2026-06-02", False),
        ("in 1926", False),
        ("last June", True),
        ("since 2026-06-02", True),
        ("in June", True),
        ("on June 2nd", True),
        ("on June 2, 2026", False),
        ("in the last 3 months", True),
    ],
)
def test_only_some_dates_count_from_now(text: str, depends: bool) -> None:
    assert counts_from_now(text) is depends


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_text_has_dates_that_stand_in_it(text: str, now: datetime) -> None:
    read = dates(text, now)
    assert all(0 <= date.start < date.end <= len(text) and text[: date.end].endswith(date.words) for date in read)
    assert all(date.window.end is None or date.window.start < date.window.end for date in read)
    assert all(words in text for words in unread_times(text))


_PREPOSITIONS = ["on", "in", "after", "or", "since", "before", "between", "and", "to", "the", "of", "end"]
_DATES = [
    "June",
    "May",
    "2026",
    "98",
    "last",
    "next",
    "year",
    "Monday",
    "2nd",
    "ago",
    "two",
    "weeks",
    "2026-06-02",
]
_EDGES = [
    "9999-12-31T23:59:59.999999Z",
    "day",
    "3 months",
    "9:30",
    "12/13/2025",
    "tomorrow",
    "9999",
    "0001-01-01",
    "9999-12-31",
]
_WORDS = st.sampled_from([*_PREPOSITIONS, *_DATES, *_EDGES])


@given(st.lists(_WORDS, max_size=8), st.datetimes(timezones=st.just(UTC)))
def test_dates_in_any_order_bound_a_time_that_is_one(words: list[str], now: datetime) -> None:
    read: list[Date] = dates(" ".join(words), now)
    for changes in (False, True):
        window = asked(read, now, changes=changes).window
        assert window is None or window.end is None or window.start < window.end


@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        (None, None, None),
        ("2026-06-01", None, Period(at("2026-06-01"), at("2026-06-02"))),
        ("2026-06-01T09:00:00Z", None, Period(at("2026-06-01T09:00:00"))),
        ("2026-06-01", "2026-07-01", Period(at("2026-06-01"), at("2026-07-01"))),
    ],
)
def test_a_period_in_iso_is_read(start: str | None, end: str | None, window: Period | None) -> None:
    assert period_of(start, end) == window


@pytest.mark.parametrize(("start", "end"), [(None, "2026-07-01"), ("soon", None), ("2026-07-01", "2026-07-01")])
def test_a_period_that_is_none_is_refused(start: str | None, end: str | None) -> None:
    with pytest.raises(InvalidInputError):
        period_of(start, end)


@pytest.mark.parametrize("text", ["on 9999-12-31", "since 9999-12-31", "in 9999-12"])
def test_the_last_days_that_the_calendar_has_are_read(text: str) -> None:
    [read] = dates(text, at("2026-06-01"))
    window = asked([read], at("2026-06-01")).window
    assert window is not None
    assert window.start == at("9999-12-01" if text == "in 9999-12" else "9999-12-31")
    assert window.end == LAST_INSTANT


@pytest.mark.parametrize("text", ["before 0001-01-01", "until 0001-01-01"])
def test_before_the_first_day_there_is_no_time_to_answer_of(text: str) -> None:
    bounded = asked(dates(text, at("2026-06-01")), at("2026-06-01"))
    assert bounded.window is None
    assert [date.words for date in bounded.left] == ["0001-01-01"]
