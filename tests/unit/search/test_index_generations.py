"""Which index searches use, and which one is being built."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.search.index_generations import Generation, filters_by_tenant, generations

ACTIVE: list[Any] = ["vector", 1, "v_a", None, "model", 384, "a", True]


def test_a_generation_that_is_being_built_stands_beside_the_one_in_use() -> None:
    found = generations([[*ACTIVE, 2, "v_b", None, "better", 768, "b", True]])["vector"]
    assert (found.active.number, found.active.embedder) == (1, "model")
    assert found.building is not None
    assert (found.building.number, found.building.embedder, found.building.slot) == (2, "better", "b")


def test_none_is_being_built_where_no_number_is_given() -> None:
    assert generations([[*ACTIVE, None, None, None, None, None, None, None]])["vector"].building is None


def test_two_generations_never_share_a_property() -> None:
    one = Generation(1, "v_a", slot="a")
    other = Generation(2, "v_b", slot=one.other_slot)
    assert one.embedding_property != other.embedding_property
    assert other.other_slot == "a"


@pytest.mark.parametrize(
    ("version", "filters"), [("5.26.30", False), ("2026.01.0", False), ("2026.08.1", True), ("2027.01-beta", True)]
)
def test_vector_indexes_filter_by_tenant_from_2026_02_on(version: str, filters: bool) -> None:
    assert filters_by_tenant(version) is filters
