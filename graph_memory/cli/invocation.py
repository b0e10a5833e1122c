"""The command by which a user can call the program again."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

NAME = "graph-memory"


def command_line(*arguments: str, home: Path | None = None) -> str:
    """Return a command that the user's shell understands.

    Args:
        *arguments: the command and what follows it.
        home: of the managed local server that the user named; None: none was named.
    """
    named = () if home is None else ("--home", str(home))
    return " ".join([_called(), *map(shlex.quote, (*arguments, *named))])


def _called() -> str:
    if shutil.which(NAME):
        return NAME
    # An environment that is not activated: its path, whole, since the shell may be in another folder.
    started = Path(sys.argv[0])
    if started.stem == NAME:
        return shlex.quote(str(started.absolute()))
    if started.absolute() == Path(__file__).with_name("__main__.py"):
        return f"{shlex.quote(sys.executable)} -m graph_memory.cli"
    return NAME
