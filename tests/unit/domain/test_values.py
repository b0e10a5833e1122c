from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, IntEnum

import pytest
from neo4j.time import Date, DateTime

from graph_memory.domain.values import (
    MAX_VALUE_CHARACTERS,
    Ref,
    Value,
    check_value,
    from_property,
    identity,
    to_property,
    value_digest,
    value_type,
)
from graph_memory.errors import InvalidInputError

NOON = datetime(2026, 6, 1, 12, 0, 0, 123456, tzinfo=UTC)
ALL: list[Value] = [
    True, False, 0, 1, -1, 2**63 - 1, -(2**63), 0.0, 1.0, 1e308, 5e-324, "", "1", "true", "x" * 100,
    date(2026, 6, 1), date.min, date.max, NOON,
    datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC),
    Ref("acme"), Ref("1"), "2026-06-01", "acme",
]  # fmt: skip


class Mood(Enum):
    GOOD = "good"


class Level(IntEnum):
    HIGH = 3


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize("value", ALL, ids=repr)
def test_every_allowed_value_is_kept_as_it_is(value: Value) -> None:
    checked = check_value(value)
    assert checked == value
    assert type(checked) is type(value)


def test_values_that_differ_in_type_or_content_never_share_an_identity() -> None:
    assert len({identity(value) for value in ALL}) == len(ALL)
    assert len({value_digest(value) for value in ALL}) == len(ALL)


def test_true_one_one_point_zero_and_text_one_are_four_values() -> None:
    assert len({identity(value) for value in (True, 1, 1.0, "1")}) == 4


@pytest.mark.parametrize("value", ALL, ids=repr)
def test_a_stored_value_comes_back_with_its_type(value: Value) -> None:
    back = from_property(value_type(value), to_property(value))
    assert (type(back), back) == (type(value), value)


def test_what_the_driver_returns_becomes_native_again() -> None:
    assert from_property("date", Date(2026, 6, 1)) == date(2026, 6, 1)
    back = from_property("datetime", DateTime.from_native(NOON))
    assert back == NOON
    assert isinstance(back, datetime)
    assert back.tzinfo is UTC


def test_a_reference_keeps_its_kind_beside_its_identity() -> None:
    known, bare = Ref("acme", "Company"), Ref("acme")
    assert identity(known) == identity(bare)
    assert known == bare
    back = from_property(value_type(known), to_property(known))
    assert isinstance(back, Ref)
    assert back.kind == "Company"


def test_a_reference_and_the_text_of_its_key_differ() -> None:
    assert identity(Ref("acme")) != identity("acme")


def test_minus_zero_is_zero() -> None:
    assert identity(check_value(-0.0)) == identity(check_value(0.0))


def test_equal_moments_in_two_zones_are_one_value() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=9)))
    assert identity(check_value(east)) == identity(check_value(NOON))


def test_members_of_an_enum_become_their_values() -> None:
    assert check_value(Mood.GOOD) == "good"
    assert type(check_value(Level.HIGH)) is int


def test_a_subclass_of_text_becomes_plain_text() -> None:
    assert type(check_value(Text("x"))) is str


def test_a_key_in_a_reference_is_normalised() -> None:
    assert check_value(Ref("cafe\u0301")) == Ref("caf\u00e9")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        (None, "NoneType"),
        ([1], "list"),
        (b"x", "bytes"),
        ("x" * (MAX_VALUE_CHARACTERS + 1), "at most 65536"),
        ("bad \ud800", "surrogate"),
        (datetime(2026, 1, 1), "time zone"),
        (Ref(""), "empty"),
        (Ref("acme", "company"), "upper-case"),
        (Ref("acme", "Fact"), "reserved"),
    ],
    ids=lambda part: repr(part)[:20],
)
def test_a_value_that_is_not_allowed_is_refused_and_the_message_says_why(value: object, says: str) -> None:
    with pytest.raises(InvalidInputError, match=says):
        check_value(value)
