"""The command that plays the story of the demo on a real database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graph_memory.cli.command_group import Commands
from graph_memory.cli.session import Session
from graph_memory.errors import ConflictError

if TYPE_CHECKING:
    from graph_memory import Episode, Tenant

_commands = Commands("Start here")
register = _commands.register


@_commands.command("demo", tenant=False)
def demo(
    session: Session,
    tenant: Annotated[
        str, typer.Option("--tenant", "-t", metavar="NAME", help="The tenant to play it in.")
    ] = "acme",
) -> None:
    """Play a short story on a real Neo4j: what was true when, who said so, and what replaced it.

    It uses the managed local server and starts it if needed, or the database of --uri. It writes to
    one tenant. It may be run again: it writes nothing twice.

    Example: graph-memory demo
    """
    from graph_memory.cli.demo import story, view
    from graph_memory.local.home import default_home

    # Not the database of NEO4J_URI: nobody wants the story of a demo there.
    memory = session.memory(home=None if session.uri else session.home or default_home())
    acme = memory.tenant(tenant)
    try:
        told = list(story.tell(acme))
    except ConflictError as error:
        raise ConflictError(
            f"tenant {tenant} holds something else than the demo tells ({error}): play it in a tenant of its "
            "own with --tenant, such as --tenant demo",
            error.facts,
        ) from error
    arrived = acme.episode(story.STORY[-1].id)
    if session.output.json:
        session.output.document({"story": [fact for _, fact in told], "answers": list(_documents(acme, arrived))})
        return
    view.opening(session.output, memory.info())
    view.story(session.output, told)
    for number, answer in enumerate(story.ask(acme, arrived), start=1):
        view.answer(session.output, number, answer)
    view.timeline(session.output, acme.history(story.SUBJECT, story.ATTRIBUTE))
    view.ending(session, tenant)


def _documents(tenant: Tenant, arrived: Episode) -> Iterator[dict[str, Any]]:
    from graph_memory.cli.demo import story

    for item in story.ask(tenant, arrived):
        yield {
            "question": item.question,
            "call": item.call,
            "fact": None if item.why is None else item.why.fact,
            "quotes": () if item.why is None else item.why.quotes,
            "found": item.episode,
            "remark": item.remark,
        }
