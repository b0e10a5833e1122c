"""The check behind `verify`: derives the edges, labels and marks of a subject, and finds what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, NamedTuple

from graph_memory.domain.identifiers import relationship_type
from graph_memory.domain.instants import format_instant, from_micros, from_optional_micros
from graph_memory.domain.records import Cardinality
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, from_property
from graph_memory.ledger.records import Problem
from graph_memory.ledger.timeline import Entry, segments

# How far a subject's clock may lie in the future of the database's: clocks that are kept in step differ by less.
CLOCK_AHEAD = timedelta(hours=1)


# The parameters of verify/repair.
_REPAIRS = ("slots", "marks", "unlabelled", "closed", "live", "open", "wrong", "literals", "references")


class SlotRow(NamedTuple):
    """A slot that a subject has, with the marks of its last write (graph_memory/ledger/marks.py)."""

    key: str
    slot: str | None
    clock: int | None
    moved: int | None


class SubjectRow(NamedTuple):
    """A subject, or some slots of a large one, with the columns of verify/ledger or verify/piece."""

    key: str
    clock: int | None
    now: int
    slots: Sequence[Sequence[Any]]
    entries: Sequence[Sequence[Any]]
    edges: Sequence[Sequence[Any]]


class LedgerRow(NamedTuple):
    """A ledger entry, with the columns of verify/ledger."""

    id: str
    slot: str
    attribute: str
    has_value: bool
    value: Any
    value_type: str | None
    valid_from: int
    until: int | None
    recorded_at: int
    retracted_at: int | None
    live: bool
    open: bool
    episodes: int
    supersedes: list[list[Any]]
    objects: list[str]

    def written_at(self) -> int:
        """Return when the entry was written last, in microseconds since 1970."""
        return self.recorded_at if self.retracted_at is None else max(self.recorded_at, self.retracted_at)

    def entry(self) -> Entry:
        """Return the timeline's form of the entry."""
        return Entry(
            id=self.id,
            slot=self.slot,
            valid_from=from_micros(self.valid_from),
            until=from_optional_micros(self.until),
            value=from_property(self.value_type or "", self.value) if self.has_value else None,
            live=self.retracted_at is None,
        )


class EdgeRow(NamedTuple):
    """An edge, with the columns of verify/ledger."""

    element_id: str
    type: str
    fact_id: str | None
    tenant: str | None
    valid_from: int | None
    valid_to: int | None
    entity: list[str] | None
    fact: str | None


@dataclass(frozen=True, slots=True)
class ExpectedEdge:
    """An edge that must exist by the rule."""

    fact_id: str
    type: str
    valid_from: datetime
    valid_to: datetime | None
    object: str | None

    def matches(self, tenant: str, edge: EdgeRow) -> bool:
        """Whether a stored edge of the same fact and start is equal to this one in all other properties."""
        target = edge.fact == self.fact_id if self.object is None else edge.entity == [tenant, self.object]
        return (
            target
            and edge.type == self.type
            and edge.tenant == tenant
            and from_optional_micros(edge.valid_to) == self.valid_to
        )


@dataclass(slots=True)
class SubjectCheck:
    """The differences between one subject's graph and its ledger entries, and the parameters of verify/repair."""

    problems: list[Problem] = field(default_factory=list)
    repairs: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _REPAIRS})


def pieces(sizes: Iterable[tuple[str, int]], most: int) -> Iterator[list[str]]:
    """Yield the keys of sized things in order, as many at a time as have `most` together; or a larger one."""
    piece: list[str] = []
    filled = 0
    for key, size in sizes:
        if piece and filled + size > most:
            yield piece
            piece, filled = [], 0
        piece.append(key)
        filled += size
    if piece:
        yield piece


def examine(tenant: str, subject: SubjectRow, recorded: Mapping[str, Cardinality]) -> SubjectCheck:
    """Compare the slots, edges and labels of a subject with its ledger entries.

    Args:
        tenant: the subject's tenant.
        subject: the subject with its slots, entries and edges; of a large one, some of its slots, or the edges
            that belong to none.
        recorded: the recorded cardinality of each attribute.
    """
    by_slot: dict[str, list[LedgerRow]] = {}
    for row in map(LedgerRow._make, subject.entries):
        by_slot.setdefault(row.slot, []).append(row)
    check = _Check(tenant, subject.key, recorded, SubjectCheck())
    check.clock(subject)
    check.slots([SlotRow(*slot) for slot in subject.slots], by_slot)
    expected: list[ExpectedEdge] = []
    for of_slot in by_slot.values():
        expected += check.slot(of_slot)
    check.edges(expected, [EdgeRow(*edge) for edge in subject.edges])
    return check.findings


@dataclass(slots=True)
class _Check:
    tenant: str
    subject: str
    recorded: Mapping[str, Cardinality]
    findings: SubjectCheck

    def _problem(self, kind: str, detail: str, slot: str | None = None) -> None:
        self.findings.problems.append(Problem(tenant=self.tenant, slot=slot, kind=kind, detail=detail))

    def clock(self, subject: SubjectRow) -> None:
        """Check that the subject's clock is not far ahead: its next writes get recorded times after it."""
        ahead = timedelta(microseconds=(subject.clock or subject.now) - subject.now)
        if ahead > CLOCK_AHEAD:
            assert subject.clock is not None
            self._problem(
                "clock ahead",
                f"the clock of {self.subject} is at {format_instant(from_micros(subject.clock))}, far ahead of "
                "the database's: until that instant, what is written about it is recorded just after it; valid "
                "times are right; there is no repair, as recorded times cannot be taken back (docs/time.md)",
            )

    def slots(self, there: Iterable[SlotRow], by_slot: Mapping[str, Sequence[LedgerRow]]) -> None:
        """Check that the subject has the slot of each of its entries, and that each slot is marked."""
        had = set()
        for slot in there:
            had.add(slot.key)
            self._marks(slot, max(map(LedgerRow.written_at, by_slot.get(slot.key, ())), default=None))
        for key, rows in by_slot.items():
            if key not in had:
                self._problem("slot missing", f"{self.subject} lacks the slot of fact {rows[0].id}", key)
                self.findings.repairs["slots"].append({"key": key, "attribute": rows[0].attribute})

    def _marks(self, slot: SlotRow, last: int | None) -> None:
        marked = slot.slot == slot.key and slot.clock is not None and slot.clock == slot.moved
        if marked and (last is None or slot.clock >= last):  # type: ignore[operator]
            return
        clock, moved, written = (
            None if micros is None else format_instant(from_micros(micros))
            for micros in (slot.clock, slot.moved, last)
        )
        self._problem(
            "slot mark",
            f"a slot of {self.subject}, last written at {written}, has the marks slot {slot.slot}, clock {clock} "
            f"and moved {moved}: reads of it wait for a write that is over, or miss one",
            slot.key,
        )
        self.findings.repairs["marks"].append({"key": slot.key, "last": from_optional_micros(last)})

    def slot(self, rows: Sequence[LedgerRow]) -> list[ExpectedEdge]:
        """Check the entries of a slot, and return the edges that must exist for them."""
        entries = [row.entry() for row in rows]
        self._labels(rows, entries)
        for row in rows:
            self._place(row)
            self._links(row)
        return [
            ExpectedEdge(
                fact_id=piece.entry.id,
                type=relationship_type(rows[0].attribute),
                valid_from=piece.valid_from,
                valid_to=piece.valid_to,
                object=piece.entry.value.key if isinstance(piece.entry.value, Ref) else None,
            )
            for piece in segments(entries)
            if piece.entry.value is not None
        ]

    def _labels(self, rows: Sequence[LedgerRow], entries: Iterable[Entry]) -> None:
        unbounded = [e for e in entries if e.live and e.until is None]
        holder = max(unbounded, key=attrgetter("rank"), default=None)
        repairs = self.findings.repairs
        for row in rows:
            live, is_open = row.retracted_at is None, holder is not None and row.id == holder.id
            if row.live != live:
                self._problem("live label", f"fact {row.id} has :Live {row.live}, not {live}", row.slot)
                repairs["live" if live else "unlabelled"].append(row.id)
            if row.open != is_open:
                self._problem("open label", f"fact {row.id} has :Open {row.open}, not {is_open}", row.slot)
                repairs["open" if is_open else "closed"].append(row.id)

    def _place(self, row: LedgerRow) -> None:
        what = f"fact {row.id} of {self.subject}.{row.attribute}"
        cardinality = self.recorded.get(row.attribute)
        if cardinality is None:
            self._problem("attribute", f"{what} is of an attribute with no recorded cardinality", row.slot)
            return
        value = None if row.value is None else from_property(row.value_type or "", row.value)
        many = value if cardinality is Cardinality.MANY else None
        if row.slot != slot_key(self.tenant, self.subject, row.attribute, many):
            self._problem("slot", f"{what}, which has cardinality {cardinality}, is not of that slot", row.slot)

    def _links(self, row: LedgerRow) -> None:
        if row.episodes == 0:
            self._problem("no provenance", f"fact {row.id} comes from no episode of its tenant", row.slot)
        wanted = [row.value] if (row.value_type or "").startswith("ref") else []
        # Older versions stored an end of one of many entities without a link to that entity.
        if row.objects != wanted and (row.has_value or row.objects):
            self._problem("object", f"fact {row.id} points to {row.objects}, not {wanted}", row.slot)
        if len(row.supersedes) > 1:
            self._problem("supersedes", f"fact {row.id} supersedes {len(row.supersedes)} facts", row.slot)
        for owner, *age in row.supersedes:
            # Each link leads to an earlier transaction, or within one to a lower rank, so links form no circle.
            if owner != self.tenant or age >= [row.recorded_at, row.valid_from, row.has_value]:
                self._problem("supersedes", f"fact {row.id} supersedes a fact that is not older", row.slot)

    def edges(self, expected: Iterable[ExpectedEdge], found: Iterable[EdgeRow]) -> None:
        """Compare the stored edges with those that must exist."""
        wanted = {(edge.fact_id, edge.valid_from): edge for edge in expected}
        for edge in found:
            key = edge.fact_id or "", from_optional_micros(edge.valid_from)
            match = wanted.get(key)  # type: ignore[arg-type]
            if match is not None and match.matches(self.tenant, edge):
                del wanted[key]  # type: ignore[arg-type]
                continue
            self._problem(
                "edge unexpected", f"{self.subject} has an edge {_describe(edge)} that no entry explains"
            )
            self.findings.repairs["wrong"].append(edge.element_id)
        for lacking in wanted.values():
            until = "for ever" if lacking.valid_to is None else f"to {format_instant(lacking.valid_to)}"
            self._problem(
                "edge missing",
                f"{self.subject} lacks the {lacking.type} edge of fact {lacking.fact_id} from "
                f"{format_instant(lacking.valid_from)} {until}",
            )
            self.findings.repairs["literals" if lacking.object is None else "references"].append(
                {
                    "id": lacking.fact_id,
                    "type": lacking.type,
                    "valid_from": lacking.valid_from,
                    "valid_to": lacking.valid_to,
                    "object": lacking.object,
                }
            )


def _describe(edge: EdgeRow) -> str:
    bounds = [None if micros is None else format_instant(from_micros(micros)) for micros in edge[4:6]]
    return f"{edge.type} of fact {edge.fact_id} [{bounds[0]}, {bounds[1]})"
