"""The command that answers a question in English."""

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
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in English.")],
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="INSTANT", help="The instant in valid time. Default: the question's, else now."
        ),
    ] = None,
    known_at: KnownAt = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="KEY", help="The entity asked about. Default: the one that it names."),
    ] = None,
    attribute: Annotated[
        str | None,
        typer.Option("--attribute", metavar="NAME", help="The attribute asked for. Default: the one it names."),
    ] = None,
    tokens: Annotated[
        int, typer.Option("--tokens", metavar="N", help="The answer takes at most N tokens in a prompt.")
    ] = 1000,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Print only the text for the prompt of a language model.")
    ] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Read the question by rules, without a language model.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also print what each step found, and why.")] = False,
) -> None:
    """Answer a question from recorded facts, with sources. Search the episodes only where no fact answers.

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
    if not found.answered:
        nothing = not (found.facts or found.related or found.evidence)
        raise typer.Exit(exit_codes.NOTHING if nothing else exit_codes.UNANSWERED)
