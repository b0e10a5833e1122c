"""The commands about the whole database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli import exits
from graph_memory.cli.options import Session, command

if TYPE_CHECKING:
    from graph_memory import VerifyReport

PANEL = "Database"


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""

    @command(app, "tenants", PANEL, tenant=False)
    def tenants(session: Session) -> None:
        """List the tenants, one a line.

        Example: graph-memory tenants --json
        """
        found = session.memory().tenants()
        if session.output.json:
            session.output.document(found)
        else:
            session.output.show(*found)

    @command(app, "attributes", PANEL, tenant=False)
    def attributes(session: Session) -> None:
        """List the attributes in use, and whether each holds one value at a time or many.

        Example: graph-memory attributes
        """
        found = session.memory().attributes()
        if session.output.json:
            session.output.document(found)
            return
        from graph_memory.cli import render

        rows = render.table("Attribute", "Cardinality")
        for item in found:
            rows.add_row(item.name, item.cardinality.value)
        session.output.show(rows)

    @command(app, "info", PANEL, tenant=False)
    def info(session: Session) -> None:
        """Show the database's address, version and migrations.

        Example: graph-memory info --uri bolt://db:7687
        """
        found = session.memory().info()
        if session.output.json:
            session.output.document(found)
            return
        from graph_memory.cli import render

        rows = [(name, getattr(found, name)) for name in ("address", "version", "edition")]
        session.output.show(render.fields([*rows, ("migrations", ", ".join(found.migrations))]))

    @command(app, "verify", PANEL, tenant=False)
    def verify(
        session: Session,
        tenant: Annotated[
            str | None,
            typer.Option("--tenant", "-t", metavar="NAME", help="Only this tenant. Else all of them."),
        ] = None,
        repair: Annotated[bool, typer.Option("--repair", help="Rebuild what differs from the ledger.")] = False,
    ) -> None:
        """Compare the graph's edges and labels with the ledger.

        Leaves with 6 where something is wrong and was not repaired.

        Example: graph-memory verify --repair
        """
        from rich.console import Console

        with Console(stderr=True).status("Comparing the graph with the ledger"):
            report = session.memory().verify(tenant, repair)
        if session.output.json:
            session.output.document({**dict(report), "clean": report.clean})
        else:
            _show(session, report)
        if not report.clean:
            raise typer.Exit(exits.UNSOUND)


def _show(session: Session, report: VerifyReport) -> None:
    from graph_memory.cli import render
    from graph_memory.cli.output import plain

    session.output.show(f"{report.slots:,} slots, {report.facts:,} facts, {report.edges:,} edges compared.")
    if not report.problems:
        session.output.show("Nothing differs.")
        return
    rows = render.table("Tenant", "Problem", "Detail", "Repaired")
    for problem in report.problems:
        rows.add_row(
            plain(problem.tenant),
            plain(problem.kind),
            plain(problem.detail),
            "yes" if problem.repaired else "no",
        )
    session.output.show(rows)
    if not report.clean:
        session.output.show("Run graph-memory verify --repair to rebuild them from the ledger.")
