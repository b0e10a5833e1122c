"""Walks, ways, surroundings and changes as tables and lists for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from graph_memory.cli.output import plain
from graph_memory.cli.render import layout, ledger
from graph_memory.cli.render.layout import NOTE_STYLE, VALUE_STYLE, Listing
from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from graph_memory.domain.records import Edge, Fact, Node, Subgraph
    from graph_memory.graph.records import Neighborhood, Path, Paths
    from graph_memory.ledger.records import ChangeEvent, Difference

_CUT = "The limit cut it short: raise --limit to see more."
_UNSEEN = "There may be more: raise --limit, or ask for fewer steps or some relations only."


def subgraph(item: Subgraph) -> RenderableType:
    """Return what a traversal found: its edges, then its nodes."""
    parts = [_edges(item.edges), Text(""), _nodes(item.nodes)] if item.edges else [_nodes(item.nodes)]
    return Group(*parts, *_note(_CUT, item.truncated))


def neighborhood(item: Neighborhood) -> RenderableType:
    """Return what holds of an entity, then the edges around it with their quotes, then the nodes."""
    parts: list[RenderableType] = []
    if item.facts:
        facts = Listing("Attribute", "Value", "Type", "Valid", "Episode", "Fact", "Quote", prose=("Quote",))
        for fact in item.facts:
            facts.add(
                fact.attribute,
                ledger.value(fact),
                ledger.kind_of_value(fact),
                ledger.validity(fact),
                fact.episode_id,
                plain(fact.id, NOTE_STYLE),
                item.quotes.get(fact.id),
            )
        parts += [facts, Text("")]
    if item.edges:
        parts += [_edges(item.edges, item.quotes), Text("")]
    return Group(*parts, _nodes(item.nodes), *_note(_CUT, item.truncated))


def _edges(items: Iterable[Edge], quotes: dict[str, str] | None = None) -> RenderableType:
    quoted = () if quotes is None else ("Quote",)
    rows = Listing("Subject", "Relation", "Object", "Valid", "Episode", "Fact", *quoted, prose=quoted)
    for edge in items:
        rows.add(
            edge.subject,
            edge.attribute,
            plain(edge.object, VALUE_STYLE),
            layout.interval(edge.valid_from, edge.valid_to),
            edge.episode_id,
            plain(edge.fact_id, NOTE_STYLE),
            *(() if quotes is None else (quotes.get(edge.fact_id),)),
        )
    return rows


def _nodes(items: Iterable[Node]) -> RenderableType:
    rows = Listing("Depth", "Entity", "Name", "Kinds")
    for node in items:
        rows.add(str(node.depth), plain(node.key, VALUE_STYLE), node.name, ", ".join(node.kinds))
    return rows


def _note(words: str, wanted: bool) -> list[RenderableType]:
    return [plain(words, "yellow")] if wanted else []


def paths(item: Paths) -> RenderableType:
    """Return ways, each on a line, and below it the facts that it takes."""
    parts: list[RenderableType] = []
    for path in item.paths:
        parts += [_way(path), _edges(path.edges), Text("")] if path.edges else [_way(path), Text("")]
    return Group(*parts[:-1], *_note(_UNSEEN, item.truncated))


def _way(path: Path) -> Text:
    way = plain(path.nodes[0].key, VALUE_STYLE)
    for edge, node in zip(path.edges, path.nodes[1:], strict=True):
        arrow = f" -{edge.attribute}-> " if edge.object == node.key else f" <-{edge.attribute}- "
        way.append_text(plain(arrow)).append_text(plain(node.key, VALUE_STYLE))
    return way


def changes(items: Sequence[ChangeEvent]) -> RenderableType:
    """Return changes, one a row."""
    rows = Listing(
        "At", "Change", "Subject", "Attribute", "Before", "After", "Episode", "Fact", "Reason", prose=("Reason",)
    )
    for item in items:
        rows.add(
            format_instant(item.at),
            item.kind.value,
            item.fact.subject,
            item.fact.attribute,
            _held(item.before),
            _held(item.after),
            item.episode_id,
            plain(item.fact.id, NOTE_STYLE),
            item.reason,
        )
    return rows


def differences(items: Sequence[Difference]) -> RenderableType:
    """Return what is otherwise, one attribute or value a row."""
    rows = Listing("Attribute", "Before", "After", "Episode before", "Episode after")
    for item in items:
        rows.add(
            item.attribute,
            _held(item.before),
            _held(item.after),
            None if item.before is None else item.before.episode_id,
            None if item.after is None else item.after.episode_id,
        )
    return rows


def holders(items: Sequence[Fact]) -> RenderableType:
    """Return facts of many subjects, one a row."""
    rows = Listing("Subject", "Attribute", "Value", "Valid", "Source", "Episode", "Fact")
    for item in items:
        rows.add(
            item.subject,
            item.attribute,
            ledger.value(item),
            ledger.validity(item),
            item.source,
            item.episode_id,
            plain(item.id, NOTE_STYLE),
        )
    return rows


def _held(fact: Fact | None) -> Text | None:
    return None if fact is None else ledger.value(fact)
