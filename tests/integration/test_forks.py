"""Forked processes and further event loops: each has connections of its own, and no answer is another's."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.queues import Queue
from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import AsyncGraphMemory, GraphMemory, Tenant, UnavailableError

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here"),
]

START = "2026-01-01"
CHILDREN, CALLS, SUBJECTS = 3, 100, 20
TOO_LONG = 120


@pytest.fixture
def own(server: TestServer) -> Iterator[GraphMemory]:
    """A memory of this test alone, since it is forked with it."""
    with GraphMemory.open(server.uri, server.auth) as memory:
        yield memory


@pytest.fixture
def told(own: GraphMemory) -> Tenant:
    """A tenant in which each subject has a value of its own."""
    tenant = own.tenant(fresh_name())
    tenant.record("All of it.", id="e1")
    tenant.assert_facts(
        {"subject": f"s{n}", "attribute": "number", "value": n, "valid_from": START, "episode": "e1"}
        for n in range(SUBJECTS)
    )
    return tenant


def wrong_answers(tenant: Tenant, calls: int = CALLS) -> list[str]:
    """Ask for many values; return what came back otherwise than it was stored."""
    found: list[str] = []
    for call in range(calls):
        number = call % SUBJECTS
        try:
            fact = tenant.as_of(f"s{number}", "number", "2026-02-01")
            if fact is None or fact.value != number:
                found.append(f"s{number} is {fact and fact.value}")
        except Exception as error:
            found.append(repr(error))
    return found


def forked(jobs: list[Callable[[], Any]], meanwhile: Callable[[], Any] = lambda: None) -> tuple[list[Any], Any]:
    """Run jobs in forked processes and something here at the same time; return what each came to."""
    context = multiprocessing.get_context("fork")
    done: Queue[Any] = context.Queue()

    def run(job: Callable[[], Any]) -> None:
        try:
            done.put(job())
        except BaseException as error:
            done.put(repr(error))

    processes = [context.Process(target=run, args=(job,)) for job in jobs]
    for process in processes:
        process.start()
    here = meanwhile()
    results = [done.get(timeout=TOO_LONG) for _ in processes]
    for process in processes:
        process.join(TOO_LONG)
    return results, here


def test_children_that_read_beside_their_parent_get_their_own_answers(told: Tenant) -> None:
    assert wrong_answers(told, 5) == []
    answers, here = forked([lambda: wrong_answers(told)] * CHILDREN, lambda: wrong_answers(told))
    assert answers == [[]] * CHILDREN
    assert here == []


def test_children_that_were_forked_in_the_middle_of_calls_get_their_own_answers(told: Tenant) -> None:
    """Threads of the parent hold connections, and locks of the driver, at the moment of the fork."""
    done = threading.Event()
    wrong: list[str] = []

    def read() -> None:
        while not done.is_set():
            wrong.extend(wrong_answers(told, 10))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(3):
            answers, _ = forked([lambda: wrong_answers(told, 20)] * CHILDREN)
            assert answers == [[]] * CHILDREN
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert wrong == []


def test_children_write_beside_each_other_and_nothing_is_lost(told: Tenant, own: GraphMemory) -> None:
    def write(child: int) -> Callable[[], list[str]]:
        return lambda: [
            told.assert_fact(f"c{child}", "step", n, valid_from=f"2026-01-{n + 1:02d}", episode="e1").id
            for n in range(10)
        ]

    ids, _ = forked([write(child) for child in range(CHILDREN)])
    assert len({id_ for written in ids for id_ in written}) == 10 * CHILDREN
    assert [len(told.history(f"c{child}", "step")) for child in range(CHILDREN)] == [10] * CHILDREN
    assert own.verify(told.name).problems == ()


@pytest.mark.parametrize("used", [True, False], ids=["used there", "not used there"])
def test_a_child_that_leaves_closes_nothing_of_its_parent(server: TestServer, told: Tenant, used: bool) -> None:
    """It leaves as a program does, with `close` and all that is destroyed at the end of an interpreter."""
    memory = GraphMemory.open(server.uri, server.auth)
    tenant = memory.tenant(told.name)
    assert wrong_answers(tenant, 5) == []
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if used:
                code = len(wrong_answers(tenant, 5))
            memory.close()
            del memory, tenant
            if not used:
                code = 0
        finally:
            _end_as_a_program(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert wrong_answers(tenant, 40) == []
    memory.close()


def _end_as_a_program(code: int) -> None:
    # Not sys.exit, which pytest would catch; all that the garbage collector can reach is destroyed all the same.
    import gc

    gc.collect()
    sys.stdout.flush()
    os._exit(code)


def test_an_asynchronous_memory_is_used_in_children_with_loops_of_their_own(
    server: TestServer, told: Tenant
) -> None:
    async def read(memory: AsyncGraphMemory) -> list[object]:
        tenant = memory.tenant(told.name)
        facts = await asyncio.gather(*(tenant.as_of(f"s{n}", "number", "2026-02-01") for n in range(SUBJECTS)))
        return [None if fact is None else fact.value for fact in facts]

    runner = asyncio.Runner()
    memory = runner.run(AsyncGraphMemory.open(server.uri, server.auth))
    right = list(range(SUBJECTS))
    assert runner.run(read(memory)) == right
    answers, here = forked([lambda: asyncio.run(read(memory))] * CHILDREN, lambda: runner.run(read(memory)))
    assert answers == [right] * CHILDREN
    assert here == right
    runner.run(memory.close())
    runner.close()


def test_an_asynchronous_memory_in_a_second_event_loop_says_what_to_do(server: TestServer) -> None:
    memory = asyncio.run(AsyncGraphMemory.open(server.uri, server.auth))
    with pytest.raises(UnavailableError, match=r"first used in another event loop.*open a memory in each"):
        asyncio.run(memory.tenants())
    asyncio.run(memory.close())
    with pytest.raises(UnavailableError, match="was closed"):
        asyncio.run(memory.tenants())
