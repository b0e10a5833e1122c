"""Checks of the arguments that callers pass to methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from graph_memory.domain.identifiers import attribute_name
from graph_memory.domain.instants import Instant, parse_instant
from graph_memory.errors import InvalidInputError, brief

_Choice = TypeVar("_Choice", bound=StrEnum)


def within(name: str, value: int, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`, both included; raises InvalidInputError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInputError(f"{name} {brief(value)} must be a whole number from {least} to {most}")
    return value


def one_of(choices: type[_Choice], value: _Choice | str, name: str) -> _Choice:
    """Return the enum member that `value` is or names; raises InvalidInputError for anything else."""
    try:
        return choices(value)
    except ValueError:
        *others, last = choices
        raise InvalidInputError(f"{name} {brief(value)} must be {', '.join(others)} or {last}") from None


def optional_instant(value: Instant | None, name: str) -> datetime | None:
    """Return an instant (UTC), or None for None; raises InvalidInputError where the value is not an instant."""
    return None if value is None else parse_instant(value, name)


def listed(name: str, given: object) -> list[Any]:
    """Return an iterable as a list; raises InvalidInputError for text and for anything that is not iterable."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidInputError(f"{name} {brief(given)} must be a list")
    return list(given)


def attribute_names(name: str, given: object) -> list[str]:
    """Return names of attributes, each once, in order; raises InvalidInputError for what is none."""
    return sorted({attribute_name(attribute) for attribute in listed(name, given)})


def fields_of(row: Any, required: Sequence[str], optional: Sequence[str], what: str) -> dict[str, Any]:
    """Return the fields of a row, which is a mapping or an object with attributes of these names.

    Args:
        row: the row, as the caller gave it.
        required: the fields that it must have.
        optional: the fields that it may have; the result leaves out those that it lacks.
        what: the name of such a row in messages.

    Raises:
        InvalidInputError: a field is missing or unknown, or reading the row raises.
    """
    names = (*required, *optional)
    try:
        if isinstance(row, Mapping):
            given = dict(row)
        else:
            given = {name: getattr(row, name) for name in names if hasattr(row, name)}
    except Exception as error:  # a caller's row may raise anything, and must not stop the rest of its batch
        raise InvalidInputError(f"{what} of type {type(row).__name__} cannot be read ({brief(error)})") from None
    unknown = [name for name in given if not isinstance(name, str) or name not in names]
    if unknown:
        raise InvalidInputError(f"unknown field {brief(unknown)}: {what} has {', '.join(names)}")
    missing = [name for name in required if name not in given]
    if missing:
        may = f", and may have {', '.join(optional)}" if optional else ""
        raise InvalidInputError(f"{', '.join(missing)} is missing: {what} has {', '.join(required)}{may}")
    return given
