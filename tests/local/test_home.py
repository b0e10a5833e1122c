from __future__ import annotations

import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from graph_memory.errors import LocalServerError
from graph_memory.local import DEFAULT_VERSION, LocalServer
from graph_memory.local.home import Home, ServerState, default_home, jar_folder

STATE = ServerState("2026.08.1", 7687, 7474, "running", pid=123, created=1700000000.25, log_offset=9)

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes mean little there")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def with_data(home: Home, version: str) -> None:
    (home.version_folder(version) / "data" / "databases").mkdir(parents=True)


def test_the_environment_chooses_home_and_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPH_MEMORY_CACHE", str(tmp_path / "cache"))
    assert default_home() == tmp_path / "home"
    assert LocalServer().home == tmp_path / "home"
    assert jar_folder() == tmp_path / "cache" / "jars"


def test_without_it_they_are_the_user_s_own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_HOME", raising=False)
    monkeypatch.delenv("GRAPH_MEMORY_CACHE", raising=False)
    assert default_home() == platformdirs.user_data_path("graph-memory", appauthor=False)
    assert jar_folder().is_relative_to(platformdirs.user_cache_path("graph-memory", appauthor=False))


def test_the_state_is_read_back_as_written(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.read_state() is None
    home.write_state(STATE)
    assert home.read_state() == STATE


def test_what_runs_is_noted_of_this_folder_and_not_of_a_copy_of_it(tmp_path: Path) -> None:
    original = Home(tmp_path / "original")
    original.create()
    state = replace(STATE, inode=original.inode)
    original.write_state(state)
    copy = Home(shutil.copytree(original.folder, tmp_path / "copy"))
    assert copy.read_state() == replace(state, phase="stopped", pid=None, created=None)
    assert copy.is_copy_of_running()
    moved = Home(original.folder.rename(tmp_path / "moved"))
    assert moved.read_state() == state
    assert not moved.is_copy_of_running()
    moved.write_state(replace(state, phase="stopped"))
    assert not Home(shutil.copytree(moved.folder, tmp_path / "another")).is_copy_of_running()


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"version": "5.26.30"}', '{"unknown": 1}'])
def test_a_damaged_state_file_counts_as_none(tmp_path: Path, damage: str) -> None:
    home = Home(tmp_path)
    (tmp_path / "server.json").write_text(damage)
    assert home.read_state() is None


def test_the_browser_address_fills_in_where_to_connect() -> None:
    assert STATE.browser_url == "http://127.0.0.1:7474/browser/?connectURL=bolt://127.0.0.1:7687"


@posix_only
def test_password_and_folder_are_for_their_user_only(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.create()
    home.prepare_password("2026.08.1")
    assert mode(home.folder) == 0o700
    assert mode(home.password_file) == 0o600
    assert mode(home.version_folder("2026.08.1") / "data" / "dbms" / "auth.ini") == 0o600


def test_passwords_are_random_and_stay(tmp_path: Path) -> None:
    one, two = Home(tmp_path / "one"), Home(tmp_path / "two")
    for home in (one, two):
        home.create()
        home.prepare_password("2026.08.1")
    first = one.read_password()
    assert len(first) >= 32
    assert first != two.read_password()
    one.prepare_password("2026.08.1")
    assert one.read_password() == first


def test_the_password_is_not_set_again_where_a_database_has_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare_password("2026.08.1")
    with_data(home, "2026.08.1")
    auth = home.version_folder("2026.08.1") / "data" / "dbms" / "auth.ini"
    auth.unlink()
    home.prepare_password("2026.08.1")
    assert not auth.exists()


def test_a_lost_password_of_old_data_is_an_error_that_tells_the_file(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with_data(home, "2026.08.1")
    with pytest.raises(LocalServerError, match=str(home.password_file)):
        LocalServer(tmp_path).up()
    assert not home.password_file.exists()
    assert home.read_state() is None, "nothing was started"


def test_versions_with_data_are_listed_by_age(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for version in ("2026.08.1", "5.26.30"):
        with_data(home, version)
    (tmp_path / "backup" / "data" / "databases").mkdir(parents=True)
    assert home.versions_with_data() == ["5.26.30", "2026.08.1"]


def test_data_counts_once_the_server_answered_and_what_a_killed_first_start_left_goes(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.version_folder("2026.08.1").mkdir(parents=True)
    home.prepare_data("2026.08.1")
    with_data(home, "2026.08.1")
    data = home.version_folder("2026.08.1") / "data"
    assert home.versions_with_data() == []
    home.prepare_data("2026.08.1")
    assert list(data.iterdir()) == []
    with_data(home, "2026.08.1")
    home.note_answer("2026.08.1")
    home.prepare_data("2026.08.1")
    assert home.versions_with_data() == ["2026.08.1"]
    assert (data / "databases").is_dir()


def test_a_home_keeps_the_version_it_ran_last(tmp_path: Path) -> None:
    assert LocalServer(tmp_path).version == DEFAULT_VERSION
    with_data(Home(tmp_path), "5.26.30")
    assert LocalServer(tmp_path).version == "5.26.30"
    Home(tmp_path).write_state(STATE)
    assert LocalServer(tmp_path).version == "2026.08.1"
    assert LocalServer(tmp_path, "5.26.30").version == "5.26.30"
