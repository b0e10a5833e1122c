"""The command line. `main` is the entry point; docs/cli.md describes the commands."""

from graph_memory.cli.app import main

__all__ = ["main"]
