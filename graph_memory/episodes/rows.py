"""Episodes from the rows of the templates. Instants are columns of microseconds since 1970."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.domain.json_values import frozen
from graph_memory.domain.records import Episode


def episode_from_row(tenant: str, row: Sequence[Any]) -> Episode:
    """Return an episode from its columns, in the order of all templates."""
    id_, text, kind, source, occurred_at, recorded_at, session, retention, metadata = row
    return Episode.model_construct(
        id=id_,
        tenant=tenant,
        text=text,
        kind=kind,
        source=source,
        occurred_at=from_optional_micros(occurred_at),
        recorded_at=from_micros(recorded_at),
        session=session,
        retention=retention,
        metadata=frozen(json.loads(metadata)),
    )
