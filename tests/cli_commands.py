"""The commands of the command line, as it declares them."""

from __future__ import annotations

from typing import Any

import typer

from graph_memory.cli.app import app


def commands(group: Any, before: str = "") -> dict[str, Any]:
    """The commands of a group and of the groups in it, by all the words that call them."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        whole = f"{before} {name}".strip()
        found |= commands(command, whole) if hasattr(command, "commands") else {whole: command}
    return found


COMMANDS = commands(typer.main.get_command(app))
