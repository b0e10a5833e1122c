"""One write: what it locks and reads, and what it makes of that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from graph_memory.domain.instants import to_micros, to_pair
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import ConflictError, InvalidInputError, NotFoundError
from graph_memory.ledger.commands import Command, Expected, StaleExpectationError, Stored, Written
from graph_memory.ledger.mutations import Mutation
from graph_memory.ledger.planner import Status
from graph_memory.ledger.statements import Statement
from graph_memory.ledger.transaction import Write

DAY = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 10)]
NOW = datetime(2026, 2, 1, tzinfo=UTC)
HOME = slot_key("acme", "mira", "home")


def statement(value: Value | None, start: datetime, episode: str = "e1", **more: Any) -> Statement:
    fields: dict[str, Any] = {"until": None, "quote": None, "ended_value": None} | more
    return Statement("mira", "home", HOME, value, valid_from=start, episode=episode, **fields)


def live(id_: str, value: str, start: datetime, until: datetime | None = None, source: str = "user") -> list[Any]:
    """An entry, as write/lock answers it."""
    end = None if until is None else to_micros(until)
    return [id_, to_micros(start), end, True, value, "str", source, [], ["e0"]]


def decided(
    commands: Sequence[Command],
    entries: Sequence[list[Any]] = (),
    episodes: Sequence[Sequence[str | None]] = (("user", "We live in Bern."),),
    created: Sequence[str] = (),
    merged: Sequence[Sequence[str]] = (),
) -> Mutation:
    ids = (f"new{number}" for number in count(1))
    write = Write("acme", commands, lambda: next(ids))
    windows = [[0, None, list(entries), [], None]] if entries else []
    return write.decide([to_micros(NOW), list(created), list(episodes), windows, list(merged)])


def result(found: Mutation) -> Written:
    [written] = found.results()
    return written


def test_it_locks_subjects_and_objects_in_the_order_of_their_keys() -> None:
    commands = [Command(statement(Ref("zoe"), DAY[0])), Command(statement(Ref("ben"), DAY[1]))]
    locked = Write("acme", commands, str, subjects=frozenset({"tom"})).to_lock()
    assert [(row["key"], row["subject"]) for row in locked["entities"]] == [
        ("ben", False),
        ("mira", True),
        ("tom", True),
        ("zoe", False),
    ]


def test_it_reads_one_window_a_slot_over_all_starts_concerned() -> None:
    expected = (Expected(DAY[5], "Bern"),)
    commands = [Command(statement("Bern", DAY[2])), Command(statement("Oslo", DAY[4]), expected=expected)]
    [window] = Write("acme", commands, str).to_lock()["windows"]
    assert (window["slot"], window["ranked"]) == (HOME, False)
    assert (window["earliest"], window["latest"]) == (to_pair(DAY[2]), to_pair(DAY[5]))
    assert sorted(window["starts"]) == [to_pair(DAY[2]), to_pair(DAY[4]), to_pair(DAY[5])]


def test_it_reads_the_text_of_an_episode_only_where_a_quote_has_to_be_found() -> None:
    quoted = Write("acme", [Command(statement("Bern", DAY[0], quote="Bern"))], str).to_lock()
    placed = Write("acme", [Command(statement("Bern", DAY[0], quote="Bern", quoted_at=3))], str).to_lock()
    assert (quoted["episodes"], placed["episodes"]) == (
        [{"id": "e1", "quoted": True}],
        [{"id": "e1", "quoted": False}],
    )


def test_a_new_fact_closes_the_one_that_held() -> None:
    found = decided([Command(statement("Oslo", DAY[3]))], [live("f0", "Bern", DAY[0])])
    written = result(found)
    assert (written.status, written.fact_id) == (Status.COMMITTED, "new1")
    assert written.fact is not None
    assert (written.fact.recorded_at, written.fact.supersedes) == (NOW, "f0")
    apply = found.to_apply()
    [row] = apply["literals"]
    assert (row["labels"], row["value"], row["edges"]) == (
        ["Live", "Open"],
        "Oslo",
        [{"valid_from": to_pair(DAY[3]), "valid_to": None}],
    )
    assert apply["closed"] == ["f0"]
    assert apply["supersedes"] == [{"id": "new1", "old": "f0", "kind": "change"}]
    [edge] = apply["literal_edges"]
    assert edge["edges"] == {
        str(to_micros(DAY[0])): {"valid_from": to_pair(DAY[0]), "valid_to": to_pair(DAY[3]), "gone": False}
    }


def test_another_value_at_the_same_start_is_refused_and_names_the_stored_one() -> None:
    written = result(decided([Command(statement("Oslo", DAY[0]))], [live("f0", "Bern", DAY[0])]))
    assert written.status is Status.REFUSED
    assert isinstance(written.error, ConflictError)
    assert written.against == ("f0",)
    assert "'Bern'" in str(written.error)
    assert "f0" in str(written.error)


def test_the_same_from_another_episode_confirms_and_cites_where_it_stands() -> None:
    said = statement("Bern", DAY[0], quote="Bern")
    found = decided([Command(said)], [live("f0", "Bern", DAY[0])])
    assert (result(found).status, result(found).fact_id) == (Status.CONFIRMED, "f0")
    assert found.to_apply()["confirmed"] == [
        {"id": "f0", "episode": "e1", "quote": "Bern", "start": 11, "end": 15}
    ]


def test_an_episode_that_is_not_there_and_a_quote_that_it_lacks_are_refused() -> None:
    away = result(decided([Command(statement("Bern", DAY[0]))], episodes=[(None, None)]))
    assert isinstance(away.error, NotFoundError)
    lacking = result(decided([Command(statement("Bern", DAY[0], quote="Basel"))]))
    assert isinstance(lacking.error, InvalidInputError)


def test_a_write_about_an_entity_that_was_merged_away_is_refused_and_names_the_one_kept() -> None:
    written = result(decided([Command(statement("Bern", DAY[0]))], merged=[("mira", "mira-2")]))
    assert isinstance(written.error, ConflictError)
    assert "mira-2" in str(written.error)


@pytest.mark.parametrize(("held", "stale"), [("Bern", False), ("Oslo", True), (None, True)])
def test_a_change_is_stale_where_something_else_holds_than_it_expected(held: str | None, stale: bool) -> None:
    command = Command(statement("Rome", DAY[3]), expected=(Expected(DAY[3], "Bern"),))
    entries = [] if held is None else [live("f0", held, DAY[0])]
    assert isinstance(result(decided([command], entries)).error, StaleExpectationError) is stale


@pytest.mark.parametrize(("created", "stale"), [(["mira"], False), ([], True)])
def test_a_new_entity_that_is_known_by_now_is_stale(created: list[str], stale: bool) -> None:
    command = Command(statement("Bern", DAY[0]), new=("mira",))
    assert isinstance(result(decided([command], created=created)).error, StaleExpectationError) is stale


def test_a_correction_retracts_the_old_entry_for_the_new_one() -> None:
    old = Stored("f0", "mira", "home", HOME, "Bern", DAY[0])
    command = Command(statement("Basel", DAY[0]), old=old, reason="a typo")
    apply = decided([command], [live("f0", "Bern", DAY[0])]).to_apply()
    assert apply["replaced"] == [{"id": "f0", "by": "new1", "reason": "a typo"}]
    assert apply["retracted"] == ["f0"]
    assert apply["supersedes"] == [{"id": "new1", "old": "f0", "kind": "correction"}]


def test_a_retraction_gives_the_time_back_to_the_entry_below() -> None:
    old = Stored("f1", "mira", "home", HOME, "Oslo", DAY[3])
    command = Command(old=old, reason="never so", episode="e1")
    entries = [live("f0", "Bern", DAY[0]), live("f1", "Oslo", DAY[3])]
    apply = decided([command], entries).to_apply()
    assert apply["withdrawn"] == [{"id": "f1", "episode": "e1", "reason": "never so"}]
    assert apply["opened"] == ["f0"]
    resized = {row["id"]: row["edges"] for row in apply["literal_edges"]}
    assert [edge["gone"] for edge in resized["f1"].values()] == [True]
    assert [edge["valid_to"] for edge in resized["f0"].values()] == [None]


def test_entities_that_only_a_refused_command_named_are_given_up() -> None:
    commands = [Command(statement("Oslo", DAY[0])), Command(statement("Rome", DAY[0] + timedelta(days=1)))]
    found = decided(commands[:1], [live("f0", "Bern", DAY[0])], created=["mira"])
    assert found.to_apply()["unused"] == ["mira"]
    assert decided(commands[1:], [live("f0", "Bern", DAY[0])], created=["mira"]).to_apply()["unused"] == []
