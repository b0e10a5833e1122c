"""Workers as processes: killed at any step, told to stop, and side by side."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import levels
import pytest
from crashing import CRASHED, LEASE, exit_code
from ledgers import fresh_name
from levels import SCHEMA, read, text_of
from scripted_llm import Answer, Request, ScriptedLLM, slow, updates
from servers import TestServer

import graph_memory
from graph_memory import GraphMemory, Tenant

pytestmark = [pytest.mark.server, pytest.mark.slow]

TWO = "person-1 has level 1 from 2026-01-01.\nperson-2 has level 2 from 2026-01-01."
NO_CRASH = 10**9


def require_exactly_once(memory: GraphMemory, tenant: Tenant, levels: dict[str, dict[str, int]]) -> None:
    """Assert that each episode's facts are there once, from that episode alone, and nothing is left to do."""
    assert Counter(str(one.state) for one in tenant.extractions(limit=10_000)) == {"done": len(levels)}
    for episode, held in levels.items():
        for subject, level in held.items():
            [fact] = tenant.history(subject, "level")
            assert (fact.value, fact.episode_id, fact.valid_to) == (level, episode, None)
            assert len(tenant.explain(fact.id).citations) == 1
    assert memory.verify(tenant=tenant.name).problems == ()


def test_a_worker_that_dies_at_any_step_twice_in_a_row_leaves_each_fact_exactly_once(
    memory: GraphMemory, server: TestServer
) -> None:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as declared:
        tenants: list[Tenant] = []
        code: int | None = CRASHED
        while code == CRASHED:
            tenants.append(declared.tenant(fresh_name()))
            tenants[-1].record(TWO, id="e1", extract="later")
            code = exit_code(server.uri, server.auth, [tenants[-1].name], len(tenants))
        assert len(tenants) > 10, "an extraction has more steps than that"
        time.sleep(LEASE.total_seconds())
        for step, tenant in enumerate(tenants[:-1], start=1):
            assert exit_code(server.uri, server.auth, [tenant.name], step) in (0, CRASHED)
        assert exit_code(server.uri, server.auth, [tenant.name for tenant in tenants], NO_CRASH) == 0
        for tenant in tenants:
            require_exactly_once(memory, tenant, {"e1": {"person-1": 1, "person-2": 2}})


@pytest.fixture
def llm() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as served:
        yield served


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(server: TestServer, llm: ScriptedLLM) -> Iterator[Start]:
    """Start `graph-memory worker` as a process."""
    started: list[subprocess.Popen[str]] = []
    environment = {
        **os.environ,
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
        "GRAPH_MEMORY_SCHEMA": f"{levels.__file__}:SCHEMA",
        "GRAPH_MEMORY_MODEL": "scripted",
        "OPENAI_BASE_URL": llm.url,
        "OPENAI_API_KEY": "none",
        "PYTHONPATH": os.pathsep.join([str(Path(graph_memory.__file__).parents[1]), *sys.path]),
    }

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "graph_memory.cli", "worker", "--json", "--lease", "2", *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def queue(tenant: Tenant, number: int) -> dict[str, dict[str, int]]:
    """Queue episodes, and return the facts that each is to give."""
    tenant.record_episodes({"id": f"e{n}", "text": text_of(n), "extract": "later"} for n in range(number))
    return {f"e{n}": {f"person-{n}": n} for n in range(number)}


def in_a_while(seconds: float) -> Callable[[Request], Answer]:
    return lambda request: slow(seconds, updates(*read(request.prompt)))


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def asked(llm: ScriptedLLM) -> Counter[str]:
    """How often the model was asked about each person."""
    return Counter(str(said["fact"]["value"]) for request in llm.requests for said in read(request.prompt))


def test_workers_killed_in_the_middle_twice_in_a_row_leave_each_fact_exactly_once(
    memory: GraphMemory, tenant: Tenant, llm: ScriptedLLM, start: Start
) -> None:
    facts, chance = queue(tenant, 30), random.Random()
    llm.script(in_a_while(0.05))
    for _ in range(2):
        before = len(llm.requests)
        process = start("-t", tenant.name)
        wait(lambda before=before: len(llm.requests) >= before + 5)  # type: ignore[misc]
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    last = start("-t", tenant.name, "--until-empty")
    assert last.wait(120) == 0, last.stderr and last.stderr.read()
    require_exactly_once(memory, tenant, facts)


def test_a_worker_that_is_told_to_stop_ends_what_it_began(
    memory: GraphMemory, tenant: Tenant, llm: ScriptedLLM, start: Start
) -> None:
    queue(tenant, 12)
    llm.script(in_a_while(1.0))
    process = start("-t", tenant.name, "--concurrency", "3")
    wait(lambda: len(llm.requests) == 3)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "Stopping" in err
    assert '"done": 3' in out.splitlines()[-1]
    assert len(llm.requests) == 3
    counted = Counter((str(one.state), one.attempts) for one in tenant.extractions())
    assert counted == {("done", 1): 3, ("queued", 0): 9}


def test_a_second_signal_gives_back_what_is_in_work(
    memory: GraphMemory, tenant: Tenant, llm: ScriptedLLM, start: Start
) -> None:
    queue(tenant, 3)
    llm.script(in_a_while(9.0))
    process = start("-t", tenant.name, "--grace", "60")
    wait(lambda: len(llm.requests) == 3)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert "Stopping" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert Counter((str(one.state), one.attempts) for one in tenant.extractions()) == {("queued", 0): 3}


def test_four_worker_processes_side_by_side_extract_each_episode_once(
    memory: GraphMemory, tenant: Tenant, llm: ScriptedLLM, start: Start
) -> None:
    facts = queue(tenant, 60)
    llm.script(in_a_while(0.2))
    # An episode takes far less than the lease, so nobody has to take over anything.
    processes = [start("-t", tenant.name, "--until-empty", "--lease", "60") for _ in range(4)]
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    require_exactly_once(memory, tenant, facts)
    assert asked(llm) == {str(number): 1 for number in range(60)}
