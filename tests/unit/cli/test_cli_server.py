"""What the commands of the managed local server say to people about a home that they named."""

import shlex
from pathlib import Path

import pytest

from graph_memory.cli import exit_codes
from graph_memory.cli.app import run
from graph_memory.local.home import Home, ServerState

PID_OF_NOBODY = 2**22 + 1


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints are as they are where the program is on the path."""
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which no server has run, with a name that a shell would take apart."""
    return tmp_path / "my home"


def test_a_crash_is_told_with_what_to_do_for_this_home(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir()
    Home(home).write_state(ServerState("5.26.30", 7687, 7474, "running", pid=PID_OF_NOBODY, created=1.0))
    assert run(["status", "--home", str(home)]) == exit_codes.NOTHING
    shown = capsys.readouterr().out
    assert "Neo4j 5.26.30: crashed" in shown
    assert f"graph-memory up --home {shlex.quote(str(home))}" in shown


def test_the_browser_of_a_stopped_server_names_the_command_that_starts_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["browser", "--home", str(home)]) == exit_codes.FAILED
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(f"start it with graph-memory up --home {shlex.quote(str(home))}\n")


def test_the_log_of_a_server_that_never_ran_is_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["logs", "--home", str(home)]) == exit_codes.NOTHING
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"The server of {home} has not run yet" in captured.err


def test_logs_print_the_last_lines_and_nothing_that_a_terminal_obeys(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = Home(home).server_log("2026.08.1")
    log.parent.mkdir(parents=True)
    log.write_text("one\ntwo [red]two[/red]\x1b[2J\n" + "three " * 60 + "\n")
    assert run(["logs", "-n", "2", "--home", str(home)]) == exit_codes.OK
    assert capsys.readouterr().out == "two [red]two[/red]\\x1b[2J\n" + "three " * 60 + "\n"


@pytest.mark.parametrize("command", ["status", "browser --no-open"])
def test_a_server_that_other_commands_do_not_use_is_said_to_be_none_of_theirs(
    command: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_HOME", str(home))
    monkeypatch.setenv("NEO4J_URI", "bolt://neo4j:secret@db:7687")
    run(command.split())
    said = capsys.readouterr().err
    assert "NEO4J_URI is set, so programs and commands without --home use db:7687 instead" in said
    assert "secret" not in said
    run([*command.split(), "--home", str(home)])
    assert "NEO4J_URI" not in capsys.readouterr().err
    monkeypatch.delenv("NEO4J_URI")
    run(command.split())
    assert "NEO4J_URI" not in capsys.readouterr().err


def test_a_check_of_a_schema_starts_no_server(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    module = tmp_path / "declared.py"
    module.write_text(
        "from graph_memory import Kind, Schema\n"
        "class Person(Kind):\n    home: str\n"
        "schema = Schema('some', version=1, kinds=[Person], sources=['user'])\n"
    )
    assert run(["schema", "check", "--schema", f"{module}:schema", "--home", str(home)]) == exit_codes.FAILED
    assert "does not run, and this starts none" in capsys.readouterr().err
    assert not home.exists()
