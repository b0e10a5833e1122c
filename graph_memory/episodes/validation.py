"""Episodes as a caller gives them, checked and brought into the form that is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from graph_memory.domain import identifiers
from graph_memory.domain.arguments import optional_instant
from graph_memory.domain.instants import Instant
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
        session: the conversation it belongs to.
        retention: the retention class.
        metadata: what JSON can hold.
        extract: `later` queues it for a worker to extract.
        about: with `extract`, the key of the entity that the text is about where it names none ("I", "my").
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

    @classmethod
    def of(cls, given: Any) -> EpisodeInput:
        """Return the input of a row: one already, a mapping, or an object with attributes of these names.

        Raises:
            InvalidInputError: a field is unknown, or the text is missing.
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            unknown = [str(name) for name in given if name not in FIELDS]
            if unknown:
                raise InvalidInputError(f"unknown field {brief(unknown)}: an episode has {', '.join(FIELDS)}")
            row = dict(given)
        else:
            row = {name: getattr(given, name) for name in FIELDS if hasattr(given, name)}
        row = {name: value for name, value in row.items() if value is not None}
        if "text" not in row:
            raise InvalidInputError(f"text is missing: an episode has {', '.join(FIELDS)}")
        return cls(**row)

    def checked(self, new_id: Callable[[], str]) -> dict[str, Any]:
        """Return the episode as it is stored, with an id from `new_id` where it has none.

        Raises:
            InvalidInputError: something is not allowed.
        """
        if self.extract not in (None, "later"):
            raise InvalidInputError(
                f"extract {brief(self.extract)} must be 'later', or left out: remember() extracts at once"
            )
        if self.about is not None and self.extract is None:
            raise InvalidInputError(
                f"about {brief(self.about)} says who a text to extract is about: give extract='later' too"
            )
        text = self.text
        if not isinstance(text, str) or not text or len(text) > MAX_TEXT:
            size = f"{len(text)} characters" if isinstance(text, str) else type(text).__name__
            raise InvalidInputError(f"an episode's text has 1 to {MAX_TEXT} characters, not {size}")
        check_encodable(text, "text")
        return {
            "id": new_id() if self.id is None else identifiers.episode_id(self.id),
            "text": identifiers.plain_text(text),
            "kind": identifiers.label(self.kind, "kind"),
            "source": identifiers.label(self.source, "source"),
            "occurred_at": optional_instant(self.occurred_at, "occurred_at"),
            "session": None if self.session is None else identifiers.label(self.session, "session"),
            "retention": None if self.retention is None else identifiers.label(self.retention, "retention"),
            "metadata": _metadata(self.metadata),
            "extract": self.extract is not None,
            "about": None if self.about is None else identifiers.entity_key(self.about),
        }


FIELDS = tuple(field.name for field in fields(EpisodeInput))


def _metadata(metadata: Mapping[str, Any] | None) -> str:
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInputError(f"metadata {brief(metadata)} must be a mapping of names to what JSON can hold")
    try:
        text = json.dumps(dict(metadata or {}), ensure_ascii=False, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"metadata cannot be written as JSON ({error})") from None
    if len(text) > MAX_METADATA:
        raise InvalidInputError(f"metadata has {len(text)} characters as JSON; at most {MAX_METADATA} fit")
    check_encodable(text, "metadata")
    return text


def same_content(stored: Episode, row: Mapping[str, Any]) -> bool:
    """Whether a stored episode says what a row says; the time of recording does not count."""
    return all(
        getattr(stored, name) == row[name]
        for name in ("text", "kind", "source", "occurred_at", "session", "retention")
    ) and stored.metadata == json.loads(row["metadata"])
