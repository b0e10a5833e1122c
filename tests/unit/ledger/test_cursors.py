"""Where a reader of changes is."""

import pytest

from graph_memory import Clock, InvalidInputError
from graph_memory.domain.instants import parse_instant, to_micros
from graph_memory.ledger.cursors import Position, before, position

NOON = to_micros(parse_instant("2026-06-01T12:00:00Z"))


@pytest.mark.parametrize(
    "place", [None, (), ("mira", "home", 2, "f1", ""), ("M\u00efra / \n", "home", "str", "x")]
)
def test_a_cursor_round_trips(place: tuple[str | int, ...] | None) -> None:
    found = Position(Clock.VALID, NOON, place)
    assert position(found.text(), Clock.VALID) == found


def test_a_position_is_behind_what_was_given_and_before_all_else() -> None:
    behind = Position(Clock.RECORDED, NOON, ("mira", "home"))
    assert behind.precedes(NOON, ("mira", "office"))
    assert not behind.precedes(NOON, ("mira", "home"))
    assert not behind.precedes(NOON - 1, ("zoe", "home"))
    first = before(Clock.RECORDED, parse_instant("2026-06-01T12:00:00Z"))
    assert first.precedes(NOON, ())
    assert not first.precedes(NOON - 1, ("zoe",))


@pytest.mark.parametrize(
    "text", ["", "nonsense", "WyJyZWNvcmRlZCJd", "WzEsMiwzXQ", "WyJyZWNvcmRlZCIseyJhIjoxfSxudWxsXQ"]
)
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="is no cursor"):
        position(text, Clock.RECORDED)


def test_a_cursor_by_the_other_clock_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="by='valid'"):
        position(Position(Clock.VALID, NOON).text(), Clock.RECORDED)
