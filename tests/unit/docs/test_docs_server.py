"""docs/server.md names everything that the managed local server can be asked and told."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

from graph_memory import local
from graph_memory.local import SUPPORTED_VERSIONS, LocalServer, ServerInfo, ServerStatus, server

TEXT = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`(\w+)[`(]", TEXT))


def members(cls: type) -> set[str]:
    """The public attributes, properties and methods of a class."""
    fields = {field.name for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    return {name for name in {*vars(cls), *fields} if not name.startswith("_")}


def bare(call: inspect.Signature) -> str:
    """A signature without types, as the document writes it."""
    parameters = [p.replace(annotation=p.empty) for p in call.parameters.values() if p.name != "self"]
    return str(call.replace(parameters=parameters, return_annotation=call.empty))


@pytest.mark.parametrize("cls", [LocalServer, ServerInfo, ServerStatus])
def test_every_public_member_is_named(cls: type) -> None:
    assert members(cls) - NAMED == set()


def test_calls_have_the_documented_parameters_and_defaults() -> None:
    methods = {
        name: bare(inspect.signature(method))
        for name, method in inspect.getmembers(LocalServer, inspect.isfunction)
        if not name.startswith("_")
    }
    assert dict(re.findall(r"^\| `(\w+)(\([^`]*\))` \|", TEXT, re.MULTILINE)) == {
        "LocalServer": bare(inspect.signature(LocalServer)),
        **methods,
    }
    assert f"does not answer yet** after {server.START_SECONDS:g} s" in TEXT


def test_every_public_name_and_version_is_named() -> None:
    assert set(local.__all__) - NAMED == set()
    assert [version for version in SUPPORTED_VERSIONS if version not in TEXT] == []


def test_every_environment_variable_is_named() -> None:
    package = Path(local.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py")))
    read = set(re.findall(r'"(GRAPH_MEMORY_[A-Z]+)"', code))
    assert read - NAMED == set()
    assert {name for name in NAMED if name.startswith("GRAPH_MEMORY_")} - read == set()
