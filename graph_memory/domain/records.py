"""The records that the library returns. All are frozen; instants are UTC, intervals half-open."""

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
    """Base of the records: frozen, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Episode(Record):
    """A message, a tool's result or an event: the raw text that facts come from.

    Attributes:
        id: unique within the tenant.
        tenant: the tenant that the episode belongs to.
        text: the text, unchanged.
        kind: such as `message`, `tool_result`, `event`.
        source: who said it, such as `user` or `crm`.
        occurred_at: when it was said (UTC); None where that is unknown.
        recorded_at: when it was stored (UTC, the database's clock).
        session: the conversation that the episode belongs to.
        retention: the retention class.
        metadata: any values that JSON can hold; it cannot be changed, but a deep copy of it can.
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
        """When the text was said (UTC): `occurred_at`, else `recorded_at`."""
        return self.occurred_at or self.recorded_at


class Entity(Record):
    """A node that facts are about or point to.

    Attributes:
        tenant: the tenant that the entity belongs to.
        key: unique within the tenant, case-sensitive, NFC.
        name: the name that people read; the key until another name is given.
        aliases: other names.
        kinds: the declared kinds, which are the entity's labels.
        merged_into: key of the entity that this one was merged into; write about that one instead.
    """

    tenant: str
    key: str
    name: str
    aliases: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    merged_into: str | None = None


class Merge(Record):
    """A merge of two entities: the facts of one were moved to the other.

    Attributes:
        id: the merge's id.
        tenant: the tenant that both entities belong to.
        kept: key of the entity that stays.
        merged: key of the entity that was merged into the kept one.
        episode_id: id of the episode that says the two are one.
        recorded_at: when the merge was made (UTC, the database's clock).
        moved: how many facts moved or went to review.
        aliases: the aliases that the kept entity gained.
        kinds: the kinds that the kept entity gained.
        conflicts: ids of the candidates for facts that contradict facts of the kept entity.
        undone_at: when the merge was undone (UTC); None where it was not.
        undone_by: id of the episode that says the two are not one; None where the merge was not undone.
        stayed: after an undo, ids of the facts that did not move back, because they had been changed since.
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
        id: the ledger entry's id; several segments may share it.
        tenant: the tenant that the fact belongs to.
        subject: key of the entity that the fact is about.
        attribute: the attribute's name.
        value: the value; None where the entry is an end.
        valid_from: first instant of the segment (UTC). Reads return the segment that holds at the instant that
            was asked for; writes and `Explanation` return the first segment.
        valid_to: first instant at which the segment no longer holds (UTC); None: unbounded. Equal to `valid_from`
            where the entry holds at no instant (it is retracted, or other entries hide it).
        asserted_from: the start that was asserted (UTC).
        until: the end that was asserted, exclusive (UTC); None: for ever.
        ended: the entry is an end: it says that nothing holds.
        ended_value: for an end in an attribute of cardinality many, the value that no longer holds.
        recorded_at: when the entry was recorded (UTC, the database's clock).
        retracted_at: when the entry was retracted (UTC, the database's clock); None while it is live.
        episode_id: id of the first episode that said the fact.
        source: the source of that episode.
        supersedes: id of the fact that would have held at `asserted_from` without this one.
        schema_version: the schema that the fact was written under, as `name/version`; None without a schema.
        memory_type: the memory type that the schema declares.
        retention: the retention class that the schema declares.
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
        episode: the whole episode.
        quote: the words that state the fact, exactly as in the episode; None where no quote was given.
        start: offset of the quote's first character in the episode's text, in Unicode code points.
        end: offset after the quote's last character.
        recorded_at: when this support was recorded (UTC, the database's clock).
    """

    episode: Episode
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    recorded_at: datetime


class Explanation(Record):
    """Why a fact is in the ledger, which fact it replaced, and which facts replaced it.

    Attributes:
        fact: the fact, with its first segment.
        since: the instant (UTC) since which this value has held without a gap, up to and including the fact's
            first segment. Segments that touch and have equal typed values count as one (coalescing, Böhlen 1996).
            None where the fact holds at no instant.
        citations: the first episode that said the fact, then the episodes that confirmed it, in recorded order;
            at most 100: of more, the first and the 99 latest ones.
        citations_total: how many citations the fact has.
        truncated: whether it has more than `citations` holds; `citations(fact_id)` of a tenant returns all.
        replaced: the fact that this one supersedes.
        replaced_as: how this fact supersedes it: `change`, `restatement`, `end` or `correction`.
        replaced_by: the facts that supersede this one, in recorded order.
        retracted_by: the fact that this one was retracted for: its correction, or a fact from a better source.
        retraction_episode: the episode behind a plain retraction.
        retraction_reason: why the fact was retracted.
    """

    fact: Fact
    since: datetime | None
    citations: tuple[Citation, ...]
    citations_total: int
    truncated: bool = False
    replaced: Fact | None = None
    replaced_as: str | None = None
    replaced_by: tuple[Fact, ...] = ()
    retracted_by: Fact | None = None
    retraction_episode: Episode | None = None
    retraction_reason: str | None = None

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes of the citations, the first one first."""
        return tuple(citation.episode for citation in self.citations)

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quotes of the citations, without the citations that have none."""
        return tuple(citation.quote for citation in self.citations if citation.quote is not None)

    @property
    def confirmations(self) -> tuple[Citation, ...]:
        """The citations after the first."""
        return self.citations[1:]


class Edge(Record):
    """A fact between two entities, as a traversal found it.

    Attributes:
        subject: key of the entity that the fact is about.
        attribute: the attribute's name.
        object: key of the entity that the fact points to.
        valid_from: start of the segment that holds at the instant that was asked for (UTC).
        valid_to: end of that segment, exclusive (UTC); None: unbounded.
        fact_id: id of the fact.
        episode_id: id of the first episode that said the fact.
    """

    subject: str
    attribute: str
    object: str
    valid_from: datetime
    valid_to: datetime | None = None
    fact_id: str
    episode_id: str


class Node(Record):
    """An entity as a traversal found it.

    Attributes:
        key: the entity's key.
        name: the name that people read.
        kinds: the entity's declared kinds.
        depth: the number of steps from the start; 0 is the start itself.
    """

    key: str
    name: str
    kinds: tuple[str, ...] = ()
    depth: int


class Subgraph(Record):
    """The nodes and edges that a traversal found, breadth first.

    Attributes:
        nodes: the start first, then by depth and key.
        edges: by depth, then subject, attribute and object.
        truncated: whether the limit left out nodes or edges.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool = False


class Outcome(Record):
    """The result for one row or candidate of a write.

    Attributes:
        row: the row's number, from 1.
        fact_id: id of the fact that states the row; None where there is none.
        candidate_id: id of the candidate that was stored instead of a fact; None where there is none.
        reason: why the row was not committed as given; None where it was.
        data: the row as given, where it was refused; from an extraction, always the model's proposal.
    """

    row: int
    fact_id: str | None = None
    candidate_id: str | None = None
    reason: str | None = None
    data: Any = None


_Item = TypeVar("_Item")


class Outcomes(Generic[_Item]):
    """The rows that had one result: their number (`len`), and the first thousand of them (iteration, `first`)."""

    KEPT = 1000

    def __init__(self) -> None:
        self._count = 0
        self._first: list[_Item] = []

    def add(self, item: _Item) -> None:
        """Count an outcome, and keep it if it is among the first thousand."""
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
        """The first thousand outcomes."""
        return tuple(self._first)

    def __repr__(self) -> str:
        return f"<{self._count} outcomes>"


class WriteReport:
    """The results of a write's rows. Each field counts its rows and keeps the first thousand.

    Attributes:
        committed: rows that became new ledger entries.
        confirmed: rows that say the same as a stored fact, which gained an episode.
        unchanged: candidates that said nothing new.
        replayed: rows that were already in the ledger, from the same episode.
        refused: rows that are not allowed or in conflict, each with the reason.
        for_review: candidates that wait for a person's review.
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
        """The number of rows, whatever their result."""
        return sum(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return the number of rows by result."""
        return {name: len(outcomes) for name, outcomes in vars(self).items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WriteReport) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it counts on

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={count}" for name, count in self.counts().items() if count)
        return f"<WriteReport {counts or 'empty'}>"
