from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graph_memory.local import process as processes
from graph_memory.local.ports import free_port, is_free

SLEEP = "import sys, time; sys.stdout.flush(); time.sleep(60)"


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[psutil.Process]:
    process = processes.spawn([sys.executable, "-c", SLEEP, "--home-dir=mine"], tmp_path, tmp_path / "out")
    deadline = time.monotonic() + 30
    while "--home-dir=mine" not in process.cmdline() and time.monotonic() < deadline:
        time.sleep(0.01)  # a system under load may show the arguments a moment later
    yield process
    if process.is_running():
        process.kill()
        process.wait()


def test_a_process_is_found_by_pid_and_the_instant_it_began(sleeper: psutil.Process, tmp_path: Path) -> None:
    assert processes.find_by_pid(sleeper.pid, sleeper.create_time(), "--home-dir=other", tmp_path) == sleeper


def test_a_pid_that_another_program_got_is_not_mistaken_for_it(sleeper: psutil.Process, tmp_path: Path) -> None:
    assert processes.find_by_pid(sleeper.pid, sleeper.create_time() - 60, "--home-dir=other", tmp_path) is None
    assert processes.find_by_pid(sleeper.pid, sleeper.create_time() - 60, "--home-dir=mine-too", tmp_path) is None


def test_a_clock_that_was_set_does_not_lose_it(sleeper: psutil.Process, tmp_path: Path) -> None:
    assert processes.find_by_pid(sleeper.pid, sleeper.create_time() - 60, "--home-dir=mine", tmp_path) == sleeper


def test_a_process_whose_pid_is_not_known_is_found_by_its_argument(
    sleeper: psutil.Process, tmp_path: Path
) -> None:
    assert processes.find_by_argument("--home-dir=mine", tmp_path) == sleeper
    assert processes.find_by_argument("--home-dir=min", tmp_path) is None


def test_a_process_of_a_folder_is_not_that_of_its_copy_and_stays_its_own_where_it_is_moved(
    tmp_path: Path,
) -> None:
    original, copy = tmp_path / "original", tmp_path / "copy"
    original.mkdir()
    copy.mkdir()
    argument = f"--home-dir={original}"
    process = processes.spawn([sys.executable, "-c", SLEEP, argument], original, tmp_path / "out")
    try:
        while argument not in process.cmdline():
            time.sleep(0.01)
        created = process.create_time()
        assert processes.find_by_pid(process.pid, created, argument, original) == process
        assert processes.find_by_pid(process.pid, created, argument, copy) is None
        moved = original.rename(tmp_path / "moved")
        assert processes.find_by_pid(process.pid, created, f"--home-dir={moved}", moved) == process
        copy.rename(original)
        assert processes.find_by_pid(process.pid, created, argument, original) is None
        assert processes.find_by_argument(argument, original) is None
        assert processes.find_by_argument(argument, moved) == process
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(os.name != "posix", reason="POSIX sessions")
def test_it_is_out_of_reach_of_this_terminal_s_signals(sleeper: psutil.Process) -> None:
    assert os.getsid(sleeper.pid) == sleeper.pid != os.getsid(0)


def test_database_credentials_of_the_environment_are_not_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "somebody-else-s")
    show = "import os; print([name for name in os.environ if name.startswith('NEO4J_')])"
    process = processes.spawn([sys.executable, "-c", show], tmp_path, tmp_path / "out")
    process.wait(30)
    assert (tmp_path / "out").read_text().strip() == "[]"


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_stop_waits_for_a_process_that_takes_its_time(tmp_path: Path) -> None:
    slow = (
        "import signal, sys, time\n"
        "def end(*_): time.sleep(0.5); print('clean', flush=True); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end); print('ready', flush=True); time.sleep(60)"
    )
    out = tmp_path / "out"
    process = processes.spawn([sys.executable, "-c", slow], tmp_path, out)
    while "ready" not in out.read_text():
        time.sleep(0.02)
    assert processes.stop(process, timeout=0.1) is False
    assert processes.stop(process, timeout=10) is True
    assert "clean" in out.read_text()


@pytest.mark.skipif(os.name != "posix", reason="POSIX zombies")
def test_a_dead_child_that_its_parent_has_not_collected_does_not_count_as_running() -> None:
    child = subprocess.Popen([sys.executable, "-c", SLEEP])
    process = psutil.Process(child.pid)
    created = process.create_time()
    os.kill(child.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while process.status() != psutil.STATUS_ZOMBIE and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes.find_by_pid(child.pid, created, "", Path.cwd()) is None
    assert processes.stop(process, timeout=1) is True
    child.wait()


def test_a_port_in_use_picks_the_next() -> None:
    with socket.create_server(("127.0.0.1", free_port(21000))) as busy:
        port = busy.getsockname()[1]
        assert not is_free(port)
        assert free_port(port) > port
        assert free_port(port, taken={port + 1}) > port + 1


def test_a_port_that_a_server_left_a_moment_ago_is_free_again() -> None:
    with socket.create_server(("127.0.0.1", free_port(22000))) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            accepted, _ = server.accept()
            accepted.close()
    assert is_free(port)
