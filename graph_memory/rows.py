"""From the rows of the templates to records. Rows carry instants as microseconds since 1970."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from neo4j.time import Date, DateTime

from graph_memory.candidate_records import Candidate
from graph_memory.evidence_records import SupportedFact
from graph_memory.extractions import Extraction, ExtractionState
from graph_memory.instants import from_micros
from graph_memory.json_values import frozen
from graph_memory.names import RESERVED_KINDS
from graph_memory.records import Entity, Episode, Fact, Merge
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
        metadata=frozen(json.loads(metadata)),
    )


def supported(tenant: str, facts: Iterable[Sequence[Any]]) -> tuple[SupportedFact, ...]:
    """Return the facts of an episode, each a list of whether it holds and the columns of its entry, in order."""
    found = []
    for holds, *entry in facts:
        asserted = fact(tenant, from_micros(entry[6]), instant(entry[7]), entry)
        found.append(SupportedFact.model_construct(fact=asserted, holds=holds))
    return tuple(sorted(found, key=lambda one: (one.fact.recorded_at, one.fact.id)))


def extraction(tenant: str, row: Sequence[Any]) -> Extraction:
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
        due_at=instant(due_at),
        report=None if report is None else json.loads(report),
    )


def candidate(tenant: str, row: Sequence[Any]) -> Candidate:
    """Return a candidate from the columns that all templates have."""
    (id_, status, reason, episode_id, source, quote, start, end, subject, attribute, change) = row[:11]
    (stored, stored_type, valid_from, until, schema_version, confirmers, proposal, recorded_at) = row[11:19]
    expires_at, decided_at, decided_by, decision, fact_id = row[19:]
    return Candidate(
        id=id_,
        tenant=tenant,
        status=status,
        reason=reason,
        episode_id=episode_id,
        source=source,
        quote=quote,
        start=start,
        end=end,
        subject=subject,
        attribute=attribute,
        change=change,
        value=None if stored is None else from_property(stored_type, stored),
        valid_from=instant(valid_from),
        until=instant(until),
        schema_version=schema_version,
        confirmers=None if confirmers is None else tuple(confirmers),
        proposal=None if proposal is None else json.loads(proposal),
        recorded_at=from_micros(recorded_at),
        expires_at=instant(expires_at),
        decided_at=instant(decided_at),
        decided_by=decided_by,
        decision=decision,
        fact_id=fact_id,
    )


def entity(tenant: str, row: Sequence[Any]) -> Entity:
    """Return an entity from its columns."""
    key, name, aliases, labels, merged_into = row
    return Entity.model_construct(
        tenant=tenant,
        key=key,
        name=name,
        aliases=tuple(aliases),
        kinds=kinds(labels),
        merged_into=merged_into,
    )


def merge(tenant: str, row: Sequence[Any]) -> Merge:
    """Return a merge from the columns that all templates have."""
    id_, kept, merged, episode_id, recorded_at, moved, aliases, gained = row[:8]
    conflicts, undone_at, undone_by, stayed = row[8:]
    return Merge.model_construct(
        id=id_,
        tenant=tenant,
        kept=kept,
        merged=merged,
        episode_id=episode_id,
        recorded_at=from_micros(recorded_at),
        moved=moved,
        aliases=tuple(aliases),
        kinds=tuple(gained),
        conflicts=tuple(conflicts),
        undone_at=instant(undone_at),
        undone_by=undone_by,
        stayed=tuple(stayed),
    )


def kinds(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the declared kinds among the labels of a node."""
    return tuple(sorted(set(labels) - RESERVED_KINDS))
