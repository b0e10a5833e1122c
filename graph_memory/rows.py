"""From the rows of the templates to records. Rows carry instants as microseconds since 1970."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from neo4j.time import Date, DateTime

from graph_memory.instants import from_micros
from graph_memory.names import RESERVED_KINDS
from graph_memory.records import Entity, Episode, Fact
from graph_memory.timeline import Entry
from graph_memory.values import Ref, Value


def instant(micros: int | None) -> datetime | None:
    """Return the instant of a column that may be null."""
    return None if micros is None else from_micros(micros)


def from_property(stored_type: str, stored: object) -> Value:
    """Return the value that `to_property` and `value_type` stored."""
    if stored_type.startswith("ref"):
        _, _, kind = stored_type.partition(":")
        return Ref(str(stored), kind or None)
    if isinstance(stored, DateTime):
        return stored.to_native().astimezone(UTC)
    if isinstance(stored, Date):
        return stored.to_native()
    assert isinstance(stored, bool | int | float | str | date | datetime), stored
    return stored


def fact(tenant: str, valid_from: datetime, valid_to: datetime | None, entry: Sequence[Any]) -> Fact:
    """Return a fact from a segment and the columns of an entry, as all reading templates have them.

    What comes from the ledger was checked when it was written, so it is not checked again.
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
        until=instant(until),
        ended=not has_value,
        ended_value=None if has_value else value,
        recorded_at=from_micros(recorded_at),
        retracted_at=instant(retracted_at),
        episode_id=episode_id,
        source=source,
        supersedes=supersedes,
        schema_version=schema_version,
        memory_type=memory_type,
        retention=retention,
    )


def history_entry(slot: str, entry: Sequence[Any]) -> Entry:
    """Return what the timeline needs of the columns of an entry."""
    id_, _, _, has_value, stored, value_type, asserted_from, until = entry[:8]
    return Entry(
        id=id_,
        slot=slot,
        valid_from=from_micros(asserted_from),
        until=instant(until),
        value=from_property(value_type, stored) if has_value else None,
    )


def episode(tenant: str, row: Sequence[Any]) -> Episode:
    """Return an episode from the columns that all templates have."""
    id_, text, kind, source, occurred_at, recorded_at, session, retention, metadata = row
    return Episode.model_construct(
        id=id_,
        tenant=tenant,
        text=text,
        kind=kind,
        source=source,
        occurred_at=instant(occurred_at),
        recorded_at=from_micros(recorded_at),
        session=session,
        retention=retention,
        metadata=json.loads(metadata),
    )


def entity(tenant: str, row: Sequence[Any]) -> Entity:
    """Return an entity from its columns."""
    key, name, aliases, labels = row
    return Entity.model_construct(
        tenant=tenant,
        key=key,
        name=name,
        aliases=tuple(aliases),
        kinds=kinds(labels),
    )


def kinds(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the declared kinds among the labels of a node."""
    return tuple(sorted(set(labels) - RESERVED_KINDS))
