"""The commands that read one tenant's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli import exits
from graph_memory.cli.options import At, Attribute, FactId, KnownAt, Session, Subject, command
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph_memory import Fact, Tenant

PANEL = "Read"
Instant = Annotated[str, typer.Argument(metavar="INSTANT", help="A date (midnight UTC) or 2026-06-01T09:00:00Z.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""

    @command(app, "current", PANEL)
    def current(session: Session, subject: Subject, attribute: Attribute) -> None:
        """Show what holds now, by the database's clock.

        Example: graph-memory current mira passport_deadline -t acme
        """
        tenant = session.tenant()
        _one(session, tenant, tenant.current(subject, attribute), subject, attribute)

    @command(app, "as-of", PANEL)
    def as_of(
        session: Session, subject: Subject, attribute: Attribute, at: Instant, known_at: KnownAt = None
    ) -> None:
        """Show what held at an instant, as known now or as known by then.

        Example: graph-memory as-of mira passport_deadline 2026-06-02 -t acme
        """
        tenant = session.tenant()
        _one(session, tenant, tenant.as_of(subject, attribute, at, known_at), subject, attribute)

    @command(app, "values", PANEL)
    def values(
        session: Session, subject: Subject, attribute: Attribute, at: At = None, known_at: KnownAt = None
    ) -> None:
        """Show the values of an attribute that may hold many at once.

        Example: graph-memory values mira likes -t acme
        """
        _several(session, session.tenant().values(subject, attribute, at, known_at), subject, attribute)

    @command(app, "state", PANEL)
    def state(session: Session, subject: Subject, at: At = None, known_at: KnownAt = None) -> None:
        """Show all that holds about a subject.

        Example: graph-memory state mira --at 2026-06-04 -t acme
        """
        found = session.tenant().state(subject, at, known_at)
        if session.output.json:
            session.output.document(found)
        elif found:
            from graph_memory.cli import render

            flat = [fact for item in found.values() for fact in (item if isinstance(item, list) else [item])]
            session.output.show(render.facts(flat, session.output))
        _unless(found, session, f"nothing is known about {subject}")

    @command(app, "history", PANEL)
    def history(
        session: Session,
        subject: Subject,
        attribute: Attribute,
        known_at: KnownAt = None,
        coalesce: Annotated[
            bool, typer.Option("--coalesce", help="Join touching intervals of equal value.")
        ] = False,
    ) -> None:
        """Show what held when, in the order of time, ends included.

        Example: graph-memory history mira passport_deadline -t acme
        """
        found = session.tenant().history(subject, attribute, known_at, coalesce)
        _several(session, found, subject, attribute)

    @command(app, "explain", PANEL)
    def explain(session: Session, fact_id: FactId) -> None:
        """Show who said a fact, in which words, what it replaced and what replaced it.

        Example: graph-memory explain 01K0... -t acme
        """
        found = session.tenant().explain(fact_id)
        if session.output.json:
            session.output.document(found)
        else:
            from graph_memory.cli import render

            session.output.show(render.explanation(found))

    @command(app, "traverse", PANEL)
    def traverse(
        session: Session,
        start: Annotated[str, typer.Argument(metavar="START", help="Key of the entity to start from.")],
        relation: Annotated[
            list[str] | None,
            typer.Option(
                "--relation", "-r", metavar="NAME", help="Follow this attribute; repeat for more. Else all."
            ),
        ] = None,
        depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many steps to take.")] = 2,
        at: At = None,
        known_at: KnownAt = None,
        direction: Annotated[str, typer.Option("--direction", metavar="out|in|both", help="Which way.")] = "out",
        limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many edges to show at most.")] = 1000,
    ) -> None:
        """Follow the facts that lead from an entity to others, breadth first.

        Example: graph-memory traverse mira -r employer --depth 3 --at 2026-06-04 -t acme
        """
        from graph_memory.records import Direction

        if direction not in tuple(Direction):
            raise InvalidInputError(f"direction {direction!r} is not allowed: give out, in or both")
        found = session.tenant().traverse(
            start, relation or None, depth, at, known_at, direction=Direction(direction), limit=limit
        )
        if session.output.json:
            session.output.document(found)
        else:
            from graph_memory.cli import render

            session.output.show(render.subgraph(found))

    @command(app, "search", PANEL)
    def search(
        session: Session,
        query: Annotated[str, typer.Argument(metavar="QUERY", help="Words to look for.")],
        k: Annotated[int, typer.Option("--count", "-k", metavar="N", help="How many to show at most.")] = 10,
    ) -> None:
        """Search the text of the episodes. What it finds is evidence, and may be out of date.

        Example: graph-memory search "passport deadline" -t acme
        """
        found = session.tenant().search(query, k)
        if session.output.json:
            session.output.document(found)
        elif found:
            from graph_memory.cli import render
            from graph_memory.cli.output import plain

            rows = render.table("Score", "Episode", "Source", "Recorded", "Text")
            for item in found:
                episode = item.episode
                rows.add_row(
                    f"{item.score:.2f}",
                    plain(episode.id),
                    plain(episode.source),
                    render.instant(episode.recorded_at),
                    plain(episode.text),
                )
            session.output.show(rows)
        _unless(found, session, f"no episode matches {query!r}")

    @command(app, "entity", PANEL)
    def entity(
        session: Session, key: Annotated[str, typer.Argument(metavar="KEY", help="Key of the entity.")]
    ) -> None:
        """Show an entity's name, aliases and kinds.

        Example: graph-memory entity mira -t acme
        """
        found = session.tenant().entity(key)
        if session.output.json:
            session.output.document(found)
        else:
            from graph_memory.cli import render

            session.output.show(render.entity(found))

    @command(app, "episode", PANEL)
    def episode(
        session: Session, id: Annotated[str, typer.Argument(metavar="ID", help="Id of the episode.")]
    ) -> None:
        """Show an episode, whole.

        Example: graph-memory episode e1 -t acme
        """
        found = session.tenant().episode(id)
        if session.output.json:
            session.output.document(found)
        else:
            from graph_memory.cli import render

            session.output.show(render.episode(found))


def _one(session: Session, tenant: Tenant, found: Fact | None, subject: str, attribute: str) -> None:
    if session.output.json:
        session.output.document(found)
    elif found is not None:
        from graph_memory.cli import render

        session.output.show(render.fact(found, next(iter(tenant.explain(found.id).citations), None)))
    _unless(found, session, f"nothing is known of {attribute} of {subject} at that instant")


def _several(session: Session, found: Sequence[Fact], subject: str, attribute: str) -> None:
    if session.output.json:
        session.output.document(found)
    elif found:
        from graph_memory.cli import render

        session.output.show(render.facts(found, session.output))
    _unless(found, session, f"nothing is known of {attribute} of {subject}")


def _unless(found: object, session: Session, message: str) -> None:
    """Leave with the exit code for nothing where nothing was found, and say so to people."""
    if found:
        return
    if not session.output.json:
        from graph_memory.cli.output import complain

        complain(message[:1].upper() + message[1:] + ".")
    raise typer.Exit(exits.NOTHING)
