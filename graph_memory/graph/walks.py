"""Which kinds of entities a walk passes and where it ends.

Pure functions: no clock, no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graph_memory.domain.records import Direction, Edge


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of the entities that a walk may pass, and of those where it may end.

    Attributes:
        through: the walk goes on only from entities of one of these kinds, and from its start; None: from all.
        to: the walk ends only at entities of one of these kinds; None: at any.
    """

    through: frozenset[str] | None = None
    to: frozenset[str] | None = None

    def reached(self, last: bool) -> list[str] | None:
        """Return the kinds of the entities that a step reaches, `last` telling the walk's last one; None: all."""
        if self.to is None:
            return None
        if last:
            return sorted(self.to)
        return None if self.through is None else sorted(self.through | self.to)

    @property
    def pass_all(self) -> bool:
        """Whether a walk goes on from every entity that it reaches."""
        return self.through is None or (self.to is not None and self.to <= self.through)


def leading_to(
    ends: Iterable[str], depths: Mapping[str, int], edges: Iterable[Edge], direction: Direction
) -> set[str]:
    """Return some entities, and those on the shortest walks to them.

    Args:
        ends: the entities where walks end.
        depths: the steps from the start to each entity.
        edges: the edges that were walked.
        direction: the direction in which they were walked.
    """
    before: dict[str, set[str]] = {}
    for edge in edges:
        for near, far, way in (
            (edge.subject, edge.object, Direction.OUT),
            (edge.object, edge.subject, Direction.IN),
        ):
            if direction in (way, Direction.BOTH) and depths[far] == depths[near] + 1:
                before.setdefault(far, set()).add(near)
    kept, waiting = set[str](), list(ends)
    while waiting:
        if (key := waiting.pop()) not in kept:
            kept.add(key)
            waiting.extend(before.get(key, ()))
    return kept
