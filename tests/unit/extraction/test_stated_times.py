"""Of which dates a text speaks: those that it holds or reaches by its words, in any language."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from graph_memory.extraction.stated_times import StatedTimes

SAID_AT = datetime(2023, 5, 10, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "spoken_of", "not_spoken_of"),
    [
        (
            "Mira moved to Rome last week.",
            ["2023-05-03", "2023-05-01", "2023-05-10"],
            ["2031-01-01", "2023-02-01"],
        ),
        ("Mira lives in Rome.", ["2023-05-10"], ["2031-01-01", "2023-05-01", "2023-01-01"]),
        ("Mira has been CEO since 2020.", ["2020-01-01"], ["2020-06-01", "2019-01-01"]),
        ("Mira stays until August 31.", ["2023-08-31", "2023-09-01"], ["2023-12-01"]),
        ("Mira's badge ends on 15/07/2023.", ["2023-07-15"], ["2023-08-15"]),
        ("Mira's badge ends on 20230715.", ["2023-07-15"], ["2023-08-15"]),
        ("The renewal is on December 15.", ["2023-12-15", "2022-12-15"], ["2031-12-15", "2023-12-20"]),
        ("I start next Monday.", ["2023-05-15"], ["2023-07-17"]),
        ("The contract runs for two years.", ["2025-05-10"], ["2031-01-01"]),
        ("Mira moved a few weeks ago.", ["2023-04-20"], ["2022-01-01"]),
        ("Mira moved last summer.", ["2022-07-01"], ["2031-01-01"]),
        ("Mira joined in Q3 2022.", ["2022-07-01", "2022-10-01"], ["2023-03-01"]),
        ("Mira came in May 2021, and left two years later.", ["2021-05-01", "2023-05-01"], ["2031-01-01"]),
        ("I was born on Feb 3rd, 1990.", ["1990-02-03"], ["1990-03-03", "1991-02-03"]),
        ("Letzte Woche zog Mira nach Rom.", ["2023-05-03"], ["2031-01-01", "2023-02-01"]),
        ("Vor zehn Jahren zog Mira um.", ["2013-05-10"], ["2031-01-01"]),
        ("Mira ist am 15. Juli 2022 nach Rom gezogen.", ["2022-07-15"], ["2022-07-20", "2022-08-15"]),
        ("Mira se mudó a Roma la semana pasada.", ["2023-05-03"], ["2031-01-01", "2022-05-03"]),
        ("Mira a déménagé à Rome il y a trois ans.", ["2020-05-10", "2020-01-01"], ["2031-01-01", "2010-01-01"]),
        ("Мира переехала в Рим вчера.", ["2023-05-09"], ["2031-01-01", "2023-04-01"]),
        ("Мира переехала в Рим в июле 2020 года.", ["2020-07-01"], ["2031-01-01", "2020-05-01"]),
        ("先週、ミラはローマに引っ越した。", ["2023-05-03"], ["2031-01-01"]),
        ("ミラは2022年7月15日に引っ越した。", ["2022-07-15"], ["2022-07-18", "2023-07-15"]),
        ("米拉去年搬到了罗马。", ["2022-05-10", "2022-01-01"], ["2019-01-01"]),
        ("ميرا انتقلت إلى روما أمس", ["2023-05-09"], ["2031-01-01"]),
        ("เธอย้ายเมื่อวาน", ["2023-05-09"], ["2031-01-01"]),
    ],
)
def test_a_text_speaks_of_what_it_holds_or_reaches(
    text: str, spoken_of: list[str], not_spoken_of: list[str]
) -> None:
    stated = StatedTimes(text, SAID_AT)
    assert [day for day in spoken_of if not stated.hold(date.fromisoformat(day))] == []
    assert [day for day in not_spoken_of if stated.hold(date.fromisoformat(day))] == []


def test_an_instant_is_of_its_day_in_utc_or_where_it_is_told() -> None:
    tokyo = timezone(timedelta(hours=9))
    stated = StatedTimes("It leaves on 2023-07-15 at 06:30.", SAID_AT)
    assert stated.hold(datetime(2023, 7, 15, 6, 30, tzinfo=tokyo))
    assert not stated.hold(datetime(2023, 7, 14, 6, 30, tzinfo=tokyo))


def test_an_end_counts_from_a_start_that_is_said_too() -> None:
    stated = StatedTimes("Six months of leave, as from the first of the year.", SAID_AT)
    start = date(2023, 1, 1)
    assert stated.hold(date(2023, 7, 1), start)
    assert not stated.hold(date(2029, 7, 1), start)


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_are_days_too(day: date) -> None:
    assert not StatedTimes("two years ago, on May 3", SAID_AT).hold(day)
    assert StatedTimes(f"on {day.isoformat()}", SAID_AT).hold(day)
