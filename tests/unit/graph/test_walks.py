"""Which kinds a walk passes, and what leads to its ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory import Direction, Edge
from graph_memory.graph.walks import Kinds, leading_to


def edge(subject: str, object_: str) -> Edge:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return Edge(
        subject=subject,
        attribute="knows",
        object=object_,
        valid_from=start,
        fact_id=subject + object_,
        episode_id="e",
    )


@pytest.mark.parametrize(
    ("through", "to", "on_the_way", "at_last", "passes"),
    [
        (None, None, None, None, True),
        ("A", None, None, None, False),
        (None, "B", None, ["B"], True),
        ("A", "B", ["A", "B"], ["B"], False),
        ("AB", "B", ["A", "B"], ["B"], True),
    ],
)
def test_a_step_reaches_what_the_walk_passes_or_returns(
    through: str | None, to: str | None, on_the_way: list[str] | None, at_last: list[str] | None, passes: bool
) -> None:
    kinds = Kinds(None if through is None else frozenset(through), None if to is None else frozenset(to))
    assert (kinds.reached(last=False), kinds.reached(last=True)) == (on_the_way, at_last)
    assert kinds.pass_all is passes


def test_only_the_shortest_walks_lead_to_an_end() -> None:
    depths = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 2}
    edges = [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "e"), edge("d", "c"), edge("b", "c")]
    assert leading_to(["d"], depths, edges, Direction.OUT) == {"a", "b", "d"}
    assert leading_to(["d"], depths, edges, Direction.IN) == {"d", "c"}
    assert leading_to(["d"], depths, edges, Direction.BOTH) == {"a", "b", "c", "d"}
    assert leading_to([], depths, edges, Direction.OUT) == set()
