"""What a write is to do, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from graph_memory.domain.records import Fact
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import ConflictError, GraphMemoryError
from graph_memory.ledger.planner import Status
from graph_memory.ledger.statements import Statement


@dataclass(frozen=True, slots=True)
class Stored:
    """A ledger entry that is to be corrected or retracted: what never changes of it."""

    id: str
    subject: str
    attribute: str
    slot: str
    value: Value | None
    valid_from: datetime


@dataclass(frozen=True, slots=True)
class Expected:
    """What the one who asks for a change took to hold in its slot; None: nothing."""

    at: datetime
    value: Value | None


class Authority(Enum):
    """What somebody who decided for an assertion may overrule: policy and guard, or the policy alone."""

    ANY = "any"
    GUARDED = "guarded"


class StaleExpectationError(ConflictError):
    """What a change expected to hold no longer does."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that a write is to do: assert (`statement`), correct (both) or retract (`old`).

    Attributes:
        statement: what to say.
        old: the entry that it corrects, or that is retracted.
        reason: of a retraction, or why what is corrected was wrong.
        episode: behind a retraction, where there is one.
        expected: an assertion is refused as stale where something else holds (compare and set).
        new: keys of entities that it takes for new; where one exists by now it is refused as stale.
        decided: somebody has decided for it, with this authority.
        moved: with `old`: what is stored of one entity is said of another, by that entry's first episode, and
            becomes an entry even where the ledger has or had one like it.
        confirms: another episode says what an entry, or a command before this one, says; it is no entry itself.
        sightings: other starts since which the same is said; it starts at the earliest from which it still holds
            at the latest.
    """

    statement: Statement | None = None
    old: Stored | None = None
    reason: str | None = None
    episode: str | None = None
    expected: tuple[Expected, ...] = ()
    new: tuple[str, ...] = ()
    decided: Authority | None = None
    moved: bool = False
    confirms: bool = False
    sightings: tuple[datetime, ...] = ()

    @property
    def places(self) -> Iterable[tuple[str, datetime]]:
        """The slots concerned, each with a start concerned."""
        if self.statement is not None:
            yield from ((self.statement.slot, expected.at) for expected in self.expected)
            yield from ((self.statement.slot, start) for start in self.starts)
        if self.old is not None:
            yield self.old.slot, self.old.valid_from

    @property
    def starts(self) -> tuple[datetime, ...]:
        """The starts that the statement may get: its own, and the sightings that come before its end."""
        assert self.statement is not None
        until = self.statement.until
        return self.statement.valid_from, *(s for s in self.sightings if until is None or s < until)

    @property
    def subject(self) -> str:
        """The entity it is about."""
        known = self.statement or self.old
        assert known is not None
        return known.subject

    @property
    def objects(self) -> Iterable[str]:
        """The entities that it points to, or no longer points to."""
        for value in (self.statement and self.statement.stored_value, self.old and self.old.value):
            if isinstance(value, Ref):
                yield value.key


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one command.

    Attributes:
        status: how it was taken; a refusal is a conflict with an error.
        fact_id: of the entry that now stands for it.
        fact: that entry, where it is new and the write had a single command.
        error: why it was refused.
        reason: why it was not taken as it stood, though it was not refused.
        against: ids of the facts it is in conflict with.
    """

    status: Status
    fact_id: str | None = None
    fact: Fact | None = None
    error: GraphMemoryError | None = None
    reason: str | None = None
    against: tuple[str, ...] = ()
