"""What a fact may say: typed values, their identity, and how Neo4j stores them.

`True`, `1`, `1.0` and `"1"` are four different values. A reference is the entity's key; its kind is a
label on the entity and no part of the identity.
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
    """A reference to an entity; in the declaration of an attribute, `Ref[Company]` says of which kind.

    Attributes:
        key: the entity's key within the tenant.
        kind: the entity's kind, such as `Company`; it becomes a label and does not count when compared.
    """

    key: str
    kind: str | None = field(default=None, compare=False)


Value: TypeAlias = bool | int | float | str | date | datetime | Ref
Stored: TypeAlias = bool | int | float | str | date | datetime
_TYPES = "str, int (64 bit), float, bool, date, an aware datetime, or Ref(key)"


def check_value(value: object) -> Value:
    """Return `value` as one of the types that a fact may hold, in its canonical form.

    Datetimes become UTC, -0.0 becomes 0.0, members of an enum become their value, names in a reference NFC.

    Raises:
        InvalidInputError: another type, NaN or infinity, an integer beyond 64 bits, text that is too long
            or holds a lone surrogate, a naive datetime.
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
            raise InvalidInputError(f"value {value} is not a number that can be compared: leave it out")
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
            f"value {brief(text)} has {len(text)} characters and at most {MAX_VALUE_CHARACTERS} are "
            "allowed: record it as an episode and assert a short value"
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
    """Return the name of a value's type as the database keeps it; a reference's may carry its kind."""
    if isinstance(value, Ref):
        return "ref" if value.kind is None else f"ref:{value.kind}"
    return type(value).__name__


def identity(value: Value) -> tuple[str, str]:
    """Return what makes two values the same: the name of the type, and one text for each value of it."""
    if isinstance(value, Ref):
        return "ref", value.key
    if isinstance(value, datetime):
        return "datetime", format_instant(value)
    if isinstance(value, date):
        return "date", value.isoformat()
    return type(value).__name__, value if isinstance(value, str) else repr(value)


def shown(value: Value) -> str:
    """Return a value for a message: text in quotes, the rest as it is written with the name of its type."""
    kind, text = identity(value)
    return brief(text) if kind == "str" else f"{text} ({kind})"


def value_digest(value: Value) -> str:
    """Return a short name for a value, different for each: its type and the SHA-256 of its text."""
    kind, text = identity(value)
    return f"{kind}:{hashlib.sha256(text.encode()).hexdigest()}"


def to_property(value: Value) -> Stored:
    """Return the value as a Neo4j property: native types; of a reference its key."""
    return value.key if isinstance(value, Ref) else value


def from_property(stored_type: str, stored: Any) -> Value:
    """Return the value that `to_property` and `value_type` stored, as the driver reads it."""
    if stored_type.startswith("ref"):
        _, _, kind = stored_type.partition(":")
        return Ref(str(stored), kind or None)
    if not isinstance(stored, bool | int | float | str | date | datetime):
        stored = stored.to_native()  # a date or datetime of the driver
    if isinstance(stored, datetime):
        return stored.astimezone(UTC)
    assert isinstance(stored, bool | int | float | str | date), stored
    return stored
