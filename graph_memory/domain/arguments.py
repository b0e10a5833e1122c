"""Checks of what a method is given."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from graph_memory.domain.identifiers import attribute_name
from graph_memory.domain.instants import Instant, parse_instant
from graph_memory.errors import InvalidInputError, brief

_Choice = TypeVar("_Choice", bound=StrEnum)


def within(name: str, value: int, least: int, most: int) -> int:
    """Return a whole number of a range, both ends included; raises InvalidInputError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInputError(f"{name} {brief(value)} must be a whole number from {least} to {most}")
    return value


def one_of(choices: type[_Choice], value: _Choice | str, name: str) -> _Choice:
    """Return a member of an enum, given or named; raises InvalidInputError for anything else."""
    try:
        return choices(value)
    except ValueError:
        *others, last = choices
        raise InvalidInputError(f"{name} {brief(value)} must be {', '.join(others)} or {last}") from None


def optional_instant(value: Instant | None, name: str) -> datetime | None:
    """Return an instant (UTC), or None for None; raises InvalidInputError for what is no instant."""
    return None if value is None else parse_instant(value, name)


def listed(name: str, given: object) -> list[Any]:
    """Return an iterable as a list; raises InvalidInputError for text and for what cannot be iterated."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidInputError(f"{name} {brief(given)} must be a list")
    return list(given)


def attribute_names(name: str, given: object) -> list[str]:
    """Return names of attributes, each once, in order; raises InvalidInputError for what is none."""
    return sorted({attribute_name(attribute) for attribute in listed(name, given)})
