"""The command-line application: its commands, and the exit code of every run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.commands import (
    ask,
    database,
    demo,
    entities,
    graph,
    imports,
    indexes,
    queue,
    reads,
    remember,
    schema,
    server,
    worker,
    writes,
)
from graph_memory.cli.output import complain
from graph_memory.errors import ConflictError, GraphMemoryError

app = typer.Typer(
    name="graph-memory",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"graph-memory {version('graph-memory')}")
        raise typer.Exit


@app.callback()
def graph_memory(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Memory for AI agents on Neo4j: what was true, when, who said so, and what replaced it.

    Start with: graph-memory demo
    """


demo.register(app)
server.register(app)
writes.register(app)
imports.register(app)
queue.register(app)
worker.register(app)
remember.register(app)
ask.register(app)
reads.register(app)
graph.register(app)
entities.register(app)
database.register(app)
indexes.register(app)
schema.register(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (docs/cli.md, "Exit codes")."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="graph-memory")
        code = exit_codes.OK
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else exit_codes.FAILED
    except GraphMemoryError as error:
        complain(f"Error: {error}")
        for fact in error.facts if isinstance(error, ConflictError) else ():
            if fact.id not in str(error):
                complain(f"  stored: fact {fact.id}, from episode {fact.episode_id}")
        code = exit_codes.code_of(error)
    except OSError as error:
        complain(f"Error: {error.filename or 'input or output'}: {error.strerror or error}")
        code = exit_codes.FAILED
    return _flushed(code)


def _flushed(code: int) -> int:
    """Flush standard output; where the reader closed the pipe, keep Python from printing an error at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.FAILED
    return code


def main() -> NoReturn:
    """Entry point of the command `graph-memory`."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal's encoding lacks is printed as an escape and does not end the command.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(run())
