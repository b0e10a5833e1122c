"""Reads of a tenant's graph: traversals, paths, neighbourhoods, changes and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from graph_memory._async.graph.edges import AsyncEdges, Filter
from graph_memory._async.graph.paths import AsyncPathSearch
from graph_memory._async.graph.traversal import walk
from graph_memory._async.ledger.change_log import AsyncChanges
from graph_memory._async.tenant.base import AsyncTenantPart
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed, one_of, optional_instant, within
from graph_memory.domain.instants import MICROSECOND, Instant, from_micros, parse_instant
from graph_memory.domain.records import Cardinality, Direction, Fact, Subgraph
from graph_memory.domain.values import Ref, Value, check_value, identity, to_property, value_type
from graph_memory.errors import InvalidInputError
from graph_memory.graph.records import Neighborhood, Paths
from graph_memory.ledger import change_log
from graph_memory.ledger.records import ChangeEvent, ChangeKind, Clock, Difference
from graph_memory.ledger.timeline import same_value

MAX_DEPTH = 16
MAX_LIMIT = 100_000
# The least and the most slots that `who_had` reads in one query.
_LEAST, _MOST = 100, 1000


class AsyncTenantGraph(AsyncTenantPart):
    """Reads across slots. By default they are as of now (the database's clock), by the ledger's present state."""

    async def traverse(
        self,
        start: str,
        relations: Iterable[str] | None = None,
        depth: int = 2,
        at: Instant | None = None,
        known_at: Instant | None = None,
        direction: Direction | str = Direction.OUT,
        limit: int = 1000,
        kinds: Iterable[str] | None = None,
        memory_types: Iterable[str] | None = None,
    ) -> Subgraph:
        """Return the entities and edges around an entity, breadth first, as of an instant.

        Where there are more edges than `limit`, nearer edges are preferred, and at equal depth those with the
        latest starts.

        Args:
            start: key of the entity to start from.
            relations: attributes to follow; None: all.
            depth: the most steps, 0 to 16.
            at: the instant in valid time; None: now.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
            direction: `out` from subject to value, `in` from value to subject, or `both`.
            limit: the most edges to return, 1 to 100,000; `truncated` says whether there were more.
            kinds: go only to entities with one of these kinds; None: to all.
            memory_types: follow only facts of these memory types; None: all.

        Raises:
            NotFoundError: the start does not exist.
        """
        key, known = identifiers.entity_key(start), optional_instant(known_at, "known_at")
        steps, most = within("depth", depth, 0, MAX_DEPTH), within("limit", limit, 1, MAX_LIMIT)
        way = one_of(Direction, direction, "direction")
        edges = await self._edges(_filter(relations, kinds, memory_types), at, known)

        async def read(kept: Callable[[str], str]) -> Subgraph:
            return await walk(edges, kept(key), steps, way, most)

        return await self._following([key], known, read, lambda graph: graph.edges)

    async def paths(
        self,
        a: str,
        b: str,
        relations: Iterable[str] | None = None,
        depth: int = 4,
        at: Instant | None = None,
        known_at: Instant | None = None,
        direction: Direction | str = Direction.BOTH,
        kinds: Iterable[str] | None = None,
        memory_types: Iterable[str] | None = None,
        limit: int = 10,
    ) -> Paths:
        """Return the shortest paths between two entities over facts that hold at an instant, the shortest first.

        No path visits an entity twice. A bidirectional breadth-first search reads at most 20,000 edges;
        `truncated` says whether there may be more paths.

        Args:
            a: key of the first entity.
            b: key of the last entity.
            relations: attributes to follow; None: all.
            depth: the most steps of a path, 1 to 16.
            at: the instant in valid time; None: now.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
            direction: `out`: each step from subject to value; `in`: each from value to subject; `both`: either.
            kinds: pass only through entities with one of these kinds; None: through all.
            memory_types: follow only facts of these memory types; None: all.
            limit: the most paths to return, 1 to 1,000.

        Raises:
            NotFoundError: one of the two entities does not exist.
        """
        start, stop = identifiers.entity_key(a), identifiers.entity_key(b)
        way, known = one_of(Direction, direction, "direction"), optional_instant(known_at, "known_at")
        within("depth", depth, 1, MAX_DEPTH)
        within("limit", limit, 1, 1000)

        async def read(kept: Callable[[str], str]) -> Paths:
            ends = kept(start), kept(stop)
            edges = await self._edges(_filter(relations, kinds, memory_types, exempt=ends), at, known)
            return await AsyncPathSearch(edges, *ends, way).find(depth, limit)

        return await self._following([start, stop], known, read, lambda ways: ways.paths)

    async def neighborhood(
        self,
        key: str,
        at: Instant | None = None,
        known_at: Instant | None = None,
        depth: int = 1,
        limit: int = 50,
    ) -> Neighborhood:
        """Return an entity, the entities around it in both directions, and the facts' quotes, for a drawing.

        Args:
            key: key of the entity in the middle.
            at: the instant in valid time; None: now.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
            depth: the most steps, 0 to 16.
            limit: the most edges to return, and also the most facts of the entity itself, 1 to 10,000; the same
                ones are preferred as in `traverse`.

        Raises:
            NotFoundError: the entity does not exist.
        """
        key, when = identifiers.entity_key(key), await self._instant(at)
        steps, most = within("depth", depth, 0, MAX_DEPTH), within("limit", limit, 1, 10_000)
        known = optional_instant(known_at, "known_at")
        edges = await self._edges(Filter(), when, known)

        async def read(kept: Callable[[str], str]) -> tuple[Subgraph, list[Fact]]:
            around = await walk(edges, kept(key), steps, Direction.BOTH, most)
            return around, await self._reader.state([kept(key)], None, when, known)

        around, state = await self._following([key], known, read, lambda found: found[0].edges or found[1])
        facts = sorted((f for f in state if not f.ended and not isinstance(f.value, Ref)), key=_by_attribute)
        latest = sorted(facts, key=lambda fact: fact.valid_from, reverse=True)[:most]
        cited = sorted({edge.fact_id for edge in around.edges} | {fact.id for fact in latest})
        return Neighborhood(
            nodes=around.nodes,
            edges=around.edges,
            facts=tuple(sorted(latest, key=_by_attribute)),
            quotes=dict(await self._database.read("read/quotes", ids=cited)),
            truncated=around.truncated or len(facts) > most,
        )

    async def changes(
        self,
        since: Instant,
        until: Instant | None = None,
        subject: str | None = None,
        attributes: Iterable[str] | None = None,
        by: Clock | str = Clock.RECORDED,
        kinds: Iterable[ChangeKind | str] | None = None,
        limit: int = 1000,
        known_at: Instant | None = None,
    ) -> list[ChangeEvent]:
        """Return the changes in an interval, in the order of time.

        Args:
            since: first instant of the interval.
            until: first instant after the interval; None: no bound (by valid time this includes the future).
            subject: key of an entity; None: all entities.
            attributes: only changes of these attributes; None: all.
            by: `recorded`: by the time when the ledger recorded a change; `valid`: by the time when it is true.
            kinds: only changes of these kinds; None: all.
            limit: the most changes to return, 1 to 100,000; to continue, read again with the last change's instant
                as `since`.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.

        Raises:
            InvalidInputError: `until` is not after `since`, or a kind or clock is unknown.
        """
        start, stop = parse_instant(since, "since"), optional_instant(until, "until")
        if stop is not None and stop <= start:
            raise InvalidInputError(f"until {until} is not after since {since}: give the later one as until")
        clock, known = one_of(Clock, by, "by"), optional_instant(known_at, "known_at")
        most = within("limit", limit, 1, MAX_LIMIT)
        wanted = None if attributes is None else _attributes("attributes", attributes)
        if clock is Clock.RECORDED and known is not None:
            stop = min((i for i in (stop, _just_after(known)) if i is not None), default=None)
        key = None if subject is None else identifiers.entity_key(subject)
        if key is not None:
            key = (await self._kept([key], known)).get(key, key)
        changes = AsyncChanges(
            self._database,
            self._reader,
            self.name,
            since=start,
            until=stop,
            subject=key,
            attributes=wanted,
            kinds=frozenset(
                ChangeKind if kinds is None else (one_of(ChangeKind, k, "kind") for k in listed("kinds", kinds))
            ),
            known_at=known,
        )
        if clock is Clock.RECORDED:
            return await changes.recorded(most)
        every = wanted if wanted is not None else [info.name for info in await self._attributes.all()]
        return await changes.valid(most, every)

    async def diff(
        self, subject: str, at1: Instant, at2: Instant, known_at: Instant | None = None
    ) -> list[Difference]:
        """Return the differences between a subject's facts at two instants, by attribute.

        For an attribute of cardinality many, each value that was added or removed is a difference.

        Args:
            subject: an entity's key.
            at1: the instant of `before`, in valid time.
            at2: the instant of `after`, in valid time.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
        """
        key, known = identifiers.entity_key(subject), optional_instant(known_at, "known_at")
        first, second = parse_instant(at1, "at1"), parse_instant(at2, "at2")

        async def read(kept: Callable[[str], str]) -> list[list[Fact]]:
            return [await self._reader.state([kept(key)], None, instant, known) for instant in (first, second)]

        before, after = await self._following([key], known, read, any)
        attributes = {fact.attribute for fact in (*before, *after)}
        await self._attributes.look_up(attributes)
        many = (name for name in attributes if self._attributes.recorded(name) is Cardinality.MANY)
        return change_log.differences(before, after, many)

    async def who_had(
        self,
        attribute: str,
        value: Value,
        at: Instant | None = None,
        known_at: Instant | None = None,
        limit: int = 1000,
    ) -> list[Fact]:
        """Return the facts of all subjects that had a value at an instant, in order of the subjects' keys.

        Args:
            attribute: an attribute of either cardinality.
            value: the typed value: `1`, `1.0` and `"1"` are different.
            at: the instant in valid time; None: now.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
            limit: the most facts to return, 1 to 100,000.
        """
        attribute, wanted = identifiers.attribute_name(attribute), check_value(value)
        when, known = await self._instant(at), optional_instant(known_at, "known_at")
        most = within("limit", limit, 1, MAX_LIMIT)
        about = {"tenant": self.name, "attribute": attribute, "at": when}
        if isinstance(wanted, Ref):
            kept = await self._kept([wanted.key], known)
            wanted = Ref(kept.get(wanted.key, wanted.key), wanted.kind)
            found = await self._database.read("read/slots_naming", key=wanted.key, **about)
        else:
            stored = {"value": to_property(wanted), "value_type": value_type(wanted)}
            found = await self._database.read("read/slots_saying", **stored, **about)
        slots = [slot for slot, _ in sorted(found, key=lambda row: (row[1], row[0]))]
        facts: list[Fact] = []
        chunk = min(max(most, _LEAST), _MOST)
        for start in range(0, len(slots), chunk):
            held = await self._reader.holding(slots[start : start + chunk], when, known)
            facts += [fact for fact in held if fact is not None and same_value(fact.value, wanted)]
            if len(facts) >= most:
                break
        return facts[:most]

    async def _edges(self, wanted: Filter, at: Instant | None, known_at: datetime | None) -> AsyncEdges:
        return AsyncEdges(self._database, self._reader, self.name, wanted, await self._instant(at), known_at)

    async def _instant(self, at: Instant | None) -> datetime:
        """Return an instant (UTC), or now by the database's clock; all queries of a read use the same one."""
        if at is not None:
            return parse_instant(at, "at")
        [[now]] = await self._database.read("read/now")
        return from_micros(now)


def _filter(
    relations: Iterable[str] | None,
    kinds: Iterable[str] | None,
    memory_types: Iterable[str] | None,
    exempt: tuple[str, ...] = (),
) -> Filter:
    return Filter(
        relations=None if relations is None else _attributes("relations", relations),
        kinds=None if kinds is None else sorted({identifiers.kind_name(kind) for kind in listed("kinds", kinds)}),
        memory_types=None
        if memory_types is None
        else sorted({identifiers.label(name, "memory type") for name in listed("memory_types", memory_types)}),
        exempt=exempt,
    )


def _attributes(name: str, given: Iterable[str]) -> list[str]:
    return sorted({identifiers.attribute_name(attribute) for attribute in listed(name, given)})


def _just_after(at: datetime) -> datetime | None:
    """Return the next instant; None after the last one."""
    return None if at == datetime.max.replace(tzinfo=UTC) else at + MICROSECOND


def _by_attribute(fact: Fact) -> tuple[str, datetime, tuple[str, str]]:
    assert fact.value is not None
    return fact.attribute, fact.valid_from, identity(fact.value)
