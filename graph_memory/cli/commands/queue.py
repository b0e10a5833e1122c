"""Commands about the queue of episodes to extract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.options import Limit
from graph_memory.cli.output import complain, note_rest
from graph_memory.cli.session import Session
from graph_memory.domain.wording import counted
from graph_memory.errors import GraphMemoryError, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from graph_memory import Extraction

_commands = Commands("Write")
register = _commands.register
# One call queues at most this many failed episodes again.
_AT_ONCE = 10_000


@_commands.command("queue")
def queue(
    session: Session,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="STATE", help="queued, running, done or failed. Default: all."),
    ] = None,
    limit: Limit = 100,
) -> None:
    """List the episodes of the queue and those already extracted; the latest change of state comes first.

    An episode that failed too often stays listed, with the reason, until requeue queues it again.

    Example: graph-memory queue --state failed -t acme
    """
    found = session.tenant().extractions(state, limit)
    session.output.give(found, _extractions)
    note_rest(found)


@_commands.command("requeue")
def requeue(
    session: Session,
    episodes: Annotated[
        list[str] | None, typer.Argument(metavar="EPISODE", help="Ids of episodes.", show_default=False)
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Queue all failed episodes again.")] = False,
) -> None:
    """Queue episodes with a new count of attempts: failed ones, ones that wait for a retry, or new ones.

    Example: graph-memory requeue e7 -t acme

    Example: graph-memory requeue --failed -t acme
    """
    if bool(episodes) is failed:
        raise InvalidInputError("give either ids of episodes, or --failed for all failed episodes")
    tenant = session.tenant()
    if failed:
        episodes = [one.episode_id for one in tenant.extractions("failed", _AT_ONCE)]
    queued: list[Extraction] = []
    refused: list[GraphMemoryError] = []
    for id_ in episodes or ():
        try:
            queued.append(tenant.requeue(id_))
        except GraphMemoryError as error:
            if len(episodes or ()) == 1:
                raise
            refused.append(error)
    session.output.give(queued, lambda items: f"Queued {counted(len(items), 'episode')}.")
    for why in refused:
        complain(f"Error: {why}")
    if refused:
        raise typer.Exit(exit_codes.code_of(refused[0]))


def _extractions(items: Sequence[Extraction]) -> RenderableType:
    from graph_memory.cli.output import plain
    from graph_memory.cli.render.layout import VALUE_STYLE, Listing, instant

    rows = Listing("State", "Episode", "About", "Attempts", "Changed", "Due", "Worker", "Error", prose=("Error",))
    for item in items:
        rows.add(
            item.state.value,
            plain(item.episode_id, VALUE_STYLE),
            item.about,
            str(item.attempts),
            instant(item.changed_at),
            instant(item.due_at),
            item.worker,
            item.error,
        )
    return rows
