"""The paths between two nodes over known steps: a depth-first search, pruned by reachability. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.domain.records import Edge

# The most steps to try before the next path is found. In a graph with many circles, almost no beginning of a path
# without repeated nodes can be completed, and trying all of them would take for ever.
MAX_TRIED = 200_000

Way = tuple[Edge, ...]


class TriedTooManyError(Exception):
    """No path was found within MAX_TRIED steps, and there are more to try."""


class Steps:
    """The steps known so far; a step goes from one node to another over an edge."""

    def __init__(self) -> None:
        self._after: dict[str, dict[tuple[str, str, str], Edge]] = {}
        self._before: dict[str, set[str]] = {}

    def add(self, edge: Edge, start: str, stop: str) -> None:
        """Add a step, unless it is known already."""
        self._after.setdefault(start, {}).setdefault((stop, edge.attribute, edge.subject), edge)
        self._before.setdefault(stop, set()).add(start)

    def ways(self, start: str, stop: str, length: int) -> Iterator[Way]:
        """Yield the paths of exactly `length` steps (1 or more) without repeated nodes, in order of their keys.

        Raises:
            TriedTooManyError: more than MAX_TRIED steps were tried without finding the next path.
        """
        # At index n: the nodes from which n steps lead to `stop`.
        leading: list[set[str]] = [{stop}]
        for _ in range(length):
            leading.append({before for node in leading[-1] for before in self._before.get(node, ())})
        if start not in leading[length]:
            return
        followed = {
            node: sorted(self._after.get(node, {}).items()) for nodes in leading for node in nodes if node != stop
        }
        tried = 0
        way: list[Edge] = []
        met = [start]
        trails = [iter(followed[start])]
        while trails:
            following = next(trails[-1], None)
            if following is None:
                trails.pop()
                met.pop()
                if way:
                    way.pop()
                continue
            (node, *_), edge = following
            left = length - len(way) - 1
            tried += 1
            if tried > MAX_TRIED:
                raise TriedTooManyError
            if node not in leading[left] or node in met or (node == stop) != (left == 0):
                continue
            if left == 0:
                yield (*way, edge)
                tried = 0
                continue
            way.append(edge)
            met.append(node)
            trails.append(iter(followed[node]))
