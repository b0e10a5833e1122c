from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from graph_memory.domain.instants import format_instant, from_micros, parse_instant, to_micros
from graph_memory.errors import InvalidInputError

NINE = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "given_as",
    [
        NINE,
        datetime(2026, 6, 1, 11, tzinfo=timezone(timedelta(hours=2))),
        datetime(2026, 6, 1, 11, tzinfo=ZoneInfo("Europe/Berlin")),
        "2026-06-01T09:00:00Z",
        "2026-06-01t09:00:00z",
        "2026-06-01 09:00Z",
        "2026-06-01T09:00:00.000000+00:00",
        "2026-06-01T09:00:00,000Z",
        "2026-06-01T11:00:00+02:00",
        "2026-06-01T11:00:00+0200",
        "2026-06-01T11:00+02",
        "2026-06-01T09:00:00.000000000Z",
        " 2026-06-01T09:00:00Z ",
    ],
    ids=str,
)
def test_one_moment_has_one_form_however_it_is_written(given_as: datetime | str) -> None:
    instant = parse_instant(given_as)
    assert instant == NINE
    assert instant.tzinfo is UTC
    assert format_instant(instant) == "2026-06-01T09:00:00Z"


@pytest.mark.parametrize("given_as", [date(2026, 6, 1), "2026-06-01"], ids=repr)
def test_a_date_is_its_midnight_in_utc(given_as: date | str) -> None:
    assert parse_instant(given_as) == datetime(2026, 6, 1, tzinfo=UTC)


def test_the_hour_that_comes_twice_is_told_apart_by_fold() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first, second = (datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1))
    assert parse_instant(second) - parse_instant(first) == timedelta(hours=1)


def test_microseconds_are_kept_and_a_fraction_of_zero_is_not_printed() -> None:
    assert format_instant(parse_instant("2026-06-01T09:00:00.000001Z")) == "2026-06-01T09:00:00.000001Z"
    assert format_instant(parse_instant("2026-06-01T09:00:00.5Z")) == "2026-06-01T09:00:00.500000Z"


@pytest.mark.parametrize(
    ("given_as", "says"),
    [
        (datetime(2026, 6, 1, 9), "no time zone"),
        ("2026-06-01T09:00:00", "offset or Z"),
        ("2026-02-30", "not an instant"),
        ("2026-13-01T00:00:00Z", "not an instant"),
        ("2026-06-01T24:00:00Z", "not an instant"),
        ("2026-06-01T09:00:00+01:75", "not an instant"),
        ("2026-06-01T09:00:60Z", "not an instant"),
        ("yesterday", "not an instant"),
        ("", "not an instant"),
        ("2026-6-1", "not an instant"),
        ("2026-06-01T09:00:00.0000001Z", "finer than a microsecond"),
        ("0001-01-01T00:00:00+01:00", "years 1 to 9999"),
        ("9999-12-31T23:59:59-01:00", "years 1 to 9999"),
        (1748768400, "not an instant"),
        (None, "not an instant"),
    ],
    ids=repr,
)
def test_what_is_no_instant_is_refused_and_the_message_says_why(given_as: object, says: str) -> None:
    with pytest.raises(InvalidInputError, match=says):
        parse_instant(given_as)  # type: ignore[arg-type]


def test_the_message_names_the_instant_it_is_about() -> None:
    with pytest.raises(InvalidInputError, match="valid_from"):
        parse_instant("soon", "valid_from")


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_instant_of_years_1_to_9999_survives_text_and_microseconds(instant: datetime) -> None:
    assert parse_instant(format_instant(instant)) == instant
    assert from_micros(to_micros(instant)) == instant


@given(st.datetimes(timezones=st.timezones()))
def test_conversion_to_utc_keeps_the_moment_and_its_order(local: datetime) -> None:
    try:
        instant = parse_instant(local)
    except InvalidInputError:
        assert local.year in (1, 9999)
    else:
        offset = local.utcoffset()
        assert offset is not None
        assert instant.replace(tzinfo=None) == local.replace(tzinfo=None, fold=0) - offset


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_microseconds_order_as_the_instants_do(one: datetime, other: datetime) -> None:
    assert (to_micros(one) < to_micros(other)) == (one < other)
