"""Records as tables and lists for people. User text is printed whole and never read as markup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from graph_memory.cli import typed
from graph_memory.cli.output import Output, plain
from graph_memory.instants import format_instant

if TYPE_CHECKING:
    from graph_memory.records import Citation, Entity, Episode, Explanation, Fact, Subgraph

VALUE_STYLE = "bold"
NOTE_STYLE = "dim"


def table(*headings: str) -> Table:
    """Return an empty table, without lines between columns, so that what is copied is what was stored."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=False)
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made


def fields(pairs: Iterable[tuple[str, RenderableType | None]]) -> Table:
    """Return names beside their values; pairs with None are left out."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=NOTE_STYLE, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        if value is not None:
            grid.add_row(name, plain(value) if isinstance(value, str) else value)
    return grid


def instant(when: datetime | None) -> str | None:
    """Return an instant as text; None stays None."""
    return None if when is None else format_instant(when)


def interval(start: datetime, end: datetime | None) -> str:
    """Return a half-open interval, such as [2026-05-30T08:00:00Z, 2026-06-01T09:00:00Z)."""
    return f"[{format_instant(start)}, {'unbounded' if end is None else format_instant(end)})"


def validity(fact: Fact) -> str:
    """Return the segment in which a fact holds, or that it holds nowhere."""
    return "nowhere" if fact.valid_from == fact.valid_to else interval(fact.valid_from, fact.valid_to)


def value(fact: Fact) -> Text:
    """Return a fact's value for people."""
    if fact.value is None:
        which = "" if fact.ended_value is None else f": {typed.to_text(fact.ended_value)}"
        return plain(f"(ended{which})", NOTE_STYLE)
    return plain(typed.to_text(fact.value), VALUE_STYLE)


def kind_of_value(fact: Fact) -> str:
    """Return the type of a fact's value, or of the one that ended; empty where neither is."""
    return typed.type_of(fact.ended_value if fact.ended else fact.value) or ""


def fact(item: Fact, citation: Citation | None = None) -> RenderableType:
    """Return one fact, with the words that say it where they are known."""
    heading = plain(f"{item.subject} · {item.attribute}")
    return Group(heading, fields(_fact_fields(item, citation)))


def _fact_fields(item: Fact, citation: Citation | None) -> Iterable[tuple[str, RenderableType | None]]:
    yield "value", value(item)
    yield "type", kind_of_value(item) or None
    yield "valid", validity(item)
    yield "source", f"{item.source}, episode {item.episode_id}"
    yield "quote", None if citation is None or citation.quote is None else citation.quote
    yield "recorded", format_instant(item.recorded_at)
    yield "retracted", instant(item.retracted_at)
    yield "supersedes", item.supersedes
    yield "fact", item.id


def facts(items: Sequence[Fact], output: Output) -> RenderableType:
    """Return facts, one a row, or one below the other where a row would be folded."""
    rows = fact_rows(items)
    if output.fits(rows):
        return rows
    return Group(*(Padding(fact(item), (0, 0, 1, 0), expand=False) for item in items))


def fact_rows(items: Sequence[Fact]) -> Table:
    """Return facts, one a row."""
    made = table("Attribute", "Value", "Type", "Valid", "Source", "Episode", "Fact")
    for item in items:
        made.add_row(
            plain(item.attribute),
            value(item),
            kind_of_value(item),
            validity(item),
            plain(item.source),
            plain(item.episode_id),
            plain(item.id, NOTE_STYLE),
        )
    return made


def episode(item: Episode) -> RenderableType:
    """Return an episode, whole."""
    return fields(
        [
            ("episode", item.id),
            ("text", plain(item.text, VALUE_STYLE)),
            ("source", item.source),
            ("kind", item.kind),
            ("session", item.session),
            ("occurred", instant(item.occurred_at)),
            ("recorded", format_instant(item.recorded_at)),
            ("retention", item.retention),
            ("metadata", json.dumps(item.metadata, ensure_ascii=False) if item.metadata else None),
        ]
    )


def entity(item: Entity) -> RenderableType:
    """Return an entity."""
    return fields(
        [
            ("entity", plain(item.key, VALUE_STYLE)),
            ("name", item.name),
            ("aliases", ", ".join(item.aliases) or None),
            ("kinds", ", ".join(item.kinds) or None),
        ]
    )


def explanation(item: Explanation) -> RenderableType:
    """Return why a fact is in the ledger and what became of it."""
    first = item.citations[0] if item.citations else None
    parts: list[RenderableType] = [fact(item.fact, first)]
    parts.append(fields(_fate(item)))
    parts.append(Text(""))
    cited = table("Episode", "Source", "Recorded", "Quote", "Text")
    for citation in item.citations:
        cited.add_row(
            plain(citation.episode.id),
            plain(citation.episode.source),
            format_instant(citation.recorded_at),
            plain(citation.quote or ""),
            plain(citation.episode.text),
        )
    parts.append(cited)
    return Group(*parts)


def _fate(item: Explanation) -> Iterable[tuple[str, RenderableType | None]]:
    yield "since", instant(item.since)
    yield "asserted", interval(item.fact.asserted_from, item.fact.until)
    if item.replaced is not None:
        yield f"replaced ({item.replaced_as})", brief(item.replaced)
    for successor in item.replaced_by:
        yield "replaced by", brief(successor)
    if item.retracted_by is not None:
        yield "retracted by", brief(item.retracted_by)
    if item.retraction_episode is not None:
        yield "retracted by episode", item.retraction_episode.id
    yield "retraction reason", item.retraction_reason


def brief(item: Fact) -> Text:
    """Return a fact on one line."""
    return Text.assemble(
        value(item),
        plain(f"  from {format_instant(item.asserted_from)}, episode {item.episode_id}, fact {item.id}"),
    )


def subgraph(item: Subgraph) -> RenderableType:
    """Return what a traversal found: its edges, then its nodes."""
    edges = table("Subject", "Relation", "Object", "Valid", "Episode", "Fact")
    for edge in item.edges:
        edges.add_row(
            plain(edge.subject),
            plain(edge.attribute),
            plain(edge.object, VALUE_STYLE),
            interval(edge.valid_from, edge.valid_to),
            plain(edge.episode_id),
            plain(edge.fact_id, NOTE_STYLE),
        )
    nodes = table("Depth", "Entity", "Name", "Kinds")
    for node in item.nodes:
        nodes.add_row(str(node.depth), plain(node.key, VALUE_STYLE), plain(node.name), ", ".join(node.kinds))
    parts: list[RenderableType] = [edges, Text(""), nodes] if item.edges else [nodes]
    if item.truncated:
        parts.append(plain("The limit cut it short: raise --limit to see more.", "yellow"))
    return Group(*parts)
