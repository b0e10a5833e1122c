"""Walks and changes on the oracle's ledger: every answer is a scan over all that holds, or over all entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from rule import Entry, SlotKey, segments

from graph_memory.domain import identifiers
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.records import Direction, Edge, Entity, Fact, Node, Subgraph
from graph_memory.domain.values import Ref, Value, check_value, identity
from graph_memory.errors import InvalidInputError, NotFoundError
from graph_memory.graph.records import Neighborhood, Path, Paths
from graph_memory.ledger.records import ChangeEvent, ChangeKind, Clock, Difference

if TYPE_CHECKING:
    from oracle import OracleMemory

Instant: TypeAlias = datetime | date | str


class OracleGraph:
    """The methods of a tenant that cross slots."""

    memory: OracleMemory
    entries: list[Entry]
    entities: dict[str, set[str]]
    entity: Callable[[str], Entity]
    _holding: Callable[[SlotKey, datetime, datetime | None], Fact | None]
    _live: Callable[[SlotKey, datetime | None], list[Entry]]
    _fact: Callable[..., Fact]
    _first: Callable[[Entry, datetime | None], Fact]

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
        """Follow the references that hold at an instant, breadth first."""
        if depth < 0 or limit < 1 or direction not in list(Direction):
            raise InvalidInputError("depth, limit or direction")
        if kinds is not None and (through is not None or to is not None):
            raise InvalidInputError("kinds")
        steps = list(self._steps(relations, at, known_at, direction, kinds, memory_types))
        depths, edges, truncated = {self.entity(start).key: 0}, list[Edge](), False
        passed, ends = self._of_kinds(through), self._of_kinds(to)
        for step in range(1, depth + 1):
            frontier = {key for key, n in depths.items() if n == step - 1 and (n == 0 or passed(key))}
            useful = ends if step == depth else lambda key: passed(key) or ends(key)
            met = _unique(
                edge for near, edge, far in steps if near in frontier and edge not in edges and useful(far)
            )
            room = limit - len(edges)
            met.sort(key=lambda edge: edge.valid_from, reverse=True)
            truncated = len(met) > room
            for edge in sorted(met[:room], key=_order):
                edges.append(edge)
                depths.setdefault(edge.subject, step)
                depths.setdefault(edge.object, step)
            if truncated:
                break
        kept = {key for key in depths if ends(key)}
        for depth_ in range(max(depths.values()), 0, -1):
            nearer = {(near, far) for near, edge, far in steps if edge in edges and far in kept}
            kept |= {near for near, far in nearer if depths.get(far) == depth_ and depths.get(near) == depth_ - 1}
        nodes = sorted(((n, key) for key, n in depths.items() if n == 0 or key in kept))
        shown = {key for _, key in nodes}
        return Subgraph(
            nodes=tuple(self._node(key, n) for n, key in nodes),
            edges=tuple(edge for edge in edges if {edge.subject, edge.object} <= shown),
            truncated=truncated,
        )

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
        """All ways that meet nothing twice, by their lengths and then by what comes next."""
        start, stop = self.entity(a).key, self.entity(b).key
        if depth < 1 or limit < 1 or direction not in list(Direction):
            raise InvalidInputError("depth, limit or direction")
        steps = list(self._steps(relations, at, known_at, direction, kinds, memory_types, exempt=(start, stop)))

        def ways(met: list[str], way: list[Edge]) -> Iterator[tuple[list[str], list[Edge]]]:
            if met[-1] == stop:
                yield met, way
            elif len(way) < depth:
                for near, edge, far in steps:
                    if near == met[-1] and far not in met:
                        yield from ways([*met, far], [*way, edge])

        def order(found: tuple[list[str], list[Edge]]) -> tuple[Any, ...]:
            met, way = found
            steps = zip(met[1:], way, strict=True)
            return len(way), [(far, edge.attribute, edge.subject) for far, edge in steps]

        found = sorted(ways([start], []), key=order)
        return Paths(
            paths=tuple(
                Path(nodes=tuple(self._node(key, n) for n, key in enumerate(met)), edges=tuple(way))
                for met, way in found[:limit]
            ),
            truncated=len(found) > limit,
        )

    def neighborhood(
        self,
        key: str,
        at: Instant | None = None,
        known_at: Instant | None = None,
        depth: int = 1,
        limit: int = 50,
    ) -> Neighborhood:
        """What is around an entity, with the words behind it."""
        when = _instant(at)
        around = self.traverse(key, None, depth, when, known_at, Direction.BOTH, limit)
        facts = [
            fact
            for fact in self._held(when, known_at)
            if fact.subject == self.entity(key).key and not isinstance(fact.value, Ref)
        ]
        facts.sort(key=_by_attribute)
        latest = sorted(facts, key=lambda fact: fact.valid_from, reverse=True)[:limit]
        cited = {edge.fact_id for edge in around.edges} | {fact.id for fact in latest}
        return Neighborhood(
            nodes=around.nodes,
            edges=around.edges,
            facts=tuple(sorted(latest, key=_by_attribute)),
            quotes={e.id: e.citations[0].quote for e in self.entries if e.id in cited and e.citations[0].quote},
            truncated=around.truncated or len(facts) > limit,
        )

    def changes(
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
        """All that changed, in the order of time."""
        start, stop = parse_instant(since), None if until is None else parse_instant(until)
        known = None if known_at is None else parse_instant(known_at)
        if limit < 1 or (stop is not None and stop <= start) or by not in list(Clock):
            raise InvalidInputError("limit, until or by")
        wanted = set(ChangeKind if kinds is None else map(ChangeKind, kinds))
        named = None if attributes is None else set(map(identifiers.attribute_name, attributes))
        if by == Clock.RECORDED:
            events = [event for event in self._recorded(known) if known is None or event.at <= known]
        else:
            events = list(self._turned(known))
        events = [
            event
            for event in events
            if event.kind in wanted
            and start <= event.at
            and (stop is None or event.at < stop)
            and (subject is None or event.fact.subject == subject)
            and (named is None or event.fact.attribute in named)
        ]
        kind_order = list(ChangeKind)
        events.sort(
            key=lambda event: (
                event.at,
                event.fact.subject,
                event.fact.attribute,
                _member(event.fact),
                kind_order.index(event.kind),
                event.fact.id,
            )
        )
        return events[:limit]

    def _recorded(self, known: datetime | None) -> Iterator[ChangeEvent]:
        for entry in self.entries:
            fact = self._first(entry, known)
            never = entry.retracted_at == entry.recorded_at
            tells_of_another = any(
                other.successor is entry and other.recorded_at < other.retracted_at == entry.recorded_at
                for other in self.entries
                if other.retracted_at is not None
            )
            if not never and not tells_of_another:
                replaced, how = entry.supersedes or (None, None)
                yield ChangeEvent(
                    kind=ChangeKind.ENDED
                    if entry.value is None
                    else ChangeKind.CONFIRMED
                    if how == "restatement"
                    else ChangeKind.BEGAN,
                    at=entry.recorded_at,
                    before=None if replaced is None else self._first(replaced, known),
                    after=fact,
                    episode_id=fact.episode_id,
                )
            for citation in entry.citations:
                if citation.recorded_at > entry.recorded_at:
                    yield ChangeEvent(
                        kind=ChangeKind.CONFIRMED,
                        at=citation.recorded_at,
                        after=fact,
                        episode_id=citation.episode.id,
                    )
            if entry.retracted_at is not None:
                yield self._taken_back(entry, never, known)

    def _taken_back(self, entry: Entry, never: bool, known: datetime | None) -> ChangeEvent:
        assert entry.retraction is not None
        assert entry.retracted_at is not None
        reason, episode = entry.retraction
        heir = entry.successor
        if heir is not None:
            said = [c.episode for c in heir.citations if c.recorded_at == entry.retracted_at]
            [episode] = [*said] if said else [None]
        if never:
            episode = entry.citations[0].episode
        return ChangeEvent(
            kind=ChangeKind.RETRACTED if heir is None or never else ChangeKind.CORRECTED,
            at=entry.retracted_at,
            before=self._first(entry, known),
            after=None if heir is None else self._first(heir, known),
            episode_id=None if episode is None else episode.id,
            reason=reason,
        )

    def _turned(self, known_at: datetime | None) -> Iterator[ChangeEvent]:
        for slot in {entry.slot for entry in self.entries}:
            pieces = [self._fact(piece[2], piece, known_at) for piece in segments(self._live(slot, known_at))]
            for at in {p.valid_from for p in pieces} | {p.valid_to for p in pieces if p.valid_to is not None}:
                before = next((piece for piece in pieces if piece.valid_to == at), None)
                after = next((piece for piece in pieces if piece.valid_from == at), None)
                kind = ChangeKind.BEGAN
                if before is not None and after is not None and _sameness(before) == _sameness(after):
                    kind = ChangeKind.CONFIRMED
                elif after is None or after.ended:
                    kind = ChangeKind.ENDED
                    if after is None and (before is None or before.ended):
                        continue
                yield ChangeEvent(
                    kind=kind,
                    at=at,
                    before=before,
                    after=after,
                    episode_id=None if after is None else after.episode_id,
                )

    def diff(self, subject: str, at1: Instant, at2: Instant, known_at: Instant | None = None) -> list[Difference]:
        """What holds otherwise, slot by slot."""
        known = None if known_at is None else parse_instant(known_at)
        slots = {entry.slot for entry in self.entries if entry.slot[0] == identifiers.entity_key(subject)}
        pairs = [
            (slot, self._holding(slot, parse_instant(at1), known), self._holding(slot, parse_instant(at2), known))
            for slot in sorted(slots, key=lambda slot: (slot[1], slot[2] or ("", "")))
        ]
        return [
            Difference(attribute=slot[1], before=before, after=after)
            for slot, before, after in pairs
            if _sameness(before) != _sameness(after)
        ]

    def who_had(
        self,
        attribute: str,
        value: Value,
        at: Instant | None = None,
        known_at: Instant | None = None,
        limit: int = 1000,
    ) -> list[Fact]:
        """Everybody of whom the value holds."""
        wanted, name = identity(check_value(value)), identifiers.attribute_name(attribute)
        if limit < 1:
            raise InvalidInputError("limit")
        facts = [fact for fact in self._held(_instant(at), known_at) if fact.attribute == name]
        found = [fact for fact in facts if fact.value is not None and identity(fact.value) == wanted]
        return sorted(found, key=lambda fact: fact.subject)[:limit]

    def _steps(
        self,
        relations: Iterable[str] | None,
        at: Instant | None,
        known_at: Instant | None,
        direction: Direction | str,
        kinds: Iterable[str] | None,
        memory_types: Iterable[str] | None,
        exempt: tuple[str, ...] = (),
    ) -> Iterator[tuple[str, Edge, str]]:
        """Where one can go from where: near, over which edge, far."""
        named = None if relations is None else set(map(identifiers.attribute_name, relations))
        of_kinds = None if kinds is None else set(map(identifiers.kind_name, kinds))
        for fact in sorted(self._held(_instant(at), known_at), key=_by_attribute):
            if (
                not isinstance(fact.value, Ref)
                or (named is not None and fact.attribute not in named)
                or (memory_types is not None and fact.memory_type not in set(memory_types))
            ):
                continue
            edge = Edge(
                subject=fact.subject,
                attribute=fact.attribute,
                object=fact.value.key,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                fact_id=fact.id,
                episode_id=fact.episode_id,
            )
            for near, far, way in (
                (edge.subject, edge.object, Direction.OUT),
                (edge.object, edge.subject, Direction.IN),
            ):
                welcome = of_kinds is None or far in exempt or not of_kinds.isdisjoint(self.entities[far])
                if direction in (way, Direction.BOTH) and welcome:
                    yield near, edge, far

    def _of_kinds(self, kinds: Iterable[str] | None) -> Callable[[str], bool]:
        """Whether an entity is of one of some kinds; None: every one is."""
        named = None if kinds is None else set(map(identifiers.kind_name, kinds))
        return lambda key: named is None or not named.isdisjoint(self.entities[key])

    def _held(self, at: datetime, known_at: Instant | None) -> list[Fact]:
        known = None if known_at is None else parse_instant(known_at)
        found = (self._holding(slot, at, known) for slot in {entry.slot for entry in self.entries})
        return [fact for fact in found if fact is not None and not fact.ended]

    def _node(self, key: str, depth: int) -> Node:
        if key not in self.entities:
            raise NotFoundError(f"no entity {key!r}")
        return Node(key=key, name=key, kinds=tuple(sorted(self.entities[key])), depth=depth)


def _instant(at: Instant | None) -> datetime:
    return datetime.now(UTC) if at is None else parse_instant(at)


def _unique(edges: Iterable[Edge]) -> list[Edge]:
    return sorted({(edge.fact_id, edge.valid_from): edge for edge in edges}.values(), key=_order)


def _order(edge: Edge) -> tuple[str, str, str]:
    return edge.subject, edge.attribute, edge.object


def _by_attribute(fact: Fact) -> tuple[str, datetime, tuple[str, str]]:
    assert fact.value is not None
    return fact.attribute, fact.valid_from, identity(fact.value)


def _sameness(fact: Fact | None) -> tuple[str, str] | None:
    return None if fact is None or fact.value is None else identity(fact.value)


def _member(fact: Fact) -> tuple[str, str]:
    value = fact.ended_value if fact.value is None else fact.value
    return ("", "") if value is None else identity(value)
