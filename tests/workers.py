"""What the processes of the concurrency tests do; each is started anew and opens the database itself."""

from __future__ import annotations

import multiprocessing
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from queue import Empty
from typing import Any

from graph_memory import ConflictError, GraphMemory, Ref, Tenant

PROCESSES = 8
START = datetime(2026, 1, 1, tzinfo=UTC)
_TOO_LONG = 120


@dataclass(frozen=True)
class Place:
    """Where to write."""

    uri: str
    auth: tuple[str, str]
    tenant: str
    many: tuple[str, ...]


def day(number: int) -> datetime:
    """Return midnight of a numbered day."""
    return START + timedelta(days=number)


def own_and_shared(tenant: Tenant, number: int) -> list[str]:
    """Assert ten values of one slot that nobody else does, and five that all do; return the ids."""
    chance = random.Random(number)
    rows = [(f"own {number}", 100 + 8 * step + number) for step in range(10)]
    rows += [("shared", 10 * step) for step in range(5)]
    chance.shuffle(rows)
    return [
        tenant.assert_fact("mira", "home", value, valid_from=day(start), episode="e1").id for value, start in rows
    ]


def one_start(tenant: Tenant, number: int) -> str:
    """Assert a value that cannot hold beside the others'."""
    try:
        return tenant.assert_fact("mira", "home", number, valid_from=day(0), episode="e1").id
    except ConflictError as error:
        (against,) = error.facts
        return f"lost to {against.id}"


def one_correction(tenant: Tenant, number: int) -> str:
    """Correct the one fact that all correct, each in its own way."""
    try:
        return tenant.correct_fact(tenant.episode("wrong").text, value=number, episode="e1").id
    except ConflictError as error:
        (successor,) = error.facts
        return f"lost to {successor.id}"


def same_entities(tenant: Tenant, number: int) -> None:
    """Make the same twenty entities know each other, in an order of its own, in batches and one by one."""
    chance = random.Random(number)
    pairs = [(f"p{one}", f"p{(one + step) % 20}") for one in range(20) for step in range(1, 4)]
    chance.shuffle(pairs)
    rows: list[dict[str, Any]] = [
        {"subject": one, "attribute": "knows", "value": Ref(other), "valid_from": day(0), "episode": "e1"}
        for one, other in pairs
    ]
    report = tenant.assert_facts(rows[:40], batch_size=7)
    assert not report.refused.first, report.refused.first
    for row in rows[40:]:
        tenant.assert_fact(**row)


def same_episodes(tenant: Tenant, number: int) -> list[str]:
    """Record the same ten episodes."""
    numbers = list(range(10))
    random.Random(number).shuffle(numbers)
    return [tenant.record(f"Text {n}.", id=f"same-{n}").id for n in numbers]


def _work(job: Callable[[Tenant, int], Any], place: Place, number: int, start: Barrier, done: Queue[Any]) -> None:
    try:
        start.wait(_TOO_LONG)
        with GraphMemory.open(place.uri, place.auth, many=place.many) as memory:
            tenant = memory.tenant(place.tenant)
            start.wait(_TOO_LONG)
            done.put((number, job(tenant, number), None))
    except BaseException:
        start.abort()
        done.put((number, None, traceback.format_exc()))


def all_at_once(job: Callable[[Tenant, int], Any], place: Place) -> list[Any]:
    """Let eight processes open the database, then do a job, at the same moment; return their results in order."""
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(PROCESSES), context.Queue()
    workers = [
        context.Process(target=_work, args=(job, place, number, start, done)) for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    try:
        results = sorted(done.get(timeout=_TOO_LONG) for _ in workers)
    except Empty:
        raise AssertionError(f"exit codes, None where it still runs: {[w.exitcode for w in workers]}") from None
    finally:
        for worker in workers:
            worker.join(_TOO_LONG)
    failures = [failure for _, _, failure in results if failure]
    assert not failures, "\n".join(failures)
    return [result for _, result, _ in results]
