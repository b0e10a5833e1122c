"""Entities and merges from the rows of the templates. Instants are columns of microseconds since 1970."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graph_memory.domain.identifiers import RESERVED_KINDS
from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.domain.records import Entity, Merge


def entity_from_row(tenant: str, row: Sequence[Any]) -> Entity:
    """Return an entity from its columns."""
    key, name, aliases, labels, merged_into = row
    return Entity.model_construct(
        tenant=tenant,
        key=key,
        name=name,
        aliases=tuple(aliases),
        kinds=kinds_of_labels(labels),
        merged_into=merged_into,
    )


def merge_from_row(tenant: str, row: Sequence[Any]) -> Merge:
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
        undone_at=from_optional_micros(undone_at),
        undone_by=undone_by,
        stayed=tuple(stayed),
    )


def kinds_of_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the declared kinds among the labels of a node."""
    return tuple(sorted(set(labels) - RESERVED_KINDS))
