"""Records of the database as tables and lists: attributes, indexes, its version, and what verify found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from graph_memory.cli.output import plain
from graph_memory.cli.render.layout import Listing, fields
from graph_memory.domain.wording import counted

if TYPE_CHECKING:
    from graph_memory.ledger.records import VerifyReport
    from graph_memory.storage.records import AttributeInfo, DatabaseInfo, IndexInfo


def attributes(items: Sequence[AttributeInfo]) -> RenderableType:
    """Return attributes with their cardinalities."""
    rows = Listing("Attribute", "Cardinality")
    for item in items:
        rows.add(item.name, item.cardinality.value)
    return rows


def database(item: DatabaseInfo) -> RenderableType:
    """Return the address, version, edition, migrations and indexes of the database."""
    rows = [(name, getattr(item, name)) for name in ("address", "version", "edition")]
    searched = [(f"{index.kind} index", _index_in_words(index)) for index in item.indexes]
    return fields([*rows, ("migrations", ", ".join(item.migrations)), *searched])


def indexes(items: Sequence[IndexInfo]) -> RenderableType:
    """Return the indexes that searches use, one a line."""
    return fields([(f"{item.kind} index", _index_in_words(item)) for item in items])


def _index_in_words(item: IndexInfo) -> str:
    made = item.language or f"{item.embedder}, {item.dimension} numbers"
    missing = f", missing for {counted(item.missing, 'episode')}" if item.missing else ""
    building = f"; being rebuilt as {item.building}" if item.building else ""
    left = f", {counted(item.left, 'episode')} left" if item.left else ""
    return f"{made}{missing}{building}{left}"


def report(item: VerifyReport, repair: bool) -> RenderableType:
    """Return how much of the graph was compared with the ledger, where they differ, and what a repair mended."""
    number = (counted(item.slots, "slot"), counted(item.facts, "fact"), counted(item.edges, "edge"))
    compared = plain(f"Compared {', '.join(number)}.")
    if not item.problems:
        return Group(compared, plain("Nothing differs."))
    rows = Listing("Tenant", "Problem", "Detail", "Repaired", prose=("Detail",))
    for problem in item.problems:
        rows.add(problem.tenant, problem.kind, problem.detail, "yes" if problem.repaired else "no")
    if item.clean:
        return Group(compared, rows)
    hint = (
        "What was not repaired is wrong in the ledger itself, which a repair does not change: retract the fact "
        "that is named and assert it anew, or restore a backup."
        if repair
        else "Run graph-memory verify --repair to rebuild the graph from the ledger."
    )
    return Group(compared, rows, plain(hint))
