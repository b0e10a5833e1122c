"""A server that is killed in the middle of a batch holds all of it or none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import batches
import neo4j
import psutil
import pytest
from batches import SIZE
from ledgers import fresh_name, versions
from servers import URI_VARIABLE, TestServer, running_server
from snapshot import Snapshot

from graph_memory import GraphMemory
from graph_memory.local import LocalServer

pytestmark = [pytest.mark.server, pytest.mark.slow]

ROUNDS = 3


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "version" in metafunc.fixturenames:
        metafunc.parametrize("version", versions(metafunc.config)[:1], scope="module")


@pytest.fixture(scope="module")
def own_server(version: str) -> Iterator[TestServer]:
    """A server of this test alone, since it is killed."""
    if os.environ.get(URI_VARIABLE):
        pytest.skip(f"{URI_VARIABLE} names somebody's server, which is not to be killed")
    with running_server(version) as server:
        yield server


def kill_in_the_middle(local: LocalServer, tenant: str, password: str, batches_first: int) -> int:
    """Write until some batches are reported, kill the server and the writer, return the last batch reported."""
    info = local.up()
    writer = subprocess.Popen(
        [sys.executable, str(Path(batches.__file__)), info.uri, tenant],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TEST_PASSWORD": password, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert writer.stdout is not None
    last = -1
    try:
        for line in writer.stdout:
            last = int(line)
            if last >= batches_first:
                break
        time.sleep(0.05 * (1 + batches_first % 3))  # somewhere inside a following batch
        server = psutil.Process(info.pid)
        server.send_signal(signal.SIGKILL)
        server.wait(30)
    finally:
        writer.kill()
        rest = writer.stdout.read()
        writer.wait(30)
    return max([last, *(int(line) for line in rest.split())])


def test_a_batch_is_whole_or_absent_after_the_server_was_killed(own_server: TestServer) -> None:
    local = own_server.local
    assert local is not None
    tenant = fresh_name()
    reported = -1
    for number in range(ROUNDS):
        reported = kill_in_the_middle(local, tenant, own_server.password, reported + 4 + number)
        info = local.up()
        auth = (info.username, info.password)
        with neo4j.GraphDatabase.driver(info.uri, auth=auth, telemetry_disabled=True) as driver:
            entries = Snapshot.read(driver, tenant).entries
        sizes = Counter(row["fact"]["episode_id"] for row in entries.values())
        assert set(sizes.values()) == {SIZE}, sizes
        assert {f"e{batch}" for batch in range(reported + 1)} <= sizes.keys(), "a reported batch is gone"
        with GraphMemory.open(info.uri, auth) as memory:
            assert memory.verify(tenant=tenant).problems == ()
            again = batches.write(memory, tenant, range(reported + 3))
            assert len(again.replayed) in {SIZE * (reported + 1), SIZE * (reported + 2)}
            assert len(again.replayed) + len(again.committed) == again.total
            assert memory.verify(tenant=tenant).problems == ()
