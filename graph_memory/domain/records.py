"""The records that the library hands out. All are frozen; instants are UTC, intervals half-open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from graph_memory.domain.json_values import ReadOnlyDict, frozen
from graph_memory.domain.values import Value

_Held = TypeVar("_Held")
ReadOnly = Annotated[_Held, AfterValidator(frozen)]
"""Dicts and lists of a record, which cannot be changed as the record cannot."""


class Cardinality(StrEnum):
    """How many values of an attribute a subject can have at one instant."""

    ONE = "one"
    MANY = "many"


class Direction(StrEnum):
    """Which way a traversal follows facts: from subject to object, back, or both."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


class Record(BaseModel):
    """Base of the records: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Episode(Record):
    """Something that was said, returned by a tool, or that happened: the raw text behind facts.

    Attributes:
        id: unique within the tenant.
        tenant: who may see it.
        text: what was said, unchanged.
        kind: such as `message`, `tool_result`, `event`.
        source: who said it, such as `user` or `crm`.
        occurred_at: when it was said, where that is known (UTC).
        recorded_at: when it was stored (UTC, the database's clock).
        session: the conversation it belongs to.
        retention: the retention class.
        metadata: anything that JSON can hold; it cannot be changed, and a deep copy of it can.
    """

    id: str
    tenant: str
    text: str
    kind: str = "message"
    source: str = "user"
    occurred_at: datetime | None = None
    recorded_at: datetime
    session: str | None = None
    retention: str | None = None
    metadata: ReadOnly[dict[str, Any]] = Field(default_factory=ReadOnlyDict)

    @property
    def said_at(self) -> datetime:
        """When it was said, and where that is not known, when it was stored."""
        return self.occurred_at or self.recorded_at


class Entity(Record):
    """A node that facts are about or point to.

    Attributes:
        tenant: who may see it.
        key: unique within the tenant, case-sensitive, NFC.
        name: for people; the key until another is given.
        aliases: other names.
        kinds: the declared kinds, which are its labels.
        merged_into: key of the entity that it was merged into and that is written about instead.
    """

    tenant: str
    key: str
    name: str
    aliases: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    merged_into: str | None = None


class Merge(Record):
    """That two entities are one: what was said of one is said of the other from then on.

    Attributes:
        id: of the merge.
        kept: key of the entity that stays.
        merged: key of the one that was merged into it.
        episode_id: the episode behind it.
        recorded_at: when it was done (UTC, the database's clock).
        moved: how many facts moved or went to review.
        aliases: the aliases that the one kept gained.
        kinds: the kinds that it gained.
        conflicts: ids of the candidates for facts that stand against what the one kept has.
        undone_at: when it was undone (UTC); None while it stands.
        undone_by: id of the episode behind that.
        stayed: of a merge that was undone, ids of the facts that did not go back, because what became of them had
            been changed.
    """

    id: str
    tenant: str
    kept: str
    merged: str
    episode_id: str
    recorded_at: datetime
    moved: int
    aliases: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    undone_at: datetime | None = None
    undone_by: str | None = None
    stayed: tuple[str, ...] = ()


class Fact(Record):
    """A ledger entry, together with one segment of time in which it holds.

    Attributes:
        id: of the ledger entry; several segments may share it.
        value: None where the entry is an end.
        valid_from: first instant of the segment that holds at the instant asked; of a write, and in an
            `Explanation`, the first segment.
        valid_to: first instant at which that segment no longer holds; None: unbounded. Equal to `valid_from`
            where the entry holds nowhere (retracted, or hidden by others).
        asserted_from: the start that was asserted.
        until: the end that was asserted, exclusive; None: for ever.
        ended: the entry says that nothing holds.
        ended_value: of an end in an attribute of cardinality many, the value that no longer holds.
        recorded_at: when the ledger learnt it (UTC, the database's clock).
        retracted_at: when the ledger took it back; None while it is live.
        episode_id: the episode that said it first.
        source: that episode's source.
        supersedes: id of the fact that would have held at `asserted_from` without this one.
        schema_version: of the schema it was written under, as `name/version`; None without a schema.
        memory_type: as declared by the schema.
        retention: as declared by the schema.
    """

    id: str
    tenant: str
    subject: str
    attribute: str
    value: Value | None
    valid_from: datetime
    valid_to: datetime | None = None
    asserted_from: datetime
    until: datetime | None = None
    ended: bool = False
    ended_value: Value | None = None
    recorded_at: datetime
    retracted_at: datetime | None = None
    episode_id: str
    source: str
    supersedes: str | None = None
    schema_version: str | None = None
    memory_type: str | None = None
    retention: str | None = None


class Citation(Record):
    """An episode that supports a fact.

    Attributes:
        episode: the episode, whole.
        quote: the words that say it, exactly as they stand in the episode; None where none was given.
        start: offset of the quote's first character in the text, in Unicode code points.
        end: offset after its last character.
        recorded_at: when the ledger learnt of this support (UTC).
    """

    episode: Episode
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    recorded_at: datetime


class Explanation(Record):
    """All that is known about why a fact is in the ledger, and what became of it.

    Attributes:
        fact: with its first segment.
        since: since when this value has held without a gap, over touching segments of equal typed value, up
            to and including the fact's first segment; None where the fact holds nowhere.
        citations: the episode that said it first, then those that confirmed it, in recorded order.
        replaced: the fact that it supersedes.
        replaced_as: how: `change`, `restatement`, `end` or `correction`.
        replaced_by: the facts that supersede it, in recorded order.
        retracted_by: the fact that took its place, where it was retracted for one.
        retraction_episode: the episode behind a plain retraction.
        retraction_reason: why it was retracted.
    """

    fact: Fact
    since: datetime | None
    citations: tuple[Citation, ...]
    replaced: Fact | None = None
    replaced_as: str | None = None
    replaced_by: tuple[Fact, ...] = ()
    retracted_by: Fact | None = None
    retraction_episode: Episode | None = None
    retraction_reason: str | None = None

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes that support the fact, the first one first."""
        return tuple(citation.episode for citation in self.citations)

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quotes that support the fact, where any were given."""
        return tuple(citation.quote for citation in self.citations if citation.quote is not None)

    @property
    def confirmations(self) -> tuple[Citation, ...]:
        """The citations after the first."""
        return self.citations[1:]


class Edge(Record):
    """A fact between two entities, as a traversal met it.

    Attributes:
        subject: key of the entity it starts from.
        attribute: the relation.
        object: key of the entity it points to.
        valid_from: start of the segment that holds at the instant asked (UTC).
        valid_to: its end, exclusive; None: unbounded.
        fact_id: of the ledger entry behind it.
        episode_id: of the episode that said it first.
    """

    subject: str
    attribute: str
    object: str
    valid_from: datetime
    valid_to: datetime | None = None
    fact_id: str
    episode_id: str


class Node(Record):
    """An entity as a traversal met it.

    Attributes:
        key: of the entity.
        name: for people.
        kinds: its declared kinds.
        depth: in how many steps it was reached first; 0 is the start.
    """

    key: str
    name: str
    kinds: tuple[str, ...] = ()
    depth: int


class Subgraph(Record):
    """What a traversal found, breadth first.

    Attributes:
        nodes: the start first, then by depth and key.
        edges: by depth, then subject, attribute and object.
        truncated: whether the limit cut it short.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool = False


class Outcome(Record):
    """What became of one row or candidate.

    Attributes:
        row: its number, from 1.
        fact_id: of the ledger entry behind it, where there is one.
        candidate_id: of the candidate that was kept in its place, where there is one.
        reason: why it was not committed as it stood; None where it was.
        data: the row itself, where it was refused; of an extraction, always what the model proposed.
    """

    row: int
    fact_id: str | None = None
    candidate_id: str | None = None
    reason: str | None = None
    data: Any = None


_Item = TypeVar("_Item")


class Outcomes(Generic[_Item]):
    """How many rows ended in one way (`len`), and the first thousand of them (iteration, `first`)."""

    KEPT = 1000

    def __init__(self) -> None:
        self._count = 0
        self._first: list[_Item] = []

    def add(self, item: _Item) -> None:
        """Count an outcome, and keep it while there is room."""
        self._count += 1
        if len(self._first) < self.KEPT:
            self._first.append(item)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._first)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcomes) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it counts on

    @property
    def first(self) -> tuple[_Item, ...]:
        """The first thousand."""
        return tuple(self._first)

    def __repr__(self) -> str:
        return f"<{self._count} outcomes>"


class WriteReport:
    """What became of the rows of a write. Each field counts its rows and keeps the first thousand.

    Attributes:
        committed: new entries in the ledger.
        confirmed: known facts that gained an episode.
        unchanged: candidates that said nothing new.
        replayed: rows that the ledger had already, from the same episode.
        refused: rows that are not allowed or in conflict, with the reason.
        for_review: candidates that wait for a person.
    """

    def __init__(self) -> None:
        self.committed: Outcomes[Outcome] = Outcomes()
        self.confirmed: Outcomes[Outcome] = Outcomes()
        self.unchanged: Outcomes[Outcome] = Outcomes()
        self.replayed: Outcomes[Outcome] = Outcomes()
        self.refused: Outcomes[Outcome] = Outcomes()
        self.for_review: Outcomes[Outcome] = Outcomes()

    @property
    def total(self) -> int:
        """How many rows were taken in."""
        return sum(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return how many rows ended in each way."""
        return {name: len(outcomes) for name, outcomes in vars(self).items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WriteReport) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it counts on

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={count}" for name, count in self.counts().items() if count)
        return f"<WriteReport {counts or 'empty'}>"
