import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, strategies as st

from graph_memory.cli.output import jsonable
from graph_memory.cli.value_parsing import from_json, from_text, guess, to_text, type_of
from graph_memory.domain.values import Ref, Value, identity
from graph_memory.errors import InvalidInputError

VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=50),
    st.dates(),
    st.datetimes(timezones=st.just(UTC)),
    st.builds(Ref, st.from_regex(r"[A-Za-z0-9_]{1,20}", fullmatch=True), st.sampled_from([None, "Company"])),
)


@given(VALUES)
def test_a_value_written_as_text_with_its_type_is_read_back_the_same(value: Value) -> None:
    name = type_of(value)
    assert name is not None
    assert identity(from_text(to_text(value), name)) == identity(value)


@given(VALUES)
def test_a_value_written_as_json_with_its_type_is_read_back_the_same(value: Value) -> None:
    parsed = json.loads(json.dumps(jsonable(value)))
    assert identity(from_json(parsed, type_of(value))) == identity(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("0", 0),
        ("-7", -7),
        ("007", "007"),
        ("+1", "+1"),
        ("1_000", "1_000"),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", "9223372036854775808"),
        ("9" * 5000, "9" * 5000),
        ("2.5", 2.5),
        ("1e6", 1e6),
        ("1e999", "1e999"),
        ("1.", "1."),
        ("nan", "nan"),
        ("inf", "inf"),
        ("2026-07-15", date(2026, 7, 15)),
        ("2026-07-15T09:00:00+02:00", datetime(2026, 7, 15, 7, tzinfo=UTC)),
        ("2026", 2026),
        ("2026-07", "2026-07"),
        ("", ""),
        (" 1", " 1"),
        ("٣", "٣"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_a_guess_takes_the_type_that_the_look_tells(text: str, value: Value) -> None:
    assert identity(guess(text)) == identity(value)


@pytest.mark.parametrize("text", ["2026-02-30", "2026-13-01", "2026-06-01T09:00", "2026-06-01 25:00Z"])
def test_what_looks_like_a_date_and_is_none_is_an_error_that_offers_text(text: str) -> None:
    with pytest.raises(InvalidInputError, match="type str"):
        guess(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x", "int"), ("1.0", "int"), ("", "int"), ("9" * 5000, "int"), ("9223372036854775808", "int"),
        ("x", "float"), ("nan", "float"), ("inf", "float"), ("1e999", "float"),
        ("True", "bool"), ("1", "bool"), ("2026-02-30", "date"), ("2026-07-15T00:00:00Z", "date"),
        ("2026-07-15", "datetime"), ("2026-07-15T09:00", "datetime"), ("", "ref"), ("a", "ref:"),
        ("a", "ref:lower"), ("a", "text"), ("a", "int:32"), ("a", ""),
    ],
)  # fmt: skip
def test_text_that_is_not_of_the_type_it_names_is_refused(text: str, name: str) -> None:
    with pytest.raises(InvalidInputError):
        from_text(text, name)


@pytest.mark.parametrize(
    ("parsed", "name", "value"),
    [
        ("2026-07-15", None, "2026-07-15"),
        ("2026-07-15", "date", date(2026, 7, 15)),
        (1, None, 1),
        (1, "float", 1.0),
        (1.0, None, 1.0),
        (True, None, True),
        ("9007199254740993", "int", 9007199254740993),
        ("globex", "ref:Company", Ref("globex")),
    ],
)
def test_json_has_its_own_types_and_the_named_one_wins(parsed: object, name: str | None, value: Value) -> None:
    assert identity(from_json(parsed, name)) == identity(value)


def test_a_reference_keeps_its_kind() -> None:
    assert from_text("globex", "ref:Company").kind == "Company"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("parsed", "name"),
    [
        (None, None), ([1], None), ({"a": 1}, "str"), (1, "str"), (True, "int"), (True, "float"), (1, "bool"),
        (1.5, "int"), (20260715, "date"), (1, "ref"), (2**63, None), (10**400, "float"), (1, "nonsense"),
    ],
)  # fmt: skip
def test_json_that_is_not_of_the_type_it_names_is_refused(parsed: object, name: str | None) -> None:
    with pytest.raises(InvalidInputError):
        from_json(parsed, name)
