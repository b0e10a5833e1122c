"""Commands about the whole database."""

from __future__ import annotations

from typing import Annotated

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.render import database, layout
from graph_memory.cli.session import Session

_commands = Commands("Database")
register = _commands.register


@_commands.command("tenants", tenant=False)
def tenants(session: Session) -> None:
    """List the tenants, one a line.

    Example: graph-memory tenants --json
    """
    session.output.give(session.memory().tenants(), layout.lines)


@_commands.command("attributes", tenant=False)
def attributes(session: Session) -> None:
    """List the attributes in use, and whether each has one value at a time or many.

    The first use of an attribute decides that, for all tenants and for ever.

    Example: graph-memory attributes
    """
    session.output.give(session.memory().attributes(), database.attributes)


@_commands.command("info", tenant=False)
def info(session: Session) -> None:
    """Show the database's address, version and migrations.

    Example: graph-memory info --uri bolt://db:7687
    """
    session.output.give(session.memory().info(), database.database)


@_commands.command("verify", tenant=False)
def verify(
    session: Session,
    tenant: Annotated[
        str | None,
        typer.Option("--tenant", "-t", metavar="NAME", help="Check only this tenant. Default: all tenants."),
    ] = None,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild from the ledger what differs.")] = False,
) -> None:
    """Compare the graph's edges, labels and marks with the ledger.

    The exit code is 6 where something differs and was not repaired.

    Example: graph-memory verify --repair
    """
    from rich.console import Console

    with Console(stderr=True).status("Comparing the graph with the ledger"):
        report = session.memory().verify(tenant, repair)
    if session.output.json:
        session.output.document({**dict(report), "clean": report.clean})
    else:
        session.output.show(database.report(report, repair))
    if not report.clean:
        raise typer.Exit(exit_codes.UNSOUND)
