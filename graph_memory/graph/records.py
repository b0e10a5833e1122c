"""The records of walks through the graph, and of what changed in it. Instants are UTC, intervals half-open."""

from __future__ import annotations

from pydantic import Field

from graph_memory.domain.json_values import ReadOnlyDict
from graph_memory.domain.records import Edge, Fact, Node, ReadOnly, Record, Subgraph


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
