"""How a program takes cardinalities as the database has them."""

from __future__ import annotations

from graph_memory.schema.recorded import RECORDED, Recorded


def test_attributes_of_cardinality_many_may_be_named_beside_those_that_are_recorded() -> None:
    assert RECORDED.many == ()
    assert Recorded("likes", "knows").many == ("likes", "knows")
    assert repr(Recorded("likes")) == "Recorded('likes')"
