"""Extractions from the rows of the templates. Instants are columns of microseconds since 1970."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.queue.jobs import Extraction, ExtractionState


def extraction_from_row(tenant: str, row: Sequence[Any]) -> Extraction:
    """Return an extraction from the columns that all templates have."""
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
        report=None if report is None else json.loads(report),
    )
