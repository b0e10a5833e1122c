"""Typed values as text and as JSON, on the command line, in files and in output (docs/cli.md, "Values")."""

from __future__ import annotations

import re
from datetime import date, datetime

from graph_memory.domain.instants import format_instant, parse_instant
from graph_memory.domain.values import Ref, Value, check_value, value_type
from graph_memory.errors import InvalidInputError

TYPES = "str, int, float, bool, date, datetime, ref or ref:Kind"

_INT = re.compile(r"[+-]?\d+")
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# A guess accepts less than a type: 007 is more likely a code than a number, and "1." the start of a list.
_PLAIN_INT = re.compile(r"-?(0|[1-9]\d*)")
_PLAIN_FLOAT = re.compile(r"-?(0|[1-9]\d*)(\.\d+([eE][+-]?\d+)?|[eE][+-]?\d+)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}.*")
_BOOLS = {"true": True, "false": False}


def from_text(text: str, type_name: str) -> Value:
    """Return the value of the named type that `text` stands for.

    Raises:
        InvalidInputError: there is no such type, or `text` is not a value of it.
    """
    if type_name == "str":
        return check_value(text)
    if type_name == "int":
        if not _INT.fullmatch(text):
            raise _not_a(text, "an int, such as 42")
        return check_value(_int(text))
    if type_name == "float":
        if not _FLOAT.fullmatch(text):
            raise _not_a(text, "a float, such as 2.5")
        return check_value(float(text))
    if type_name == "bool":
        if text not in _BOOLS:
            raise _not_a(text, "a bool: write true or false")
        return _BOOLS[text]
    if type_name == "date":
        return _date(text)
    if type_name == "datetime":
        if _DATE.fullmatch(text):
            raise _not_a(text, "a datetime, such as 2026-06-01T09:00:00Z; for a date use the type date")
        return parse_instant(text, "value")
    kind = _ref_kind(type_name)
    return check_value(Ref(text, kind))


def guess(text: str) -> Value:
    """Return the value that `text` most likely means: a bool, int, float, date or datetime, else a str.

    Raises:
        InvalidInputError: the text has the form of a date or a datetime, but is not a valid one.
    """
    if text in _BOOLS:
        return _BOOLS[text]
    if _PLAIN_INT.fullmatch(text) and len(text) <= 20 and -(2**63) <= int(text) < 2**63:
        return int(text)
    if _PLAIN_FLOAT.fullmatch(text) and float(text) not in (float("inf"), float("-inf")):
        return check_value(float(text))
    try:
        if _DATE.fullmatch(text):
            return _date(text)
        if _DATETIME.fullmatch(text):
            return parse_instant(text, "value")
    except InvalidInputError as error:
        raise InvalidInputError(f"{error} (or store it as text with the type str)") from None
    return check_value(text)


def from_json(value: object, type_name: str | None) -> Value:
    """Return a value from parsed JSON.

    Without a type name the type of the JSON value counts: a date in quotes stays a str. With one, a number may
    stand in quotes, since some programs cannot write every number.

    Raises:
        InvalidInputError: the value is null, a list or an object, or not of the type; or there is no such type.
    """
    if value is None or isinstance(value, list | dict):
        found = "null" if value is None else "a list" if isinstance(value, list) else "an object"
        raise InvalidInputError(
            f"value is {found}: give text, a number or a boolean, and value_type for other types ({TYPES})"
        )
    if type_name is None:
        return check_value(value)
    if isinstance(value, str):
        return from_text(value, type_name)
    if type_name == "float" and isinstance(value, int) and not isinstance(value, bool):
        return check_value(_float(value))
    if type_name in ("int", "float", "bool") and type(value).__name__ == type_name:
        return check_value(value)
    _check_type_name(type_name)
    raise InvalidInputError(f"value {value!r} is not of the type {type_name!r}: write it as text in quotes")


def to_text(value: Value) -> str:
    """Return a value as `from_text` reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return format_instant(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def type_of(value: Value | None) -> str | None:
    """Return the name of a value's type, as `from_text` takes it; None for None, the value of an end."""
    return None if value is None else value_type(value)


def _date(text: str) -> date:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise _not_a(text, "a date of the calendar, such as 2026-07-15")


def _int(text: str) -> int:
    # Python refuses to convert a text of some thousands of digits; 64 bits need twenty.
    if len(text) > 40:
        raise InvalidInputError(f"value {text[:20]}... does not fit in 64 bits: give it as text")
    return int(text)


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        raise InvalidInputError("value is too large for a float: give it as text") from None


def _ref_kind(type_name: str) -> str | None:
    _check_type_name(type_name)
    return type_name.partition(":")[2] or None


def _check_type_name(type_name: str) -> None:
    name, colon, kind = type_name.partition(":")
    plain = name in ("str", "int", "float", "bool", "date", "datetime") and not colon
    if not plain and (name != "ref" or (colon and not kind)):
        raise InvalidInputError(f"there is no type {type_name!r}: the types are {TYPES}")


def _not_a(text: str, what: str) -> InvalidInputError:
    shown = text if len(text) <= 60 else f"{text[:60]}..."
    return InvalidInputError(f"value {shown!r} is not {what}")
