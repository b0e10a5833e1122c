"""The worker: extracts queued episodes, many at a time, until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar
from uuid import uuid4

from graph_memory._async.memory import AsyncGraphMemory
from graph_memory._async.queue.leases import AsyncClaims
from graph_memory.domain.identifiers import tenant_name
from graph_memory.errors import ExtractionError, GraphMemoryError, InvalidInputError, UnavailableError, brief
from graph_memory.queue.jobs import Claim, error_text, retry_delay
from graph_memory.queue.progress import Meter, WorkerProgress

T = TypeVar("T")

_log = logging.getLogger(__name__)

# Pauses while the database does not answer: each is twice the one before, from the first to the longest.
_AWAY_FIRST, _AWAY_LONGEST = timedelta(seconds=1), timedelta(seconds=30)
LONGEST = timedelta(days=30)  # what is longer is taken for a mistake
_COUNT_EVERY = 2.0
_EXPIRE_EVERY = 300.0
_INDEX_EVERY = 60.0
_INDEXED_AT_ONCE = 1000
_RELEASE_WITHIN = 5.0
# Seconds after which a change of the grace period takes effect, at most.
_WATCH_EVERY = 0.2


class Worker:
    """Extracts the episodes that are queued. Any number may run side by side, in any number of processes.

    A worker claims an episode for the time of a lease, and renews the lease while it extracts the episode. If a
    worker crashes, another takes over its episodes when the leases end. So each episode is extracted at least
    once, and its facts are committed exactly once. A failed episode is tried again later; after `max_attempts`
    attempts it is listed as failed. If the memory has embeddings, the worker also makes missing vectors from time
    to time.

    Args:
        memory: opened with a schema; the worker leaves it open. Each time below is 30 days at most.
        concurrency: how many episodes to extract at a time, 1 to 1,000.
        lease: how long an episode is claimed for, a second or more.
        poll: how often to look for work while there is none.
        max_attempts: how often an episode is begun; an attempt that ended with the death of its worker counts.
        tenants: whose episodes to extract; None: all, those of different tenants in turn.
        first_retry: how long to wait after a first failed attempt; twice as long after each further one.
        longest_retry: the longest that becomes.
        time_limit: an attempt that takes longer has failed.
        grace: how long what is in work may take once the worker is told to stop.
        on_progress: called with a `WorkerProgress` whenever something has happened, and once each `poll`.
    """

    def __init__(
        self,
        memory: AsyncGraphMemory,
        *,
        concurrency: int = 4,
        lease: timedelta = timedelta(minutes=2),
        poll: timedelta = timedelta(seconds=1),
        max_attempts: int = 5,
        tenants: Sequence[str] | None = None,
        first_retry: timedelta = timedelta(seconds=2),
        longest_retry: timedelta = timedelta(minutes=5),
        time_limit: timedelta = timedelta(minutes=10),
        grace: timedelta = timedelta(seconds=30),
        on_progress: Callable[[WorkerProgress], object] | None = None,
    ) -> None:
        services = memory.services
        if services.extractor is None:
            raise InvalidInputError("a worker needs a schema: open the memory with a schema")
        self._memory = memory
        self._extractor = services.extractor
        self._indexes = services.indexes
        self._concurrency = _whole("concurrency", concurrency, 1000)
        self._lease = _lasting("lease", lease, timedelta(seconds=1))
        self._poll = _lasting("poll", poll, timedelta(milliseconds=1))
        self._max_attempts = _whole("max_attempts", max_attempts, 1000)
        self._tenants = None if tenants is None else _names(tenants)
        self._first_retry = _lasting("first_retry", first_retry, timedelta(0))
        self._longest_retry = _lasting("longest_retry", longest_retry, timedelta(0))
        self._time_limit = _lasting("time_limit", time_limit, timedelta(milliseconds=1))
        self._grace = _lasting("grace", grace, timedelta(0))
        self._on_progress = on_progress
        self._chance = random.Random()
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._claims = AsyncClaims(services.database, self.name, self._tenants, self._chance)
        self._running: dict[tuple[str, str], tuple[Claim, asyncio.Task[None]]] = {}
        self._stopping = asyncio.Event()
        self._deadline = 0.0
        self._meter = Meter(time.monotonic())
        self._queued: int | None = None
        self._counted_at = 0.0
        self._away = 0

    async def run(self) -> WorkerProgress:
        """Work until `stop` is called, and return the progress.

        Raises:
            InvalidInputError: there is no model to ask.
            UnavailableError: the database did not answer at the start. Later the worker waits for it.
        """
        return await self._run(until_empty=False)

    async def run_until_empty(self) -> WorkerProgress:
        """Work until no episode is queued or running, here or in another worker, and return the progress.

        Raises:
            UnavailableError: as `run` does.
        """
        return await self._run(until_empty=True)

    def stop(self, grace: timedelta | None = None) -> None:
        """Claim no more episodes; let the running ones end within the grace period, and give back the rest.

        Args:
            grace: another period, from now, of 30 days at most; None: the worker's own.
        """
        period = self._grace if grace is None else _lasting("grace", grace, timedelta(0))
        self._deadline = time.monotonic() + period.total_seconds()
        self._stopping.set()

    @property
    def progress(self) -> WorkerProgress:
        """The progress so far."""
        return self._meter.progress(
            time.monotonic(), running=len(self._running), queued=self._queued, away=self._away > 0
        )

    async def _run(self, until_empty: bool) -> WorkerProgress:
        self._extractor.require_model()
        self._meter = Meter(time.monotonic())
        self._queued = await self._claims.queued()
        loops: list[Callable[[], Awaitable[Any]]] = [
            self._renew_leases,
            self._expire_candidates,
            self._index_missing,
            self._stopping.wait,
        ]
        background: list[asyncio.Task[Any]] = [asyncio.ensure_future(loop()) for loop in loops]
        try:
            while not self._stopping.is_set():
                eager = await self._fill()
                await self._count(now=until_empty and not self._running)
                self._tell()
                if until_empty and not self._running and self._queued == 0:
                    await self._index_some(None)
                    break
                if not eager:
                    await self._something(background)
                for task in background:
                    if task.done():
                        task.result()
        except BaseException:
            self.stop(timedelta(0))
            raise
        finally:
            await self._wind_down()
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            self._tell()
        return self.progress

    async def _fill(self) -> bool:
        """Claim episodes up to the concurrency, and start them; return whether to claim again at once."""
        room = self._concurrency - len(self._running)
        if not room:
            return False
        try:
            claims, given_up = await self._unless_stopped(
                self._claims.claim(room, self._lease, self._max_attempts), ([], [])
            )
        except UnavailableError as error:
            await self._wait_for_database(error)
            return True
        self._back()
        for claim in given_up:
            _log.warning(
                "given up after %d attempts: episode %s of %s", claim.attempts, claim.episode, claim.tenant
            )
        self._meter.count("failed", len(given_up))
        if self._stopping.is_set():
            await self._release(claims)
            return False
        for claim in claims:
            self._begin(claim)
        return bool(given_up) and len(claims) < room

    def _begin(self, claim: Claim) -> None:
        key = claim.tenant, claim.episode
        if key in self._running:  # its lease ended unnoticed, and this worker claimed it again
            self._running[key][1].cancel()
        task = asyncio.create_task(self._extract(claim))
        self._running[key] = claim, task
        task.add_done_callback(lambda ended: self._end(key, ended))

    def _end(self, key: tuple[str, str], task: asyncio.Task[None]) -> None:
        if key in self._running and self._running[key][1] is task:
            del self._running[key]
        if not task.cancelled() and task.exception() is not None:
            _log.error("unexpected error over episode %s of %s", key[1], key[0], exc_info=task.exception())

    async def _extract(self, claim: Claim) -> None:
        limit = asyncio.timeout(self._time_limit.total_seconds())
        try:
            async with limit:
                report = await self._memory.tenant(claim.tenant).extract(claim.episode)
        except TimeoutError as error:
            late = f"it took longer than {self._time_limit}"
            await self._retry(claim, late if limit.expired() else error_text(error))
        except GraphMemoryError as error:
            passing = error.passing if isinstance(error, ExtractionError) else isinstance(error, UnavailableError)
            await (self._retry if passing else self._fail)(claim, error_text(error))
        except Exception as error:
            _log.exception("unexpected error over episode %s of %s", claim.episode, claim.tenant)
            await self._retry(claim, error_text(error))
        else:
            self._meter.done(time.monotonic(), report.counts())

    async def _retry(self, claim: Claim, error: str) -> None:
        if claim.attempts >= self._max_attempts:
            await self._fail(claim, error)
            return
        delay = retry_delay(claim.attempts, self._first_retry, self._longest_retry, self._chance)
        _log.info(
            "attempt %d of %d failed, again in %s: episode %s of %s: %s",
            claim.attempts, self._max_attempts, delay, claim.episode, claim.tenant, error,
        )  # fmt: skip
        held = await self._persistently(lambda: self._claims.retry_later(claim, error, delay))
        self._meter.count("retried" if held else "lost")

    async def _fail(self, claim: Claim, error: str) -> None:
        _log.warning(
            "failed at attempt %d: episode %s of %s: %s", claim.attempts, claim.episode, claim.tenant, error
        )
        held = await self._persistently(lambda: self._claims.fail(claim, error))
        self._meter.count("failed" if held else "lost")

    async def _persistently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call until the database answers, so that the state of an episode is stored."""
        while True:
            try:
                result = await call()
            except UnavailableError as error:
                self._gone(error)
                await asyncio.sleep(self._pause(self._away))
            else:
                self._back()
                return result

    async def _renew_leases(self) -> None:
        every = self._lease.total_seconds() / 3
        while True:
            await asyncio.sleep(every)
            if not (held := [claim for claim, _ in self._running.values()]):
                continue
            try:
                lost = await self._claims.renew(held, self._lease)
            except UnavailableError as error:
                _log.warning("leases are not renewed: %s", error)
                continue
            for claim in lost:
                ours, task = self._running.get((claim.tenant, claim.episode), (None, None))
                if ours == claim and task is not None:
                    _log.warning("taken over by another worker: episode %s of %s", claim.episode, claim.tenant)
                    self._meter.count("lost")
                    task.cancel()

    async def _expire_candidates(self) -> None:
        while True:
            try:
                await self._memory.expire_candidates()
            except GraphMemoryError as error:
                _log.warning("old candidates are not cleared: %s", error)
            await asyncio.sleep(self._chance.uniform(0.5, 1.0) * _EXPIRE_EVERY)

    async def _index_missing(self) -> None:
        while True:
            if await self._index_some(_INDEXED_AT_ONCE) < _INDEXED_AT_ONCE:
                await asyncio.sleep(self._chance.uniform(0.5, 1.0) * _INDEX_EVERY)

    async def _index_some(self, limit: int | None) -> int:
        """Make missing vectors if the memory has embeddings, and return for how many episodes.

        In any case, add to episodes of an older program what it did not store.
        """
        try:
            if self._memory.embedder is None:
                return await self._unless_stopped(self._adopt(), 0)
            return await self._unless_stopped(self._memory.index_missing(limit), 0)
        except GraphMemoryError as error:
            _log.warning("missing vectors are not made: %s", error)
            return 0

    async def _adopt(self) -> int:
        await self._indexes.adopt()
        return 0

    async def _something(self, others: Iterable[asyncio.Task[Any]]) -> None:
        """Wait until an extraction has ended, or it is time to look again."""
        running = [task for _, task in self._running.values()]
        seconds = self._chance.uniform(0.5, 1.0) * self._poll.total_seconds()
        await asyncio.wait([*running, *others], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    async def _count(self, now: bool) -> None:
        """Count the queue, unless it was counted a moment ago."""
        if self._away or not (now or time.monotonic() > self._counted_at + _COUNT_EVERY):
            return
        try:
            self._queued = await self._unless_stopped(self._claims.queued(), self._queued)
        except UnavailableError:
            self._queued = None
        self._counted_at = time.monotonic()

    async def _unless_stopped(self, call: Awaitable[T], otherwise: T) -> T:
        """Await a call of the database; once the worker is stopped, at most until the grace period ends."""
        task = asyncio.ensure_future(call)
        try:
            while not task.done() and not (self._stopping.is_set() and self._grace_left() == 0):
                await asyncio.wait([task], timeout=_WATCH_EVERY)
        finally:
            task.cancel()
        return task.result() if task.done() else otherwise

    def _gone(self, error: UnavailableError) -> None:
        self._away += 1
        if self._away == 1:
            _log.warning("waiting for the database: %s", error)
        self._tell()

    async def _wait_for_database(self, error: UnavailableError) -> None:
        self._gone(error)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), self._pause(self._away))

    def _back(self) -> None:
        if self._away:
            _log.warning("the database answers again")
        self._away = 0

    def _pause(self, attempts: int) -> float:
        return retry_delay(attempts, _AWAY_FIRST, _AWAY_LONGEST, self._chance).total_seconds()

    async def _wind_down(self) -> None:
        """Let running episodes end within the grace period; give back the others, due at once."""
        while self._running and (left := self._grace_left()) > 0:
            await asyncio.wait([task for _, task in self._running.values()], timeout=min(left, _WATCH_EVERY))
            self._tell()
        rest = [(claim, task) for claim, task in self._running.values() if not task.done()]
        for _, task in rest:
            task.cancel()
        await asyncio.gather(*(task for _, task in rest), return_exceptions=True)
        await self._release([claim for claim, _ in rest])

    async def _release(self, claims: Sequence[Claim]) -> None:
        if not claims:
            return
        try:
            await asyncio.wait_for(self._claims.release(claims), _RELEASE_WITHIN)
        except (TimeoutError, UnavailableError) as error:
            _log.warning("%d episodes come back to the queue when their leases end: %s", len(claims), error)

    def _grace_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self.progress)


def _whole(name: str, value: int, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise InvalidInputError(f"{name} {brief(value)} must be a whole number from 1 to {most}")
    return value


def _lasting(name: str, value: timedelta, least: timedelta) -> timedelta:
    if not isinstance(value, timedelta) or not least <= value <= LONGEST:
        bounds = f"from {least.total_seconds():g} seconds to {LONGEST.days} days"
        raise InvalidInputError(f"{name} {brief(value)} must be a timedelta {bounds}")
    return value


def _names(tenants: Sequence[str]) -> list[str]:
    if isinstance(tenants, str) or not tenants:
        raise InvalidInputError(f"tenants {brief(tenants)} must be a list of names; leave it out for all tenants")
    return sorted({tenant_name(name) for name in tenants})
