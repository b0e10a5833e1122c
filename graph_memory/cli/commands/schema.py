"""Commands about schemas: show one, check it against the database, and compare two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli.command_group import Commands
from graph_memory.cli.render import schema
from graph_memory.cli.session import Session
from graph_memory.errors import NotFoundError

if TYPE_CHECKING:
    from graph_memory import SchemaInfo

_commands = Commands("Database", group="schema", help="Show, check and compare schemas.")
register = _commands.register


@_commands.command("show", tenant=False, schema=True)
def show(
    session: Session,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME[/VERSION]]", help="A stored schema; without a version the newest."),
    ] = None,
) -> None:
    """Show the stored schema NAME, else the schema of --schema; without both, list the stored schemas.

    Example: graph-memory schema show --schema app/memory.py:schema
    """
    if name is not None:
        info = _stored(session, name)
        session.output.give(info, lambda found: schema.schema(found.declaration, found.recorded_at))
    elif session.declared is not None:
        session.output.give(session.declared.registered(), schema.schema)
    else:
        session.output.give(session.memory().schemas(), schema.schemas)


@_commands.command("check", tenant=False, schema=True)
def check(session: Session) -> None:
    """Check that the schema of --schema fits the database. This stores and starts nothing.

    The exit code is 2 where the schema is not valid or does not fit the database; the message tells why.

    Example: graph-memory schema check --schema app.memory:schema
    """
    from graph_memory.schema.compatibility import require_cardinalities, require_same

    schema = session.require_schema()
    session.require_running()
    memory = session.memory(with_schema=False)
    stored = {info.version: info for info in memory.schemas() if info.name == schema.name}
    if schema.version in stored:
        require_same(schema, stored[schema.version].declaration)
    require_cardinalities(schema, {info.name: info.cardinality for info in memory.attributes()})
    known = schema.version in stored
    found = {"schema": schema.label, "stored": known, "versions": sorted(stored)}
    when = "it is stored" if known else "it will be stored when a program opens the database with it"
    session.output.give(found, lambda _: f"{schema.label} fits the database: {when}.")


@_commands.command("diff", tenant=False, schema=True)
def diff(
    session: Session,
    before: Annotated[
        str | None,
        typer.Argument(metavar="[NAME[/VERSION]]", help="A stored schema. Default: the newest with the name."),
    ] = None,
    after: Annotated[
        str | None,
        typer.Argument(metavar="[NAME[/VERSION]]", help="A stored schema. Default: the one of --schema."),
    ] = None,
) -> None:
    """Show how two schemas differ: a stored schema and the one of --schema, or two stored schemas.

    Example: graph-memory schema diff --schema app.memory:schema

    Example: graph-memory schema diff assistant/1 assistant/2
    """
    from graph_memory.schema.differences import differences

    new = session.require_schema().registered() if after is None else _stored(session, after).declaration
    old = _stored(session, before or new["name"]).declaration
    labels = {place: f"{one['name']}/{one['version']}" for place, one in (("before", old), ("after", new))}
    session.output.give({**labels, "differences": differences(old, new)}, schema.difference)


def _stored(session: Session, label: str) -> SchemaInfo:
    """Return the stored schema of a name, or of a name and version."""
    found = session.memory(with_schema=False).schemas()
    exact = [info for info in found if f"{info.name}/{info.version}" == label]
    named = [info for info in found if info.name == label]
    if not exact and not named:
        raise NotFoundError(f"no schema {label} is stored: graph-memory schema show lists the stored schemas")
    return (exact or named)[-1]
