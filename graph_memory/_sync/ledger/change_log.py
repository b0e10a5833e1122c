# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Reads of the changes in one tenant's memory, by recorded and by valid time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from graph_memory._sync.ledger.reader import Reader
from graph_memory._sync.storage.database import APPLICATION, Database
from graph_memory.domain.instants import FIRST_INSTANT, MICROSECOND, from_micros, to_micros
from graph_memory.ledger import change_log
from graph_memory.ledger.change_log import EVENT_KINDS, LedgerChange, LedgerEvent, Links
from graph_memory.ledger.cursors import Position
from graph_memory.ledger.records import ChangeEvent, ChangeKind, Clock

# The factor by which the next read is larger, where a read gave too few changes.
_GROWTH = 4


class ChangeLog:
    """The changes of a tenant, or of one subject of it, in a half-open interval.

    `known_at`: use the state of the ledger at that instant (UTC); None: its present state.
    """

    def __init__(
        self,
        database: Database,
        reader: Reader,
        tenant: str,
        *,
        after: Position,
        until: datetime | None,
        subject: str | None,
        attributes: list[str] | None,
        kinds: frozenset[ChangeKind],
        known_at: datetime | None,
    ) -> None:
        self._database = database
        self._reader = reader
        self._tenant = tenant
        self._subject = subject
        self._kinds = kinds
        self._known_at = known_at
        new = kinds & EVENT_KINDS["recorded"]
        self._new = None if new == EVENT_KINDS["recorded"] else sorted(new)
        self._after = after
        self._window = {"tenant": tenant, "since": after.instant, "until": until, "attributes": attributes}

    def recorded(self, limit: int) -> tuple[list[ChangeEvent], Position | None]:
        """Return the first changes of the ledger, in the order of recording, and the place of the last one.

        The place is None where there are no more.
        """
        if self._subject is not None:
            read = self._database.read("read/recorded_of", subject=self._subject, **self._window)
            return self._events(self._ledger_changes(LedgerEvent(*row) for row in read), limit)
        wanted = limit + 1
        while True:
            found = [
                [LedgerEvent(way, *row) for row in self._database.read(name, limit=wanted, **window)]
                for way, name, window in (
                    ("recorded", "read/recorded_in", {**self._window, "kinds": self._new}),
                    ("retracted", "read/retracted_in", self._window),
                    ("confirmed", "read/confirmed_in", self._window),
                )
                if not EVENT_KINDS[way].isdisjoint(self._kinds)
            ]
            end = change_log.complete(([change.at for change in of_way] for of_way in found), wanted)
            changes = self._ledger_changes(
                change for of_way in found for change in of_way if end is None or change.at < end
            )
            if end is None or len(changes) > limit:
                return self._events(changes, limit)
            wanted *= _GROWTH

    def _ledger_changes(self, events: Iterable[LedgerEvent]) -> list[LedgerChange]:
        """Return the changes that these events are, in order, without those of other kinds than requested."""
        events = [event for event in events if not EVENT_KINDS[event.how].isdisjoint(self._kinds)]
        ids = sorted({event.fact_id for event in events})
        links = {id_: Links(*row) for id_, *row in self._database.read("read/changes", ids=ids)}
        found = (change_log.ledger_change(event, links[event.fact_id]) for event in events)
        wanted = [change for change in found if change is not None and change.kind in self._kinds]
        ordered = sorted(wanted, key=lambda change: change.order)
        return [change for change in ordered if self._after.precedes(*change.order)]

    def _events(self, changes: Sequence[LedgerChange], limit: int) -> tuple[list[ChangeEvent], Position | None]:
        ids = {id_ for change in changes[:limit] for id_ in change.ids}
        facts = {id_: fact for id_, (_, fact) in (self._reader.facts(sorted(ids), self._known_at)).items()}
        events = [change.event(facts) for change in changes[:limit]]
        if len(changes) <= limit:
            return events, None
        return events, Position(Clock.RECORDED, *changes[limit - 1].order)

    def valid(self, limit: int, attributes: Sequence[str]) -> tuple[list[ChangeEvent], Position | None]:
        """Return the first changes of what holds, in the order of valid time, and the place of the last one.

        The place is None where there are no more.

        Args:
            limit: the most changes to return.
            attributes: every attribute that may have a change.
        """
        if self._subject is not None:
            read = self._database.read("read/bounds_of", subject=self._subject, **self._window)
            return self._first(self._slot_changes({(at, slot) for at, slot in read}), limit)
        window = {**self._window, "attributes": attributes}
        wanted = limit + 1
        while True:
            bounds: set[tuple[int, str]] = set()
            instants: dict[tuple[str, str], list[int]] = {}
            for name in ("read/starting_in", "read/ending_in"):
                for attribute, at, slot in self._database.read(name, limit=wanted, **window):
                    bounds.add((at, slot))
                    instants.setdefault((name, attribute), []).append(at)
            end = change_log.complete(instants.values(), wanted)
            events = self._slot_changes({b for b in bounds if end is None or b[0] < end})
            if end is None or len(events) > limit:
                return self._first(events, limit)
            wanted *= _GROWTH

    def _first(self, events: list[ChangeEvent], limit: int) -> tuple[list[ChangeEvent], Position | None]:
        if len(events) <= limit:
            return events, None
        last = events[limit - 1]
        return events[:limit], Position(Clock.VALID, to_micros(last.at), change_log.place(last))

    def _slot_changes(self, bounds: Collection[tuple[int, str]]) -> list[ChangeEvent]:
        ordered = sorted(bounds)
        slots = [slot for _, slot in ordered]
        instants = [from_micros(at) for at, _ in ordered]
        each = [*map(_just_before, instants), *instants]
        held = self._reader.holding_at([*slots, *slots], each, self._known_at)
        return self._chosen(
            change_log.slot_change(at, None if at == FIRST_INSTANT else before, after)
            for at, before, after in zip(instants, held[: len(slots)], held[len(slots) :], strict=True)
        )

    def _chosen(self, events: Iterable[ChangeEvent | None]) -> list[ChangeEvent]:
        wanted = (event for event in events if event is not None and event.kind in self._kinds)
        return [
            event
            for event in change_log.in_order(wanted)
            if self._after.precedes(to_micros(event.at), change_log.place(event))
        ]


def _just_before(at: datetime) -> datetime:
    return at if at == FIRST_INSTANT else at - MICROSECOND


def open_since(database: Database) -> datetime:
    """Return the instant from which on a write may still come: none of those under way began earlier."""
    # Now is read first: what is not under way afterwards has an instant after it, or is done and will be read.
    [[name, now]] = database.read("admin/clock")
    [[earliest]] = database.read("admin/open_writes", database=name, application=APPLICATION)
    return from_micros(now if earliest is None else min(now, earliest))
