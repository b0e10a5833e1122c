from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from graph_memory.domain.values import Ref, Value
from graph_memory.ledger.planner import (
    Assertion,
    Correction,
    Decision,
    Link,
    Plan,
    Retraction,
    Status,
    Window,
    plan,
)
from graph_memory.ledger.timeline import Entry, coalesce, holding, lasting_start, segments

JAN, FEB, MAR, APR, MAY = (datetime(2026, month, 1, tzinfo=UTC) for month in range(1, 6))
TENTH = JAN + timedelta(days=9)


def entry(id_: str, start: datetime, until: datetime | None = None, value: Value | None = "x") -> Entry:
    return Entry(id=id_, slot="s", valid_from=start, until=until, value=value, episodes=frozenset({f"e-{id_}"}))


def end(id_: str, at: datetime, until: datetime | None = None) -> Entry:
    return entry(id_, at, until, value=None)


def pieces(*entries: Entry) -> list[tuple[str, datetime, datetime | None]]:
    return [(s.entry.id, s.valid_from, s.valid_to) for s in segments(entries)]


def window(*entries: Entry, boundary: datetime | None = None) -> dict[str, Window]:
    return {"s": Window(JAN, entries, boundary)}


# -- the rule ------------------------------------------------------------------------------------------


def test_the_entry_that_starts_latest_holds() -> None:
    assert pieces(entry("a", JAN), entry("b", MAR)) == [("a", JAN, MAR), ("b", MAR, None)]


def test_the_order_of_arrival_does_not_matter() -> None:
    a, b, c = entry("a", JAN), entry("b", FEB, APR), end("c", MAR)
    assert pieces(a, b, c) == pieces(c, b, a) == pieces(b, a, c)


def test_a_segment_holds_its_first_instant_and_not_its_last() -> None:
    entries = [entry("a", JAN, MAR)]
    microsecond = timedelta(microseconds=1)
    held = [holding(entries, at) for at in (JAN - microsecond, JAN, MAR - microsecond, MAR)]
    assert [bool(h) for h in held] == [False, True, True, False]


@pytest.mark.parametrize(
    ("entries", "start"),
    [
        ([], JAN),
        ([end("left", FEB)], MAR),  # what was said before the end does not reach beyond it
        ([end("left", FEB, MAR)], JAN),  # a bounded end is over by then
        ([end("left", JAN)], JAN),  # at equal starts a value beats an end
        ([end("left", MAR)], MAR),
        ([end("left", APR)], JAN),  # what comes later ends it later
        ([entry("other", FEB)], MAR),
        ([entry("other", FEB, MAR)], JAN),
        ([entry("other", JAN, FEB)], TENTH),  # two values with one start are a conflict
        ([replace(end("left", FEB), live=False)], JAN),
        ([entry("same", FEB, None, "tea")], JAN),
        ([end("left", datetime(2025, 1, 1, tzinfo=UTC))], JAN),
    ],
)
def test_what_is_said_again_and_again_starts_where_it_still_holds_when_it_is_said_last(
    entries: list[Entry], start: datetime
) -> None:
    for starts in permutations((JAN, TENTH, MAR)):
        found = lasting_start(entries, starts, "tea")
        assert found == start
        held = holding([*entries, entry("new", found, None, "tea")], MAR)
        assert held is not None
        assert held.value == "tea"


def test_a_bounded_entry_gives_back_what_it_had_covered() -> None:
    assert pieces(entry("home", JAN), entry("hotel", FEB, MAR)) == [
        ("home", JAN, FEB),
        ("hotel", FEB, MAR),
        ("home", MAR, None),
    ]


def test_nested_bounded_entries_open_and_close_like_brackets() -> None:
    assert pieces(entry("a", JAN, MAY), entry("b", FEB, APR), entry("c", MAR, APR)) == [
        ("a", JAN, FEB),
        ("b", FEB, MAR),
        ("c", MAR, APR),
        ("a", APR, MAY),
    ]


def test_an_end_holds_like_a_value_and_a_bounded_end_is_a_gap() -> None:
    assert pieces(entry("a", JAN), end("gap", FEB, MAR)) == [
        ("a", JAN, FEB),
        ("gap", FEB, MAR),
        ("a", MAR, None),
    ]


def test_at_equal_starts_the_value_beats_the_end() -> None:
    assert pieces(end("left", MAR), entry("joined", MAR)) == [("joined", MAR, None)]
    assert pieces(end("left", MAR), entry("joined", MAR, APR)) == [("joined", MAR, APR), ("left", APR, None)]


def test_nothing_is_known_before_the_first_start_and_after_the_last_until() -> None:
    entries = [entry("a", FEB, MAR)]
    assert holding(entries, JAN) is None
    assert holding(entries, APR) is None


def test_a_slot_without_live_entries_has_no_segment() -> None:
    gone = Entry(id="a", slot="s", valid_from=JAN, until=None, value="x", live=False)
    assert segments([]) == segments([gone]) == []
    assert holding([gone], FEB) is None


def test_segments_are_cut_where_the_window_ends() -> None:
    found = segments([entry("a", JAN), entry("b", FEB, MAY)], before=APR)
    assert [(s.entry.id, s.valid_from, s.valid_to) for s in found] == [("a", JAN, FEB), ("b", FEB, APR)]


def test_coalescing_joins_touching_segments_of_equal_typed_value_under_the_first() -> None:
    found = coalesce(segments([entry("a", JAN, value=1), entry("b", FEB, value=1), entry("c", MAR, value=1.0)]))
    assert [(s.entry.id, s.valid_from, s.valid_to) for s in found] == [("a", JAN, MAR), ("c", MAR, None)]


def test_coalescing_leaves_gaps_alone() -> None:
    found = segments([entry("a", JAN, FEB), entry("b", MAR)])
    assert coalesce(found) == found


# -- plans ---------------------------------------------------------------------------------------------


def shape(planned: Plan) -> dict[str, list[tuple[str, datetime, datetime | None]]]:
    return {
        name: [(s.entry.id, s.valid_from, s.valid_to) for s in getattr(planned, name)]
        for name in ("removed", "resized", "added")
    }


def test_the_first_assertion_of_a_slot_opens_it_and_supersedes_nothing() -> None:
    planned = plan({"s": Window(JAN)}, [Assertion(entry("a", JAN))])
    assert planned.decisions == [Decision(Status.COMMITTED, "a")]
    assert shape(planned) == {"removed": [], "resized": [], "added": [("a", JAN, None)]}
    assert (planned.opened, planned.closed, planned.supersedes) == (["a"], [], {})


def test_a_later_assertion_closes_the_open_one_where_it_starts() -> None:
    planned = plan(window(entry("a", JAN)), [Assertion(entry("b", MAR, value="y"))])
    assert shape(planned) == {"removed": [], "resized": [("a", JAN, MAR)], "added": [("b", MAR, None)]}
    assert (planned.opened, planned.closed) == (["b"], ["a"])
    assert planned.supersedes == {"b": ("a", Link.CHANGE)}


def test_a_late_arrival_takes_the_rest_of_the_segment_it_falls_in() -> None:
    planned = plan(window(entry("a", JAN), boundary=APR), [Assertion(entry("late", FEB))])
    assert shape(planned) == {"removed": [], "resized": [("a", JAN, FEB)], "added": [("late", FEB, APR)]}
    assert (planned.opened, planned.closed) == ([], [])


def test_a_late_arrival_before_everything_changes_nothing_else() -> None:
    planned = plan({"s": Window(JAN, boundary=MAR)}, [Assertion(entry("late", JAN))])
    assert shape(planned) == {"removed": [], "resized": [], "added": [("late", JAN, MAR)]}
    assert (planned.supersedes, planned.opened) == ({}, [])


def test_an_end_makes_no_edge_and_is_the_open_entry() -> None:
    planned = plan(window(entry("a", JAN)), [Assertion(end("left", MAR))])
    assert shape(planned) == {"removed": [], "resized": [("a", JAN, MAR)], "added": []}
    assert (planned.opened, planned.closed) == (["left"], ["a"])
    assert planned.supersedes == {"left": ("a", Link.END)}


def test_leaving_and_joining_at_one_instant_is_one_transaction_without_a_circle() -> None:
    for changes in ([end("left", MAR), entry("b", MAR)], [entry("b", MAR), end("left", MAR)]):
        planned = plan(window(entry("a", JAN, value="y")), [Assertion(change) for change in changes])
        assert planned.supersedes == {"left": ("a", Link.END), "b": ("left", Link.CHANGE)}
        assert shape(planned)["added"] == [("b", MAR, None)]


def test_an_end_that_comes_later_at_the_start_of_a_value_supersedes_the_value() -> None:
    planned = plan(window(entry("a", JAN, FEB)), [Assertion(end("left", JAN))])
    assert planned.supersedes == {"left": ("a", Link.END)}
    assert shape(planned) == {"removed": [], "resized": [], "added": []}


def test_the_same_value_again_later_is_a_restatement() -> None:
    planned = plan(window(entry("a", JAN)), [Assertion(entry("b", MAR))])
    assert planned.supersedes == {"b": ("a", Link.RESTATEMENT)}


def test_a_batch_is_linked_as_it_stands_when_it_is_done() -> None:
    planned = plan({"s": Window(JAN)}, [Assertion(entry("c", MAR)), Assertion(entry("b", FEB, value=1))])
    assert planned.supersedes == {"c": ("b", Link.CHANGE)}


def test_the_same_statement_from_the_same_episode_is_a_replay_and_writes_nothing() -> None:
    planned = plan(window(entry("a", JAN)), [Assertion(entry("a", JAN))])
    assert planned.decisions == [Decision(Status.REPLAYED, "a")]
    assert not planned.writes


def test_the_same_statement_from_another_episode_is_a_confirmation() -> None:
    other = Entry(id="b", slot="s", valid_from=JAN, until=None, value="x", episodes=frozenset({"e2"}))
    planned = plan(window(entry("a", JAN)), [Assertion(other)])
    assert planned.decisions == [Decision(Status.CONFIRMED, "a")]
    assert planned.confirmed == [("a", 0)]
    assert planned.created == []


@pytest.mark.parametrize("rival", [entry("b", JAN, value="y"), entry("b", JAN, MAR)], ids=["value", "until"])
def test_another_value_or_until_at_one_start_is_a_conflict_that_writes_nothing(rival: Entry) -> None:
    planned = plan(window(entry("a", JAN)), [Assertion(rival)])
    assert planned.decisions == [Decision(Status.REFUSED, "b", ("a",))]
    assert not planned.writes


def test_a_change_in_conflict_leaves_the_others_of_its_batch_alone() -> None:
    rows = [Assertion(entry("b", JAN, value=2)), Assertion(entry("c", MAR))]
    planned = plan(window(entry("a", JAN)), rows)
    assert [decision.status for decision in planned.decisions] == [Status.REFUSED, Status.COMMITTED]
    assert [created.id for created in planned.created] == ["c"]


def test_a_correction_takes_the_place_of_the_entry_from_its_start() -> None:
    planned = plan(window(entry("a", JAN)), [Correction("a", entry("b", JAN, value="y"))])
    assert planned.retracted == {"a": "b"}
    assert planned.supersedes == {"b": ("a", Link.CORRECTION)}
    assert shape(planned) == {"removed": [("a", JAN, None)], "resized": [], "added": [("b", JAN, None)]}


def test_a_correction_with_a_value_turns_an_end_into_a_value() -> None:
    planned = plan(window(entry("a", JAN), end("z", MAR)), [Correction("z", entry("b", MAR, value="y"))])
    assert shape(planned)["added"] == [("b", MAR, None)]
    assert (planned.closed, planned.opened) == (["z"], ["b"])


def test_a_correction_onto_another_start_in_use_is_a_conflict() -> None:
    taken = window(entry("a", JAN), entry("b", MAR, value="y"))
    planned = plan(taken, [Correction("a", entry("c", MAR))])
    assert planned.decisions == [Decision(Status.REFUSED, "c", ("b",))]
    assert not planned.writes


def test_a_correction_onto_an_equal_entry_is_a_confirmation_of_it() -> None:
    planned = plan(window(entry("a", JAN), entry("b", MAR)), [Correction("a", entry("c", MAR))])
    assert planned.decisions == [Decision(Status.CONFIRMED, "b")]
    assert (planned.retracted, planned.created) == ({"a": "b"}, [])


def test_correcting_an_entry_that_is_not_live_is_a_conflict_that_names_its_successor() -> None:
    gone = Entry(id="a", slot="s", valid_from=JAN, until=None, value="x", live=False, retracted_by="b")
    planned = plan(window(gone, entry("b", JAN, value="y")), [Correction("a", entry("c", JAN, value="z"))])
    assert planned.decisions == [Decision(Status.REFUSED, "a", ("b",))]


def test_a_retraction_gives_back_what_the_entry_had_covered() -> None:
    planned = plan(window(entry("a", JAN), entry("b", MAR)), [Retraction("b")])
    assert shape(planned) == {"removed": [("b", MAR, None)], "resized": [("a", JAN, None)], "added": []}
    assert planned.retracted == {"b": None}
    assert (planned.closed, planned.opened) == (["b"], ["a"])


def test_retracting_twice_changes_nothing() -> None:
    gone = Entry(id="a", slot="s", valid_from=JAN, until=None, value="x", live=False)
    planned = plan(window(gone), [Retraction("a")])
    assert planned.decisions == [Decision(Status.REPLAYED, "a")]
    assert not planned.writes


def test_references_are_compared_by_key_and_not_by_kind() -> None:
    known = entry("a", JAN, value=Ref("acme", "Company"))
    planned = plan(window(known), [Assertion(entry("a", JAN, value=Ref("acme")))])
    assert planned.decisions[0].status == Status.REPLAYED
