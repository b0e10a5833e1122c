# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Reads of a tenant's graph: traversals, paths, neighbourhoods, changes and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from graph_memory._sync.graph.edges import Edges, Filter
from graph_memory._sync.graph.paths import PathSearch
from graph_memory._sync.graph.traversal import walk
from graph_memory._sync.tenant.base import TenantPart
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import attribute_names, listed, one_of, optional_instant, within
from graph_memory.domain.instants import Instant, from_micros, parse_instant
from graph_memory.domain.pages import Page, page_of
from graph_memory.domain.records import Cardinality, Direction, Fact, Subgraph
from graph_memory.domain.values import Ref, Value, check_value, identity, to_property, value_type
from graph_memory.errors import InvalidInputError
from graph_memory.graph.records import Neighborhood, Paths
from graph_memory.graph.walks import Kinds
from graph_memory.ledger import change_log
from graph_memory.ledger.records import Difference
from graph_memory.ledger.timeline import same_value

MAX_DEPTH = 16
MAX_LIMIT = 100_000
# The least and the most slots that `who_had` reads in one query.
_LEAST, _MOST = 100, 1000


class TenantGraph(TenantPart):
    """Reads across slots. By default they are as of now (the database's clock), by the ledger's present state."""

    def traverse(
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
        through: Iterable[str] | None = None,
        to: Iterable[str] | None = None,
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
            limit: the most edges to walk, 1 to 100,000; `truncated` says whether there were more.
            kinds: go only to entities with one of these kinds, on the way as at its end; None: to all. This is
                `through` and `to` with the same kinds.
            memory_types: follow only facts of these memory types; None: all.
            through: go on only from entities with one of these kinds, and from the start; None: from all.
            to: return only the entities with one of these kinds, the start, and the entities on the shortest
                walks to them; None: all.

        Raises:
            NotFoundError: the start does not exist.
            InvalidInputError: there is no such attribute or kind, or `kinds` is given beside `through` or `to`.
        """
        key, known = identifiers.entity_key(start), optional_instant(known_at, "known_at")
        steps, most = within("depth", depth, 0, MAX_DEPTH), within("limit", limit, 1, MAX_LIMIT)
        way = one_of(Direction, direction, "direction")
        if kinds is not None and (through is not None or to is not None):
            raise InvalidInputError("kinds stands for through and to: give either kinds, or through and to")
        passed, ends = self._checked_kinds("through", through), self._checked_kinds("to", to)
        wanted = self._filter(relations, kinds, memory_types)
        if wanted.kinds is not None:
            passed = ends = frozenset(wanted.kinds)
        edges = self._edges(wanted, at, known)

        def read(kept: Callable[[str], str]) -> Subgraph:
            return walk(edges, kept(key), steps, way, most, Kinds(passed, ends))

        return self._following([key], known, read, lambda graph: graph.edges)

    def paths(
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
            NotFoundError: one of the two does not exist.
            InvalidInputError: there is no such attribute or kind.
        """
        start, stop = identifiers.entity_key(a), identifiers.entity_key(b)
        way, known = one_of(Direction, direction, "direction"), optional_instant(known_at, "known_at")
        within("depth", depth, 1, MAX_DEPTH)
        within("limit", limit, 1, 1000)

        wanted = self._filter(relations, kinds, memory_types)

        def read(kept: Callable[[str], str]) -> Paths:
            ends = kept(start), kept(stop)
            edges = self._edges(replace(wanted, exempt=ends), at, known)
            return PathSearch(edges, *ends, way).find(depth, limit)

        return self._following([start, stop], known, read, lambda ways: ways.paths)

    def neighborhood(
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
        key, when = identifiers.entity_key(key), self._instant(at)
        steps, most = within("depth", depth, 0, MAX_DEPTH), within("limit", limit, 1, 10_000)
        known = optional_instant(known_at, "known_at")
        edges = self._edges(Filter(), when, known)

        def read(kept: Callable[[str], str]) -> tuple[Subgraph, list[Fact]]:
            around = walk(edges, kept(key), steps, Direction.BOTH, most)
            return around, self._reader.state([kept(key)], None, when, known)

        around, state = self._following([key], known, read, lambda found: found[0].edges or found[1])
        facts = sorted((f for f in state if not f.ended and not isinstance(f.value, Ref)), key=_by_attribute)
        latest = sorted(facts, key=lambda fact: fact.valid_from, reverse=True)[:most]
        cited = sorted({edge.fact_id for edge in around.edges} | {fact.id for fact in latest})
        return Neighborhood(
            nodes=around.nodes,
            edges=around.edges,
            facts=tuple(sorted(latest, key=_by_attribute)),
            quotes=dict(self._database.read("read/quotes", ids=cited)),
            truncated=around.truncated or len(facts) > most,
        )

    def diff(self, subject: str, at1: Instant, at2: Instant, known_at: Instant | None = None) -> list[Difference]:
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

        def read(kept: Callable[[str], str]) -> list[list[Fact]]:
            return [self._reader.state([kept(key)], None, instant, known) for instant in (first, second)]

        before, after = self._following([key], known, read, any)
        attributes = {fact.attribute for fact in (*before, *after)}
        self._attributes.look_up(attributes)
        many = (name for name in attributes if self._attributes.recorded(name) is Cardinality.MANY)
        return change_log.differences(before, after, many)

    def who_had(
        self,
        attribute: str,
        value: Value,
        at: Instant | None = None,
        known_at: Instant | None = None,
        limit: int = 1000,
    ) -> Page[Fact]:
        """Return the facts of all subjects that had a value at an instant, by the keys of the subjects.

        Args:
            attribute: an attribute of either cardinality.
            value: the typed value: `1`, `1.0` and `"1"` are different.
            at: the instant in valid time; None: now.
            known_at: by what the ledger knew at this instant; None: by what it knows now.
            limit: the first so many, 1 to 100,000; `truncated` tells whether there are more.

        Raises:
            InvalidInputError: there is no such attribute.
        """
        attribute, wanted = identifiers.attribute_name(attribute), check_value(value)
        self._attributes.require([attribute])
        when, known = self._instant(at), optional_instant(known_at, "known_at")
        most = within("limit", limit, 1, MAX_LIMIT)
        about = {"tenant": self.name, "attribute": attribute, "at": when}
        if isinstance(wanted, Ref):
            kept = self._kept([wanted.key], known)
            wanted = Ref(kept.get(wanted.key, wanted.key), wanted.kind)
            found = self._database.read("read/slots_naming", key=wanted.key, **about)
        else:
            stored = {"value": to_property(wanted), "value_type": value_type(wanted)}
            found = self._database.read("read/slots_saying", **stored, **about)
        slots = [slot for slot, _ in sorted(found, key=lambda row: (row[1], row[0]))]
        facts: list[Fact] = []
        chunk = min(max(most, _LEAST), _MOST)
        for start in range(0, len(slots), chunk):
            held = self._reader.holding(slots[start : start + chunk], when, known)
            facts += [fact for fact in held if fact is not None and same_value(fact.value, wanted)]
            if len(facts) > most:
                break
        return page_of(facts, most)

    def _edges(self, wanted: Filter, at: Instant | None, known_at: datetime | None) -> Edges:
        return Edges(self._database, self._reader, self.name, wanted, self._instant(at), known_at)

    def _filter(
        self,
        relations: Iterable[str] | None,
        kinds: Iterable[str] | None,
        memory_types: Iterable[str] | None,
    ) -> Filter:
        names = None if relations is None else attribute_names("relations", relations)
        if names is not None:
            self._attributes.require(names)
        labels = self._checked_kinds("kinds", kinds)
        types = None if memory_types is None else listed("memory_types", memory_types)
        return Filter(
            relations=names,
            kinds=None if labels is None else sorted(labels),
            memory_types=None
            if types is None
            else sorted(identifiers.label(name, "memory type") for name in types),
        )

    def _checked_kinds(self, name: str, kinds: Iterable[str] | None) -> frozenset[str] | None:
        """Return the kinds that the argument `name` gives; raises InvalidInputError for a kind that never was."""
        if kinds is None:
            return None
        labels = sorted(map(identifiers.kind_name, listed(name, kinds)))
        self._require_kinds(labels)
        return frozenset(labels)

    def _require_kinds(self, kinds: list[str]) -> None:
        """Raise InvalidInputError where no entity has ever been of one of these kinds, and none is declared."""
        schema = self._attributes.schema
        declared = frozenset() if schema is None else frozenset(schema.kinds)
        if strange := [kind for kind in kinds if kind not in declared]:
            found = {kind for [kind] in self._database.read("read/kinds", kinds=strange)}
            if missing := [kind for kind in strange if kind not in found]:
                raise InvalidInputError(
                    f"kind {missing[0]!r} is not declared, and no entity is of it: names are case-sensitive"
                )

    def _instant(self, at: Instant | None) -> datetime:
        """Return an instant (UTC), or now by the database's clock; all queries of a read use the same one."""
        if at is not None:
            return parse_instant(at, "at")
        [[now]] = self._database.read("read/now")
        return from_micros(now)


def _by_attribute(fact: Fact) -> tuple[str, datetime, tuple[str, str]]:
    assert fact.value is not None
    return fact.attribute, fact.valid_from, identity(fact.value)
