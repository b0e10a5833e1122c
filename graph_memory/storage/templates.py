"""The Cypher templates: one per file under `cypher/`, each with a header that says what it answers.

A header is the comment at the top of a file:

    // What it answers, in a sentence or two.
    // Parameters:
    //   name: type and meaning              (or `// Parameters: none`)
    // Columns: what it returns              (or `none`)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_PARAMETER = re.compile(r"\$(?!(?:all|any)\()(\w+)")  # `$all(...)` names labels, not a parameter
_DECLARED = re.compile(r"^ {2}(\w+):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Template:
    """One file of `cypher/`.

    Attributes:
        name: folder and file name without the ending, such as `read/as_of`.
        header: the comment at the top of the file, without the slashes.
        text: the statement, or statements separated by semicolons, without the header.
    """

    name: str
    header: str
    text: str

    @property
    def declared(self) -> frozenset[str]:
        """The parameters that the header declares."""
        return frozenset(_DECLARED.findall(self.header))

    @property
    def used(self) -> frozenset[str]:
        """The parameters that the statement uses."""
        return frozenset(_PARAMETER.findall(self.text))

    @property
    def statements(self) -> list[str]:
        """The statements of the file, without the semicolons."""
        return [statement.strip() for statement in self.text.split(";") if statement.strip()]


def _root() -> Traversable:
    packaged = files("graph_memory") / "cypher"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "cypher"


@cache
def template(name: str) -> Template:
    """Return a template by folder and name, such as `read/as_of`; raises LookupError where there is none."""
    try:
        lines = (_root() / f"{name}.cypher").read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise LookupError(f"no Cypher template {name!r}: there are {', '.join(template_names())}") from None
    header = [line[2:].removeprefix(" ") for line in lines if line.startswith("//")]
    body = [line for line in lines if not line.startswith("//")]
    return Template(name, "\n".join(header), "\n".join(body).strip())


def template_names(folder: str | None = None) -> list[str]:
    """Return the names of all templates, or of those in one folder, in order."""
    folders = [_root() / folder] if folder else [f for f in _root().iterdir() if f.is_dir()]
    return sorted(
        f"{f.name}/{file.name.removesuffix('.cypher')}"
        for f in folders
        for file in f.iterdir()
        if file.name.endswith(".cypher")
    )
