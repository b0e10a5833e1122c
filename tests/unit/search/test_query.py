"""What a search may be, and what it may not."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.errors import InvalidInputError
from graph_memory.search.query import search_of


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"mode": "exact"},
        {"fusion": "sum"},
        {"weights": (0, 0)},
        {"weights": (1, -1)},
        {"weights": 1},
        {"neighbours": 2},
        {"kinds": "message"},
        {"between": ("2026-02-01", "2026-01-01")},
        {"between": "2026"},
        {"at": "soon"},
        {"about": ""},
    ],
    ids=str,
)
def test_what_a_search_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    [name] = wrong
    with pytest.raises(InvalidInputError, match="key" if name == "about" else name.removesuffix("s")):
        search_of("words", **{"k": 10, **wrong})


def test_an_instant_of_the_past_bounds_what_may_have_been_said() -> None:
    search = search_of("x", 1, between=("2026-01-01", "2026-03-01"), at="2026-02-01")
    assert search.said_from == datetime(2026, 1, 1, tzinfo=UTC)
    assert search.said_before == datetime(2026, 2, 1, 0, 0, 0, 1, tzinfo=UTC)
    assert search_of("x", 1, at=datetime.max.replace(tzinfo=UTC)).said_before is None
