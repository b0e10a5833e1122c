from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_memory.cli import app, exit_codes
from graph_memory.local import LocalServer, ServerInfo
from graph_memory.local.home import Home, ServerState

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; returns its exit code, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = app.run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


def test_status_exits_3_when_nothing_runs(run: Run, tmp_path: Path) -> None:
    code, out, err = run("status", "--home", tmp_path)
    assert code == exit_codes.NOTHING == 3
    assert "Neo4j 2026.08.1: stopped" in out
    assert str(tmp_path) in out
    assert err == ""


def test_status_is_one_json_object_for_programs(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("status", "--json", "--home", tmp_path)
    assert code == 3
    assert json.loads(out) == {
        "state": "stopped",
        "version": "2026.08.1",
        "uri": None,
        "browser_url": None,
        "pid": None,
        "home": str(tmp_path),
        "data_bytes": 0,
        "indexes": [],
    }


def test_a_crash_is_told_with_what_to_do(run: Run, tmp_path: Path) -> None:
    Home(tmp_path).write_state(ServerState("5.26.30", 7687, 7474, "running", pid=2**22 + 1, created=1.0))
    code, out, _ = run("status", "--home", tmp_path)
    assert code == 3
    assert "Neo4j 5.26.30: crashed" in out
    assert "graph-memory up" in out


def test_stopping_what_does_not_run_is_no_failure(run: Run, tmp_path: Path) -> None:
    assert run("down", "--home", tmp_path) == (0, "It was not running.\n", "")


def test_errors_are_one_message_on_stderr_and_exit_1(run: Run, tmp_path: Path) -> None:
    code, out, err = run("up", "--neo4j", "3.5", "--home", tmp_path)
    assert (code, out) == (1, "")
    assert err.startswith("Error: Neo4j '3.5' is not one")
    assert "Traceback" not in err
    code, out, err = run("browser", "--home", tmp_path)
    assert (code, out) == (1, "")
    assert "does not run" in err


def test_logs_print_the_last_lines_as_they_are(run: Run, tmp_path: Path) -> None:
    log = Home(tmp_path).server_log("2026.08.1")
    log.parent.mkdir(parents=True)
    log.write_text("one\ntwo [red]two[/red]\n" + "three " * 60 + "\n")
    code, out, _ = run("logs", "-n", 2, "--home", tmp_path)
    assert code == 0
    assert out == "two [red]two[/red]\n" + "three " * 60 + "\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A server that seems to run, and the addresses a web browser was opened on."""
    info = ServerInfo(
        "bolt://127.0.0.1:7687", "neo4j", "the-secret", "http://127.0.0.1:7474", "2026.08.1", 1, tmp_path
    )
    monkeypatch.setattr(LocalServer, "info", lambda _self: info)
    Home(tmp_path).write_state(ServerState("2026.08.1", 7687, 7474, "running", pid=1, created=1.0))
    addresses: list[str] = []

    def open_address(url: str) -> bool:
        addresses.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_address)
    return addresses


def test_browser_opens_the_address_and_tells_where_the_password_is(
    run: Run, tmp_path: Path, opened: list[str]
) -> None:
    code, out, _ = run("browser", "--home", tmp_path)
    url = "http://127.0.0.1:7474/browser/?connectURL=bolt://127.0.0.1:7687"
    assert code == 0
    assert out.splitlines() == [url, "User: neo4j", f"Password: in the file {tmp_path / 'password'}"]
    assert opened == [url]


def test_browser_shows_the_password_only_when_asked(run: Run, tmp_path: Path, opened: list[str]) -> None:
    _, out, _ = run("browser", "--no-open", "--show-password", "--home", tmp_path)
    assert "Password: the-secret" in out
    assert opened == []
    assert "the-secret" not in repr(LocalServer(tmp_path).info())
