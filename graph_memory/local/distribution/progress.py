"""The progress bar of a download."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def fetch_progress(console: Console, title: str, jars: int) -> Iterator[Callable[[int, int], None]]:
    """Show a bar over the jars, with the megabytes so far; yields a function to call with new bytes and jars."""
    columns = (
        TextColumn("Fetching {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("jars, {task.fields[megabytes]:.0f} MB"),
        TimeElapsedColumn(),
    )
    fetched = 0
    counting = Lock()
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(title, total=jars, megabytes=0.0)

        def advance(new_bytes: int, new_jars: int) -> None:
            nonlocal fetched
            with counting:
                fetched += new_bytes
                progress.update(task, advance=new_jars, megabytes=fetched / 1e6)

        yield advance
