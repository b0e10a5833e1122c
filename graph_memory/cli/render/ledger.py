"""Records as tables and lists for people. User text is printed whole and never read as markup."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from graph_memory.cli import value_parsing
from graph_memory.cli.output import plain
from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from graph_memory.domain.records import Citation, Entity, Episode, Explanation, Fact
    from graph_memory.ledger.records import VerifyReport
    from graph_memory.search.records import Evidence, SupportedFact
    from graph_memory.storage.records import AttributeInfo, DatabaseInfo, IndexInfo

VALUE_STYLE = "bold"
NOTE_STYLE = "dim"
# Blanks between two columns, and the least width of a column of prose.
GAP = 3
PROSE_WIDTH = 30


class Listing:
    """Rows under headings; where a row would be broken, its cells below each other, beside their headings.

    Args:
        *headings: of the columns.
        prose: headings whose cells may be broken, as long as a few words fit on a line.
    """

    def __init__(self, *headings: str, prose: Collection[str] = ()) -> None:
        self._headings = headings
        self._prose = prose
        self._rows: list[list[Text]] = []

    def add(self, *cells: str | Text | None) -> None:
        """Add a row; None is an empty cell."""
        self._rows.append([cell if isinstance(cell, Text) else plain(cell or "") for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._width() > options.max_width:
            for number, row in enumerate(self._rows):
                if number:
                    yield ""
                yield fields((name.lower(), cell) for name, cell in zip(self._headings, row, strict=True) if cell)
            return
        # Without lines between columns, so that what is copied is what was stored.
        made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=False)
        for heading in self._headings:
            made.add_column(heading, overflow="fold", no_wrap=heading not in self._prose)
        for row in self._rows:
            made.add_row(*row)
        yield made

    def _width(self) -> int:
        columns = zip(map(Text, self._headings), *self._rows, strict=True)
        widths = [max(_cells(cell) for cell in column) for column in columns]
        needed = (
            min(width, PROSE_WIDTH) if heading in self._prose else width
            for heading, width in zip(self._headings, widths, strict=True)
        )
        return sum(needed) + GAP * (len(widths) - 1)


def _cells(text: Text) -> int:
    return max(cell_len(line.expandtabs()) for line in text.plain.split("\n"))


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
        which = "" if fact.ended_value is None else f": {value_parsing.to_text(fact.ended_value)}"
        return plain(f"(ended{which})", NOTE_STYLE)
    return plain(value_parsing.to_text(fact.value), VALUE_STYLE)


def kind_of_value(fact: Fact) -> str:
    """Return the type of a fact's value, or of the one that ended; empty where neither is."""
    return value_parsing.type_of(fact.ended_value if fact.ended else fact.value) or ""


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


def facts(items: Iterable[Fact]) -> RenderableType:
    """Return facts, one a row."""
    rows = Listing("Attribute", "Value", "Type", "Valid", "Source", "Episode", "Fact")
    for item in items:
        rows.add(
            item.attribute,
            value(item),
            kind_of_value(item),
            validity(item),
            item.source,
            item.episode_id,
            plain(item.id, NOTE_STYLE),
        )
    return rows


def state(items: Mapping[str, Fact | list[Fact]]) -> RenderableType:
    """Return all that holds about a subject, one fact a row."""
    return facts(fact for held in items.values() for fact in (held if isinstance(held, list) else [held]))


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
            ("merged into", item.merged_into),
        ]
    )


def explanation(item: Explanation) -> RenderableType:
    """Return why a fact is in the ledger and what became of it."""
    first = item.citations[0] if item.citations else None
    cited = Listing("Episode", "Source", "Recorded", "Quote", "Text", prose=("Quote", "Text"))
    for citation in item.citations:
        cited.add(
            citation.episode.id,
            citation.episode.source,
            format_instant(citation.recorded_at),
            citation.quote,
            citation.episode.text,
        )
    return Group(fact(item.fact, first), fields(_fate(item)), Text(""), cited)


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
    """Return a fact in a few words."""
    return Text.assemble(
        value(item),
        plain(f"  from {format_instant(item.asserted_from)}, episode {item.episode_id}, fact {item.id}"),
    )


def evidence(items: Sequence[Evidence]) -> RenderableType:
    """Return what a search found, one episode a row."""
    rows = Listing("Score", "Episode", "Source", "Said", "Words", "Supports", prose=("Words", "Supports"))
    for item in items:
        said = item.episode
        when = format_instant(said.said_at)
        facts = Text("\n").join(supported(one) for one in item.facts)
        rows.add(f"{item.score:.2f}", said.id, said.source, when, item.quote or said.text, facts)
    return rows


def supported(item: SupportedFact) -> Text:
    """Return a fact that an episode supports in a few words, and whether it is still so."""
    fact = item.fact
    text = Text.assemble(plain(f"{fact.subject} {fact.attribute} "), value(fact))
    return text if item.holds else text.append(" (no longer so)", NOTE_STYLE)


def lines(items: Sequence[str]) -> RenderableType:
    """Return texts, one a line."""
    return Group(*map(plain, items))


def attributes(items: Sequence[AttributeInfo]) -> RenderableType:
    """Return attributes with their cardinalities."""
    rows = Listing("Attribute", "Cardinality")
    for item in items:
        rows.add(item.name, item.cardinality.value)
    return rows


def database(item: DatabaseInfo) -> RenderableType:
    """Return what is known of the database."""
    rows = [(name, getattr(item, name)) for name in ("address", "version", "edition")]
    searched = [(f"{index.kind} index", _index_in_words(index)) for index in item.indexes]
    return fields([*rows, ("migrations", ", ".join(item.migrations)), *searched])


def indexes(items: Sequence[IndexInfo]) -> RenderableType:
    """Return the indexes of searches, one a line."""
    return fields([(f"{item.kind} index", _index_in_words(item)) for item in items])


def _index_in_words(item: IndexInfo) -> str:
    made = item.language or f"{item.embedder}, {item.dimension} numbers"
    missing = f", missing for {item.missing} episodes" if item.missing else ""
    building = f"; being rebuilt as {item.building}" if item.building else ""
    left = f", {item.left} episodes left" if item.left else ""
    return f"{made}{missing}{building}{left}"


def report(item: VerifyReport) -> RenderableType:
    """Return what a comparison of the graph with the ledger found."""
    compared = plain(f"{item.slots:,} slots, {item.facts:,} facts, {item.edges:,} edges compared.")
    if not item.problems:
        return Group(compared, plain("Nothing differs."))
    rows = Listing("Tenant", "Problem", "Detail", "Repaired", prose=("Detail",))
    for problem in item.problems:
        rows.add(problem.tenant, problem.kind, problem.detail, "yes" if problem.repaired else "no")
    hint = [] if item.clean else [plain("Run graph-memory verify --repair to rebuild them from the ledger.")]
    return Group(compared, rows, *hint)
