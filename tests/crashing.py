"""A worker in a process of its own, which dies at one step: before a query or an answer, or after a commit."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from levels import SCHEMA, ReadingModel

from graph_memory import AsyncGraphMemory, Worker
from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction

CRASHED = 9
LEASE = timedelta(seconds=1)


def die_at(step: int) -> None:
    """Let this process die at a step, counted from 1 on; nothing of it is cleaned up.

    For the database, to die after a query is to die before the next one.
    """
    steps = 0

    def next_step() -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            os._exit(CRASHED)

    def stepping(call: Callable[..., Any], commits: bool) -> Callable[..., Any]:
        async def in_steps(*args: Any, **kwargs: Any) -> Any:
            if not commits:
                next_step()
            result = await call(*args, **kwargs)
            if commits:
                next_step()
            return result

        return in_steps

    for owner, name in ((AsyncTransaction, "run"), (AsyncDatabase, "read"), (ReadingModel, "ainvoke")):
        setattr(owner, name, stepping(getattr(owner, name), commits=False))
    AsyncDatabase.write = stepping(AsyncDatabase.write, commits=True)  # type: ignore[method-assign]


def work(uri: str, auth: tuple[str, str], tenants: list[str], step: int) -> None:
    """Extract all that tenants have queued, but die at a step."""

    async def run() -> None:
        async with await AsyncGraphMemory.open(uri, auth, schema=SCHEMA, llm=ReadingModel()) as memory:
            worker = Worker(memory, concurrency=1, lease=LEASE, poll=timedelta(milliseconds=50), tenants=tenants)
            die_at(step)
            await worker.run_until_empty()

    asyncio.run(run())


def exit_code(uri: str, auth: tuple[str, str], tenants: list[str], step: int) -> int | None:
    """Return how a process that does this work ends: CRASHED where it died at the step, 0 when all was done."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["crashing"])
    process = context.Process(target=work, args=(uri, auth, tenants, step))
    process.start()
    process.join(60)
    return process.exitcode
