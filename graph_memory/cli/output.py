"""Output of commands: results on standard output, as tables or JSON; messages on standard error."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

T = TypeVar("T")

# Columns of a table in a pipe: wide enough that a row is one line for grep, narrow enough to read a longer row.
PIPED_WIDTH = 400
# Control characters could rewrite the terminal; direction marks could make a text look like another.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d\ufe0f")


def visible(text: str) -> str:
    """Return text with escapes for the characters that a terminal obeys and does not show."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in "\n\t" or character in _JOINERS or unicodedata.category(character) not in _HIDDEN
        else character.encode("unicode_escape", "backslashreplace").decode("ascii")
        for character in text
    )


def plain(text: object, style: str = "") -> Text:
    """Return text for a table; Rich does not read it as markup."""
    from rich.text import Text

    return Text(visible(str(text)), style=style, overflow="fold")


def jsonable(item: Any) -> Any:
    """Return records, instants and values as JSON types; beside a `value` stands its `value_type`."""
    from graph_memory.candidates.records import Candidate
    from graph_memory.cli import value_parsing
    from graph_memory.domain.records import Fact, Record, WriteReport
    from graph_memory.domain.values import Ref

    if isinstance(item, Record):
        result: dict[str, Any] = {}
        for name, value in item:
            result[name] = jsonable(value)
            if name == "value" and isinstance(item, Fact):
                result["value_type"] = value_parsing.type_of(item.ended_value if item.ended else item.value)
            elif name == "value" and isinstance(item, Candidate):
                result["value_type"] = value_parsing.type_of(item.value)
        return result
    if isinstance(item, WriteReport):
        return jsonable(vars(item))
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
    """Standard output, for people or for programs.

    Attributes:
        json: True: the output is one JSON document and nothing else; False: tables and lists.
    """

    json: bool

    @cached_property
    def console(self) -> Console:
        """The console that prints tables and lists."""
        from rich.console import Console

        wide = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PIPED_WIDTH
        return Console(markup=False, highlight=False, emoji=False, width=wide)

    def give(self, found: T, shown: Callable[[T], RenderableType]) -> None:
        """Print a result: as JSON for programs, as `shown` renders it for people."""
        if self.json:
            self.document(found)
        else:
            self.show(shown(found))

    def show(self, *parts: RenderableType) -> None:
        """Print for people."""
        console = self.console
        for part in parts:
            whole = plain(part) if isinstance(part, str) else part
            if console.is_terminal:
                console.print(whole)
                continue
            # Rich pads the cells of a table with blanks; the reader of a pipe does not need them.
            with console.capture() as captured:
                console.print(whole)
            console.file.writelines(line.rstrip(" ") + "\n" for line in captured.get().split("\n")[:-1])

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


def note_rest(found: Sequence[Any], wanted: str = "--limit N") -> None:
    """Say on standard error where a list stopped at its limit."""
    if getattr(found, "truncated", False):
        complain(f"These are the first {len(found)}; there are more: {wanted} shows them.")
