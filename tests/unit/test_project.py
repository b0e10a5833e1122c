"""What pyproject.toml declares has code behind it."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "graph_memory"

#: The driver loads it by itself, in place of its own slower code.
NEVER_IMPORTED = {"neo4j_rust_ext"}
#: For those who work on it, and what only puts other extras together.
FOR_DEVELOPERS = {"test", "dev", "all"}


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return dict(tomllib.load(file)["project"])


def modules(requirements: list[str]) -> set[str]:
    """Return the modules that requirements bring, which carry their distributions' names."""
    names = [re.split(r"[^\w.-]", requirement)[0] for requirement in requirements]
    return {name.lower().replace("-", "_") for name in names}


def imported() -> set[str]:
    """Return the top-level modules that the code imports, wherever it does."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def test_every_dependency_is_imported_somewhere() -> None:
    assert modules(project()["dependencies"]) - imported() == set()


def test_every_extra_has_code_that_imports_what_it_brings() -> None:
    extras = project()["optional-dependencies"]
    idle = {
        extra: unused
        for extra, requirements in extras.items()
        if extra not in FOR_DEVELOPERS and (unused := modules(requirements) - imported() - NEVER_IMPORTED)
    }
    assert idle == {}
