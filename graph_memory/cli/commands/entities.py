"""Commands that name entities and merge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from graph_memory.cli.command_group import Commands
from graph_memory.cli.render import layout, ledger
from graph_memory.cli.session import Session

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graph_memory.domain.records import Merge

Key = Annotated[str, typer.Argument(metavar="KEY", help="Key of the entity.")]
SaidIn = Annotated[
    str, typer.Option("--episode", "-e", metavar="ID", help="Id of the episode that says so.", show_default=False)
]

_commands = Commands("Entities")
register = _commands.register


@_commands.command("name-entity")
def name_entity(
    session: Session,
    key: Key,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name. Default: the name stays as it is.")
    ] = None,
    alias: Annotated[
        list[str] | None, typer.Option("--alias", metavar="NAME", help="Another name; repeat it for more.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="A kind of the entity, such as Company.")
    ] = None,
) -> None:
    """Give an entity a name, aliases and a kind, so that texts can mention it. Create it if it does not exist.

    Example: graph-memory name-entity globex --name "Globex Corporation" --alias Globex --kind Company -t acme
    """
    session.output.give(session.tenant().name_entity(key, name, alias or (), kind), ledger.entity)


@_commands.command("remove-alias")
def remove_alias(
    session: Session, key: Key, alias: Annotated[str, typer.Argument(metavar="ALIAS", help="The alias to remove.")]
) -> None:
    """Remove an alias of an entity.

    Example: graph-memory remove-alias globex "Globex Holding" -t acme
    """
    session.output.give(session.tenant().remove_alias(key, alias), ledger.entity)


@_commands.command("merge-entities")
def merge_entities(
    session: Session,
    kept: Annotated[str, typer.Argument(metavar="KEPT", help="Key of the entity that remains.")],
    merged: Annotated[str, typer.Argument(metavar="MERGED", help="Key of the entity that is the same.")],
    episode: SaidIn,
) -> None:
    """Merge two entities that are the same: facts and aliases of MERGED move to KEPT. undo-merge undoes it.

    A fact that contradicts a fact of KEPT becomes a candidate for review.

    Example: graph-memory merge-entities globex globex-corp -e e9 -t acme
    """
    session.output.give(session.tenant().merge_entities(kept, merged, episode=episode), _merge)


@_commands.command("undo-merge")
def undo_merge(
    session: Session,
    merge_id: Annotated[
        str, typer.Argument(metavar="MERGE_ID", help="Id of the merge, as graph-memory merges prints it.")
    ],
    episode: SaidIn,
) -> None:
    """Undo a merge: the two entities are two again.

    Example: graph-memory undo-merge 5c0d7be1a2f84e6f9b3a64d2c7e81f05 -e e10 -t acme
    """
    session.output.give(session.tenant().undo_merge(merge_id, episode=episode), _merge)


@_commands.command("merges")
def merges(session: Session) -> None:
    """List the merges of entities in the order of recording, undone merges too.

    Example: graph-memory merges -t acme
    """
    session.output.give(session.tenant().merges(), _merges)


def _merge(item: Merge) -> RenderableType:
    return layout.fields(
        [
            ("kept", item.kept),
            ("merged", item.merged),
            ("episode", item.episode_id),
            ("recorded", layout.instant(item.recorded_at)),
            ("facts moved", str(item.moved)),
            ("aliases gained", ", ".join(item.aliases) or None),
            ("kinds gained", ", ".join(item.kinds) or None),
            ("to review", ", ".join(item.conflicts) or None),
            ("undone", layout.instant(item.undone_at)),
            ("undone by episode", item.undone_by),
            ("facts that stayed", ", ".join(item.stayed) or None),
            ("merge", item.id),
        ]
    )


def _merges(items: Sequence[Merge]) -> RenderableType:
    rows = layout.Listing("Kept", "Merged", "Episode", "Recorded", "Undone", "Merge")
    for item in items:
        rows.add(
            item.kept,
            item.merged,
            item.episode_id,
            layout.instant(item.recorded_at),
            layout.instant(item.undone_at),
            item.id,
        )
    return rows
