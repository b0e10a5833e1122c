"""The values that a fact may have: their types, when two are the same, and how Neo4j stores them.

`True`, `1`, `1.0` and `"1"` are four different values. Two references are the same when their entity keys are;
the kind is a label on the entity and does not count.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from graph_memory.domain import identifiers
from graph_memory.domain.instants import format_instant, parse_instant
from graph_memory.errors import InvalidInputError, brief

MAX_VALUE_CHARACTERS = 65_536
_INT64 = range(-(2**63), 2**63)


_Target = TypeVar("_Target", default=Any)


@dataclass(frozen=True, slots=True)
class Ref(Generic[_Target]):
    """A reference to an entity. To declare an attribute that refers to one kind, write `Ref[Company]`.

    Attributes:
        key: the entity's key within the tenant.
        kind: the entity's kind, such as `Company`; it becomes a label. Comparisons ignore it.
    """

    key: str
    kind: str | None = field(default=None, compare=False)


Value: TypeAlias = bool | int | float | str | date | datetime | Ref
Stored: TypeAlias = bool | int | float | str | date | datetime
_TYPES = "str, int (64 bit), float, bool, date, an aware datetime, or Ref(key)"


def check_value(value: object) -> Value:
    """Return `value` as one of the types that a fact may hold, in its canonical form.

    Datetimes become UTC, -0.0 becomes 0.0, enum members become their value, and a reference's key becomes NFC.

    Raises:
        InvalidInputError: the value has another type, or is NaN, infinite, an integer beyond 64 bits, a naive
            datetime, or text that is too long or holds a lone surrogate.
    """
    if isinstance(value, Enum):
        return check_value(value.value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value not in _INT64:
            raise InvalidInputError(
                f"value {brief(value)} does not fit in 64 bits, which hold -2**63 to 2**63 - 1: give it as text"
            )
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInputError(f"value {value} is not a finite number: leave this fact out")
        return float(value) + 0.0
    if isinstance(value, str):
        return _check_text(identifiers.plain_text(value))
    if isinstance(value, datetime):
        return parse_instant(value, "value")
    if isinstance(value, date):
        return parse_instant(value, "value").date()
    if isinstance(value, Ref):
        kind = None if value.kind is None else identifiers.kind_name(value.kind)
        return Ref(identifiers.entity_key(value.key), kind)
    raise InvalidInputError(f"value {brief(value)} is a {_type_name(value)}: a fact may hold {_TYPES}")


def _type_name(value: object) -> str:
    """Return the name of a value's type, with its module where it is of another's (`numpy.bool`)."""
    own = type(value)
    return own.__qualname__ if own.__module__ == "builtins" else f"{own.__module__}.{own.__qualname__}"


def _check_text(text: str) -> str:
    if len(text) > MAX_VALUE_CHARACTERS:
        raise InvalidInputError(
            f"value {brief(text)} has {len(text)} characters; at most {MAX_VALUE_CHARACTERS} are allowed: record "
            "the text as an episode and assert a short value"
        )
    check_encodable(text, "value")
    return text


def check_encodable(text: str, what: str) -> None:
    """Raise InvalidInputError when text holds a lone surrogate, which no database can store."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{what} holds a lone surrogate (character {error.start}), which is not valid Unicode text: "
            "decode the source with the right encoding"
        ) from None


def value_type(value: Value) -> str:
    """Return the name of a value's type as the database stores it; for a reference with a kind, `ref:Kind`."""
    if isinstance(value, Ref):
        return "ref" if value.kind is None else f"ref:{value.kind}"
    return type(value).__name__


def identity(value: Value) -> tuple[str, str]:
    """Return a pair that is equal for two values exactly when they are the same value: (type name, text)."""
    if isinstance(value, Ref):
        return "ref", value.key
    if isinstance(value, datetime):
        return "datetime", format_instant(value)
    if isinstance(value, date):
        return "date", value.isoformat()
    return type(value).__name__, value if isinstance(value, str) else repr(value)


def shown(value: Value) -> str:
    """Return a value as messages show it: text in quotes, any other value followed by its type's name."""
    kind, text = identity(value)
    return brief(text) if kind == "str" else f"{text} ({kind})"


def value_digest(value: Value) -> str:
    """Return a short text that differs for each value: its type and the SHA-256 of its text."""
    kind, text = identity(value)
    return f"{kind}:{hashlib.sha256(text.encode()).hexdigest()}"


def to_property(value: Value) -> Stored:
    """Return the value as a Neo4j property: a reference becomes its key, any other value stays as it is."""
    return value.key if isinstance(value, Ref) else value


def from_property(stored_type: str, stored: Any) -> Value:
    """Return the value of a property: the inverse of `to_property` and `value_type`."""
    if stored_type.startswith("ref"):
        _, _, kind = stored_type.partition(":")
        return Ref(str(stored), kind or None)
    if not isinstance(stored, bool | int | float | str | date | datetime):
        stored = stored.to_native()  # a date or datetime of the driver
    if isinstance(stored, datetime):
        return stored.astimezone(UTC)
    assert isinstance(stored, bool | int | float | str | date), stored
    return stored
