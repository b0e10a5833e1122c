"""What changed in a tenant's memory, once or as a feed that loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from graph_memory._async.ledger.change_log import AsyncChangeLog, open_since
from graph_memory._async.tenant.base import AsyncTenantPart
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import attribute_names, listed, one_of, optional_instant, within
from graph_memory.domain.instants import LAST_INSTANT, MICROSECOND, Instant, parse_instant, to_micros
from graph_memory.errors import InvalidInputError
from graph_memory.ledger import change_log, cursors
from graph_memory.ledger.cursors import Position
from graph_memory.ledger.records import ChangeEvent, ChangeKind, Changes, Clock

MAX_LIMIT = 100_000


class AsyncTenantChanges(AsyncTenantPart):
    """The changes of a tenant, by recorded and by valid time."""

    async def changes(
        self,
        since: Instant | None = None,
        until: Instant | None = None,
        subject: str | None = None,
        attributes: Iterable[str] | None = None,
        by: Clock | str = Clock.RECORDED,
        kinds: Iterable[ChangeKind | str] | None = None,
        limit: int = 1000,
        known_at: Instant | None = None,
        after: str | Instant | None = None,
    ) -> Changes:
        """Return what began, ended, was corrected, retracted or confirmed in an interval, in the order of time.

        With `since` these are the changes that can be seen now. With `after` they are a feed: each change comes
        once, none is left out, and by recorded time none is given while a write is under way that may still come
        before it. So `after` ends where the earliest of these began, and `complete_until` tells where that is.

        Args:
            since: first instant of the interval.
            until: first instant after it; None: no bound, which in valid time takes in the future.
            subject: key of an entity; None: all. Of one that others were merged into, what came with them too.
            attributes: those to look at; None: all.
            by: `recorded`: when the ledger learnt of it; `valid`: when it is so.
            kinds: of changes; None: all.
            limit: the first so many, 1 to 100,000; `truncated` tells whether there are more.
            known_at: by what the ledger knew at this instant; None: by what it knows now.
            after: instead of `since`: the `cursor` of what was returned before, or the instant to begin with.

        Raises:
            InvalidInputError: `until` is not after `since`; no such kind, clock or attribute; no cursor, or one of
                the other clock; both `since` and `after`, or neither.
        """
        clock, known = one_of(Clock, by, "by"), optional_instant(known_at, "known_at")
        start, stop = _start(since, after, clock), optional_instant(until, "until")
        if stop is not None and stop <= start.instant:
            if after is None:
                raise InvalidInputError(f"until {until} is not after since {since}: give the later one as until")
            return Changes(cursor=start.text(), complete_until=stop)
        most = within("limit", limit, 1, MAX_LIMIT)
        wanted = None if attributes is None else attribute_names("attributes", attributes)
        if wanted is not None:
            await self._attributes.require(wanted)
        key = None if subject is None else identifiers.entity_key(subject)
        if key is not None:
            key = (await self._kept([key], known)).get(key, key)
        settled = None
        if clock is Clock.RECORDED:
            settled = await open_since(self._database)
            known_until = None if known is None or known == LAST_INSTANT else known + MICROSECOND
            stop = _earliest(stop, known_until, settled if after is not None else None)
        changes = AsyncChangeLog(
            self._database,
            self._reader,
            self.name,
            after=start,
            until=stop,
            subject=key,
            attributes=wanted,
            kinds=frozenset(
                ChangeKind if kinds is None else (one_of(ChangeKind, k, "kind") for k in listed("kinds", kinds))
            ),
            known_at=known,
        )
        if clock is Clock.RECORDED:
            return _page(start, *await changes.recorded(most), _earliest(stop, settled))
        every = wanted if wanted is not None else await self._own_attributes()
        return _page(start, *await changes.valid(most, every), stop)

    async def _own_attributes(self) -> list[str]:
        """Return all attributes of which this tenant has an entry."""
        names = [""]
        while found := await self._database.read("read/next_attribute", tenant=self.name, after=names[-1]):
            names += [name for [name] in found]
        return names[1:]


def _start(since: Instant | None, after: str | Instant | None, clock: Clock) -> Position:
    if (since is None) == (after is None):
        raise InvalidInputError("changes() takes either since, an instant, or after, a cursor: give one of them")
    if since is not None:
        return cursors.before(clock, parse_instant(since, "since"))
    assert after is not None
    if isinstance(after, str) and not after[:4].strip().isdigit():
        return cursors.position(after, clock)
    return cursors.before(clock, parse_instant(after, "after"))


def _page(start: Position, events: list[ChangeEvent], last: Position | None, settled: datetime | None) -> Changes:
    """Return a page with its cursor, which never passes an instant before which a change may still come."""
    cursor = last
    if last is None and settled is not None:
        cursor = max(start, cursors.before(start.clock, settled), key=lambda place: place.order)
    elif last is None:
        cursor = _behind(start, events)
    elif settled is not None and last.instant >= settled:
        cursor = max(start, cursors.before(start.clock, settled), key=lambda place: place.order)
    assert cursor is not None
    until = settled if last is None or (settled is not None and last.instant >= settled) else last.instant
    return Changes(events, truncated=last is not None, cursor=cursor.text(), complete_until=until)


def _behind(start: Position, events: list[ChangeEvent]) -> Position:
    if not events:
        return start
    return Position(start.clock, to_micros(events[-1].at), change_log.place(events[-1]))


def _earliest(*instants: datetime | None) -> datetime | None:
    return min((instant for instant in instants if instant is not None), default=None)
