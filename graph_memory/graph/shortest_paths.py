"""The ways between two nodes of a graph, given its steps. Pure: no database."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.domain.records import Edge

# How many steps are tried from one way to the next. Where steps lead back again and again, almost no beginning of
# a way that meets no node twice has an end, and to try them all would take for ever.
MAX_TRIED = 200_000

Way = tuple[Edge, ...]


class TriedTooManyError(Exception):
    """There is more to try than MAX_TRIED steps."""


class Steps:
    """The steps between nodes that are known so far: over which edge from which node to which."""

    def __init__(self) -> None:
        self._after: dict[str, dict[tuple[str, str, str], Edge]] = {}
        self._before: dict[str, set[str]] = {}

    def add(self, edge: Edge, start: str, stop: str) -> None:
        """Add a step; one that is known is not added again."""
        self._after.setdefault(start, {}).setdefault((stop, edge.attribute, edge.subject), edge)
        self._before.setdefault(stop, set()).add(start)

    def ways(self, start: str, stop: str, length: int) -> Iterator[Way]:
        """Yield the ways of exactly `length` steps (1 or more) that meet no node twice, by their nodes' keys.

        Raises:
            TriedTooManyError: too many beginnings of a way had no end.
        """
        # By how many steps left: the nodes from which as many lead to the end.
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
