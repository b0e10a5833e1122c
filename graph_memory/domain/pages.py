"""Lists that say whether they stopped at a limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Page(list[T]):
    """A list of the first so many.

    Attributes:
        truncated: whether there are more.
    """

    def __init__(self, items: Iterable[T] = (), truncated: bool = False) -> None:
        super().__init__(items)
        self.truncated = truncated


def page_of(found: list[T], limit: int) -> Page[T]:
    """Return the first so many of what was looked for with one more than that."""
    return Page(found[:limit], truncated=len(found) > limit)
