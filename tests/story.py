"""Short words in which the contract's tests tell what was said and ask what holds."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from ledgers import Ledger

from graph_memory import Fact, Value

Piece: TypeAlias = tuple[Value | None, datetime, datetime | None]

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    """Return midnight UTC of a numbered day; fractions are hours of it."""
    return START + timedelta(days=number)


def piece(value: Value | None, start: float, stop: float | None = None) -> Piece:
    """A segment as `Story.history` gives it."""
    return value, day(start), None if stop is None else day(stop)


class Story:
    """Facts about Mira, days instead of instants, and a fresh episode for each thing said."""

    def __init__(self, tenant: Ledger) -> None:
        self.tenant = tenant
        self._numbers = itertools.count(1)

    def hear(self, text: str = "Something was said.", source: str = "user") -> str:
        """Record a new episode and return its id."""
        number = next(self._numbers)
        return self.tenant.record(f"{text} ({number})", id=f"e{number}", source=source).id

    def say(
        self,
        value: Value,
        start: float,
        until: float | None = None,
        *,
        subject: str = "mira",
        attribute: str = "home",
        episode: str | None = None,
    ) -> Fact:
        """Assert a value."""
        return self.tenant.assert_fact(
            subject,
            attribute,
            value,
            valid_from=day(start),
            until=None if until is None else day(until),
            episode=episode or self.hear(),
        )

    def end(
        self,
        at: float,
        until: float | None = None,
        *,
        subject: str = "mira",
        attribute: str = "home",
        value: Value | None = None,
        episode: str | None = None,
    ) -> Fact:
        """Assert that nothing holds."""
        return self.tenant.end_fact(
            subject,
            attribute,
            at=day(at),
            until=None if until is None else day(until),
            value=value,
            episode=episode or self.hear(),
        )

    def holds(self, at: float, attribute: str = "home", known_at: datetime | None = None) -> Value | None:
        """Return the value that holds on a day."""
        fact = self.tenant.as_of("mira", attribute, day(at), known_at=known_at)
        return None if fact is None else fact.value

    def history(
        self, attribute: str = "home", *, known_at: datetime | None = None, coalesce: bool = False
    ) -> list[Piece]:
        """Return the segments as value, from, to."""
        facts = self.tenant.history("mira", attribute, known_at=known_at, coalesce=coalesce)
        return [(fact.value, fact.valid_from, fact.valid_to) for fact in facts]

    def likes(self, at: float) -> list[Value | None]:
        """Return what Mira likes on a day, in an order of its own."""
        return sorted((fact.value for fact in self.tenant.values("mira", "likes", day(at))), key=repr)
