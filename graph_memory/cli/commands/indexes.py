"""Commands about the indexes that searches use."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from graph_memory.cli.command_group import Commands
from graph_memory.cli.output import complain
from graph_memory.cli.render import database
from graph_memory.cli.session import Session
from graph_memory.domain.wording import counted

_commands = Commands("Database", group="index", help="The indexes that searches use.")
register = _commands.register


@_commands.command("status", tenant=False)
def status(session: Session) -> None:
    """Show the indexes, and how many episodes have no vectors yet.

    Example: graph-memory index status
    """
    session.output.give(session.memory().indexes(), database.indexes)


@_commands.command("update", tenant=False)
def update(
    session: Session,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="For at most N episodes. Default: for all.")
    ] = None,
) -> None:
    """Make the missing vectors. Workers make them too, from time to time.

    Needs the model that made the other vectors (GRAPH_MEMORY_EMBEDDINGS).

    Example: graph-memory index update
    """
    made = session.memory().index_missing(limit)
    session.output.give({"episodes": made}, lambda _: f"Made vectors for {counted(made, 'episode')}.")


@_commands.command("rebuild", tenant=False)
def rebuild(
    session: Session,
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="NAME", help="Rebuild the text index, for this language."),
    ] = None,
) -> None:
    """Rebuild an index. Searches use the old index until the new one is complete.

    Without --language, rebuild the vector index with the model of GRAPH_MEMORY_EMBEDDINGS. An interrupted
    rebuild goes on where it stopped.

    Example: graph-memory index rebuild --language german
    """
    memory = session.memory()
    without = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Building", total=None)

        def show(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        if language is not None:
            memory.rebuild_text_index(language, show)
        else:
            without = memory.rebuild_vector_index(show)
    found = memory.indexes()
    if without:
        complain(f"The model made no vectors for {counted(without, 'episode')}.")
    session.output.give(found, database.indexes)
