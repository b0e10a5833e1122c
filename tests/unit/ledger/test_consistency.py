"""What the edges and labels of a subject should be, and how they differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.domain.instants import to_micros
from graph_memory.domain.records import Cardinality
from graph_memory.domain.slots import slot_key
from graph_memory.ledger.consistency import (
    CLOCK_AHEAD,
    EdgeRow,
    ExpectedEdge,
    LedgerRow,
    SlotRow,
    SubjectCheck,
    SubjectRow,
    examine,
    pieces,
)

DAY = [to_micros(datetime(2026, 1, day, tzinfo=UTC)) for day in range(1, 6)]
HOME = slot_key("acme", "mira", "home")
BOSS = slot_key("acme", "mira", "boss")


def entry(id_: str, start: int, value: str = "Bern", **changed: Any) -> LedgerRow:
    row = LedgerRow(
        id=id_,
        slot=HOME,
        attribute="home",
        has_value=True,
        value=value,
        value_type="str",
        valid_from=start,
        until=None,
        recorded_at=start,
        retracted_at=None,
        live=True,
        open=True,
        episodes=1,
        supersedes=[],
        objects=[],
    )
    return row._replace(**changed)


def edge(fact: str, start: int, end: int | None = None, **changed: Any) -> EdgeRow:
    return EdgeRow(f"edge-{fact}", "HOME", fact, "acme", start, end, None, fact)._replace(**changed)


def examined(rows: list[LedgerRow], edges: list[EdgeRow], slots: tuple[str, ...] = (HOME,)) -> SubjectCheck:
    marked = [SlotRow(slot, slot, DAY[4], DAY[4]) for slot in slots]
    return checked(SubjectRow("mira", DAY[4], DAY[4], marked, rows, edges))


def checked(subject: SubjectRow) -> SubjectCheck:
    return examine("acme", subject, {"home": Cardinality.ONE})


SOUND = [entry("f1", DAY[0], open=False), entry("f2", DAY[2], "Oslo", supersedes=[["acme", DAY[0], DAY[0], True]])]
EDGES = [edge("f1", DAY[0], DAY[2]), edge("f2", DAY[2])]


def test_a_subject_whose_edges_follow_from_its_ledger_has_no_problem() -> None:
    check = examined(SOUND, EDGES)
    assert check.problems == []
    assert not any(check.repairs.values())


@pytest.mark.parametrize(
    ("rows", "edges", "slots", "kind", "repair"),
    [
        (SOUND, EDGES[:1], (HOME,), "edge missing", "literals"),
        (SOUND, [*EDGES, edge("f9", DAY[3])], (HOME,), "edge unexpected", "wrong"),
        (SOUND, EDGES, (), "slot missing", "slots"),
        ([SOUND[0]._replace(live=False), SOUND[1]], EDGES, (HOME,), "live label", "live"),
        ([SOUND[0]._replace(open=True), SOUND[1]], EDGES, (HOME,), "open label", "closed"),
        ([SOUND[0], SOUND[1]._replace(open=False)], EDGES, (HOME,), "open label", "open"),
        ([SOUND[0], SOUND[1]._replace(retracted_at=DAY[4])], EDGES, (HOME,), "live label", "unlabelled"),
    ],
)
def test_each_kind_of_damage_is_named_and_can_be_mended(
    rows: list[LedgerRow], edges: list[EdgeRow], slots: tuple[str, ...], kind: str, repair: str
) -> None:
    check = examined(rows, edges, slots)
    assert kind in {problem.kind for problem in check.problems}
    assert check.repairs[repair]


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"episodes": 0}, "no provenance"),
        ({"slot": BOSS}, "slot"),
        ({"objects": ["tom"]}, "object"),
        ({"supersedes": [["acme", DAY[4], DAY[4], True]]}, "supersedes"),
        ({"supersedes": [["globex", DAY[0], DAY[0], True]]}, "supersedes"),
        ({"supersedes": [["acme", DAY[0], DAY[0], True]] * 2}, "supersedes"),
    ],
)
def test_links_that_the_design_forbids_are_named(changed: dict[str, Any], kind: str) -> None:
    check = examined([SOUND[0], SOUND[1]._replace(**changed)], EDGES, (HOME, BOSS))
    assert kind in {problem.kind for problem in check.problems}


def test_an_edge_with_another_end_is_replaced() -> None:
    check = examined(SOUND, [edge("f1", DAY[0], DAY[3]), EDGES[1]])
    assert [problem.kind for problem in check.problems] == ["edge unexpected", "edge missing"]
    assert check.repairs["wrong"] == ["edge-f1"]


def test_an_edge_of_a_reference_leads_to_its_entity() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    wanted = ExpectedEdge("f1", "BOSS", start, None, "tom")
    right = EdgeRow("x", "BOSS", "f1", "acme", DAY[0], None, ["acme", "tom"], None)
    assert wanted.matches("acme", right)
    assert not wanted.matches("acme", right._replace(entity=["globex", "tom"]))
    assert not wanted.matches("acme", right._replace(tenant="globex"))
    assert not replace(wanted, object="ben").matches("acme", right)


@pytest.mark.parametrize(
    "marks",
    [
        SlotRow(HOME, HOME, None, DAY[4]),
        SlotRow(HOME, HOME, DAY[4], None),
        SlotRow(HOME, None, DAY[4], DAY[4]),
        SlotRow(HOME, BOSS, DAY[4], DAY[4]),
        SlotRow(HOME, HOME, DAY[3], DAY[4]),
        SlotRow(HOME, HOME, DAY[1], DAY[1]),
    ],
)
def test_a_slot_whose_marks_do_not_tell_its_last_write_is_marked_anew(marks: SlotRow) -> None:
    check = checked(SubjectRow("mira", DAY[4], DAY[4], [marks], SOUND, EDGES))
    assert [(problem.kind, problem.slot) for problem in check.problems] == [("slot mark", HOME)]
    last = datetime(2026, 1, 3, tzinfo=UTC)
    assert check.repairs["marks"] == [{"key": HOME, "last": last}]


def test_a_retraction_is_a_write_that_the_marks_tell() -> None:
    gone = [entry("f1", DAY[0], retracted_at=DAY[3], live=False, open=False)]
    found = checked(SubjectRow("mira", DAY[4], DAY[4], [SlotRow(HOME, HOME, DAY[2], DAY[2])], gone, []))
    assert [problem.kind for problem in found.problems] == ["slot mark"]


@pytest.mark.parametrize(("ahead", "kinds"), [(0, []), (1, ["clock ahead"]), (-1, [])])
def test_a_clock_that_is_further_ahead_than_clocks_differ_is_reported_and_not_mended(
    ahead: int, kinds: list[str]
) -> None:
    bound = CLOCK_AHEAD // timedelta(microseconds=1)
    check = checked(SubjectRow("mira", DAY[4] + bound + ahead, DAY[4], [], [], []))
    assert [problem.kind for problem in check.problems] == kinds
    assert not any(check.repairs.values())


def test_pieces_are_in_order_and_none_but_a_single_thing_is_larger_than_asked() -> None:
    sizes = [("a", 3), ("b", 2), ("c", 1), ("d", 9), ("e", 0), ("f", 5)]
    assert list(pieces(sizes, 5)) == [["a", "b"], ["c"], ["d"], ["e", "f"]]
    assert list(pieces([], 5)) == []
