"""Episodes in the queue for extraction: the choice of those that a worker claims, and the delay before a retry."""

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
    """The state of an episode's extraction; `failed` is the dead-letter state."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Extraction(Record):
    """The extraction of an episode: waiting, running, done or failed.

    Attributes:
        tenant: the tenant that the episode belongs to.
        episode_id: the episode's id.
        state: the state of the extraction.
        about: key of the entity that "I" and "my" in the text refer to.
        attempts: how many attempts were begun since the episode was last queued.
        worker: the worker that holds the episode now.
        error: why the last attempt failed.
        changed_at: when the extraction reached its state (UTC, the database's clock).
        due_at: when a worker may claim the episode; while it is running, when the lease ends (UTC).
        report: the results of its candidates, as JSON values, once the extraction is done.
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
    """An episode that one worker holds until its lease ends.

    Attributes:
        tenant: the tenant that the episode belongs to.
        episode: the episode's id.
        about: key of the entity that "I" and "my" in the text refer to.
        attempts: how many attempts were begun, this one included.
    """

    tenant: str
    episode: str
    about: str | None
    attempts: int


def states_of(state: ExtractionState | str | None) -> list[str]:
    """Return the names of the states to list; None: all. Raises InvalidInputError for an unknown state."""
    states = list(ExtractionState) if state is None else [one_of(ExtractionState, state, "state")]
    return [str(one) for one in states]


def limit_of(limit: int) -> int:
    """Return a checked limit of a list; raises InvalidInputError where it is not 1 to 10,000."""
    return within("limit", limit, 1, MAX_LISTED)


def error_text(error: BaseException) -> str:
    """Return an error's text, at most 1,000 characters; other libraries' errors begin with their class's name."""
    text = str(error) if isinstance(error, GraphMemoryError) else f"{type(error).__name__}: {error}"
    encodable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return encodable if len(encodable) <= MAX_ERROR else encodable[: MAX_ERROR - 3] + "..."


Waiting = tuple[str, str]


def choose(groups: Iterable[Sequence[Waiting]], number: int, chance: random.Random) -> list[Waiting]:
    """Return up to `number` waiting episodes, each as (tenant, episode), taken from every group in turn.

    The choice is random, so that workers that see the same queue seldom choose the same episodes. The groups take
    turns, so that a group of ten is served beside a group of a million.
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
    """Return the delay after `attempts` failed attempts: exponential backoff with jitter.

    The delay doubles with each attempt, from `first` to at most `longest`, and is then shortened at random by up
    to half, so that episodes that failed together are not retried together.
    """
    doubled: timedelta = first * 2 ** min(attempts - 1, 20)
    return min(doubled, longest) * chance.uniform(0.5, 1.0)
