"""Checks of the episodes that callers give, and their stored form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from graph_memory.domain import identifiers
from graph_memory.domain.arguments import fields_of, optional_instant
from graph_memory.domain.instants import Instant
from graph_memory.domain.json_values import json_text
from graph_memory.domain.records import Episode
from graph_memory.domain.values import check_encodable
from graph_memory.errors import InvalidInputError, brief

MAX_TEXT = 1_000_000
MAX_METADATA = 100_000


@dataclass(frozen=True, slots=True)
class EpisodeInput:
    """An episode as a caller gives it; it is checked when it is recorded.

    Attributes:
        text: 1 to 1,000,000 characters, kept unchanged.
        id: unique within the tenant; None: a new one is made.
        kind: such as `message`, `tool_result`, `event`.
        source: who said it; conflict policies rank sources.
        occurred_at: when it was said.
        session: the conversation that the episode belongs to.
        retention: the retention class.
        metadata: values that JSON can hold unchanged, nested at most 100 deep.
        extract: `later` queues the episode for a worker to extract.
        about: with `extract`, the key of the entity that "I" and "my" in the text refer to.
    """

    text: str
    id: str | None = None
    kind: str = "message"
    source: str = "user"
    occurred_at: Instant | None = None
    session: str | None = None
    retention: str | None = None
    metadata: Mapping[str, Any] | None = None
    extract: str | None = None
    about: str | None = None


FIELDS = tuple(field.name for field in fields(EpisodeInput))


def input_of_row(given: Any) -> EpisodeInput:
    """Return the input from a row: an EpisodeInput, a mapping, or an object with attributes of these names.

    Raises:
        InvalidInputError: a field is unknown, the text is missing, or reading the row raises.
    """
    if isinstance(given, EpisodeInput):
        return given
    return EpisodeInput(**fields_of(given, FIELDS[:1], FIELDS[1:], "an episode"))


def input_of_call(text: str | EpisodeInput, **named: Any) -> EpisodeInput:
    """Return the input of a call: made from a text and named fields, or given as one EpisodeInput.

    Raises:
        InvalidInputError: the call has both an EpisodeInput and other fields.
    """
    if not isinstance(text, EpisodeInput):
        return EpisodeInput(text, **named)
    plain = EpisodeInput("")
    plainly = {name: getattr(plain, name) for name in named}
    if beside := [n for n, value in named.items() if type(value) is not type(plainly[n]) or value != plainly[n]]:
        raise InvalidInputError(
            f"{', '.join(beside)} was given beside an EpisodeInput: set it in the EpisodeInput instead"
        )
    return text


def episode_row(given: EpisodeInput, new_id: Callable[[], str]) -> dict[str, Any]:
    """Return the stored form of an episode, with an id from `new_id` where it has none.

    Raises:
        InvalidInputError: a field is not allowed.
    """
    if given.extract is not None and not (isinstance(given.extract, str) and given.extract == "later"):
        raise InvalidInputError(
            f"extract {brief(given.extract)} must be 'later', or left out: remember() extracts at once"
        )
    if given.about is not None and given.extract is None:
        raise InvalidInputError(
            f"about {brief(given.about)} is only for texts to extract: give extract='later' too, or drop it"
        )
    text = given.text
    if not isinstance(text, str) or not text or len(text) > MAX_TEXT:
        size = f"{len(text)} characters" if isinstance(text, str) else type(text).__name__
        raise InvalidInputError(f"an episode's text must have 1 to {MAX_TEXT} characters, not {size}")
    check_encodable(text, "text")
    return {
        "id": new_id() if given.id is None else identifiers.episode_id(given.id),
        "text": identifiers.plain_text(text),
        "kind": identifiers.label(given.kind, "kind"),
        "source": identifiers.label(given.source, "source"),
        "occurred_at": optional_instant(given.occurred_at, "occurred_at"),
        "session": None if given.session is None else identifiers.label(given.session, "session"),
        "retention": None if given.retention is None else identifiers.label(given.retention, "retention"),
        "metadata": _metadata(given.metadata),
        "extract": given.extract is not None,
        "about": None if given.about is None else identifiers.entity_key(given.about),
    }


def _metadata(metadata: Mapping[str, Any] | None) -> str:
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInputError(f"metadata {brief(metadata)} must be a mapping from names to JSON values")
    text = json_text({} if metadata is None else dict(metadata), "metadata", MAX_METADATA)
    check_encodable(text, "metadata")
    return text


def same_content(stored: Episode, row: Mapping[str, Any]) -> bool:
    """Whether a stored episode has the same content as a row; `recorded_at` is not compared, and 1 is not 1.0."""
    return (
        all(
            getattr(stored, name) == row[name]
            for name in ("text", "kind", "source", "occurred_at", "session", "retention")
        )
        and json_text(stored.metadata, "metadata", MAX_METADATA) == row["metadata"]
    )
