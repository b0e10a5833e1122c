"""The command that imports a file of episodes and facts."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.output import complain
from graph_memory.cli.session import Session
from graph_memory.cli.signals import PatientInterrupt
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory.cli.importing.loader import Loader, Tally
    from graph_memory.cli.importing.report import Account
    from graph_memory.cli.importing.row_files import Format

_commands = Commands("Write")
register = _commands.register
_FORMATS: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}


@_commands.command("import")
def import_(
    session: Session,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of JSON Lines or CSV; - reads standard input.")
    ],
    file_format: Annotated[
        str | None,
        typer.Option("--format", metavar="jsonl|csv", help="Default: by the file's name; jsonl for -."),
    ] = None,
    many: Annotated[
        list[str] | None,
        typer.Option(
            "--many", metavar="NAME", help="An attribute that has many values at a time; repeat for more."
        ),
    ] = None,
    refused: Annotated[
        Path | None,
        typer.Option("--refused", metavar="FILE", help="Write every refused row to this file, with its reason."),
    ] = None,
    batch_size: Annotated[
        int, typer.Option("--batch-size", metavar="N", min=1, max=10_000, help="Write N rows in a transaction.")
    ] = 1000,
) -> None:
    """Import episodes and facts. It may be interrupted and run again: it writes nothing twice.

    A new attribute has one value at a time, for ever, unless --many names it.

    The exit code is 5 where some rows were refused; the other rows are written.

    Example: graph-memory import facts.jsonl -t acme --many likes --refused refused.jsonl
    """
    # Imported here, so that other commands start faster.
    from graph_memory.cli.importing.loader import Loader
    from graph_memory.cli.importing.report import Account

    chosen = _format(file, file_format)
    account = Account(session.output)
    with ExitStack() as stack:
        stream = sys.stdin.buffer if file == "-" else stack.enter_context(Path(file).open("rb"))
        if refused is not None:
            account.write_to = stack.enter_context(refused.open("w", encoding="utf-8"))
        from graph_memory import Recorded

        tenant = session.tenant(Recorded(*many) if many else None)
        patience = stack.enter_context(PatientInterrupt())
        loader = Loader(tenant, batch_size, account.refuse, patience.writing)
        _run(loader, stream, chosen, account, _declared_types(session))
    if not loader.tally.rows and not session.output.json:
        complain(f"{'Standard input' if file == '-' else file} has no rows.")
    if loader.tally.refused:
        raise typer.Exit(exit_codes.REFUSED)


def _format(file: str, named: str | None) -> Format:
    if named is not None and f".{named}" not in _FORMATS:
        raise InvalidInputError(f"--format {named!r} is unknown: give jsonl or csv")
    if named is not None:
        return _FORMATS[f".{named}"]
    if file == "-":
        return "jsonl"
    suffix = Path(file).suffix.lower()
    if suffix not in _FORMATS:
        raise InvalidInputError(f"the name {file} does not tell the format: give --format jsonl or --format csv")
    return _FORMATS[suffix]


def _declared_types(session: Session) -> dict[str, str]:
    attributes = {} if session.declared is None else session.declared.attributes
    return {name: spec.type for name, spec in attributes.items()}


def _run(loader: Loader, stream: BinaryIO, chosen: Format, account: Account, types: Mapping[str, str]) -> None:
    from graph_memory.cli.importing.row_files import Lines, read_rows

    lines = Lines(stream)
    started = time.monotonic()
    stopped: str | None = "Stopped by an error"
    try:
        with _progress(_size(stream)) as show:
            loader.load(read_rows(lines, chosen, types), lambda tally: show(tally, lines.bytes))
        stopped = None
    except KeyboardInterrupt:
        stopped = "Interrupted"
        raise
    finally:
        account.close(loader.tally, time.monotonic() - started, stopped)


def _size(stream: BinaryIO) -> int | None:
    """Return the size of a regular file in bytes; None for a pipe."""
    status = os.fstat(stream.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[Tally, int], None]]:
    """Show progress on a terminal; yields a function to call with the tally and the bytes read so far."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda tally, done: None
        return
    started = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rows]:,} rows"),
        TextColumn("{task.fields[rate]:,.0f} rows/s"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("Importing", total=size, rows=0, rate=0.0)

        def show(tally: Tally, done: int) -> None:
            rate = tally.rows / max(time.monotonic() - started, 1e-9)
            bar.update(task, completed=done, rows=tally.rows, rate=rate)

        yield show
