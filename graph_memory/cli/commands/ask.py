"""The command that answers a question in words."""

from __future__ import annotations

from typing import Annotated

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.options import KnownAt
from graph_memory.cli.render import context
from graph_memory.cli.session import Session

_commands = Commands("Read")
register = _commands.register


@_commands.command("ask")
def ask(
    session: Session,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In words.")],
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="INSTANT", help="The instant asked about. Else what the question says, else now."
        ),
    ] = None,
    known_at: KnownAt = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="KEY", help="Whom it is about. Else the entity that the question names."),
    ] = None,
    attribute: Annotated[
        str | None,
        typer.Option("--attribute", metavar="NAME", help="What it asks for. Else what the question names."),
    ] = None,
    tokens: Annotated[
        int, typer.Option("--tokens", metavar="N", help="How many tokens the answer may take in a prompt.")
    ] = 1000,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Print what a language model would be given, and nothing else.")
    ] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Ask no language model whom and what the question is about.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell also which step found what, and why.")] = False,
) -> None:
    """Answer a question by what is recorded, with its sources; only where that fails, search what was said.

    Example: graph-memory ask "What was Mira's passport deadline on 2026-06-02?" -t acme
    """
    tenant = session.tenant()
    found = tenant.context(question, at, known_at, about, attribute, tokens, router="rules" if rules else None)
    if session.output.json:
        session.output.document(found if explain else found.model_copy(update={"trace": ()}))
    elif prompt:
        session.output.show(found.render())
    else:
        session.output.show(context.context(found))
    if explain and not session.output.json:
        session.output.show("", context.trace(found.trace))
    if not (found.facts or found.related or found.evidence):
        raise typer.Exit(exit_codes.NOTHING)
