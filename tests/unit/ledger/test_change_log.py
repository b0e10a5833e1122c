"""What a change is, by recorded and by valid time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.instants import to_micros
from graph_memory.domain.records import Fact
from graph_memory.ledger.change_log import (
    LedgerEvent,
    Links,
    complete,
    differences,
    in_order,
    ledger_change,
    slot_change,
)
from graph_memory.ledger.records import ChangeKind

DAY_1 = datetime(2026, 1, 1, tzinfo=UTC)
DAY_2 = DAY_1 + timedelta(days=1)
LINKS = Links("mira", "home", True, True, None, None, None, None, None, False)


def fact(id_: str, value: str | None, start: datetime = DAY_1, attribute: str = "home", **more: object) -> Fact:
    return Fact.model_validate(
        {
            "id": id_,
            "tenant": "acme",
            "subject": "mira",
            "attribute": attribute,
            "value": value,
            "valid_from": start,
            "asserted_from": start,
            "ended": value is None,
            "recorded_at": start,
            "episode_id": f"e-{id_}",
            "source": "user",
            **more,
        }
    )


@pytest.mark.parametrize(
    ("how", "links", "kind"),
    [
        ("recorded", LINKS, ChangeKind.BEGAN),
        ("recorded", replace(LINKS, has_value=False), ChangeKind.ENDED),
        ("recorded", replace(LINKS, superseded="f0", superseded_as="restatement"), ChangeKind.CONFIRMED),
        ("recorded", replace(LINKS, superseded="f0", superseded_as="change"), ChangeKind.BEGAN),
        ("retracted", replace(LINKS, successor="f2"), ChangeKind.CORRECTED),
        ("retracted", replace(LINKS, successor="f2", outranked=True), ChangeKind.RETRACTED),
        ("retracted", LINKS, ChangeKind.RETRACTED),
        ("confirmed", LINKS, ChangeKind.CONFIRMED),
    ],
)
def test_each_way_of_writing_is_one_kind_of_change(how: str, links: Links, kind: ChangeKind) -> None:
    found = ledger_change(LedgerEvent(how, 0, "f1", "e1"), links)
    assert found is not None
    assert found.kind is kind


def test_a_correction_is_told_by_its_retraction_alone() -> None:
    assert ledger_change(LedgerEvent("recorded", 0, "f1", "e1"), replace(LINKS, recorded=False)) is None


def test_a_correction_goes_from_the_old_fact_to_its_successor_and_says_why() -> None:
    links = replace(LINKS, successor="f2", retraction_episode="e9", reason="a typo")
    found = ledger_change(LedgerEvent("retracted", to_micros(DAY_2), "f1", None), links)
    assert found is not None
    assert found.ids == ["f1", "f1", "f2"]
    event = found.event({"f1": fact("f1", "Bern"), "f2": fact("f2", "Basel")})
    assert (event.before, event.after) == (fact("f1", "Bern"), fact("f2", "Basel"))
    assert (event.at, event.episode_id, event.reason) == (DAY_2, "e9", "a typo")


def test_a_confirmation_names_the_episode_that_confirms() -> None:
    found = ledger_change(LedgerEvent("confirmed", 0, "f1", "e7"), LINKS)
    assert found is not None
    assert found.event({"f1": fact("f1", "Bern")}).episode_id == "e7"


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, fact("f1", "Bern"), ChangeKind.BEGAN),
        (fact("f0", "Basel"), fact("f1", "Bern"), ChangeKind.BEGAN),
        (fact("f0", "Bern"), fact("f1", "Bern"), ChangeKind.CONFIRMED),
        (fact("f0", "Bern"), None, ChangeKind.ENDED),
        (fact("f0", "Bern"), fact("f1", None), ChangeKind.ENDED),
        (None, fact("f1", None), ChangeKind.ENDED),
    ],
)
def test_a_slot_changes_where_something_else_holds_than_before(
    before: Fact | None, after: Fact | None, kind: ChangeKind
) -> None:
    event = slot_change(DAY_1, before, after)
    assert event is not None
    assert (event.kind, event.at, event.before, event.after) == (kind, DAY_1, before, after)


@pytest.mark.parametrize(
    ("before", "after"), [(None, None), (fact("f0", None), None), (fact("f0", "Bern"), fact("f0", "Bern", DAY_1))]
)
def test_a_slot_in_which_the_same_goes_on_does_not_change(before: Fact | None, after: Fact | None) -> None:
    at = DAY_2 if after is not None else DAY_1
    assert slot_change(at, before, after) is None


def test_lists_that_were_cut_are_complete_up_to_the_earliest_of_their_last_instants() -> None:
    assert complete([[1, 2, 3], [1, 9]], 3) == 3
    assert complete([[1, 2, 3], [1, 2, 2]], 3) == 2
    assert complete([[1, 2], []], 3) is None


def test_changes_of_one_instant_stand_by_subject_attribute_and_value() -> None:
    events = [
        slot_change(DAY_1, None, fact("f1", "tea", attribute="likes")),
        slot_change(DAY_1, None, fact("f2", "jazz", attribute="likes")),
        slot_change(DAY_1, None, fact("f3", "Bern")),
    ]
    assert [event.fact.value for event in in_order(e for e in events if e)] == ["Bern", "jazz", "tea"]


def test_values_of_many_differ_one_by_one_and_a_value_of_one_as_a_whole() -> None:
    before = [fact("f1", "Bern"), fact("f2", "tea", attribute="likes"), fact("f3", "jazz", attribute="likes")]
    after = [fact("f4", "Basel"), fact("f5", "tea", attribute="likes")]
    found = differences(before, after, ["likes"])
    assert [(d.attribute, d.before and d.before.value, d.after and d.after.value) for d in found] == [
        ("home", "Bern", "Basel"),
        ("likes", "jazz", None),
    ]
