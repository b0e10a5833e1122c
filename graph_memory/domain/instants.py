"""Instants: UTC, at microsecond precision, years 1 to 9999 (docs/time.md).

`parse_instant` checks every instant that enters the library. Inside the library an instant is a `datetime` in the
zone `datetime.timezone.utc`, never in a named zone: Neo4j does not treat one moment written in two zones as equal.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from graph_memory.errors import InvalidInputError, brief

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_INSTANT = datetime(1, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime.max.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
Instant = datetime | date | str
"""An instant as `parse_instant` takes it: an aware datetime, a date (midnight UTC), or ISO 8601 text."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# Python reads hour 24 from 3.14 on, and minutes of an offset up to 99: neither is an instant here.
_TIMESTAMP = re.compile(
    r"(?P<whole>\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):\d{2}(:\d{2})?)([.,](?P<fraction>\d+))?"
    r"(?P<zone>[Zz]|[+-]\d{2}(:?[0-5]\d)?)"
)
_ALLOWED = (
    "give an aware datetime, a date (midnight UTC), or ISO 8601 text with an offset or Z, "
    "such as 2026-06-01T09:00:00Z"
)


def parse_instant(value: Instant, name: str = "instant") -> datetime:
    """Return `value` as a UTC instant.

    Args:
        value: an aware datetime, a date (midnight UTC), or ISO 8601 text: a date, or a date and time with
            an offset or Z.
        name: the parameter's name, for error messages.

    Raises:
        InvalidInputError: naive, not a calendar date, finer than a microsecond, outside years 1 to 9999 once
            converted to UTC, or not to be converted (`pandas.NaT`, a time zone that fails).
    """
    if isinstance(value, str):
        return _to_utc(_from_text(value, name), name)
    if not isinstance(value, date):
        raise InvalidInputError(f"{name} {brief(value)} is not an instant: {_ALLOWED}")
    try:
        return _from_datetime(value, name) if isinstance(value, datetime) else _midnight(value)
    except InvalidInputError:
        raise
    except Exception as error:  # subclasses and time zones of other libraries may raise anything
        raise InvalidInputError(
            f"{name} {brief(value)} cannot be converted to UTC ({brief(error)}): {_ALLOWED}"
        ) from None


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _from_datetime(value: datetime, name: str) -> datetime:
    if value.utcoffset() is None:
        raise InvalidInputError(f"{name} {value.isoformat()} has no time zone: {_ALLOWED}")
    if getattr(value, "nanosecond", 0):  # of pandas, whose timestamps are datetimes that hold more than one
        raise InvalidInputError(
            f"{name} {value.isoformat()} is finer than a microsecond: round it to six digits of a second"
        )
    return _to_utc(value, name)


def _from_text(text: str, name: str) -> datetime:
    stripped = text.strip()
    try:
        if _DATE.fullmatch(stripped):
            return datetime.fromisoformat(stripped).replace(tzinfo=UTC)
        match = _TIMESTAMP.fullmatch(stripped)
        if match is None:
            raise ValueError
        fraction = match["fraction"] or ""
        if fraction[6:].strip("0"):
            raise InvalidInputError(
                f"{name} {brief(text)} is finer than a microsecond: round it to six digits of a second"
            )
        zone = "+00:00" if match["zone"] in "Zz" else match["zone"]
        second = f".{fraction[:6]}" if fraction else ""
        return datetime.fromisoformat(f"{match['whole'].upper()}{second}{zone}")
    except InvalidInputError:
        raise
    except ValueError:
        raise InvalidInputError(f"{name} {brief(text)} is not an instant: {_ALLOWED}") from None


def _to_utc(value: datetime, name: str) -> datetime:
    try:
        utc = value.astimezone(UTC)
    except OverflowError:
        raise InvalidInputError(f"{name} {value.isoformat()} is outside years 1 to 9999 in UTC") from None
    # The driver must get neither a subclass of datetime (pandas, pendulum) nor a zone that is merely equal to UTC.
    return datetime(utc.year, utc.month, utc.day, utc.hour, utc.minute, utc.second, utc.microsecond, tzinfo=UTC)


def format_instant(value: datetime) -> str:
    """Return a UTC instant as ISO 8601 text with Z, without a zero fraction."""
    return value.isoformat().replace("+00:00", "Z")


def to_micros(value: datetime) -> int:
    """Return a UTC instant as microseconds since 1970."""
    return (value - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the UTC instant that lies `micros` microseconds after the start of 1970."""
    return EPOCH + timedelta(microseconds=micros)


def from_optional_micros(micros: int | None) -> datetime | None:
    """Return the UTC instant of a column of microseconds since 1970, or None where the column is null."""
    return None if micros is None else from_micros(micros)


def to_pair(value: datetime) -> tuple[int, int]:
    """Return a UTC instant as (seconds since 1970, nanoseconds), which the driver sends without conversion."""
    since = value - EPOCH
    return since.days * 86_400 + since.seconds, since.microseconds * 1000
