"""Commands that read the memory of one tenant."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.options import At, Attribute, FactId, KnownAt, Subject
from graph_memory.cli.output import complain
from graph_memory.cli.render import ledger
from graph_memory.cli.session import Session
from graph_memory.errors import NotFoundError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graph_memory import Fact, Tenant

T = TypeVar("T")
Instant = Annotated[
    str,
    typer.Argument(metavar="INSTANT", help="A date (midnight UTC), or an instant such as 2026-06-01T09:00:00Z."),
]

_commands = Commands("Read")
register = _commands.register


@_commands.command("current")
def current(session: Session, subject: Subject, attribute: Attribute) -> None:
    """Show what holds now, by the database's clock.

    Example: graph-memory current mira passport_deadline -t acme
    """
    tenant = session.tenant()
    found = tenant.current(subject, attribute)
    _give(session, found, _cited(tenant), f"nothing is known of {attribute} of {subject} now", (tenant, subject))


@_commands.command("as-of")
def as_of(session: Session, subject: Subject, attribute: Attribute, at: Instant, known_at: KnownAt = None) -> None:
    """Show what held at an instant, as known now or as known at --known-at.

    Example: graph-memory as-of mira passport_deadline 2026-06-02 -t acme
    """
    tenant = session.tenant()
    found = tenant.as_of(subject, attribute, at, known_at)
    _give(
        session, found, _cited(tenant), f"nothing is known of {attribute} of {subject} at {at}", (tenant, subject)
    )


@_commands.command("values")
def values(
    session: Session, subject: Subject, attribute: Attribute, at: At = None, known_at: KnownAt = None
) -> None:
    """Show the values of an attribute that has many values at a time.

    Example: graph-memory values mira likes -t acme
    """
    tenant = session.tenant()
    found = tenant.values(subject, attribute, at, known_at)
    nothing = f"nothing is known of {attribute} of {subject} {_when(at)}"
    _give(session, found, ledger.facts, nothing, (tenant, subject))


@_commands.command("state")
def state(session: Session, subject: Subject, at: At = None, known_at: KnownAt = None) -> None:
    """Show all facts that hold about a subject.

    Example: graph-memory state mira --at 2026-06-04 -t acme
    """
    tenant = session.tenant()
    found = tenant.state(subject, at, known_at)
    _give(
        session,
        found,
        ledger.state,
        f"nothing is known of {subject} {_when(at)}",
        (tenant, subject),
    )


@_commands.command("history")
def history(
    session: Session,
    subject: Subject,
    attribute: Attribute,
    known_at: KnownAt = None,
    coalesce: Annotated[bool, typer.Option("--coalesce", help="Join touching segments of equal value.")] = False,
) -> None:
    """Show which value held when, in the order of time, with ends.

    Example: graph-memory history mira passport_deadline -t acme
    """
    tenant = session.tenant()
    found = tenant.history(subject, attribute, known_at, coalesce)
    _give(session, found, ledger.facts, f"nothing is known of {attribute} of {subject}", (tenant, subject))


@_commands.command("explain")
def explain(session: Session, fact_id: FactId) -> None:
    """Show who stated a fact in which words, what the fact replaced, and what replaced it.

    Example: graph-memory explain 5c0d7be1a2f84e6f9b3a64d2c7e81f05 -t acme
    """
    session.output.give(session.tenant().explain(fact_id), ledger.explanation)


@_commands.command("search")
def search(
    session: Session,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The words to look for.")],
    k: Annotated[int, typer.Option("--count", "-k", metavar="N", help="Show at most N episodes.")] = 10,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="text, vector or hybrid. Default: hybrid where GRAPH_MEMORY_EMBEDDINGS is set, else text.",
        ),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only episodes of this kind; repeat for more."),
    ] = None,
    sources: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME", help="Only episodes from this source; repeat for more."),
    ] = None,
    of_session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="Only episodes of this conversation.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="INSTANT", help="Only episodes said at this instant or later.")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="INSTANT", help="Only episodes said before this instant.")
    ] = None,
    about: Annotated[
        str | None,
        typer.Option(
            "--about", metavar="KEY", help="Only episodes behind facts about this entity, or that refer to it."
        ),
    ] = None,
    at: At = None,
    known_at: KnownAt = None,
) -> None:
    """Search the episodes. An episode is evidence, and may be out of date.

    The search compares vectors too where GRAPH_MEMORY_EMBEDDINGS names a model.

    Example: graph-memory search "passport deadline" -t acme
    """
    found = session.tenant().search(
        query,
        k,
        mode=mode,  # type: ignore[arg-type]
        kinds=kinds or None,
        sources=sources or None,
        session=of_session,
        between=(start, end),
        about=about,
        at=at,
        known_at=known_at,
    )
    _give(session, found, ledger.evidence, f"no episode matches {query!r}")


@_commands.command("entity")
def entity(
    session: Session, key: Annotated[str, typer.Argument(metavar="KEY", help="Key of the entity.")]
) -> None:
    """Show an entity's name, aliases and kinds.

    Example: graph-memory entity mira -t acme
    """
    session.output.give(session.tenant().entity(key), ledger.entity)


@_commands.command("episode")
def episode(session: Session, id: Annotated[str, typer.Argument(metavar="ID", help="Id of the episode.")]) -> None:
    """Show an episode with all of its fields.

    Example: graph-memory episode e1 -t acme
    """
    session.output.give(session.tenant().episode(id), ledger.episode)


def _cited(tenant: Tenant) -> Callable[[Fact], RenderableType]:
    """Return a function that renders a fact with its first quote."""
    return lambda fact: ledger.fact(fact, next(iter(tenant.citations(fact.id)), None))


def _when(at: str | None) -> str:
    return "now" if at is None else f"at {at}"


def _give(
    session: Session,
    found: T | None,
    shown: Callable[[T], RenderableType],
    nothing: str,
    about: tuple[Tenant, str] | None = None,
) -> None:
    """Print the result. Where it is empty, print `nothing` for people, and exit with the code NOTHING.

    Where the key of `about` is no entity's, people also read whose name it is.
    """
    if found:
        session.output.give(found, shown)
        return
    if session.output.json:
        session.output.document(found)
    else:
        complain(nothing[:1].upper() + nothing[1:] + ".")
        try:
            if about is not None:
                tenant, subject = about
                tenant.entity(subject)
        except NotFoundError as error:
            complain(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    raise typer.Exit(exit_codes.NOTHING)
