"""Commands that read across facts: traversals, paths, neighborhoods, changes and holders of a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.option_values import optional_value
from graph_memory.cli.options import At, Attribute, KnownAt, Subject, TypeName
from graph_memory.cli.output import complain, note_rest
from graph_memory.cli.render import graph
from graph_memory.cli.session import Session
from graph_memory.domain.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graph_memory import Changes

Relation = Annotated[
    list[str] | None,
    typer.Option("--relation", "-r", metavar="NAME", help="Follow this attribute; repeat for more. Default: all."),
]
OfKind = Annotated[
    list[str] | None,
    typer.Option(
        "--kind", metavar="NAME", help="Visit only entities of this kind; repeat for more. Default: all."
    ),
]
Through = Annotated[
    list[str] | None,
    typer.Option(
        "--through",
        metavar="NAME",
        help="Go on only from entities of this kind, and from the start; repeat for more. Default: from all.",
    ),
]
To = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="NAME",
        help="Show only entities of this kind, and the way to them; repeat for more. Default: all.",
    ),
]
MemoryType = Annotated[
    list[str] | None,
    typer.Option(
        "--memory-type", metavar="NAME", help="Follow facts of this memory type; repeat for more. Default: all."
    ),
]

_commands = Commands("Read")
register = _commands.register


@_commands.command("traverse")
def traverse(
    session: Session,
    start: Annotated[str, typer.Argument(metavar="START", help="Key of the entity to start from.")],
    relation: Relation = None,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Take at most N steps.")] = 2,
    at: At = None,
    known_at: KnownAt = None,
    direction: Annotated[
        str, typer.Option("--direction", metavar="out|in|both", help="Direction of the steps.")
    ] = "out",
    kind: OfKind = None,
    through: Through = None,
    to: To = None,
    memory_type: MemoryType = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Walk at most N edges.")] = 1000,
) -> None:
    """Follow facts from an entity to other entities, breadth first.

    Example: graph-memory traverse mira -r employer --depth 3 --at 2026-06-04 -t acme
    """
    found = session.tenant().traverse(
        start,
        relation or None,
        depth,
        at,
        known_at,
        direction=direction,
        limit=limit,
        kinds=kind or None,
        memory_types=memory_type or None,
        through=through or None,
        to=to or None,
    )
    session.output.give(found, graph.subgraph)


@_commands.command("paths")
def paths(
    session: Session,
    a: Annotated[str, typer.Argument(metavar="FROM", help="Key of the entity to start from.")],
    b: Annotated[str, typer.Argument(metavar="TO", help="Key of the entity to reach.")],
    relation: Relation = None,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Take at most N steps.")] = 4,
    at: At = None,
    known_at: KnownAt = None,
    direction: Annotated[
        str, typer.Option("--direction", metavar="out|in|both", help="Direction of each step.")
    ] = "both",
    kind: OfKind = None,
    memory_type: MemoryType = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Show at most N paths.")] = 10,
) -> None:
    """Show the paths between two entities, the shortest first.

    Example: graph-memory paths mira globex --depth 3 -t acme
    """
    found = session.tenant().paths(
        a,
        b,
        relation or None,
        depth,
        at,
        known_at,
        direction=direction,
        kinds=kind or None,
        memory_types=memory_type or None,
        limit=limit,
    )
    nothing = f"no path leads from {a} to {b} within {counted(depth, 'step')}"
    if found.truncated:
        nothing = f"the search stopped early: it found no path from {a} to {b} within {counted(depth, 'step')}"
    _give(session, found, graph.paths, None if found.paths else nothing)


@_commands.command("neighborhood")
def neighborhood(
    session: Session,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of the entity in the middle.")],
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Take at most N steps.")] = 1,
    at: At = None,
    known_at: KnownAt = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="Show at most N edges and at most N facts.")
    ] = 50,
) -> None:
    """Show the facts of an entity and the entities around it, with quotes.

    Example: graph-memory neighborhood mira -t acme
    """
    session.output.give(session.tenant().neighborhood(key, at, known_at, depth, limit), graph.neighborhood)


@_commands.command("changes")
def changes(
    session: Session,
    since: Annotated[
        str | None, typer.Argument(metavar="[SINCE]", help="The first instant to look at. Else give --after.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="INSTANT", help="The first instant after it. Default: no end.")
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(
            "--after",
            metavar="CURSOR",
            help="Instead of SINCE: read on from the cursor printed last, or begin a feed with an instant.",
        ),
    ] = None,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="KEY", help="Show only facts about this entity.")
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option("--attribute", "-a", metavar="NAME", help="Show only this attribute; repeat for more."),
    ] = None,
    by: Annotated[
        str,
        typer.Option("--by", metavar="recorded|valid", help="Order by recorded time or by valid time."),
    ] = "recorded",
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="NAME",
            help="Show only began, ended, corrected, retracted or confirmed; repeat for more.",
        ),
    ] = None,
    known_at: KnownAt = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Show at most N changes.")] = 1000,
) -> None:
    """Show which facts began, ended, were corrected, retracted or confirmed, in the order of time.

    With --after these are a feed: each change comes once, and none is given before one that may still come. Where
    to read on is told on standard error, and with --json beside the changes.

    Example: graph-memory changes 2026-06-01 --until 2026-07-01 --by valid -t acme
    """
    found = session.tenant().changes(
        since, until, subject, attribute or None, by, kind or None, limit, known_at, after=after
    )
    if after is not None:
        _give_feed(session, found)
        return
    _give(session, found, graph.changes, None if found else f"nothing changed since {since}")
    note_rest(found, f"--limit N, or --after {found.cursor},")


@_commands.command("diff")
def diff(
    session: Session,
    subject: Subject,
    at1: Annotated[str, typer.Argument(metavar="INSTANT1", help="The first instant.")],
    at2: Annotated[str, typer.Argument(metavar="INSTANT2", help="The second instant.")],
    known_at: KnownAt = None,
) -> None:
    """Show which attributes of a subject differ between two instants.

    Example: graph-memory diff mira 2026-06-02 2026-06-04 -t acme
    """
    found = session.tenant().diff(subject, at1, at2, known_at)
    nothing = None if found else f"nothing about {subject} differs between {at1} and {at2}"
    _give(session, found, graph.differences, nothing)


@_commands.command("who-had")
def who_had(
    session: Session,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The value to look for.")],
    type_name: TypeName = None,
    at: At = None,
    known_at: KnownAt = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Show at most N subjects.")] = 1000,
) -> None:
    """Show all subjects that had a value at an instant.

    Example: graph-memory who-had employer globex --type ref --at 2026-06-04 -t acme
    """
    tenant = session.tenant()
    wanted = optional_value(session, attribute, value, type_name)
    assert wanted is not None
    found = tenant.who_had(attribute, wanted, at, known_at, limit)
    when = "has" if at is None else "had"
    nothing = None if found else f"nobody {when} {value} as {attribute} {'now' if at is None else f'at {at}'}"
    _give(session, found, graph.holders, nothing)
    note_rest(found)


def _give_feed(session: Session, found: Changes) -> None:
    """Print changes with where to read on; it is no failure where none has come."""
    if session.output.json:
        beside = {"cursor": found.cursor, "truncated": found.truncated, "complete_until": found.complete_until}
        session.output.document({"changes": found, **beside})
        return
    if found:
        session.output.show(graph.changes(found))
    complain(f"Read on with --after {found.cursor}" + (": there are more." if found.truncated else "."))


def _give(session: Session, found: Any, shown: Callable[[Any], RenderableType], nothing: str | None) -> None:
    """Print the result. Where it is empty, print `nothing` for people, and exit with the code NOTHING."""
    if nothing is None or session.output.json:
        session.output.give(found, shown)
    else:
        complain(nothing[:1].upper() + nothing[1:] + ".")
    if nothing is not None:
        raise typer.Exit(exit_codes.NOTHING)
