"""The sizes of rows, by which a batch of large rows is split before it reaches the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MAX_BATCH_BYTES = 4_000_000
"""A transaction that has this many bytes of text takes no further rows."""

_OTHER = 8


def size_of(row: Any, most: int) -> int:
    """Return the approximate size of a row in bytes, nested values included, at most `most`.

    A row that cannot be read counts as 0 bytes; the check of the row refuses it later.

    Args:
        row: a mapping, or an object with attributes. It is not checked yet, so it may be anything.
        most: the size at which counting stops, in bytes.
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
