from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graph_memory.errors import InvalidInputError, LocalServerError
from graph_memory.local import LocalServer, process as processes
from graph_memory.local.home import Home, ServerState
from graph_memory.local.launch import Launch


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[psutil.Process]:
    """Somebody else's process."""
    process = processes.spawn([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, tmp_path / "out")
    yield process
    process.kill()
    process.wait()


class ReachedError(Exception):
    """Everything was in order for a start."""


@pytest.fixture
def no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop_here(*_args: object) -> None:
        raise ReachedError

    monkeypatch.setattr(Launch, "prepare", stop_here)


def test_a_home_that_was_never_used_has_nothing_to_stop_or_show(tmp_path: Path) -> None:
    server = LocalServer(tmp_path / "home")
    assert server.down() is False
    assert server.info() is None
    assert server.logs() == ""
    assert server.status().state == "stopped"
    assert not server.home.exists()
    with pytest.raises(LocalServerError, match="graph-memory up"):
        server.browser_url()


def test_a_home_is_given_as_a_path_or_as_text(tmp_path: Path) -> None:
    assert LocalServer(str(tmp_path)).home == LocalServer(tmp_path).home == tmp_path
    with pytest.raises(InvalidInputError, match="home 3 must be the path of a folder"):
        LocalServer(3)  # type: ignore[arg-type]


def test_a_stale_pid_is_not_signalled_and_is_forgotten(tmp_path: Path, stranger: psutil.Process) -> None:
    home = Home(tmp_path / "home")
    home.create()
    state = ServerState("2026.08.1", 7687, 7474, "running", stranger.pid, stranger.create_time() - 3600)
    home.write_state(state)
    server = LocalServer(home.folder)
    assert server.info() is None
    assert server.status().state == "crashed"
    assert server.status().pid is None
    assert server.down() is False
    assert stranger.is_running()
    assert server.status().state == "stopped"
    assert home.read_state() == ServerState("2026.08.1", 7687, 7474, "stopped")


@pytest.mark.usefixtures("no_start")
def test_a_stale_pid_does_not_keep_it_from_starting(tmp_path: Path, stranger: psutil.Process) -> None:
    home = Home(tmp_path / "home")
    home.create()
    home.write_state(ServerState("2026.08.1", 7687, 7474, "running", stranger.pid, stranger.create_time() - 9))
    with pytest.raises(ReachedError):
        LocalServer(home.folder).up()
    assert stranger.is_running()


def test_a_process_that_lost_its_state_file_is_stopped_by_down(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.create()
    home.write_state(ServerState("2026.08.1", 7687, 7474, "starting"))
    argument = home.process_argument("2026.08.1")
    folder = home.version_folder("2026.08.1")
    folder.mkdir()
    orphan = processes.spawn(
        [sys.executable, "-c", "import time; time.sleep(60)", argument], folder, tmp_path / "out"
    )
    assert LocalServer(home.folder).down() is True
    assert not processes.alive(orphan)


@pytest.mark.usefixtures("no_start")
def test_a_downgrade_is_refused_and_says_where_the_newer_data_is(tmp_path: Path) -> None:
    newer = tmp_path / "2026.08.1"
    (newer / "data" / "databases").mkdir(parents=True)
    with pytest.raises(LocalServerError, match=rf"5\.26\.30 cannot read.*{newer}"):
        LocalServer(tmp_path, "5.26.30").up()


@pytest.mark.usefixtures("no_start")
def test_a_newer_version_says_that_the_old_data_is_not_carried_over(tmp_path: Path) -> None:
    (tmp_path / "5.26.30" / "data" / "databases").mkdir(parents=True)
    with (
        pytest.warns(UserWarning, match=r"data of Neo4j 5\.26\.30.*not carried over"),
        pytest.raises(ReachedError),
    ):
        LocalServer(tmp_path, "2026.08.1").up()


def test_a_home_that_is_a_file_is_an_error_for_people(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(LocalServerError, match=str(tmp_path / "home")):
        LocalServer(tmp_path / "home").up()
