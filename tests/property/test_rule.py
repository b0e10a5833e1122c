"""What follows from the rule for any history; the planner is held to the same rule in test_planner."""

import random
from datetime import datetime
from itertools import pairwise

from hypothesis import given, settings, strategies as st
from planned import day

from graph_memory.domain.values import Value
from graph_memory.ledger.timeline import Entry, Segment, coalesce, holding, same_value, segments

VALUES: st.SearchStrategy[Value] = st.sampled_from(["a", "b", 1, 1.0, True])
INSTANTS = [day(number) for number in range(-1, 14)]


@st.composite
def histories(draw: st.DrawFn) -> list[Entry]:
    """Live entries of one slot: at most one value and one end for each start."""
    starts = draw(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=8, unique=True))
    return [
        Entry(
            id=str(number),
            slot="s",
            valid_from=day(start),
            until=draw(st.none() | st.integers(start + 1, 12).map(day)),
            value=draw(VALUES) if valued else None,
        )
        for number, (start, valued) in enumerate(starts)
    ]


def at(pieces: list[Segment], instant: datetime) -> Segment | None:
    found = [p for p in pieces if p.valid_from <= instant and (p.valid_to is None or instant < p.valid_to)]
    assert len(found) <= 1
    return found[0] if found else None


@given(histories())
def test_the_segments_give_the_same_answer_as_the_rule_at_every_instant(entries: list[Entry]) -> None:
    pieces = segments(entries)
    for instant in INSTANTS:
        piece = at(pieces, instant)
        assert (piece and piece.entry) == holding(entries, instant)


@given(histories())
def test_segments_are_in_order_do_not_overlap_and_are_not_empty(entries: list[Entry]) -> None:
    pieces = segments(entries)
    for piece, following in pairwise(pieces):
        assert piece.valid_to is not None
        assert piece.valid_from < piece.valid_to <= following.valid_from
    assert all(piece.valid_to is None or piece.valid_from < piece.valid_to for piece in pieces)


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_never_changes_a_segment(entries: list[Entry], chance: random.Random) -> None:
    shuffled = list(entries)
    chance.shuffle(shuffled)
    assert segments(shuffled) == segments(entries)


@given(histories(), st.integers(0, 8), st.integers(1, 5))
def test_a_bounded_assertion_changes_no_answer_outside_its_interval(
    entries: list[Entry], start: int, length: int
) -> None:
    new = Entry(id="new", slot="s", valid_from=day(start), until=day(start + length), value="new")
    without = [entry for entry in entries if entry.rank != new.rank]
    for instant in INSTANTS:
        if not new.covers(instant):
            assert holding([*without, new], instant) == holding(without, instant)


@given(histories())
def test_coalescing_changes_no_answer_and_leaves_no_two_touching_equals(entries: list[Entry]) -> None:
    pieces, joined = segments(entries), coalesce(segments(entries))
    for instant in INSTANTS:
        piece, whole = at(pieces, instant), at(joined, instant)
        assert (piece is None) == (whole is None)
        if piece and whole:
            assert same_value(piece.entry.value, whole.entry.value)
    for one, other in pairwise(joined):
        assert one.valid_to != other.valid_from or not same_value(one.entry.value, other.entry.value)


@given(histories(), st.integers(0, 12))
@settings(max_examples=50)
def test_a_cut_history_is_the_whole_one_up_to_the_cut(entries: list[Entry], cut: int) -> None:
    cut_pieces, pieces = segments(entries, before=day(cut)), segments(entries)
    for instant in INSTANTS:
        piece = at(cut_pieces, instant)
        if instant < day(cut):
            whole = at(pieces, instant)
            assert (piece and piece.entry) == (whole and whole.entry)
        else:
            assert piece is None
