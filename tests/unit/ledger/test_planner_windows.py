"""What planning costs: a batch on one slot is no quadratic work. What it decides is checked by brute force."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.ledger.planner import Assertion, Link, Retraction, Window, plan
from graph_memory.ledger.timeline import Entry

START = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def shift(number: int, until: int | None) -> Entry:
    """The shift that begins at a numbered hour."""
    return Entry(
        id=f"s{number}",
        slot="slot",
        valid_from=START + number * HOUR,
        until=None if until is None else START + until * HOUR,
        value=f"v{number}",
        source="rota",
        episodes=frozenset({"e"}),
    )


def test_a_run_of_bounded_entries_is_planned_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    covers = Entry.covers

    def counting(self: Entry, at: datetime) -> bool:
        nonlocal asked
        asked += 1
        return covers(self, at)

    monkeypatch.setattr(Entry, "covers", counting)
    count = 500
    base = shift(0, None)
    changes = [Assertion(shift(number, number + 1)) for number in range(1, count)]
    planned = plan({"slot": Window(START + HOUR, (base,))}, changes)
    assert planned.supersedes == {f"s{number}": ("s0", Link.CHANGE) for number in range(1, count)}
    assert asked < 10 * count


def test_a_slot_whose_only_entry_is_retracted_is_empty() -> None:
    base = shift(0, None)
    planned = plan({"slot": Window(START, (base,))}, [Retraction(base.id)])
    assert [segment.entry.id for segment in planned.removed] == [base.id]
    assert planned.closed == [base.id]
