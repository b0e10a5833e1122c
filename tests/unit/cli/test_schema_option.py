"""How --schema finds a schema, what it says where there is none, and what the options then mean."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graph_memory import GraphMemory, InvalidInputError, Ref
from graph_memory.cli import exit_codes
from graph_memory.cli.app import run
from graph_memory.cli.output import Output
from graph_memory.cli.schema_option import load_schema
from graph_memory.cli.session import Session

SOURCE = """
from __future__ import annotations
from datetime import date
from graph_memory import Kind, Ref, Schema, attribute

class Person(Kind):
    due: date = attribute("When")
    employer: Ref[Company] = attribute("Where they work")
    code: str = attribute("A code")
    likes: list[str] = attribute("What they like")

class Company(Kind): ...

schema = Schema("mine", version=1, kinds=[Person, Company])
other = Schema("other", version=2, kinds=[Person, Company])
number = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a package and a file that declare schemas; what is imported is forgotten again."""
    (tmp_path / "declared_here").mkdir()
    (tmp_path / "declared_here" / "__init__.py").touch()
    (tmp_path / "declared_here" / "memory.py").write_text(SOURCE)
    (tmp_path / "alone.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    before, path = set(sys.modules), list(sys.path)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]
    sys.path[:] = path


@pytest.mark.parametrize(
    ("reference", "label"),
    [
        ("declared_here.memory:schema", "mine/1"),
        ("declared_here.memory:other", "other/2"),
        ("declared_here.memory", "mine/1"),
        ("declared_here/memory.py:other", "other/2"),
        ("alone.py", "mine/1"),
        ("./alone.py:schema", "mine/1"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_module_or_a_file_names_a_schema_and_schema_is_the_name_where_none_is_given(
    reference: str, label: str
) -> None:
    assert load_schema(reference).label == label


def test_a_file_is_found_by_its_whole_path_and_may_import_its_neighbours(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "uses.py").write_text("from alone import other as schema")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert load_schema(f"{folder / 'uses.py'}:schema").label == "other/2"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("", "names no schema: write it as package.module:name or path/file.py:name"),
        (":schema", "names no schema"),
        ("alone.py:", "names no schema"),
        ("alone.py:a.b", "names no schema"),
        ("alone.py:nothing", "nothing does not exist: the schemas of alone.py are other, schema"),
        ("alone.py:number", "number is an int, not a schema: the schemas of alone.py are other, schema"),
        ("json:tool", "tool does not exist: json has no schema"),
        ("missing.py:schema", "there is no file missing.py"),
        ("missing/here.py:schema", "there is no file missing/here.py"),
        ("missing_module:schema", "module missing_module is neither installed nor in"),
        ("declared_here.missing:schema", "module declared_here.missing is neither installed nor in"),
        ("not a module:schema", "module not a module is neither installed"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_found_is_said_with_what_there_is(reference: str, words: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        load_schema(reference)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("source", "words", "line"),
    [
        ("x = 1\ny = nothing\n", "NameError: name 'nothing' is not defined", 2),
        ("import missing_elsewhere\n", "No module named 'missing_elsewhere'", 1),
        ("x = (\n", "cannot be loaded: '(' was never closed", 1),
        ("import sys\nsys.exit('over')\n", "SystemExit: over", 2),
        (f"{SOURCE}\nbad = Schema('bad', version=0, kinds=[Person])\n", "version 0 must be an integer from 1", 18),
        (f"{SOURCE}\nbad = Schema('bad', version=1, kinds=[Person])\n", "employer refers to the kind Company", 18),
    ],
)
def test_a_file_that_fails_is_told_with_its_line_and_without_a_traceback(
    folder: Path, source: str, words: str, line: int, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = folder / "broken.py"
    broken.write_text(source)
    assert run(["schema", "show", "--schema", str(broken)]) == exit_codes.INVALID
    [said] = capsys.readouterr().err.splitlines()
    assert said.startswith(f"Error: --schema {broken} cannot be ")
    assert words in said
    assert f"{broken}, line {line})" in said


# What the commands make of it


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[tuple[str, Any]]:
    """Each value that a command asserts, with the label of the schema that the memory was opened with."""
    found: list[tuple[str, Any]] = []

    class Told:
        def __init__(self, label: str) -> None:
            self.label = label

        def assert_fact(self, subject: str, attribute: str, value: Any, **given: Any) -> Any:
            found.append((self.label, value))
            raise InvalidInputError("enough")

    def tenant(session: Session, many: object = None) -> Told:
        return Told("" if session.declared is None else session.declared.label)

    monkeypatch.setattr(Session, "tenant", tenant)
    return found


ASSERT = ["assert", "-t", "acme", "--from", "2026-01-01", "-e", "e1", "mira"]


@pytest.mark.parametrize(
    ("attribute", "text", "value"),
    [
        ("due", "2026-06-01", date(2026, 6, 1)),
        ("employer", "acme", Ref("acme")),
        ("code", "007", "007"),
        ("code", "42", "42"),
        ("code", "true", "true"),
        ("likes", "2026-06-01", "2026-06-01"),
    ],
)
def test_text_is_read_as_the_declared_type(
    asked: list[tuple[str, Any]], attribute: str, text: str, value: Any
) -> None:
    run([*ASSERT, attribute, text, "--schema", "alone.py"])
    assert asked == [("mine/1", value)]


def test_a_type_that_is_given_counts_before_the_declared_one(asked: list[tuple[str, Any]]) -> None:
    run([*ASSERT, "code", "42", "--type", "int", "--schema", "alone.py"])
    assert asked == [("mine/1", 42)]


def test_the_environment_names_a_schema_too_and_the_option_counts_before_it(
    asked: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_SCHEMA", "alone.py:other")
    run([*ASSERT, "code", "42"])
    run([*ASSERT, "code", "42", "--schema", "alone.py"])
    monkeypatch.setenv("GRAPH_MEMORY_SCHEMA", "")
    run([*ASSERT, "code", "42"])
    assert asked == [("other/2", "42"), ("mine/1", "42"), ("", 42)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*ASSERT, "salary", "1", "--schema", "alone.py"], "attribute 'salary' is not declared by schema mine/1"),
        ([*ASSERT, "due", "soon", "--schema", "alone.py"], "is not a date of the calendar"),
        (["schema", "check"], "needs a schema: give --schema"),
        (["schema", "diff"], "needs a schema"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_a_schema_does_not_allow_is_said_before_anything_is_connected(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: object, **given: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(GraphMemory, "open", refuse)
    assert run(arguments) == exit_codes.INVALID
    assert words in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_many_and_a_schema_contradict_each_other() -> None:
    from graph_memory import Recorded

    session = Session(Output(json=False), schema="alone.py")
    with pytest.raises(
        InvalidInputError, match="leave it out, since mine/1 declares which attributes have many values"
    ):
        session.memory(Recorded("likes"))


@pytest.mark.usefixtures("folder")
def test_a_declared_schema_is_shown_without_a_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "show", "--schema", "alone.py:other"]) == exit_codes.OK
    shown = capsys.readouterr().out
    for words in ("other/2", "Person", "many of str", "ref:Company", "When"):
        assert words in shown
