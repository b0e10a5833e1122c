"""The command line that calls this program again, for hints to the user."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

NAME = "graph-memory"


def command_line(*arguments: str, home: Path | None = None) -> str:
    """Return a command line of this program, quoted for a POSIX shell.

    Args:
        *arguments: the command and its arguments.
        home: the folder of the managed local server that the user gave; None: the user gave none.
    """
    named = () if home is None else ("--home", str(home))
    return " ".join([_called(), *map(shlex.quote, (*arguments, *named))])


def _called() -> str:
    if shutil.which(NAME):
        return NAME
    # The virtual environment is not activated. The path is absolute, since the shell may be in another folder.
    started = Path(sys.argv[0])
    if started.stem == NAME:
        return shlex.quote(str(started.absolute()))
    if started.absolute() == Path(__file__).with_name("__main__.py"):
        return f"{shlex.quote(sys.executable)} -m graph_memory.cli"
    return NAME
