"""docs/cli.md names every command, and each command's section every option of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from cli_commands import COMMANDS

from graph_memory.cli.app import app, run

TEXT = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(
    re.findall(r"^### `graph-memory ([a-z -]+)`\n(.*?)(?=^##)", TEXT + "\n## ", re.MULTILINE | re.DOTALL)
)
SHARED = TEXT[TEXT.index("## Options of every command") : TEXT.index("## Values")]
SERVER = TEXT[TEXT.index("## The local server") : TEXT.index("## Write")]
SERVER_COMMANDS = {"up", "down", "status", "logs", "browser"}


def names(command: str) -> set[str]:
    """The options of a command, long and short."""
    found = (name for parameter in COMMANDS[command].params for name in parameter.opts)
    return {name for name in found if name.startswith("-")}


def has(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def test_the_documented_commands_are_those_that_exist() -> None:
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_of_a_command_is_documented(command: str) -> None:
    text = SECTIONS[command] + (SERVER if command in SERVER_COMMANDS else SHARED)
    assert [name for name in sorted(names(command)) if not has(text, name)] == []


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - SERVER_COMMANDS))
def test_options_that_are_documented_for_a_command_exist(command: str) -> None:
    prose = re.sub(r"```.*?```", "", SECTIONS[command], flags=re.DOTALL)
    documented = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", prose))
    assert documented - names(command) - {"-"} == set()


def test_every_command_explains_itself_with_an_example() -> None:
    assert [name for name in sorted(COMMANDS) if f"graph-memory {name}" not in (COMMANDS[name].help or "")] == []


def test_the_options_of_the_program_are_documented() -> None:
    program = {name for parameter in typer.main.get_command(app).params for name in parameter.opts}
    assert [name for name in sorted(program) if not has(SHARED, name)] == []


def test_every_argument_and_option_has_a_help_text() -> None:
    bare = [(name, p.name) for name, command in COMMANDS.items() for p in command.params if not p.help]
    assert bare == []


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_prints_its_help_with_that_of_its_arguments(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert run([*command.split(), "--help"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f"Usage: graph-memory {command}" in said.out
    assert [p.name for p in COMMANDS[command].params if p.help and p.help.split(". ")[0] not in said.out] == []
