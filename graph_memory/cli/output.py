"""Where results go: standard output, as tables for people or JSON for programs; else standard error."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from graph_memory.instants import format_instant

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

# Wide enough that a line stays one line for grep, narrow enough that a long value does not pad every row.
PIPED_WIDTH = 400
# Controls could rewrite the terminal, and direction marks could make text read as other text.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d\ufe0f")


def visible(text: str) -> str:
    """Return text with what a terminal would obey instead of showing written as an escape."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in "\n\t" or character in _JOINERS or unicodedata.category(character) not in _HIDDEN
        else character.encode("unicode_escape", "backslashreplace").decode("ascii")
        for character in text
    )


def plain(text: object, style: str = "") -> Text:
    """Return text for a table, never read as markup."""
    from rich.text import Text

    return Text(visible(str(text)), style=style, overflow="fold")


def jsonable(item: Any) -> Any:
    """Return records, instants and values as what JSON can hold; a `value` brings its `value_type`."""
    from graph_memory.cli import typed
    from graph_memory.records import Fact, Record
    from graph_memory.values import Ref

    if isinstance(item, Record):
        result: dict[str, Any] = {}
        for name, value in item:
            result[name] = jsonable(value)
            if name == "value" and isinstance(item, Fact):
                result["value_type"] = typed.type_of(item.ended_value if item.ended else item.value)
        return result
    if isinstance(item, dict):
        return {name: jsonable(value) for name, value in item.items()}
    if isinstance(item, Enum):
        return item.value
    if isinstance(item, datetime):
        return format_instant(item)
    if isinstance(item, date):
        return item.isoformat()
    if isinstance(item, Ref):
        return item.key
    if isinstance(item, str) or not isinstance(item, Iterable):
        return item
    return [jsonable(part) for part in item]


@dataclass(frozen=True)
class Output:
    """Standard output in one of its two forms.

    Attributes:
        json: whether programs read it: one JSON document, and nothing else.
    """

    json: bool

    @cached_property
    def console(self) -> Console:
        """The console for people."""
        from rich.console import Console

        wide = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PIPED_WIDTH
        return Console(markup=False, highlight=False, emoji=False, width=wide)

    def show(self, *parts: RenderableType) -> None:
        """Print for people."""
        for part in parts:
            self.console.print(plain(part) if isinstance(part, str) else part)

    def fits(self, part: RenderableType) -> bool:
        """Whether this would be printed without folding a line."""
        unbounded = self.console.options.update(max_width=100 * PIPED_WIDTH)
        return self.console.measure(part, options=unbounded).maximum <= self.console.width

    def document(self, item: Any) -> None:
        """Print one JSON document."""
        document = jsonable(item)
        text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
        try:
            text.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            text = json.dumps(document, indent=2, allow_nan=False)
        sys.stdout.write(text + "\n")


def complain(message: str) -> None:
    """Print a line for people on standard error."""
    encoding = sys.stderr.encoding or "ascii"
    sys.stderr.write(visible(message).encode(encoding, "backslashreplace").decode(encoding) + "\n")
