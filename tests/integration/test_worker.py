"""A worker in this process: what it does with each way in which an extraction can end."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from ledgers import fresh_name
from levels import SCHEMA, ReadingModel, text_of
from proxy import Proxy
from servers import TestServer

from graph_memory import (
    AsyncGraphMemory,
    AsyncTenant,
    ExtractionError,
    InvalidInputError,
    UnavailableError,
    Worker,
    WorkerProgress,
)
from graph_memory._async.queue.leases import AsyncClaims
from graph_memory.queue.jobs import Claim

pytestmark = pytest.mark.server

SECOND = timedelta(seconds=1)
TIMES = ("lease", "poll", "first_retry", "longest_retry", "time_limit", "grace")
QUICK = {"poll": timedelta(milliseconds=50), "first_retry": timedelta(milliseconds=10), "lease": SECOND}


@asynccontextmanager
async def opened(server: TestServer, model: ReadingModel) -> AsyncIterator[AsyncGraphMemory]:
    async with await AsyncGraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=model) as memory:
        yield memory


async def queued(memory: AsyncGraphMemory, number: int) -> AsyncTenant:
    """Queue episodes of a fresh tenant."""
    tenant = memory.tenant(fresh_name())
    await tenant.record_episodes({"id": f"e{n}", "text": text_of(n), "extract": "later"} for n in range(number))
    return tenant


def worker(memory: AsyncGraphMemory, tenant: AsyncTenant, **options: Any) -> Worker:
    return Worker(memory, tenants=[tenant.name], **{**QUICK, **options})


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def states(tenant: AsyncTenant) -> Counter[str]:
    return Counter(str(one.state) for one in await tenant.extractions())


def test_every_queued_episode_is_extracted_once_and_its_progress_is_told(server: TestServer) -> None:
    model, told = ReadingModel(), list[WorkerProgress]()

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 20)
            progress = await worker(memory, tenant, on_progress=told.append).run_until_empty()
            assert (progress.done, progress.committed, progress.queued, progress.running) == (20, 20, 0, 0)
            assert (progress.failed, progress.retried, progress.lost) == (0, 0, 0)
            assert progress.rate > 0
            assert await states(tenant) == {"done": 20}
            for number in range(20):
                held = await tenant.current(f"person-{number}", "level")
                assert held is not None
                assert (held.value, held.episode_id) == (number, f"e{number}")
            assert (await memory.verify(tenant=tenant.name)).clean

    asyncio.run(work())
    assert sorted(model.asked) == sorted(f"person-{n}" for n in range(20))
    assert told[-1].done == 20
    assert max(progress.running for progress in told) <= 4


def test_what_the_model_does_not_answer_is_tried_again_and_then_listed_as_failed(server: TestServer) -> None:
    def fails(text: str) -> None:
        if text == text_of(1):
            raise ValueError("no answer")

    async def work() -> None:
        async with opened(server, ReadingModel(fails)) as memory:
            tenant = await queued(memory, 3)
            progress = await worker(memory, tenant, max_attempts=3).run_until_empty()
            assert (progress.done, progress.retried, progress.failed) == (2, 2, 1)
            [failed] = await tenant.extractions("failed")
            assert (failed.episode_id, failed.attempts, failed.worker, failed.due_at) == ("e1", 3, None, None)
            assert "no answer" in (failed.error or "")
            assert await tenant.current("person-1", "level") is None

            requeued = await tenant.requeue("e1")
            assert (requeued.attempts, requeued.error) == (0, None)

    asyncio.run(work())


def test_a_failed_episode_that_is_queued_again_is_extracted(server: TestServer) -> None:
    broken = True

    def fails_first(text: str) -> None:
        if broken:
            raise ValueError("no answer")

    async def work() -> None:
        nonlocal broken
        async with opened(server, ReadingModel(fails_first)) as memory:
            tenant = await queued(memory, 1)
            assert (await worker(memory, tenant, max_attempts=1).run_until_empty()).failed == 1
            broken = False
            await tenant.requeue("e0")
            assert (await worker(memory, tenant).run_until_empty()).done == 1
            assert await states(tenant) == {"done": 1}

    asyncio.run(work())


def fail_first(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the next extraction end with an error."""
    errors, extract = [error], AsyncTenant.extract

    async def failing(tenant: AsyncTenant, episode: str) -> Any:
        if errors:
            raise errors.pop()
        return await extract(tenant, episode)

    monkeypatch.setattr(AsyncTenant, "extract", failing)


@pytest.mark.parametrize(
    ("error", "retried", "failed"),
    [
        (ExtractionError("the model is asleep"), 1, 0),
        (RuntimeError("a bug"), 1, 0),
        (TimeoutError("of somebody else"), 1, 0),
        (InvalidInputError("never to be taken"), 0, 1),
    ],
)
def test_only_what_may_pass_is_tried_again(
    server: TestServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    retried: int,
    failed: int,
) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 1)
            fail_first(monkeypatch, error)
            progress = await worker(memory, tenant).run_until_empty()
            assert (progress.retried, progress.failed, progress.done) == (retried, failed, retried)
            [extraction] = await tenant.extractions()
            assert (str(error) in (extraction.error or "")) is bool(failed)

    asyncio.run(work())
    assert ("a bug" in caplog.text) is isinstance(error, RuntimeError)


def test_an_extraction_longer_than_its_lease_is_not_taken_over(server: TestServer) -> None:
    model = ReadingModel(lambda text: 2.5)

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 2)
            both = [worker(memory, tenant).run_until_empty() for _ in range(2)]
            done = await asyncio.gather(*both)
            assert sum(progress.done for progress in done) == 2
            assert sum(progress.lost + progress.retried for progress in done) == 0

    asyncio.run(work())
    assert len(model.asked) == 2


def test_an_episode_that_another_took_over_is_let_go(server: TestServer) -> None:
    model = ReadingModel(lambda text: 60)

    async def never(claims: object, lease: object) -> list[Any]:
        return []

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 1)
            slow = worker(memory, tenant, concurrency=1)  # no room to claim it again itself
            renew, slow._claims.renew = slow._claims.renew, never  # type: ignore[method-assign]
            running = asyncio.create_task(slow.run())
            await until(lambda: _is(slow.progress.running == 1))
            other = AsyncClaims(memory.services.database, "other", [tenant.name], random.Random())
            claims: list[Claim] = []
            while not claims:
                claims, _ = await other.claim(1, timedelta(seconds=60), 5)
            slow._claims.renew = renew  # type: ignore[method-assign]
            await until(lambda: _is(slow.progress.lost == 1))
            slow.stop()
            progress = await running
            assert (progress.done, progress.running) == (0, 0)
            [extraction] = await tenant.extractions("running")
            assert (extraction.worker, extraction.attempts) == ("other", 2)

    asyncio.run(work())


async def _is(value: bool) -> bool:
    return value


def test_an_attempt_that_takes_too_long_has_failed(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel(lambda text: 60)) as memory:
            tenant = await queued(memory, 1)
            limit = timedelta(milliseconds=200)
            progress = await worker(memory, tenant, time_limit=limit, max_attempts=2).run_until_empty()
            assert (progress.retried, progress.failed) == (1, 1)
            [failed] = await tenant.extractions("failed")
            assert "took longer than 0:00:00.2" in (failed.error or "")

    asyncio.run(work())


def test_a_stopped_worker_ends_what_it_began_and_claims_nothing_more(server: TestServer) -> None:
    model = ReadingModel(lambda text: 0.5)

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 10)
            stopped = worker(memory, tenant, concurrency=3)
            running = asyncio.create_task(stopped.run())
            await until(lambda: _is(len(model.asked) == 3))
            stopped.stop()
            progress = await running
            assert (progress.done, progress.running) == (3, 0)
            assert await states(tenant) == {"done": 3, "queued": 7}
            assert {one.attempts for one in await tenant.extractions("queued")} == {0}

    asyncio.run(work())
    assert len(model.asked) == 3


def test_what_a_stopped_worker_cannot_end_is_due_at_once_and_has_not_been_tried(server: TestServer) -> None:
    model = ReadingModel(lambda text: 60)

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 3)
            stopped = worker(memory, tenant, grace=timedelta(seconds=60), lease=timedelta(seconds=60))
            running = asyncio.create_task(stopped.run())
            await until(lambda: _is(len(model.asked) == 3))
            stopped.stop()
            await asyncio.sleep(0.3)
            assert not running.done()
            stopped.stop(timedelta(0))
            await asyncio.wait_for(running, 10)
            assert await states(tenant) == {"queued": 3}
            assert {one.attempts for one in await tenant.extractions()} == {0}
            model._before = None
            assert (await worker(memory, tenant).run_until_empty()).done == 3

    asyncio.run(work())


def test_a_cancelled_worker_gives_back_what_it_had(server: TestServer) -> None:
    model = ReadingModel(lambda text: 60)

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 2)
            running = asyncio.create_task(worker(memory, tenant).run())
            await until(lambda: _is(len(model.asked) == 2))
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert await states(tenant) == {"queued": 2}

    asyncio.run(work())


def test_a_worker_stopped_before_it_runs_does_nothing(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 2)
            stopped = worker(memory, tenant)
            stopped.stop()
            assert (await stopped.run()).done == 0
            assert await states(tenant) == {"queued": 2}

    asyncio.run(work())


def test_four_workers_side_by_side_extract_each_episode_once(server: TestServer) -> None:
    model = ReadingModel()

    async def work() -> None:
        async with opened(server, model) as memory:
            tenant = await queued(memory, 60)
            done = await asyncio.gather(*(worker(memory, tenant).run_until_empty() for _ in range(4)))
            assert sum(progress.done for progress in done) == 60
            assert all(progress.done > 0 for progress in done)
            assert await states(tenant) == {"done": 60}

    asyncio.run(work())
    assert sorted(model.asked) == sorted(f"person-{n}" for n in range(60))


def test_a_worker_for_some_tenants_leaves_the_others(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            mine, other = await queued(memory, 2), await queued(memory, 2)
            assert (await worker(memory, mine).run_until_empty()).done == 2
            assert await states(other) == {"queued": 2}

    asyncio.run(work())


def test_a_worker_clears_candidates_that_are_too_old(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[str] = []

    async def expire_candidates(memory: AsyncGraphMemory) -> int:
        cleared.append(memory.services.database.address)
        return 0

    monkeypatch.setattr(AsyncGraphMemory, "expire_candidates", expire_candidates)

    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 3)
            await worker(memory, tenant).run_until_empty()
            assert cleared == [server.uri]

    asyncio.run(work())


def test_a_worker_needs_a_schema_and_sensible_options(server: TestServer) -> None:
    async def work() -> None:
        async with await AsyncGraphMemory.open(server.uri, server.auth) as memory:
            with pytest.raises(InvalidInputError, match="with a schema"):
                Worker(memory)
        wrong: list[dict[str, Any]] = [
            {"concurrency": 0},
            {"max_attempts": 0},
            {"lease": timedelta(milliseconds=10)},
            {"poll": 1},
            *({name: timedelta.max} for name in TIMES),
            {"longest_retry": timedelta(days=30, seconds=1)},
            {"tenants": []},
            {"tenants": "acme"},
            {"tenants": [" acme"]},
        ]
        async with opened(server, ReadingModel()) as memory:
            for options in wrong:
                with pytest.raises(InvalidInputError):
                    Worker(memory, **options)

            longest: dict[str, Any] = dict.fromkeys(TIMES, timedelta(days=30))
            assert Worker(memory, **longest).name
            with pytest.raises(InvalidInputError, match=r"grace .* from 0 seconds to 30 days"):
                Worker(memory).stop(timedelta.max)

    asyncio.run(work())


def test_an_episode_is_worked_off_with_the_longest_times(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = memory.tenant(fresh_name())
            await tenant.record(text_of(1), extract="later")
            longest: dict[str, Any] = dict.fromkeys(TIMES, timedelta(days=30))
            done = await Worker(memory, tenants=[tenant.name], **longest | {"poll": SECOND}).run_until_empty()
            assert (done.done, done.failed) == (1, 0)

    asyncio.run(work())


def test_nothing_of_a_text_is_logged(server: TestServer, caplog: pytest.LogCaptureFixture) -> None:
    def fails(text: str) -> None:
        raise ExtractionError("no answer")

    caplog.set_level(logging.DEBUG, "graph_memory")

    async def work() -> None:
        async with opened(server, ReadingModel(fails)) as memory:
            tenant = await queued(memory, 1)
            await worker(memory, tenant, max_attempts=2).run_until_empty()

    asyncio.run(work())
    assert "failed at attempt 2" in caplog.text
    assert "has level" not in caplog.text


def test_a_worker_waits_for_a_database_that_is_away(
    server: TestServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[WorkerProgress] = []

    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 2)
            waiting = worker(memory, tenant, on_progress=told.append)
            claim, failures = waiting._claims.claim, [UnavailableError("away"), UnavailableError("away")]

            async def failing(*args: Any) -> Any:
                if failures:
                    raise failures.pop()
                return await claim(*args)

            monkeypatch.setattr(waiting._claims, "claim", failing)
            assert (await waiting.run_until_empty()).done == 2

    asyncio.run(work())
    assert any(progress.away for progress in told)
    assert not told[-1].away
    assert [record.getMessage() for record in caplog.records] == [
        "waiting for the database: away", "the database answers again"
    ]  # fmt: skip


def test_a_worker_tells_that_the_database_is_away_also_where_all_it_does_is_to_put_down_what_failed(
    server: TestServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 1)
            putting_down = worker(memory, tenant, concurrency=1)
            away = [UnavailableError("away")] * 3
            later = putting_down._claims.retry_later

            async def failing(*args: Any) -> Any:
                if away:
                    raise away.pop()
                return await later(*args)

            async def unavailable(*args: Any) -> Any:
                monkeypatch.undo()
                monkeypatch.setattr(putting_down._claims, "retry_later", failing)
                raise UnavailableError("away")

            monkeypatch.setattr(AsyncTenant, "extract", unavailable)
            assert (await putting_down.run_until_empty()).done == 1

    asyncio.run(work())
    told = [record.getMessage() for record in caplog.records]
    assert told == ["waiting for the database: away", "the database answers again"]


@pytest.mark.slow
def test_a_worker_goes_on_when_the_database_is_back(server: TestServer, caplog: pytest.LogCaptureFixture) -> None:
    model = ReadingModel(lambda text: 0.2)

    async def work() -> None:
        proxy = Proxy(server.uri)
        await proxy.open()
        through = TestServer(proxy.uri, server.username, server.password, server.version)
        async with opened(server, model) as memory, opened(through, model) as cut:
            tenant = await queued(memory, 40)
            going_on = worker(cut, tenant, max_attempts=2)
            running = asyncio.create_task(going_on.run_until_empty())
            await until(lambda: _is(going_on.progress.done >= 5))
            await proxy.cut()
            # The driver itself tries for half a minute and more, each try as long as it may take.
            await until(lambda: _is("waiting for the database" in caplog.text), 200)
            assert not running.done()
            await proxy.open()
            await asyncio.wait_for(running, 120)
            assert await states(tenant) == {"done": 40}
            for number in range(40):
                [fact] = await tenant.history(f"person-{number}", "level")
                assert fact.episode_id == f"e{number}"
        await proxy.cut()

    asyncio.run(work())
    assert "the database answers again" in caplog.text


def test_a_worker_tells_at_once_where_the_database_is_away_from_the_start(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server, ReadingModel()) as memory:
            tenant = await queued(memory, 1)
            closed = worker(memory, tenant)
        with pytest.raises(UnavailableError, match="was closed"):
            await closed.run()

    asyncio.run(work())
