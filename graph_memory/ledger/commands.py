"""Commands: the single changes that a write makes, and the result of each."""

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
    """The unchanging part of a ledger entry that a command corrects or retracts. Instants are UTC."""

    id: str
    subject: str
    attribute: str
    slot: str
    value: Value | None
    valid_from: datetime


@dataclass(frozen=True, slots=True)
class Expected:
    """The value that the caller expects to hold in the command's slot at an instant (UTC); None: nothing."""

    at: datetime
    value: Value | None


class Authority(Enum):
    """What a person's decision overrules. ANY: the conflict policy and the guard. GUARDED: the policy alone."""

    ANY = "any"
    GUARDED = "guarded"


class StaleExpectationError(ConflictError):
    """The ledger has changed since the caller read it: another value holds, or a new entity exists by now."""


@dataclass(frozen=True, slots=True)
class Command:
    """One change to the ledger: an assertion (`statement`), a correction (both) or a retraction (`old`).

    Attributes:
        statement: the statement to assert, or to put in the place of `old`.
        old: the entry to correct or retract.
        reason: why `old` is retracted or corrected.
        episode: id of the episode behind a retraction; None where there is none.
        expected: values that must hold; where another one holds, the assertion is refused as stale
            (compare and set).
        new: keys of entities that must not exist yet; where one exists, the command is refused as stale.
        decided: the authority of the person who decided for the command; None where nobody did.
        moved: with `old`: a merge moves the entry from one entity to another. The first episode of `old` says the
            new entry, which is stored even where the ledger has or had an equal one.
        confirms: the statement only adds its episode to an equal entry, stored or made by an earlier command of
            this write; it makes no entry of its own.
        sightings: other starts (UTC) from which the same value was stated. The assertion starts at the earliest of
            them from which the value still holds at the latest.
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
        """Each slot that the command touches, with an instant (UTC) at which it touches the slot."""
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
        """Key of the entity that the command is about."""
        known = self.statement or self.old
        assert known is not None
        return known.subject

    @property
    def objects(self) -> Iterable[str]:
        """Keys of the entities that the new or the old value refers to."""
        for value in (self.statement and self.statement.stored_value, self.old and self.old.value):
            if isinstance(value, Ref):
                yield value.key


@dataclass(frozen=True, slots=True)
class Written:
    """The result of one command.

    Attributes:
        status: committed, confirmed, replayed or refused.
        fact_id: id of the entry that states the command's value now; None where it was refused.
        fact: that entry, where it is new and the write had a single command.
        error: why the command was refused.
        reason: why the new entry is not live, though the command was not refused.
        against: ids of the facts that contradict the command.
    """

    status: Status
    fact_id: str | None = None
    fact: Fact | None = None
    error: GraphMemoryError | None = None
    reason: str | None = None
    against: tuple[str, ...] = ()
