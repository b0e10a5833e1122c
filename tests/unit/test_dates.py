"""The dates of a question, and the time that they bound."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from graph_memory.dates import Date, Window, asked, counts_from_now, dates, period_of
from graph_memory.errors import InvalidInputError

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def found(text: str) -> Window | None:
    return asked([date for date in dates(text, NOW) if not date.bare], NOW)


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
        ("in 3 days", "2026-12-03", "2026-12-04"),
        ("between May 2026 and 3 July 2026", "2026-05-01", "2026-07-04"),
        ("from 2026-06-01 to 2026-06-04", "2026-06-01", "2026-06-05"),
        ("since 2026-06-01", "2026-06-01", "2026-11-30T12:00:00.000001"),
        ("after June 2026", "2026-07-01", "2026-11-30T12:00:00.000001"),
    ],
)
def test_a_date_is_the_whole_of_its_day_month_or_year(text: str, start: str, end: str) -> None:
    assert found(f"What was it {text}?") == Window(at(start), at(end))


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("at 2026-06-03T09:00:00+02:00", "2026-06-03T07:00:00"),
        ("at 2026-06-03 09:00", "2026-06-03T09:00:00"),
        ("on June 2, 2026 at 9:30", "2026-06-02T09:30:00"),
        ("yesterday at 3pm", "2026-11-29T15:00:00"),
        ("before 2026-06-03", "2026-06-02T23:59:59.999999"),
        ("until June 2026", "2026-05-31T23:59:59.999999"),
        ("by June 2026", "2026-06-30T23:59:59.999999"),
        ("at the end of 2025", "2025-12-31T23:59:59.999999"),
        ("at the beginning of 2025", "2025-01-01T00:00:00"),
    ],
)
def test_a_time_of_the_day_and_an_edge_are_instants(text: str, instant: str) -> None:
    assert found(f"What was it {text}?") == Window(at(instant))


def test_before_a_date_is_all_the_time_before_it_where_changes_are_asked_for() -> None:
    changes = dates("What changed before 2026-06-03?", NOW)
    assert asked(changes, NOW, changes=True) == Window(at("0001-01-01"), at("2026-06-03"))


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
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert dates(text, NOW) == []


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
    ],
)
def test_only_some_dates_count_from_now(text: str, depends: bool) -> None:
    assert counts_from_now(text) is depends


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_text_has_dates_that_stand_in_it(text: str, now: datetime) -> None:
    read = dates(text, now)
    assert all(0 <= date.start < date.end <= len(text) and text[: date.end].endswith(date.words) for date in read)
    assert all(date.window.end is None or date.window.start < date.window.end for date in read)


_PREPOSITIONS = ["on", "in", "since", "before", "between", "and", "to", "the", "of", "end"]
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
_EDGES = ["9:30", "12/13/2025", "tomorrow", "9999", "0001-01-01", "9999-12-31"]
_WORDS = st.sampled_from([*_PREPOSITIONS, *_DATES, *_EDGES])


@given(st.lists(_WORDS, max_size=8), st.datetimes(timezones=st.just(UTC)))
def test_dates_in_any_order_bound_a_time_that_is_one(words: list[str], now: datetime) -> None:
    read: list[Date] = dates(" ".join(words), now)
    for changes in (False, True):
        window = asked(read, now, changes=changes)
        assert window is None or window.end is None or window.start < window.end


@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        (None, None, None),
        ("2026-06-01", None, Window(at("2026-06-01"), at("2026-06-02"))),
        ("2026-06-01T09:00:00Z", None, Window(at("2026-06-01T09:00:00"))),
        ("2026-06-01", "2026-07-01", Window(at("2026-06-01"), at("2026-07-01"))),
    ],
)
def test_a_period_in_iso_is_read(start: str | None, end: str | None, window: Window | None) -> None:
    assert period_of(start, end) == window


@pytest.mark.parametrize(("start", "end"), [(None, "2026-07-01"), ("soon", None), ("2026-07-01", "2026-07-01")])
def test_a_period_that_is_none_is_refused(start: str | None, end: str | None) -> None:
    with pytest.raises(InvalidInputError):
        period_of(start, end)
