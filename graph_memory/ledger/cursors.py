"""Where a reader of changes is: behind one change, or before all of an instant. Pure: no database."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.domain.instants import from_micros, to_micros
from graph_memory.errors import InvalidInputError, brief
from graph_memory.ledger.records import Clock

Place = tuple[str | int, ...]
"""What orders the changes of one instant."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the changes of a tenant by one of the clocks.

    Attributes:
        clock: by which the changes are told.
        at: microseconds since 1970.
        place: of the last change of that instant that was given; None: none of them was.
    """

    clock: Clock
    at: int
    place: Place | None = None

    @property
    def instant(self) -> datetime:
        """The instant from which on there is something to read."""
        return from_micros(self.at)

    @property
    def order(self) -> tuple[int, bool, Place]:
        """By which positions of one clock are ordered."""
        return self.at, self.place is not None, self.place or ()

    def precedes(self, at: int, place: Place) -> bool:
        """Whether a change is still to come."""
        return (at, True, place) > self.order

    def text(self) -> str:
        """Return the cursor: text without meaning to anybody else."""
        content = json.dumps([self.clock.value, self.at, self.place], separators=(",", ":"))
        return base64.urlsafe_b64encode(content.encode()).decode().rstrip("=")


def before(clock: Clock, at: datetime) -> Position:
    """Return the place before all changes of an instant."""
    return Position(clock, to_micros(at))


def position(cursor: str, clock: Clock) -> Position:
    """Return the place that a cursor tells.

    Raises:
        InvalidInputError: it is no cursor, or one by the other clock.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        name, at, place = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        found = Position(Clock(name), _integer(at), None if place is None else _place(place))
    except (ValueError, TypeError, binascii.Error):
        raise InvalidInputError(
            f"after {brief(cursor)} is no cursor: give the cursor of what changes() returned, or an instant"
        ) from None
    if found.clock is not clock:
        raise InvalidInputError(f"after is a cursor of changes by={found.clock.value!r}: ask for by that clock")
    return found


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError
    from_micros(value)
    return value


def _place(value: Any) -> Place:
    if not isinstance(value, list) or not all(type(part) in (str, int) for part in value):
        raise ValueError
    return tuple(value)
