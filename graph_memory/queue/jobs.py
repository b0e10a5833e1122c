"""Episodes in the queue for extraction: which of them a worker claims, and how long it waits to try again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, field_serializer

from graph_memory.domain.arguments import one_of, within
from graph_memory.domain.records import Record, WriteReport
from graph_memory.errors import GraphMemoryError

MAX_LISTED = 10_000
MAX_ERROR = 1000


class ExtractionState(StrEnum):
    """How far the extraction of an episode is; `failed` is the dead-letter state."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Extraction(Record):
    """An episode that is to be extracted, or was.

    Attributes:
        tenant: whose.
        episode_id: the episode.
        state: how far it is.
        about: key of the entity that the text is about where it names none.
        attempts: how often it was begun, since it was queued last.
        worker: who is at it.
        error: why the last attempt came to nothing.
        changed_at: when it came to this state (UTC).
        due_at: when it may be claimed; while it is running, when its lease ends (UTC).
        report: what became of its candidates, once it is done.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    tenant: str
    episode_id: str
    state: ExtractionState
    about: str | None = None
    attempts: int = 0
    worker: str | None = None
    error: str | None = None
    changed_at: datetime
    due_at: datetime | None = None
    report: WriteReport | None = None

    @field_serializer("report", return_type=Any)
    def _serialized(self, report: WriteReport | None) -> Any:
        return None if report is None else {name: list(found) for name, found in vars(report).items()}


@dataclass(frozen=True, slots=True)
class Claim:
    """An episode that a worker has for itself while its lease lasts.

    Attributes:
        tenant: whose.
        episode: its id.
        about: key of the entity that the text is about where it names none.
        attempts: how often it was begun, this time included.
    """

    tenant: str
    episode: str
    about: str | None
    attempts: int


def states_of(state: ExtractionState | str | None) -> list[str]:
    """Return the states to list; None: all. Raises InvalidInputError for one that does not exist."""
    states = list(ExtractionState) if state is None else [one_of(ExtractionState, state, "state")]
    return [str(one) for one in states]


def limit_of(limit: int) -> int:
    """Return how many to list; raises InvalidInputError."""
    return within("limit", limit, 1, MAX_LISTED)


def error_text(error: BaseException) -> str:
    """Return what is stored of an error, bounded; a foreign one is named, since its text may not say enough."""
    text = str(error) if isinstance(error, GraphMemoryError) else f"{type(error).__name__}: {error}"
    encodable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return encodable if len(encodable) <= MAX_ERROR else encodable[: MAX_ERROR - 3] + "..."


Waiting = tuple[str, str]


def choose(groups: Iterable[Sequence[Waiting]], number: int, chance: random.Random) -> list[Waiting]:
    """Return some of what waits, each a tenant and an episode, taken from every group in turn.

    At random, so that workers that see the same queue do not all want the same of it; in turn, so that a group of
    a million does not hide one of ten.
    """
    shuffled = [chance.sample(list(group), len(group)) for group in groups if group]
    chance.shuffle(shuffled)
    chosen: dict[Waiting, None] = {}
    while shuffled and len(chosen) < number:
        group = shuffled.pop(0)
        chosen[group.pop()] = None
        if group:
            shuffled.append(group)
    return list(chosen)


def retry_delay(attempts: int, first: timedelta, longest: timedelta, chance: random.Random) -> timedelta:
    """Return how long to wait after so many attempts: twice as long each time, up to the longest, less up to half.

    The half is left to chance, so that what failed together is not tried again together.
    """
    doubled: timedelta = first * 2 ** min(attempts - 1, 20)
    return min(doubled, longest) * chance.uniform(0.5, 1.0)
