"""How large rows are, so that a batch of large ones is split before the server has to hold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MAX_BATCH_BYTES = 4_000_000
"""From this many bytes of text on a transaction takes no further row, however few it has."""

_OTHER = 8


def size_of(row: Any, most: int) -> int:
    """Return about how many bytes a row takes, nested values included, and `most` where it takes more.

    A row that cannot be read counts as nothing: it is refused when it is checked.

    Args:
        row: a mapping, or an object with attributes; it may be anything, as it is not checked yet.
        most: where to stop counting (bytes).
    """
    try:
        return _size(_fields(row), most)
    except Exception:  # whatever the row's own class raises
        return 0


def _size(fields: Any, most: int) -> int:
    size = 0
    waiting: list[Any] = [fields]
    while waiting and size < most:
        value = waiting.pop()
        if isinstance(value, str):
            size += len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, bytes | bytearray):
            size += len(value)
        else:
            size += _OTHER
            if isinstance(value, Mapping):
                waiting += (*value.keys(), *value.values())
            elif isinstance(value, list | tuple | set | frozenset):
                waiting += value
    return min(size, most)


def _fields(row: Any) -> Any:
    if isinstance(row, Mapping | tuple):
        return row
    slots: str | Iterable[str] = getattr(type(row), "__slots__", ())
    names = (slots,) if isinstance(slots, str) else slots
    return [*getattr(row, "__dict__", {}).values(), *(getattr(row, name, None) for name in names)]
