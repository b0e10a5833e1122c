"""The command that extracts queued episodes until a signal stops it."""

from __future__ import annotations

import asyncio
import math
import signal
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.render.worker import WorkerView
from graph_memory.cli.session import Session
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import Worker, WorkerProgress

_LONGEST = 30 * 86_400  # as the library has it, which a look at the help does not import

_commands = Commands("Write")
register = _commands.register


@_commands.command("worker", tenant=False, schema=True)
def worker(
    session: Session,
    tenants: Annotated[
        list[str] | None,
        typer.Option(
            "--tenant", "-t", metavar="NAME", help="Only this tenant's episodes; repeat for more. Default: all."
        ),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="N", min=1, max=1000, help="Extract N episodes at a time.")
    ] = 4,
    lease: Annotated[
        float,
        typer.Option(
            "--lease",
            metavar="SECONDS",
            min=1,
            max=_LONGEST,
            help="If it crashes, others take over after SECONDS.",
        ),
    ] = 120,
    max_attempts: Annotated[
        int,
        typer.Option(
            "--max-attempts", metavar="N", min=1, max=1000, help="After N attempts an episode is failed."
        ),
    ] = 5,
    grace: Annotated[
        float,
        typer.Option(
            "--grace",
            metavar="SECONDS",
            min=0,
            max=_LONGEST,
            help="After a signal to stop, finish within SECONDS.",
        ),
    ] = 30,
    until_empty: Annotated[
        bool, typer.Option("--until-empty", help="Exit when no episode is queued or running.")
    ] = False,
    every: Annotated[
        float,
        typer.Option(
            "--every", metavar="SECONDS", min=0, max=_LONGEST, help="Print a line of progress every SECONDS."
        ),
    ] = 5,
) -> None:
    """Extract the queued episodes, until Ctrl-C or SIGTERM. Any number of workers may run side by side.

    Needs a schema (--schema) and a language model (GRAPH_MEMORY_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY).

    Example: graph-memory worker --schema app/memory.py:schema
    """
    from graph_memory.providers.chat import default_chat_model

    if not all(map(math.isfinite, (lease, grace, every))):
        raise InvalidInputError("--lease, --grace and --every are numbers of seconds")
    session.require_schema()
    llm = default_chat_model()

    async def work() -> WorkerProgress:
        from graph_memory import Worker

        async with await session.memory_to_extract(llm) as memory:
            with WorkerView(session.output, every) as view:
                hand = Worker(
                    memory,
                    concurrency=concurrency,
                    lease=timedelta(seconds=lease),
                    max_attempts=max_attempts,
                    tenants=tenants or None,
                    grace=timedelta(seconds=grace),
                    on_progress=view.show,
                )
                _stop_on_signals(hand, view, grace)
                done = await (hand.run_until_empty() if until_empty else hand.run())
            view.end(done)
            return done

    done = asyncio.run(work())
    if until_empty and done.failed:
        raise typer.Exit(exit_codes.REFUSED)


def _stop_on_signals(
    hand: Worker,
    view: WorkerView,
    grace: float,
    signals: Sequence[signal.Signals] = (signal.SIGINT, signal.SIGTERM),
) -> None:
    """Make the first signal stop the worker within its grace, and the second one stop it at once."""
    stopping = False

    def stop() -> None:
        nonlocal stopping
        hand.stop(timedelta(0) if stopping else None)
        if not stopping:
            view.say(f"Stopping: running episodes have {grace:g} s to finish. Press Ctrl-C again to stop at once.")
        stopping = True

    loop = asyncio.get_running_loop()
    for one in signals:
        loop.add_signal_handler(one, stop)
