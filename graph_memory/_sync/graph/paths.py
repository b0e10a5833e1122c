# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Bidirectional search for the shortest paths between two entities."""

from __future__ import annotations

from graph_memory._sync.graph.edges import Edges
from graph_memory.domain.records import Direction, Edge, Node
from graph_memory.graph.records import Path, Paths
from graph_memory.graph.shortest_paths import Steps, TriedTooManyError, Way

# The most edges that one search reads. Where an entity has more, the edges with the latest starts are read.
MAX_EDGES = 20_000
# Where one end has more edges than this to read next, the search tries the other end first.
FEW_EDGES = 1_000

_BACK = {Direction.OUT: Direction.IN, Direction.IN: Direction.OUT, Direction.BOTH: Direction.BOTH}


class PathSearch:
    """One bidirectional breadth-first search; each step extends the end that has fewer edges to read."""

    def __init__(self, edges: Edges, start: str, stop: str, direction: Direction) -> None:
        self._edges = edges
        self._start = start
        self._stop = stop
        self._steps = Steps()
        self._read = 0
        self._truncated = False
        self._ends = (_End(start, direction), _End(stop, _BACK[direction]))

    def find(self, depth: int, limit: int) -> Paths:
        """Return at most `limit` paths of at most `depth` steps, the shortest first."""
        ways: list[Way] = [()] if self._start == self._stop else []
        for length in range(1, depth + 1 if not ways else 0):
            self._widen()
            try:
                for way in self._steps.ways(self._start, self._stop, length):
                    ways.append(way)
                    if len(ways) > limit:
                        break
            except TriedTooManyError:
                self._truncated = True
            if len(ways) > limit or self._truncated:
                break
        return Paths(paths=self._paths(ways[:limit]), truncated=self._truncated or len(ways) > limit)

    def _widen(self) -> None:
        """Read the facts around the next entities at one of the two ends.

        A path of n steps consists of steps near its start and steps near its end, so after n calls all its facts
        are known. Where an end has no next entities, every fact that a path can use is known.
        """
        if not all(end.next for end in self._ends):
            return
        end, found = self._sparser()
        around, end.next = end.next, set()
        for edge in found:
            for near, far, way in (
                (edge.subject, edge.object, Direction.OUT),
                (edge.object, edge.subject, Direction.IN),
            ):
                if near not in around or end.direction not in (way, Direction.BOTH):
                    continue
                self._steps.add(edge, *((near, far) if end is self._ends[0] else (far, near)))
                if far not in end.met:
                    end.met.add(far)
                    end.next.add(far)

    def _sparser(self) -> tuple[_End, list[Edge]]:
        """Return the end with fewer facts to read, and these facts; where both have too many, the latest ones."""
        room = MAX_EDGES - self._read
        ends = sorted(self._ends, key=lambda end: len(end.next))
        for most in sorted({min(FEW_EDGES, room), room}):
            for end in ends:
                found = self._edges.around(sorted(end.next), end.direction, most + 1)
                if len(found) <= most:
                    self._read += len(found)
                    return end, found
        self._truncated = True
        self._read = MAX_EDGES
        return end, found[:room]

    def _paths(self, ways: list[Way]) -> tuple[Path, ...]:
        trails = [_trail(self._start, way) for way in ways]
        keys = {self._start, self._stop}.union(*trails)
        nodes = self._edges.nodes(dict.fromkeys(sorted(keys), 0), required=[self._start, self._stop])
        return tuple(
            Path(nodes=tuple(_placed(nodes[key], depth) for depth, key in enumerate(trail)), edges=way)
            for trail, way in zip(trails, ways, strict=True)
        )


class _End:
    """One end of a search.

    Attributes:
        direction: the direction in which facts are followed from this end.
        met: the entities that were reached.
        next: the reached entities whose facts have not been read yet.
    """

    def __init__(self, key: str, direction: Direction) -> None:
        self.direction = direction
        self.met = {key}
        self.next = {key}


def _trail(start: str, way: Way) -> list[str]:
    trail = [start]
    for edge in way:
        trail.append(edge.object if edge.subject == trail[-1] else edge.subject)
    return trail


def _placed(node: Node, depth: int) -> Node:
    return node.model_copy(update={"depth": depth})
