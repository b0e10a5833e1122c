"""The queue of episodes to extract: who gets what, for how long, and what is listed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import (
    AsyncGraphMemory,
    AsyncTenant,
    ConflictError,
    ExtractionState,
    GraphMemory,
    InvalidInputError,
    NotFoundError,
    Tenant,
)
from graph_memory._async.queue.leases import AsyncClaims
from graph_memory.queue.jobs import Claim

pytestmark = pytest.mark.server

LEASE = timedelta(milliseconds=500)
LONG = timedelta(minutes=5)
ATTEMPTS = 5


def queue(tenant: Tenant, number: int) -> None:
    tenant.record_episodes({"id": f"e{n}", "text": f"Text {n}.", "extract": "later"} for n in range(number))


def test_an_episode_is_queued_with_whom_it_is_about(tenant: Tenant) -> None:
    episode = tenant.record("I moved.", id="e1", extract="later", about="mira")
    [extraction] = tenant.extractions()
    assert (extraction.tenant, extraction.episode_id, extraction.about) == (tenant.name, "e1", "mira")
    assert (extraction.state, extraction.attempts) == (ExtractionState.QUEUED, 0)
    assert (extraction.worker, extraction.error, extraction.report) == (None, None, None)
    assert extraction.changed_at == extraction.due_at
    assert extraction.changed_at >= episode.recorded_at


def test_an_episode_is_queued_once_however_often_it_is_recorded(tenant: Tenant) -> None:
    tenant.record("I moved.", id="e1")
    assert tenant.extractions() == []
    tenant.record("I moved.", id="e1", extract="later", about="mira")
    [queued] = tenant.extractions()
    tenant.record("I moved.", id="e1", extract="later", about="joe")
    tenant.record("I moved.", id="e1")
    assert tenant.extractions() == [queued]


def test_of_a_stream_those_rows_are_queued_that_say_so(tenant: Tenant) -> None:
    tenant.record("Known.", id="known")
    rows: list[dict[str, Any]] = [
        {"text": "One.", "id": "e1", "extract": "later", "about": "mira"},
        {"text": "Two.", "id": "e2"},
        {"text": "Two.", "id": "e2", "extract": "later"},
        {"text": "Other.", "id": "known", "extract": "later"},
        {"text": "Three.", "id": "e3", "extract": "now"},
        {"text": "Four.", "id": "e4", "about": "mira"},
    ]
    report = tenant.record_episodes(rows)
    assert [outcome.row for outcome in report.refused] == [4, 5, 6]
    assert {(one.episode_id, one.about) for one in tenant.extractions()} == {("e1", "mira"), ("e2", None)}


def test_extractions_are_listed_by_state_the_latest_first(tenant: Tenant) -> None:
    queue(tenant, 3)
    for number in (1, 0, 2):
        tenant.requeue(f"e{number}")
    assert [one.episode_id for one in tenant.extractions()] == ["e2", "e0", "e1"]
    assert [one.episode_id for one in tenant.extractions("queued", limit=2)] == ["e2", "e0"]
    assert [one.episode_id for one in tenant.extractions(ExtractionState.QUEUED, limit=1)] == ["e2"]
    assert tenant.extractions("failed") == []
    with pytest.raises(InvalidInputError, match="queued, running, done or failed"):
        tenant.extractions("dead")
    with pytest.raises(InvalidInputError, match="1 to 10000"):
        tenant.extractions(limit=0)


def test_an_episode_of_another_tenant_is_not_seen(memory: GraphMemory, tenant: Tenant) -> None:
    queue(tenant, 1)
    other = memory.tenant(fresh_name())
    assert other.extractions() == []
    with pytest.raises(NotFoundError, match="no episode 'e0'"):
        other.requeue("e0")


def test_an_episode_that_never_was_queued_can_be(tenant: Tenant) -> None:
    episode = tenant.record("I moved.")
    assert tenant.requeue(episode).state is ExtractionState.QUEUED
    assert [one.episode_id for one in tenant.extractions("queued")] == [episode.id]


# What follows needs an event loop of its own.


@asynccontextmanager
async def opened(server: TestServer) -> AsyncIterator[AsyncGraphMemory]:
    async with await AsyncGraphMemory.open(server.uri, server.auth) as memory:
        yield memory


async def queued(memory: AsyncGraphMemory, number: int, name: str | None = None) -> AsyncTenant:
    tenant = memory.tenant(name or fresh_name())
    await tenant.record_episodes(
        {"id": f"e{n}", "text": f"Text {n}.", "extract": "later", "about": "mira"} for n in range(number)
    )
    return tenant


def claims_of(memory: AsyncGraphMemory, worker: str, *tenants: AsyncTenant, seed: int = 1) -> AsyncClaims:
    names = [tenant.name for tenant in tenants] or None
    return AsyncClaims(memory.services.database, worker, names, random.Random(seed))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_what_one_worker_has_claimed_no_other_gets_until_its_lease_is_over(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 3)
            one, two = claims_of(memory, "one", tenant), claims_of(memory, "two", tenant)
            claimed, given_up = await one.claim(10, LEASE, ATTEMPTS)
            assert {(c.episode, c.about, c.attempts) for c in claimed} == {(f"e{n}", "mira", 1) for n in range(3)}
            assert given_up == []
            assert {x.worker for x in await tenant.extractions("running")} == {"one"}
            assert await two.claim(10, LEASE, ATTEMPTS) == ([], [])
            await asyncio.sleep(LEASE.total_seconds())
            taken, _ = await two.claim(10, LEASE, ATTEMPTS)
            assert {(c.episode, c.attempts) for c in taken} == {(f"e{n}", 2) for n in range(3)}
            [error] = {x.error for x in await tenant.extractions("running")}
            assert error == "worker one did not come to an end with attempt 1"

    run(work())


def test_a_renewed_lease_lasts(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 1)
            one, two = claims_of(memory, "one", tenant), claims_of(memory, "two", tenant)
            claimed, _ = await one.claim(1, LEASE, ATTEMPTS)
            assert await one.renew(claimed, LONG) == []
            await asyncio.sleep(LEASE.total_seconds())
            assert await two.claim(1, LEASE, ATTEMPTS) == ([], [])

    run(work())


def test_a_worker_that_was_taken_over_changes_nothing_any_more(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 1)
            one, two = claims_of(memory, "one", tenant), claims_of(memory, "two", tenant)
            [old], _ = await one.claim(1, LEASE, ATTEMPTS)
            await asyncio.sleep(LEASE.total_seconds())
            [new], _ = await two.claim(1, LONG, ATTEMPTS)
            before = await tenant.extractions()
            assert await one.renew([old], LONG) == [old]
            assert not await one.retry_later(old, "late", timedelta(0))
            assert not await one.fail(old, "late")
            assert await one.release([old]) == 0
            # Of the same worker, an attempt that is over does not speak for the next one.
            assert not await two.fail(Claim(new.tenant, new.episode, None, 1), "late")
            assert await tenant.extractions() == before
            assert await two.fail(new, "in time")

    run(work())


def test_an_episode_that_no_worker_survives_ends_as_failed(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 1)
            for attempt in range(1, 4):
                claimed, given_up = await claims_of(memory, f"w{attempt}", tenant).claim(1, LEASE, 3)
                assert ([c.attempts for c in claimed], given_up) == ([attempt], [])
                await asyncio.sleep(LEASE.total_seconds())
            claimed, given_up = await claims_of(memory, "w4", tenant).claim(1, LEASE, 3)
            assert (claimed, [c.episode for c in given_up]) == ([], ["e0"])
            [failed] = await tenant.extractions("failed")
            assert failed.error == "worker w3 did not come to an end with attempt 3"
            assert (failed.attempts, failed.worker, failed.due_at) == (3, None, None)
            assert await claims_of(memory, "w5", tenant).claim(1, LEASE, 3) == ([], [])

            again = await tenant.requeue("e0")
            assert (again.state, again.attempts, again.error) == (ExtractionState.QUEUED, 0, None)
            assert [c.attempts for c in (await claims_of(memory, "w5", tenant).claim(1, LEASE, 3))[0]] == [1]

    run(work())


def test_what_is_to_be_tried_later_is_not_due_before(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 1)
            one = claims_of(memory, "one", tenant)
            [claim], _ = await one.claim(1, LONG, ATTEMPTS)
            assert await one.retry_later(claim, "the model is busy", LEASE)
            [extraction] = await tenant.extractions("queued")
            assert (extraction.attempts, extraction.error, extraction.worker) == (1, "the model is busy", None)
            assert extraction.due_at == extraction.changed_at + LEASE
            assert await one.claim(1, LONG, ATTEMPTS) == ([], [])
            assert await one.queued() == 1
            await asyncio.sleep(LEASE.total_seconds())
            assert [c.attempts for c in (await one.claim(1, LONG, ATTEMPTS))[0]] == [2]

    run(work())


def test_what_is_given_back_was_not_tried(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 2)
            one = claims_of(memory, "one", tenant)
            claimed, _ = await one.claim(2, LONG, ATTEMPTS)
            assert await one.release(claimed) == 2
            assert {(x.attempts, x.error) for x in await tenant.extractions("queued")} == {(0, None)}
            assert [c.attempts for c in (await one.claim(2, LONG, ATTEMPTS))[0]] == [1, 1]

    run(work())


def test_an_episode_that_is_in_work_or_done_is_not_queued_again(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 1)
            await claims_of(memory, "one", tenant).claim(1, LEASE, ATTEMPTS)
            with pytest.raises(ConflictError, match="is being extracted by one"):
                await tenant.requeue("e0")
            await asyncio.sleep(LEASE.total_seconds())
            assert (await tenant.requeue("e0")).attempts == 0

            await memory.services.database.write(
                lambda t: t.run(
                    "write/settle",
                    tenant=tenant.name,
                    episode="e0",
                    promoted=[],
                    named=[],
                    report='{"candidates": []}',
                )
            )
            with pytest.raises(ConflictError, match="has been extracted"):
                await tenant.requeue("e0")
            await tenant.record("Text 0.", id="e0", extract="later")
            assert [str(x.state) for x in await tenant.extractions()] == ["done"]
            assert await claims_of(memory, "one", tenant).claim(1, LEASE, ATTEMPTS) == ([], [])

    run(work())


def test_many_workers_at_once_get_each_episode_once(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            tenant = await queued(memory, 300)

            async def drain(number: int) -> list[str]:
                mine: list[str] = []
                claims = claims_of(memory, f"w{number}", tenant, seed=number)
                while claimed := (await claims.claim(1 + number % 4, LONG, ATTEMPTS))[0]:
                    mine += [claim.episode for claim in claimed]
                return mine

            shares = await asyncio.gather(*map(drain, range(8)))
            assert Counter(episode for share in shares for episode in share) == {f"e{n}": 1 for n in range(300)}
            assert all(shares)

    run(work())


def test_a_tenant_with_a_long_queue_does_not_keep_the_others_waiting(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            # Others may have left something in the queue of this server; only these count here.
            name = fresh_name()
            tenants = {
                (await queued(memory, size, f"{name}-{letter}")).name: size
                for letter, size in (("a", 400), ("b", 5), ("c", 5))
            }
            claims, got = claims_of(memory, "one"), Counter[str]()
            for _ in range(120):
                claimed, _ = await claims.claim(2, LONG, ATTEMPTS)
                got.update(claim.tenant for claim in claimed)
                if got[f"{name}-b"] == got[f"{name}-c"] == 5:
                    break
            assert {tenant: got[tenant] for tenant in tenants if tenant != f"{name}-a"} == {
                f"{name}-b": 5, f"{name}-c": 5
            }  # fmt: skip
            assert 0 < got[f"{name}-a"] < 400

    run(work())


def test_of_the_tenants_that_are_named_each_has_its_turn(server: TestServer) -> None:
    async def work() -> None:
        async with opened(server) as memory:
            long, short = await queued(memory, 100), await queued(memory, 3)
            claims = claims_of(memory, "one", long, short)
            claimed, _ = await claims.claim(6, LONG, ATTEMPTS)
            assert Counter(c.tenant for c in claimed) == {long.name: 3, short.name: 3}
            assert await claims.queued() == 103

    run(work())
