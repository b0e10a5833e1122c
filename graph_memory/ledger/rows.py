"""Facts and timeline entries from the rows of the templates. Instants are columns of microseconds since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.domain.records import Fact
from graph_memory.domain.values import from_property
from graph_memory.ledger.timeline import Entry


def fact_from_row(tenant: str, valid_from: datetime, valid_to: datetime | None, entry: Sequence[Any]) -> Fact:
    """Return a fact from a segment (UTC) and the columns of an entry, in the order of all reading templates.

    The values were checked when they were written, so they are not checked again.
    """
    (id_, subject, attribute, has_value, stored, value_type, asserted_from, until, recorded_at) = entry[:9]
    retracted_at, episode_id, source, supersedes, schema_version, memory_type, retention = entry[9:]
    value = None if stored is None else from_property(value_type, stored)
    return Fact.model_construct(
        id=id_,
        tenant=tenant,
        subject=subject,
        attribute=attribute,
        value=value if has_value else None,
        valid_from=valid_from,
        valid_to=valid_to,
        asserted_from=from_micros(asserted_from),
        until=from_optional_micros(until),
        ended=not has_value,
        ended_value=None if has_value else value,
        recorded_at=from_micros(recorded_at),
        retracted_at=from_optional_micros(retracted_at),
        episode_id=episode_id,
        source=source,
        supersedes=supersedes,
        schema_version=schema_version,
        memory_type=memory_type,
        retention=retention,
    )


def entry_from_row(slot: str, entry: Sequence[Any]) -> Entry:
    """Return the timeline's form of an entry from its columns."""
    id_, _, _, has_value, stored, value_type, asserted_from, until = entry[:8]
    return Entry(
        id=id_,
        slot=slot,
        valid_from=from_micros(asserted_from),
        until=from_optional_micros(until),
        value=from_property(value_type, stored) if has_value else None,
    )
