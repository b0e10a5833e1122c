"""What changed in the ledger, and what verifying it found. Instants are UTC, intervals half-open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.pages import Page
from graph_memory.domain.records import Fact, Record


class Clock(StrEnum):
    """Which time a change is told by.

    RECORDED: when the ledger learnt of it. VALID: when it is so.
    """

    RECORDED = "recorded"
    VALID = "valid"


class ChangeKind(StrEnum):
    """What a change is.

    BEGAN: a value began to hold. ENDED: nothing holds any more. CORRECTED: a fact was retracted for another that
    took its place. RETRACTED: a fact was taken back, or never counted beside one from a better source. CONFIRMED:
    what was known was said once more. In valid time nothing is ever corrected or retracted.
    """

    BEGAN = "began"
    ENDED = "ended"
    CORRECTED = "corrected"
    RETRACTED = "retracted"
    CONFIRMED = "confirmed"


class ChangeEvent(Record):
    """One change of what is known, or of what holds.

    Attributes:
        kind: what it is.
        at: when, by the clock that was asked for (UTC).
        before: what held or stood until then; None where nothing did, and of a confirmation by another episode.
        after: what holds or stands since; None where nothing does.
        episode_id: of the episode behind it; None where there is none, as where a value runs out.
        reason: why something was corrected or retracted.
    """

    kind: ChangeKind
    at: datetime
    before: Fact | None = None
    after: Fact | None = None
    episode_id: str | None = None
    reason: str | None = None

    @property
    def fact(self) -> Fact:
        """What it is about: `after`, else `before`."""
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
    """What of a subject is otherwise at one instant than at another.

    Attributes:
        attribute: what is said of it.
        before: what held at the first instant, an end included; None where nothing is known.
        after: what held at the second one.
    """

    attribute: str
    before: Fact | None = None
    after: Fact | None = None


class Problem(Record):
    """Something that `verify` found.

    Attributes:
        tenant: whose.
        slot: key of the slot, where it is about one.
        kind: such as `edge missing`, `edge unexpected`, `open label`, `no provenance`.
        detail: what was expected and what was found.
        repaired: whether `repair` mended it.
    """

    tenant: str
    slot: str | None = None
    kind: str
    detail: str
    repaired: bool = False


class VerifyReport(Record):
    """The result of comparing the edges and labels with the ledger.

    Attributes:
        slots: how many were compared.
        facts: how many ledger entries they hold.
        edges: how many edges they have.
        problems: what differed; empty when all is well.
    """

    slots: int
    facts: int
    edges: int
    problems: tuple[Problem, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong, or all that was wrong has been repaired."""
        return all(problem.repaired for problem in self.problems)
