"""Extractions from the rows of the templates. Instants are columns of microseconds since 1970."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.domain.records import Outcome, WriteReport
from graph_memory.queue.jobs import Extraction, ExtractionState

Settled: TypeAlias = tuple[int, str, str | None, str | None, str | None, Any]
"""Of one candidate: its number, its count in the report, fact id, candidate id, reason, and the proposal."""
_WRITTEN = ("committed", "confirmed")


def extraction_from_row(tenant: str, row: Sequence[Any]) -> Extraction:
    """Return an extraction from its columns, in the order of all templates."""
    episode_id, state, about, attempts, worker, error, changed_at, due_at, report = row
    return Extraction.model_construct(
        tenant=tenant,
        episode_id=episode_id,
        state=ExtractionState(state),
        about=about,
        attempts=attempts,
        worker=worker,
        error=error,
        changed_at=from_micros(changed_at),
        due_at=from_optional_micros(due_at),
        report=None if report is None else report_of(json.loads(report)["candidates"]),
    )


def report_of(settled: Iterable[Sequence[Any]], *, again: bool = False) -> WriteReport:
    """Return a report from what became of each candidate; `again`: of an episode that had been settled before."""
    report = WriteReport()
    for number, outcome, fact, candidate, reason, proposal in settled:
        known = again and outcome in _WRITTEN
        getattr(report, "replayed" if known else outcome).add(
            Outcome(row=number, fact_id=fact, candidate_id=candidate, reason=reason, data=proposal)
        )
    return report


def told_again(report: WriteReport) -> WriteReport:
    """Return the report of an episode that is extracted once more: what it committed and confirmed is replayed."""
    found = [(name, outcome) for name, outcomes in vars(report).items() for outcome in outcomes]
    again = WriteReport()
    for name, outcome in sorted(found, key=lambda pair: pair[1].row):
        getattr(again, "replayed" if name in _WRITTEN else name).add(outcome)
    return again
