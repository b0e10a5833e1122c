"""What is stored of candidates can be stored, whatever a model wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graph_memory import Kind, Schema, attribute
from graph_memory.candidates.records import CandidateStatus
from graph_memory.candidates.rows import candidate_row
from graph_memory.cli.output import jsonable
from graph_memory.extraction.entity_linking import Fate
from graph_memory.extraction.outcome import Settling
from graph_memory.extraction.proposals import Malformed
from graph_memory.extraction.validation import Judgement
from graph_memory.queue.rows import extraction_from_row, report_of, told_again


class Thing(Kind):
    """A thing."""

    colour: str = attribute("Its colour")


SCHEMA = Schema("things", version=1, kinds=[Thing])


@pytest.mark.parametrize(
    "raw",
    [{"attribute": {"a": 1}, "change": ["x"]}, 2**70, "\ud800", float("nan"), {"x": ["y"] * 10_000}, None, 7],
)
def test_what_has_no_shape_is_kept_in_a_form_that_can_be_stored(raw: Any) -> None:
    judgement = Judgement(1, Malformed(raw, "no shape"), Fate.REFUSE, "no shape")
    settling = Settling(SCHEMA, "e1", [judgement], {}, final=True, new_id=lambda: "c1")
    settling.settle([])
    [row] = settling.candidates
    stored = row["proposal"] or "null"
    for text in (stored, settling.to_settle()["report"]):
        text.encode("utf-8")
        assert len(text) < 12_000
        json.loads(text)
    assert (row["status"], row["reason"], len(settling.report().refused)) == ("refused", "no shape", 1)


def test_a_report_told_again_calls_what_was_committed_replayed() -> None:
    settled: list[Any] = [(1, "committed", "f1", None, None, {}), (2, "refused", None, "c1", "why", {})]
    first, again = report_of(settled), report_of(settled, again=True)
    assert [o.fact_id for o in first.committed] == [o.fact_id for o in again.replayed] == ["f1"]
    assert [o.candidate_id for o in again.refused] == ["c1"]
    assert told_again(first) == again != first


def test_an_extraction_has_the_report_that_its_write_returned() -> None:
    settled: list[Any] = [(1, "committed", "f1", None, None, {"a": 1}), (2, "refused", None, "c1", "why", {})]
    row = ("e1", "done", None, 1, None, None, 1_780_000_000_000_000, None, json.dumps({"candidates": settled}))
    extraction = extraction_from_row("acme", row)
    assert extraction.report == report_of(settled)
    shown = jsonable(extraction)["report"]
    assert [outcome["fact_id"] for outcome in shown["committed"]] == ["f1"]
    assert shown == json.loads(extraction.model_dump_json())["report"]


def test_a_reason_is_cut_where_it_is_too_long() -> None:
    assert len(candidate_row("c1", "e1", None, CandidateStatus.REFUSED, "x" * 5000)["reason"]) == 1000
