"""What a worker shows of itself: a bar on a terminal, lines elsewhere, JSON Lines for programs."""

from __future__ import annotations

import json
import logging
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graph_memory.cli.output import Output, complain, visible

if TYPE_CHECKING:
    from graph_memory import WorkerProgress


class WorkerView(logging.Handler):
    """Shows how far a worker is, now and then; also takes what the library logs.

    Args:
        output: where the results go.
        every: seconds between two lines.
    """

    def __init__(self, output: Output, every: float) -> None:
        super().__init__(logging.WARNING)
        self._output = output
        self._every = every
        self._last = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Self:
        from rich.console import Console

        console = Console(stderr=True)
        if console.is_terminal and not self._output.json:
            self._bar = _bar(console)
            self._bar.start()
        logging.getLogger("graph_memory").addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger("graph_memory").removeHandler(self)
        if self._bar is not None:
            self._bar.stop()

    def show(self, progress: WorkerProgress) -> None:
        """Show how far it is, where it is time to."""
        if self._bar is not None:
            task = self._bar.task_ids[0]
            total = None if progress.queued is None else progress.done + progress.failed + progress.queued
            self._bar.update(task, completed=progress.done + progress.failed, total=total, said=summary(progress))
        elif time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            if self._output.json:
                self._write(progress)
            else:
                complain(summary(progress))

    def end(self, progress: WorkerProgress) -> None:
        """Show what was done in the end."""
        if self._output.json:
            self._write(progress)
        else:
            self._output.show(summary(progress))

    def say(self, text: str) -> None:
        """Say something else, on standard error."""
        if self._bar is None:
            complain(text)
        else:
            self._bar.console.print(visible(text), markup=False, highlight=False, soft_wrap=True)

    def emit(self, record: logging.LogRecord) -> None:
        """Say what was logged; a traceback is for those who configure logging themselves."""
        self.say(record.getMessage())

    def _write(self, progress: WorkerProgress) -> None:
        sys.stdout.write(json.dumps(progress.model_dump()) + "\n")
        sys.stdout.flush()


def summary(progress: WorkerProgress) -> str:
    """Return how far a worker is, in a line; what did not occur is left out."""
    parts = [f"{progress.done:,} done", f"{progress.rate:,.1f} a second", f"{progress.committed:,} facts"]
    parts += [
        f"{number:,} {what}"
        for number, what in (
            (progress.for_review, "for review"),
            (progress.refused, "refused"),
            (progress.retried, "tried again"),
            (progress.failed, "failed"),
            (progress.lost, "taken over by others"),
            (progress.running, "in work"),
        )
        if number
    ]
    if progress.queued is not None:
        parts.append(f"{progress.queued:,} in the queue")
    if progress.away:
        parts.append("waiting for the database")
    return ", ".join(parts)


def _bar(console: Any) -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
        TextColumn("{task.fields[said]}", markup=False),
        console=console,
    )
    bar.add_task("", total=None, said="")
    return bar
