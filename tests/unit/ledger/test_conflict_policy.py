from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from graph_memory.ledger.conflict_policy import (
    Guard,
    Policy,
    Verdict,
    outranks,
    overrule,
    reject,
    source_precedence,
)
from graph_memory.ledger.planner import (
    Assertion,
    Decision,
    Plan,
    Status,
    Window,
    plan,
)
from graph_memory.ledger.timeline import Entry, holding

START = datetime(2026, 1, 1, tzinfo=UTC)
RANKED = source_precedence(["crm", "user"])


def said(source: str, value: str) -> Entry:
    return Entry(
        id=source, slot="s", valid_from=START, until=None, value=value, source=source,
        episodes=frozenset({source}),
    )  # fmt: skip


def met(stored: str, new: str, policy: Policy = RANKED) -> Plan:
    return plan({"s": Window(START, (said(stored, "x"),))}, [Assertion(said(new, "y"), policy)])


def test_reject_decides_nothing() -> None:
    assert reject(said("crm", "x"), said("user", "y")) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("stored", "new", "verdict"),
    [
        ("crm", "user", Verdict.STORED_WINS),
        ("user", "crm", Verdict.NEW_WINS),
        ("user", "user", Verdict.UNDECIDED),
        ("user", "rumour", Verdict.STORED_WINS),
        ("rumour", "user", Verdict.NEW_WINS),
        ("rumour", "hearsay", Verdict.UNDECIDED),
    ],
)
def test_the_better_ranked_source_wins_and_a_tie_is_left_undecided(
    stored: str, new: str, verdict: Verdict
) -> None:
    assert RANKED(said(stored, "x"), said(new, "y")) is verdict


def test_the_loser_that_came_second_is_kept_as_not_live_and_supersedes_nothing() -> None:
    planned = met("crm", "user")
    assert planned.decisions == [Decision(Status.COMMITTED, "user", ("crm",))]
    assert [(entry.id, entry.live) for entry in planned.created] == [("user", False)]
    assert planned.retracted == {"user": "crm"}
    assert (planned.supersedes, planned.added, planned.removed, planned.opened) == ({}, [], [], [])


def test_the_loser_that_was_stored_is_retracted_by_the_winner() -> None:
    planned = met("user", "crm")
    assert planned.retracted == {"user": "crm"}
    assert planned.supersedes == {}
    assert [segment.entry.id for segment in planned.added] == ["crm"]
    assert [segment.entry.id for segment in planned.removed] == ["user"]


def test_a_policy_is_not_asked_where_nothing_is_in_conflict() -> None:
    def never(stored: Entry, new: Entry) -> Verdict:
        raise AssertionError((stored, new))

    agreed = Assertion(said("user", "x"), never)
    assert plan({"s": Window(START, (said("crm", "x"),))}, [agreed]).decisions[0].status == Status.CONFIRMED


# The guard of a protected attribute

PROTECTED = outranks(["crm", "user"])
DAY = timedelta(days=1)


def entry(source: str, start: int, until: int | None = None, value: str | None = "x") -> Entry:
    """An entry that starts, and ends, on numbered days; its id is the source and the start."""
    end = None if until is None else START + until * DAY
    return Entry(f"{source}{start}", "s", START + start * DAY, end, value, source, frozenset({f"{source}{start}"}))


def guarded(
    new: Entry, *stored: Entry, policy: Policy = reject, guard: Guard | None = PROTECTED
) -> tuple[Status, tuple[str, ...]]:
    """What becomes of a new entry where these are stored, and what it is in conflict with."""
    [decision] = plan({"s": Window(START, stored)}, [Assertion(new, policy, guard)]).decisions
    return decision.status, decision.against


@pytest.mark.parametrize(
    ("held", "new", "safe"),
    [
        ("crm", "user", True),
        ("crm", "rumour", True),
        ("user", "rumour", True),
        ("user", "crm", False),
        ("crm", "crm", False),
        ("rumour", "hearsay", False),
    ],
)
def test_what_holds_is_safe_from_a_source_that_ranks_below_its_own(held: str, new: str, safe: bool) -> None:
    assert PROTECTED(entry(held, 0), entry(new, 1)) is safe
    expected = (Status.REFUSED, (f"{held}0",)) if safe else (Status.COMMITTED, ())
    assert guarded(entry(new, 1), entry(held, 0)) == expected


def test_without_a_guard_any_source_replaces() -> None:
    assert guarded(entry("user", 1), entry("crm", 0), guard=None) == (Status.COMMITTED, ())


def test_an_end_does_not_replace_what_is_protected_and_a_protected_end_is_not_replaced() -> None:
    assert guarded(entry("user", 1, value=None), entry("crm", 0)) == (Status.REFUSED, ("crm0",))
    assert guarded(entry("user", 1), entry("crm", 0, value=None)) == (Status.REFUSED, ("crm0",))
    assert guarded(entry("user", 0), entry("crm", 0, value=None)) == (Status.REFUSED, ("crm0",))


def test_what_would_be_replaced_later_counts_as_what_would_be_replaced_at_the_start() -> None:
    stored = (entry("crm", 0), entry("user", 2, until=4))
    assert guarded(entry("user", 2, until=3, value="y"), entry("user", 2, until=4)) == (Status.REFUSED, ("user2",))
    assert guarded(entry("user", 3), *stored) == (Status.REFUSED, ("crm0",))
    assert guarded(entry("user", 3, until=4), *stored) == (Status.COMMITTED, ())


def test_the_winner_of_a_conflict_does_not_replace_what_the_loser_did_not_hide() -> None:
    stored = (entry("crm", 0), entry("rumour", 2, until=3))
    assert guarded(entry("user", 2, until=3, value="y"), *stored, policy=RANKED) == (Status.COMMITTED, ())
    assert guarded(entry("user", 2, value="y"), *stored, policy=RANKED) == (Status.REFUSED, ("crm0",))


def test_what_has_a_place_of_its_own_beside_the_protected_one_is_taken() -> None:
    assert guarded(entry("user", 0), entry("crm", 1)) == (Status.COMMITTED, ())
    assert guarded(entry("user", 3), entry("crm", 1, until=3)) == (Status.COMMITTED, ())


def test_a_worse_source_may_confirm_and_repeat_itself() -> None:
    assert guarded(entry("user", 0), entry("crm", 0)) == (Status.CONFIRMED, ())
    assert guarded(entry("user", 1), entry("user", 1), entry("crm", 0)) == (Status.REPLAYED, ())


def told(entries: Iterable[Entry], new: Entry) -> str | None:
    """Return whom the guard protects from a new entry, by the rule at each instant at which another may hold."""
    others = [e for e in entries if e.live]
    for at in sorted({new.valid_from, *(e.until for e in others if e.until is not None and new.covers(e.until))}):
        held = holding(others, at)
        if held is not None and held.rank < new.rank and PROTECTED(held, new):
            return held.id
    return None


@given(
    st.lists(st.tuples(st.sampled_from(["crm", "user"]), st.integers(0, 300), st.integers(0, 40)), max_size=300)
)
def test_a_batch_is_guarded_as_the_rule_tells_entry_by_entry(rows: list[tuple[str, int, int]]) -> None:
    stored: dict[int, Entry] = {}
    changes, expected = [], []
    for source, start, length in rows:
        new = entry(source, start, start + length if length else None, value=f"{source}{start}")
        if start in stored:
            continue
        guard = told(stored.values(), new)
        changes.append(Assertion(new, reject, PROTECTED))
        expected.append(Status.COMMITTED if guard is None else Status.REFUSED)
        if guard is None:
            stored[start] = new
    decided = plan({"s": Window(START)}, changes).decisions
    assert [decision.status for decision in decided] == expected


@pytest.mark.parametrize("length", [1, 3, None])
@pytest.mark.parametrize("home", [True, False])
def test_a_guard_looks_at_few_entries_however_many_a_batch_has(
    monkeypatch: pytest.MonkeyPatch, length: int | None, home: bool
) -> None:
    looked = 0
    covers = Entry.covers

    def counted(self: Entry, at: datetime) -> bool:
        nonlocal looked
        looked += 1
        return covers(self, at)

    monkeypatch.setattr(Entry, "covers", counted)
    rows = [entry("user", n, None if length is None else n + length, f"{n}") for n in range(1, 2001)]
    stored = (entry("user", 0),) if home else ()
    planned = plan({"s": Window(START, stored)}, [Assertion(row, reject, PROTECTED) for row in rows])
    assert len(planned.created) == len(rows)
    assert looked < 100 * len(rows)


def test_who_decides_overrules_policy_and_guard() -> None:
    assert overrule(entry("crm", 0), entry("rumour", 0)) is Verdict.NEW_WINS
    decided = guarded(entry("rumour", 0, value="y"), entry("crm", 0), policy=overrule, guard=None)
    assert decided == (Status.COMMITTED, ())
