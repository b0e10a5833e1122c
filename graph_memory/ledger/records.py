"""Records of the ledger's changes and of problems that `verify` finds. Instants are UTC, intervals half-open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.pages import Page
from graph_memory.domain.records import Fact, Record


class Clock(StrEnum):
    """The time by which changes are listed.

    RECORDED: when the ledger recorded the change (SQL:2011: system time). VALID: when the change is true in the
    world (SQL:2011: application time).
    """

    RECORDED = "recorded"
    VALID = "valid"


class ChangeKind(StrEnum):
    """The kind of a change.

    BEGAN: a value began to hold. ENDED: nothing holds any more. CORRECTED: another fact replaced a fact that was
    wrong. RETRACTED: a fact was retracted, or lost against a fact from a better source. CONFIRMED: the known value
    was stated again. By valid time no change is a correction or a retraction.
    """

    BEGAN = "began"
    ENDED = "ended"
    CORRECTED = "corrected"
    RETRACTED = "retracted"
    CONFIRMED = "confirmed"


class ChangeEvent(Record):
    """One change, of the ledger (recorded time) or of the value that holds (valid time).

    Attributes:
        kind: the kind of the change.
        at: the instant of the change, by the requested clock (UTC).
        before: the fact before the change; None where there was none, and where another episode confirmed a fact.
        after: the fact after the change; None where there is none.
        episode_id: id of the episode behind the change; None where there is none, as where `until` is reached.
        reason: why a fact was corrected or retracted.
    """

    kind: ChangeKind
    at: datetime
    before: Fact | None = None
    after: Fact | None = None
    episode_id: str | None = None
    reason: str | None = None

    @property
    def fact(self) -> Fact:
        """The fact that the change is about: `after`, else `before`."""
        found = self.after or self.before
        assert found is not None
        return found


class Changes(Page[ChangeEvent]):
    """The first changes of an interval, in the order of time: a list.

    Attributes:
        truncated: whether there are more.
        cursor: where to read on: what `changes(after=...)` takes.
        complete_until: all changes before this instant (UTC) have been given, here or before, and none can come to
            them; None: no bound was set, and none is needed.
    """

    def __init__(
        self,
        events: Iterable[ChangeEvent] = (),
        truncated: bool = False,
        cursor: str = "",
        complete_until: datetime | None = None,
    ) -> None:
        super().__init__(events, truncated)
        self.cursor = cursor
        self.complete_until = complete_until


class Difference(Record):
    """One attribute whose value differs between two instants.

    Attributes:
        attribute: the attribute's name.
        before: the fact, or end, that held at the first instant; None where nothing is known.
        after: the fact, or end, that held at the second instant; None where nothing is known.
    """

    attribute: str
    before: Fact | None = None
    after: Fact | None = None


class Problem(Record):
    """A problem that `verify` found.

    Attributes:
        tenant: the tenant that has the problem.
        slot: key of the slot that has the problem; None where it concerns no single slot.
        kind: such as `edge missing`, `edge unexpected`, `open label`, `slot mark`, `clock ahead`, `no provenance`.
        detail: the expected state and the state that was found.
        repaired: whether `repair` mended the problem.
    """

    tenant: str
    slot: str | None = None
    kind: str
    detail: str
    repaired: bool = False


class VerifyReport(Record):
    """The result of comparing the edges, labels and marks with the ledger.

    Attributes:
        slots: the number of slots that were compared.
        facts: the number of ledger entries in those slots.
        edges: the number of edges of those slots.
        problems: the differences; empty when all is well.
    """

    slots: int
    facts: int
    edges: int
    problems: tuple[Problem, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether there is no problem that was not repaired."""
        return all(problem.repaired for problem in self.problems)
