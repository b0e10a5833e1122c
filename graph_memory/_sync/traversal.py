# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Breadth-first walks over the facts between entities, as of an instant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph_memory import rows
from graph_memory._sync.database import Database
from graph_memory._sync.reads import Reader
from graph_memory.instants import from_micros
from graph_memory.names import relationship_type
from graph_memory.records import Direction, Edge, Node, Subgraph
from graph_memory.values import Ref


class Traversal:
    """One walk: what it follows, as of when, and how far.

    Present knowledge is read from the edges; a walk by what was known at a past instant reads ledger entries.
    """

    def __init__(
        self,
        database: Database,
        reader: Reader,
        tenant: str,
        *,
        relations: list[str] | None,
        at: datetime | None,
        known_at: datetime | None,
        direction: Direction,
    ) -> None:
        self._database = database
        self._reader = reader
        self._tenant = tenant
        self._relations = relations
        self._at = at
        self._known_at = known_at
        self._out = direction in (Direction.OUT, Direction.BOTH)
        self._in = direction in (Direction.IN, Direction.BOTH)

    def walk(self, start: str, depth: int, limit: int) -> Subgraph:
        """Return what is reached from `start` in `depth` steps, over `limit` edges at the most."""
        if self._at is None:
            [[now]] = self._database.read("read/now")
            self._at = from_micros(now)
        depths = {start: 0}
        edges: dict[tuple[str, datetime], Edge] = {}
        frontier, truncated = [start], False
        for step in range(1, depth + 1):
            met = [e for e in self._edges(frontier, len(edges) + limit + 1) if _id(e) not in edges]
            truncated = len(edges) + len(met) > limit
            reached: dict[str, None] = {}
            for edge in sorted(met, key=_order)[: limit - len(edges)]:
                edges[_id(edge)] = edge
                for key in (edge.subject, edge.object):
                    if depths.setdefault(key, step) == step:
                        reached[key] = None
            frontier = list(reached)
            if truncated or not frontier:
                break
        return Subgraph(nodes=self._nodes(depths, start), edges=tuple(edges.values()), truncated=truncated)

    def _nodes(self, depths: dict[str, int], start: str) -> tuple[Node, ...]:
        found = self._reader.entities(list(depths), required=start)
        nodes = [
            Node(key=key, name=name, kinds=rows.kinds(labels), depth=depths[key]) for key, name, _, labels in found
        ]
        return tuple(sorted(nodes, key=lambda node: (node.depth, node.key)))

    def _edges(self, keys: Sequence[str], limit: int) -> list[Edge]:
        met: dict[tuple[str, datetime], Edge] = {}
        for wanted, name, known in (
            (self._out, "read/edges_out", self._known_out),
            (self._in, "read/edges_in", self._known_in),
        ):
            if wanted:
                found = known(keys) if self._known_at else self._present(name, keys, limit)
                met.update((_id(edge), edge) for edge in found)
        return list(met.values())

    def _present(self, name: str, keys: Sequence[str], limit: int) -> Iterable[Edge]:
        types = None if self._relations is None else [relationship_type(r) for r in self._relations]
        found = self._database.read(name, tenant=self._tenant, keys=keys, types=types, at=self._at, limit=limit)
        return (
            Edge.model_construct(
                subject=subject,
                attribute=type_.lower(),
                object=object_,
                valid_from=from_micros(valid_from),
                valid_to=rows.instant(valid_to),
                fact_id=fact_id,
                episode_id=episode_id,
            )
            for subject, type_, object_, valid_from, valid_to, fact_id, episode_id in found
        )

    def _known_out(self, keys: Sequence[str]) -> Iterable[Edge]:
        slots = self._reader.slots(keys, self._relations)
        return self._held([slot for slot, _ in slots])

    def _known_in(self, keys: Sequence[str]) -> Iterable[Edge]:
        held = self._held(self._reader.referring_slots(keys, self._relations))
        return [edge for edge in held if edge.object in set(keys)]

    def _held(self, slots: Sequence[str]) -> list[Edge]:
        return [
            Edge(
                subject=fact.subject,
                attribute=fact.attribute,
                object=fact.value.key,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                fact_id=fact.id,
                episode_id=fact.episode_id,
            )
            for fact in self._reader.holding(slots, self._at, self._known_at)
            if fact is not None and isinstance(fact.value, Ref)
        ]


def _id(edge: Edge) -> tuple[str, datetime]:
    return edge.fact_id, edge.valid_from


def _order(edge: Edge) -> tuple[str, str, str, datetime]:
    return edge.subject, edge.attribute, edge.object, edge.valid_from
