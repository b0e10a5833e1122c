"""The command line.

In: arguments. Out: what the public API answers, as tables or JSON, and an exit code. `main` is the entry point;
docs/cli.md describes the commands.
"""

from graph_memory.cli.app import main

__all__ = ["main"]
