from datetime import UTC, datetime

import pytest

from graph_memory.planner import (
    Assertion,
    Decision,
    Plan,
    Status,
    Window,
    plan,
)
from graph_memory.policy import Policy, Verdict, reject, source_precedence
from graph_memory.timeline import Entry

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
