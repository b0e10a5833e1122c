"""Layout that all tables and lists share: rows under headings, names beside values, instants and intervals.

User text is printed whole and never read as markup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from graph_memory.cli.output import plain
from graph_memory.domain.instants import format_instant

VALUE_STYLE = "bold"
NOTE_STYLE = "dim"
# GAP: blanks between two columns. PROSE_WIDTH: the least width of a column of prose, in cells.
GAP = 3
PROSE_WIDTH = 30


class Listing:
    """Rows under headings. Where a row does not fit the width, its cells stand below each other.

    Args:
        *headings: the headings of the columns.
        prose: the headings of columns whose cells may wrap; they keep at least PROSE_WIDTH cells.
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
        # No lines between columns: copied text is then the text that was stored.
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
    """Return names beside their values, one pair a row; pairs with the value None are left out."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=NOTE_STYLE, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        if value is not None:
            grid.add_row(name, plain(value) if isinstance(value, str) else value)
    return grid


def instant(when: datetime | None) -> str | None:
    """Return an instant as ISO 8601 text in UTC; None stays None."""
    return None if when is None else format_instant(when)


def interval(start: datetime, end: datetime | None) -> str:
    """Return a half-open interval, such as [2026-05-30T08:00:00Z, 2026-06-01T09:00:00Z)."""
    return f"[{format_instant(start)}, {'unbounded' if end is None else format_instant(end)})"


def lines(items: Sequence[str]) -> RenderableType:
    """Return texts, one a line."""
    return Group(*map(plain, items))
