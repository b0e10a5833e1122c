"""What classes and rows of others may do: a value that raises is refused like any other that is not allowed."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graph_memory._sync.ledger.batches import Batches
from graph_memory.domain.arguments import one_of, within
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.values import check_value
from graph_memory.episodes.validation import EpisodeInput, episode_row, input_of_row
from graph_memory.errors import InvalidInputError, brief
from graph_memory.ledger.statements import Attributes, assertion_row
from graph_memory.queue.jobs import ExtractionState
from graph_memory.schema.attribute_spec import Conflict
from graph_memory.schema.kind import Kind
from graph_memory.schema.schema import Schema, attribute


def checked_row(text: str, **given: Any) -> dict[str, Any]:
    return episode_row(EpisodeInput(text=text, **given), lambda: "new")


def row_of(row: Any) -> dict[str, Any]:
    return episode_row(input_of_row(row), lambda: "new")


# Python writes no integer of more than 4,300 digits.
HUGE = 10**5000


class Failing(tzinfo):
    """A time zone that fails, as one of a broken database of zones does."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        raise self._error

    def dst(self, dt: datetime | None) -> timedelta | None:
        raise self._error

    def tzname(self, dt: datetime | None) -> str | None:
        raise self._error


class NotATime(datetime):
    """As pandas.NaT: a datetime whose methods raise."""

    def utcoffset(self) -> timedelta | None:
        raise ValueError("NaTType does not support utcoffset")

    def isoformat(self, *args: Any) -> str:
        raise ValueError("NaTType does not support isoformat")

    def __repr__(self) -> str:
        return "NaT"


class Nanoseconds(datetime):
    """As pandas.Timestamp: a datetime that holds nanoseconds beside its microseconds."""

    nanosecond = 0


class Later(Nanoseconds):
    nanosecond = 7


class NoDay(date):
    @property
    def year(self) -> int:
        raise ValueError("no year")


class Missing:
    """As pandas.NA: compared with anything, it is neither equal nor not."""

    def __eq__(self, other: object) -> "Missing":  # type: ignore[override]
        return self

    def __ne__(self, other: object) -> "Missing":  # type: ignore[override]
        return self

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self) -> str:
        return "<NA>"


class Unwritable:
    def __repr__(self) -> str:
        raise ValueError("no")


class Torn(Mapping[str, Any]):
    """A row whose cells cannot be read."""

    def __getitem__(self, key: str) -> Any:
        raise OSError("the file is gone")

    def __iter__(self) -> Iterator[str]:
        return iter(["text", "attribute", "value"])

    def __len__(self) -> int:
        return 3


class TornRecord:
    @property
    def text(self) -> str:
        raise OSError("the file is gone")


NO_INSTANTS = [
    NotATime(2026, 6, 1),
    datetime(2026, 6, 1, tzinfo=Failing(ValueError("no such zone"))),
    datetime(2026, 6, 1, tzinfo=Failing(OverflowError("too far"))),
    datetime(2026, 6, 1, tzinfo=Failing(RuntimeError("broken"))),
    datetime(2026, 6, 1, tzinfo=Failing(NotImplementedError("a tzinfo subclass must implement utcoffset()"))),
    NoDay(2026, 6, 1),
]


FACT: dict[str, Any] = {
    "subject": "mira",
    "attribute": "home",
    "value": "Oslo",
    "valid_from": "2026-06-01",
    "episode": "e1",
}


class Anything:
    """Attributes of which nothing is known."""

    cardinality = staticmethod(lambda attribute: "one")
    check = staticmethod(lambda attribute, value: check_value(value))
    terms = staticmethod(lambda attribute: None)


ANYTHING: Attributes = Anything()  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value", NO_INSTANTS, ids=["not a time", "no zone", "too far", "broken", "no offset", "no day"]
)
@pytest.mark.parametrize(
    "take",
    [
        lambda value: parse_instant(value, "at"),
        check_value,
        lambda value: checked_row("Said.", occurred_at=value),
        lambda value: row_of({"text": "Said.", "occurred_at": value}),
        lambda value: assertion_row("acme", ANYTHING, {**FACT, "valid_from": value}),
        lambda value: assertion_row("acme", ANYTHING, {**FACT, "until": value}),
        lambda value: assertion_row("acme", ANYTHING, {**FACT, "value": value}),
    ],
    ids=["instant", "value", "episode", "row", "valid_from", "until", "value of a row"],
)
def test_an_instant_that_cannot_be_converted_is_refused_wherever_it_goes_in(
    value: datetime, take: Callable[[Any], object]
) -> None:
    with pytest.raises(InvalidInputError, match=r"cannot be converted to UTC .*: give an aware datetime"):
        take(value)


def test_a_timestamp_finer_than_a_microsecond_is_refused_as_text_is() -> None:
    with pytest.raises(InvalidInputError, match=r"occurred_at .* is finer than a microsecond"):
        parse_instant(Later(2026, 6, 1, tzinfo=UTC), "occurred_at")
    assert parse_instant(Nanoseconds(2026, 6, 1, tzinfo=UTC)) == datetime(2026, 6, 1, tzinfo=UTC)


def test_a_message_shows_integers_of_any_size_and_values_that_show_nothing_of_themselves() -> None:
    for value in (HUGE, -HUGE, [HUGE], {"n": HUGE}, {HUGE: 1}, (HUGE, Unwritable())):
        assert "an integer of 16610 bits" in brief(value), brief(value)
    assert "Unwritable" in brief(Unwritable())
    assert brief(2**63) == "9223372036854775808"


@given(st.integers(), st.integers(0, 20_000))
def test_any_integer_beyond_64_bits_is_refused_with_words(low: int, bits: int) -> None:
    for number in (2**63 + abs(low) + (1 << bits), -(2**63) - 1 - abs(low) - (1 << bits)):
        with pytest.raises(InvalidInputError, match=r"value .* does not fit in 64 bits, which hold -2\*\*63 to"):
            check_value(number)


def test_integers_of_any_size_are_refused_where_numbers_and_words_are_taken() -> None:
    with pytest.raises(InvalidInputError, match="limit <an integer of 16610 bits> must be"):
        within("limit", HUGE, 1, 10)
    with pytest.raises(InvalidInputError, match="unknown field"):
        row_of({"text": "Said.", HUGE: 1})
    with pytest.raises(InvalidInputError, match="unknown field"):
        assertion_row("acme", ANYTHING, {**FACT, HUGE: 1})
    with pytest.raises(InvalidInputError, match="metadata"):
        checked_row("Said.", metadata={"n": HUGE})

    class Person(Kind):
        height: float = attribute("How tall they are, in metres")

    schema = Schema("people", version=1, kinds=[Person])
    with pytest.raises(InvalidInputError, match=r"height .* is too large for a float"):
        schema.check("height", HUGE)
    assert schema.check("height", 2) == 2.0


def test_what_is_missing_in_a_table_is_refused_and_compared_with_nothing() -> None:
    for name in ("extract", "kind", "session", "metadata", "occurred_at", "about", "id"):
        with pytest.raises(InvalidInputError, match="<NA>"):
            row_of({"text": "Said.", "extract": "later", name: Missing()})
    with pytest.raises(InvalidInputError, match="unknown field"):
        row_of({"text": "Said.", Missing(): 1})
    with pytest.raises(InvalidInputError, match="conflict <NA>"):
        attribute("Where they live", conflict=Missing())  # type: ignore[arg-type]
    choices: type[Any]
    for choices in (Conflict, ExtractionState):
        with pytest.raises(InvalidInputError, match="choice <NA>"):
            one_of(choices, Missing(), "choice")  # type: ignore[arg-type]


def test_a_boolean_of_another_library_is_named_with_its_module() -> None:
    foreign = type("bool", (), {"__module__": "numpy"})
    with pytest.raises(InvalidInputError, match=r"is a numpy\.bool: a fact may hold str"):
        check_value(foreign())


def test_a_row_is_checked_as_a_single_episode_is() -> None:
    for name in ("text", "kind", "source"):
        given = {"text": "Said.", name: None}
        with pytest.raises(InvalidInputError, match=name) as alone:
            checked_row(**given)  # type: ignore[arg-type]
        with pytest.raises(InvalidInputError) as in_a_row:
            row_of(given)
        assert str(in_a_row.value) == str(alone.value)
    empty = dict.fromkeys(("id", "occurred_at", "session", "retention", "metadata", "extract", "about"))
    assert row_of({"text": "Said.", **empty})["metadata"] == "{}"


@pytest.mark.parametrize("row", [Torn(), TornRecord()], ids=["mapping", "object"])
def test_a_row_that_cannot_be_read_is_refused_and_the_others_are_taken(row: Any) -> None:
    bulk = Batches(10, None, None)
    [batch] = bulk.batches(
        [{"text": "One."}, row, {"text": "Three.", "occurred_at": NotATime(2026, 6, 1)}, {"text": "4"}]
    )
    with bulk.batch():
        assert [number for number, _, _ in bulk.check(batch, row_of)] == [1, 4]
    assert [outcome.row for outcome in bulk.report.refused] == [2, 3]
    assert "cannot be read" in (bulk.report.refused.first[0].reason or "")
