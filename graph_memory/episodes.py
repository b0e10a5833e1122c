"""Episodes as a caller gives them, checked and brought into the form that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from graph_memory import names
from graph_memory.errors import InvalidInputError, brief
from graph_memory.instants import parse_instant
from graph_memory.json_values import json_text
from graph_memory.records import Episode
from graph_memory.statements import Instant, fields_of
from graph_memory.values import check_encodable

MAX_TEXT = 1_000_000
MAX_METADATA = 100_000
FIELDS = ("text", "id", "kind", "source", "occurred_at", "session", "retention", "metadata", "extract", "about")


def episode_row(
    text: str,
    *,
    id: str | None = None,
    kind: str = "message",
    source: str = "user",
    occurred_at: Instant | None = None,
    session: str | None = None,
    retention: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    extract: str | None = None,
    about: str | None = None,
) -> dict[str, Any]:
    """Return an episode as it is stored; raises InvalidInputError where something is not allowed."""
    if extract is not None and not (isinstance(extract, str) and extract == "later"):
        raise InvalidInputError(
            f"extract {brief(extract)} must be 'later', or left out: remember() extracts at once"
        )
    if about is not None and extract is None:
        raise InvalidInputError(
            f"about {brief(about)} says who a text to extract is about: give extract='later' too"
        )
    if not isinstance(text, str) or not text or len(text) > MAX_TEXT:
        size = f"{len(text)} characters" if isinstance(text, str) else type(text).__name__
        raise InvalidInputError(f"an episode's text has 1 to {MAX_TEXT} characters, not {size}")
    check_encodable(text, "text")
    return {
        "id": uuid4().hex if id is None else names.episode_id(id),
        "text": names.plain_text(text),
        "kind": names.label(kind, "kind"),
        "source": names.label(source, "source"),
        "occurred_at": None if occurred_at is None else parse_instant(occurred_at, "occurred_at"),
        "session": None if session is None else names.label(session, "session"),
        "retention": None if retention is None else names.label(retention, "retention"),
        "metadata": _metadata(metadata),
        "extract": extract is not None,
        "about": None if about is None else names.entity_key(about),
    }


def _metadata(metadata: Mapping[str, Any] | None) -> str:
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInputError(f"metadata {brief(metadata)} must be a mapping of names to what JSON can hold")
    text = json_text({} if metadata is None else dict(metadata), "metadata", MAX_METADATA)
    check_encodable(text, "metadata")
    return text


def row_of(row: Any) -> dict[str, Any]:
    """Return the stored form of a row: a mapping, or an object with attributes, named as in `episode_row`."""
    given = fields_of(row, FIELDS[:1], FIELDS[1:], "an episode")
    return episode_row(**given)


def same_content(stored: Episode, row: Mapping[str, Any]) -> bool:
    """Whether a stored episode says what a row says; the time of recording does not count, and 1 is not 1.0."""
    return (
        all(
            getattr(stored, name) == row[name]
            for name in ("text", "kind", "source", "occurred_at", "session", "retention")
        )
        and json_text(stored.metadata, "metadata", MAX_METADATA) == row["metadata"]
    )
