"""Checks of what a method is given."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.domain.arguments import listed, one_of, optional_instant, within
from graph_memory.domain.records import Direction
from graph_memory.errors import InvalidInputError


@pytest.mark.parametrize("value", [0, 11, True, 1.0, "1", None])
def test_a_number_outside_its_range_or_of_another_type_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInputError, match="depth"):
        within("depth", value, 1, 10)


def test_both_ends_of_a_range_are_allowed() -> None:
    assert (within("depth", 1, 1, 10), within("depth", 10, 1, 10)) == (1, 10)


def test_a_choice_is_given_as_member_or_by_name_and_else_the_choices_are_told() -> None:
    assert one_of(Direction, "in", "direction") is one_of(Direction, Direction.IN, "direction") is Direction.IN
    with pytest.raises(InvalidInputError, match=r"out, in or both"):
        one_of(Direction, "up", "direction")


@pytest.mark.parametrize("given", ["text", b"bytes", 3, None])
def test_text_is_no_list(given: Any) -> None:
    with pytest.raises(InvalidInputError, match="must be a list"):
        listed("kinds", given)


def test_any_iterable_is_a_list() -> None:
    assert listed("kinds", (name for name in ("a", "b"))) == ["a", "b"]


def test_an_instant_may_be_left_out() -> None:
    assert optional_instant(None, "at") is None
    assert optional_instant("2026-06-01", "at") == datetime(2026, 6, 1, tzinfo=UTC)
