"""The records of walks through the graph, and of what changed in it. Instants are UTC, intervals half-open."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from graph_memory.json_values import ReadOnlyDict
from graph_memory.records import Edge, Fact, Node, ReadOnly, Record, Subgraph


class Path(Record):
    """A way from one entity to another over facts that hold at one instant.

    Attributes:
        nodes: from the first to the last, each once; `depth` is the place of each.
        edges: one fewer, each between two neighbours of `nodes`, in either direction.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def length(self) -> int:
        """How many facts it takes."""
        return len(self.edges)


class Paths(Record):
    """The ways from one entity to another.

    Attributes:
        paths: the shortest first; those of one length by the keys of their nodes, then by attribute.
        truncated: whether there may be more: they exceeded the limit, or there was too much to look through.
    """

    paths: tuple[Path, ...]
    truncated: bool = False


class Neighborhood(Subgraph):
    """An entity and what is around it, to be drawn.

    Attributes:
        facts: what holds of the entity in the middle and leads to no other, by attribute and start.
        quotes: by fact id, the words that said each fact and edge first, where they were kept.
        truncated: whether the limit left out edges or facts.
    """

    facts: tuple[Fact, ...] = ()
    quotes: ReadOnly[dict[str, str]] = Field(default_factory=ReadOnlyDict)


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
