import os
import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path

import pytest
from cli_commands import COMMANDS
from neo4j.exceptions import AuthError

from graph_memory import RECORDED, Fact, GraphMemory
from graph_memory.cli import exit_codes, invocation
from graph_memory.cli.app import run
from graph_memory.cli.output import Output
from graph_memory.cli.session import Session
from graph_memory.errors import (
    ConflictError,
    ExtractionError,
    GraphMemoryError,
    InvalidInputError,
    LocalServerError,
    NotFoundError,
    SchemaMismatchError,
    UnavailableError,
)

ASSERT = ["assert", "mira", "deadline", "--from", "2026-06-01", "-e", "e1", "-t", "acme"]
START = datetime(2026, 6, 1, tzinfo=UTC)
CONNECT = Session.memory
CURRENT = ["current", "mira", "deadline", "-t", "acme"]


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here may reach a database."""

    def refuse(session: Session, many: object = None) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(Session, "memory", refuse)
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "GRAPH_MEMORY_TENANT"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (GraphMemoryError("x"), 1),
        (UnavailableError("x"), 1),
        (LocalServerError("x"), 1),
        (ExtractionError("x"), 1),
        (InvalidInputError("x"), 2),
        (SchemaMismatchError("x"), 2),
        (NotFoundError("x"), 3),
        (ConflictError("x"), 4),
    ],
)
def test_each_error_has_its_exit_code_and_is_one_line_on_standard_error(
    error: GraphMemoryError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(session: Session, many: object = None) -> None:
        raise error

    monkeypatch.setattr(Session, "memory", fail)
    assert run(CURRENT) == code == exit_codes.code_of(error)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "Error: x\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "No such command"),
        ([*CURRENT, "--nonsense"], "No such option"),
        (CURRENT[:3], "--tenant"),
        ([*ASSERT, "2026-02-30"], "2026-02-30"),
        ([*ASSERT, "--type", "int", "x"], "not an int"),
        ([*ASSERT, "--type", "text", "x"], "there is no type 'text'"),
        ([*CURRENT, "--uri", "bolt://db", "--home", "x"], "two different servers"),
        ([*CURRENT, "--ask-password", "--password-file", "x"], "give one of them"),
        (["correct", "f1", "-e", "e1", "-t", "acme"], "nothing to correct"),
        (["correct", "f1", "-e", "e1", "-t", "acme", "--type", "int"], "--type needs --value: give both"),
        (["correct", "f1", "-e", "e1", "-t", "a", "--until", "2026-01-01", "--no-until"], "contradict"),
        (["record", "x", "--metadata", "[1]", "-t", "acme"], "not a JSON object"),
        (["import", "facts.txt", "-t", "acme"], "does not tell the format"),
        (["import", "-", "--format", "xml", "-t", "acme"], "--format 'xml' is unknown"),
        (["import", "-", "--batch-size", "0", "-t", "acme"], "batch-size"),
    ],
)
def test_what_is_not_allowed_is_said_before_anything_is_connected(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == exit_codes.INVALID
    captured = capsys.readouterr()
    assert words in re.sub(r"[\s│]+", " ", captured.err)
    assert captured.out == ""


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.jsonl"
    assert run(["import", str(missing), "-t", "acme"]) == exit_codes.FAILED
    assert str(missing) in capsys.readouterr().err


def test_errors_show_user_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASSERT, "--type", "int", "[bold]x[/nope]\x1b[2J"]) == exit_codes.INVALID
    error = capsys.readouterr().err
    assert "[bold]x[/nope]" in error
    assert "\x1b" not in error


@pytest.mark.parametrize(
    ("given", "environment", "auth"),
    [
        ({}, {}, None),
        ({}, {"NEO4J_PASSWORD": "p"}, None),
        ({"user": "u"}, {"NEO4J_PASSWORD": "p"}, ("u", "p")),
        ({"password_file": True}, {}, ("neo4j", "from the file")),
        ({"password_file": True}, {"NEO4J_USERNAME": "v"}, ("v", "from the file")),
        ({"user": "u", "password_file": True}, {"NEO4J_PASSWORD": "p"}, ("u", "from the file")),
    ],
)
def test_credentials_come_from_the_options_then_from_the_environment(
    given: dict[str, object],
    environment: dict[str, str],
    auth: tuple[str, str] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if given.get("password_file"):
        given = {**given, "password_file": tmp_path / "password"}
        (tmp_path / "password").write_text("from the file\n")
    assert Session(Output(json=False), **given).auth() == auth  # type: ignore[arg-type]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What `GraphMemory.open` was called with, where nothing is opened."""
    calls: list[dict[str, object]] = []

    def note(
        uri: str | None, auth: object, database: str | None, *, schema: object, many: object, home: Path | None
    ) -> "nullcontext[None]":
        calls.append(
            {"uri": uri, "auth": auth, "database": database, "home": home, "schema": schema, "many": many}
        )
        return nullcontext()

    monkeypatch.setattr(GraphMemory, "open", note)
    return calls


def test_the_options_reach_the_library_and_a_home_goes_before_the_environment(
    opened: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere")
    CONNECT(Session(Output(json=False), uri="bolt://db", database="notes"))
    CONNECT(Session(Output(json=False), home=tmp_path))
    CONNECT(Session(Output(json=False)), home=tmp_path)
    assert opened == [
        {"uri": "bolt://db", "auth": None, "database": "notes", "home": None, "schema": None, "many": RECORDED},
        {"uri": None, "auth": None, "database": None, "home": tmp_path, "schema": None, "many": RECORDED},
        {"uri": None, "auth": None, "database": None, "home": tmp_path, "schema": None, "many": RECORDED},
    ]


@pytest.mark.parametrize("where", [{}, {"home": Path("x")}])
def test_credentials_for_the_managed_server_are_refused(
    where: dict[str, Path], opened: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "p")
    with pytest.raises(InvalidInputError, match="keeps its own password"):
        CONNECT(Session(Output(json=False), user="u", **where))  # type: ignore[arg-type]
    assert opened == []


@pytest.mark.parametrize(("password", "told"), [(None, True), ("p", False)])
def test_a_server_that_wants_a_password_where_none_was_given_says_how_to_give_one(
    password: str | None, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **more: object) -> None:
        try:
            raise AuthError
        except AuthError:
            raise UnavailableError("not accepted") from None

    monkeypatch.setattr(GraphMemory, "open", refuse)
    if password is not None:
        monkeypatch.setenv("NEO4J_PASSWORD", password)
    with pytest.raises(UnavailableError) as failure:
        CONNECT(Session(Output(json=False), uri="bolt://db"))
    assert ("--password-file" in str(failure.value)) is told


def test_a_conflict_names_each_stored_fact_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = [
        Fact(
            id=id, tenant="acme", subject="mira", attribute="a", value=1, valid_from=START, asserted_from=START,
            recorded_at=START, episode_id="e1", source="user",
        )
        for id in ("f1", "f2")
    ]  # fmt: skip

    def fail(session: Session, many: object = None) -> None:
        raise ConflictError("it is fact f1 already", stored)

    monkeypatch.setattr(Session, "memory", fail)
    assert run(CURRENT) == exit_codes.CONFLICT
    assert capsys.readouterr().err == "Error: it is fact f1 already\n  stored: fact f2, from episode e1\n"


@pytest.mark.parametrize(
    ("on_path", "started", "called"),
    [
        (True, ".venv/bin/graph-memory", "graph-memory"),
        (False, ".venv/bin/graph-memory", f"{Path.cwd()}/.venv/bin/graph-memory"),
        (False, "/opt/my tools/graph-memory", "'/opt/my tools/graph-memory'"),
        (False, invocation.__file__.replace("invocation", "__main__"), f"{sys.executable} -m graph_memory.cli"),
        (False, "somebody.py", "graph-memory"),
    ],
)
def test_a_hint_calls_the_program_as_its_user_can(
    on_path: bool, started: str, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/graph-memory" if on_path else None)
    monkeypatch.setattr(sys, "argv", [started])
    assert invocation.command_line("down") == f"{called} down"
    assert invocation.command_line("up", home=Path("a b")) == f"{called} up --home 'a b'"


def test_a_user_without_a_password_is_told_how_to_give_one() -> None:
    with pytest.raises(InvalidInputError, match="--password-file"):
        Session(Output(json=False), user="u").auth()


def test_no_option_takes_a_password_itself() -> None:
    taking = {
        option
        for command in COMMANDS.values()
        for parameter in command.params
        for option in parameter.opts
        if "password" in option and not parameter.is_flag
    }
    assert taking == {"--password-file"}


def test_an_interrupt_leaves_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(session: Session, many: object = None) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Session, "memory", interrupt)
    # A job in the background inherits that it ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert run(CURRENT) == exit_codes.INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)


def command(*arguments: str, **more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "graph_memory.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **more},
    )


def test_a_reader_that_leaves_is_no_reason_to_complain() -> None:
    running = command("import", "--help")
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    error = running.stderr.read()
    running.stderr.close()
    assert running.wait() == exit_codes.FAILED
    assert error == b""


def test_the_version_is_shown() -> None:
    if not list(distributions(name="graph-memory")):
        pytest.skip("the package runs from its checkout and has no version")
    out, error = command("--version").communicate()
    assert (out.decode(), error) == (f"graph-memory {version('graph-memory')}\n", b"")


def test_without_a_command_it_shows_what_there_is() -> None:
    out, error = command().communicate()
    assert b"demo" in out + error


def test_help_is_readable_where_the_terminal_knows_only_ascii() -> None:
    running = command("demo", "--help", PYTHONIOENCODING="ascii")
    out, error = running.communicate()
    assert (running.returncode, error) == (exit_codes.OK, b"")
    assert b"Play a short story" in out
