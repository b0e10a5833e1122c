"""The ways between two nodes, given the steps between all."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime

import pytest

from graph_memory.domain.records import Edge
from graph_memory.graph.shortest_paths import MAX_TRIED, Steps, TriedTooManyError

START = datetime(2026, 1, 1, tzinfo=UTC)


def step(start: str, stop: str, attribute: str = "knows") -> tuple[Edge, str, str]:
    edge = Edge(
        subject=start,
        attribute=attribute,
        object=stop,
        valid_from=START,
        fact_id=f"{start}-{attribute}-{stop}",
        episode_id="e1",
    )
    return edge, start, stop


def found(steps: Steps, start: str, stop: str, length: int) -> list[str]:
    return ["".join([way[0].subject, *(edge.object for edge in way)]) for way in steps.ways(start, stop, length)]


@pytest.mark.parametrize("seed", range(20))
def test_they_are_all_the_sequences_of_nodes_that_steps_join(seed: int) -> None:
    drawn = random.Random(seed)
    nodes = "abcdef"
    joined = {pair for pair in itertools.product(nodes, repeat=2) if drawn.random() < 0.4}
    steps = Steps()
    for start, stop in joined:
        steps.add(*step(start, stop))
    for length in range(1, 6):
        between = itertools.permutations("bcde", length - 1)
        ways = ("".join(("a", *middle, "f")) for middle in between)
        expected = sorted(way for way in ways if all(pair in joined for pair in itertools.pairwise(way)))
        assert found(steps, "a", "f", length) == expected


def test_a_step_that_is_known_is_not_taken_twice() -> None:
    steps = Steps()
    for _ in range(2):
        steps.add(*step("a", "b"))
    steps.add(*step("a", "b", "likes"))
    assert [way[0].attribute for way in steps.ways("a", "b", 1)] == ["knows", "likes"]


def test_where_the_number_of_steps_cannot_lead_to_the_end_nothing_is_tried() -> None:
    steps = Steps()
    left, right = [f"l{n}" for n in range(40)], [f"r{n}" for n in range(40)]
    for one, other in itertools.product(left, right):
        steps.add(*step(one, other))
        steps.add(*step(other, one))
    assert list(steps.ways("l0", "l1", 15)) == []


def test_it_gives_up_where_almost_no_beginning_has_an_end() -> None:
    steps = Steps()
    # From the start into a thicket, from which the only way out leads over the start.
    thicket = [f"t{n}" for n in range(30)]
    for one, other in itertools.permutations(thicket, 2):
        steps.add(*step(one, other))
    for node in thicket:
        steps.add(*step("a", node))
        steps.add(*step(node, "a"))
    steps.add(*step("a", "z"))
    with pytest.raises(TriedTooManyError):
        list(steps.ways("a", "z", 12))
    assert MAX_TRIED < 10**6
