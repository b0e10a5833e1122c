"""The records of paths and neighbourhoods. Instants are UTC, intervals half-open."""

from __future__ import annotations

from pydantic import Field

from graph_memory.domain.json_values import ReadOnlyDict
from graph_memory.domain.records import Edge, Fact, Node, ReadOnly, Record, Subgraph


class Path(Record):
    """A path from one entity to another over facts that hold at one instant.

    Attributes:
        nodes: the entities from the first to the last, each once; `depth` is the position, from 0.
        edges: one edge between each two neighbours of `nodes`, in either direction.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def length(self) -> int:
        """The number of facts in the path."""
        return len(self.edges)


class Paths(Record):
    """The paths from one entity to another.

    Attributes:
        paths: the shortest first; paths of equal length by the keys of their nodes, then by attribute.
        truncated: whether there may be more paths: the limit was reached, or the search had to stop early.
    """

    paths: tuple[Path, ...]
    truncated: bool = False


class Neighborhood(Subgraph):
    """An entity and the entities around it, for a drawing.

    Attributes:
        facts: the facts of the entity in the middle that have plain values, by attribute and start.
        quotes: for each fact and edge, by fact id, the quote of its first episode, where it has one.
        truncated: whether the limit left out edges or facts.
    """

    facts: tuple[Fact, ...] = ()
    quotes: ReadOnly[dict[str, str]] = Field(default_factory=ReadOnlyDict)
