"""Reads of the facts between entities, as of one instant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory._async.ledger.reader import AsyncReader
from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.domain.identifiers import relationship_type
from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.domain.records import Direction, Edge, Node
from graph_memory.domain.values import Ref
from graph_memory.entities.rows import kinds_of_labels

EdgeId = tuple[str, datetime]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which facts a traversal follows.

    Attributes:
        relations: follow only these attributes; None: all.
        kinds: go only to entities of these kinds; None: to all.
        memory_types: follow only facts of these memory types; None: all.
        exempt: keys of entities that may be reached whatever their kinds.
    """

    relations: list[str] | None = None
    kinds: list[str] | None = None
    memory_types: list[str] | None = None
    exempt: tuple[str, ...] = ()


class AsyncEdges:
    """The facts between entities that hold at one instant.

    With `known_at` None they are read from the edges; with a past `known_at`, from the ledger's entries.
    """

    def __init__(
        self,
        database: AsyncDatabase,
        reader: AsyncReader,
        tenant: str,
        wanted: Filter,
        at: datetime,
        known_at: datetime | None,
    ) -> None:
        self._database = database
        self._reader = reader
        self._tenant = tenant
        self._wanted = wanted
        self._at = at
        self._known_at = known_at

    def reaching(self, kinds: list[str] | None) -> AsyncEdges:
        """Return these edges, but only those that reach an entity of one of some kinds; None: of any."""
        if kinds == self._wanted.kinds:
            return self
        wanted = replace(self._wanted, kinds=kinds)
        return AsyncEdges(self._database, self._reader, self._tenant, wanted, self._at, self._known_at)

    async def around(self, keys: Sequence[str], direction: Direction, limit: int) -> list[Edge]:
        """Return at most `limit` edges from (`out`) or to (`in`) some entities, the latest start first.

        Edges with equal starts are in order of subject, attribute and object.
        """
        met: dict[EdgeId, Edge] = {}
        for way, name, known in (
            (Direction.OUT, "read/edges_out", self._known_out),
            (Direction.IN, "read/edges_in", self._known_in),
        ):
            if direction in (way, Direction.BOTH):
                found = await known(keys) if self._known_at else await self._present(name, keys, limit)
                met.update((edge_id(edge), edge) for edge in found)
        by_name = sorted(met.values(), key=edge_order)
        return sorted(by_name, key=lambda edge: edge.valid_from, reverse=True)[:limit]

    async def nodes(self, depths: dict[str, int], required: Iterable[str]) -> dict[str, Node]:
        """Return entities by key, each with its depth; raises NotFoundError where a required one is missing."""
        keys = list(depths)
        found: dict[str, Node] = {}
        for name in required:
            if name not in found:
                for key, title, _, labels, *_ in await self._reader.entities(keys, required=name):
                    found[key] = Node(key=key, name=title, kinds=kinds_of_labels(labels), depth=depths[key])
        return found

    async def _present(self, name: str, keys: Sequence[str], limit: int) -> Iterable[Edge]:
        relations = self._wanted.relations
        found = await self._database.read(
            name,
            tenant=self._tenant,
            keys=keys,
            types=None if relations is None else [relationship_type(relation) for relation in relations],
            kinds=self._wanted.kinds,
            exempt=list(self._wanted.exempt),
            memory_types=self._wanted.memory_types,
            at=self._at,
            limit=limit,
        )
        return (
            Edge.model_construct(
                subject=subject,
                attribute=type_.lower(),
                object=object_,
                valid_from=from_micros(valid_from),
                valid_to=from_optional_micros(valid_to),
                fact_id=fact_id,
                episode_id=episode_id,
            )
            for subject, type_, object_, valid_from, valid_to, fact_id, episode_id in found
        )

    async def _known_out(self, keys: Sequence[str]) -> list[Edge]:
        slots = await self._reader.slots(keys, self._wanted.relations)
        held = await self._held([slot for slot, _ in slots])
        met = await self.of_kinds({edge.object for edge in held})
        return [edge for edge in held if edge.object in met]

    async def _known_in(self, keys: Sequence[str]) -> list[Edge]:
        around = set(keys)
        slots = await self._reader.referring_slots(keys, self._wanted.relations)
        held = [edge for edge in await self._held(slots) if edge.object in around]
        met = await self.of_kinds({edge.subject for edge in held})
        return [edge for edge in held if edge.subject in met]

    async def of_kinds(self, keys: Collection[str]) -> Collection[str]:
        """Return the keys of the entities that the filter's kinds allow."""
        if self._wanted.kinds is None or not keys:
            return keys
        found = await self._database.read("read/entities", tenant=self._tenant, keys=sorted(keys))
        kinds, exempt = set(self._wanted.kinds), self._wanted.exempt
        return {
            key
            for key, _, _, labels, *_ in found
            if key in exempt or not kinds.isdisjoint(kinds_of_labels(labels))
        }

    async def _held(self, slots: Sequence[str]) -> list[Edge]:
        types = self._wanted.memory_types
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
            for fact in await self._reader.holding(slots, self._at, self._known_at)
            if fact is not None and isinstance(fact.value, Ref) and (types is None or fact.memory_type in types)
        ]


def edge_id(edge: Edge) -> EdgeId:
    """Return the edge's identity: its fact's id and its start."""
    return edge.fact_id, edge.valid_from


def edge_order(edge: Edge) -> tuple[str, str, str, datetime]:
    """Return the sort key of edges in lists."""
    return edge.subject, edge.attribute, edge.object, edge.valid_from
