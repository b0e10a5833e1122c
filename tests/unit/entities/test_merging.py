"""What merging two entities makes of ledger entries, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from graph_memory.domain.records import Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value
from graph_memory.entities.merging import Cited, CitedEntry, Moved, merging, unmerging
from graph_memory.ledger.planner import Confirmation, Correction, Status, Window, plan
from graph_memory.ledger.timeline import Entry

START = datetime(2026, 1, 1, tzinfo=UTC)


def said(id_: str, subject: str, attribute: str, value: Value | None, *episodes: str, **more: Any) -> CitedEntry:
    """An entry of an attribute of cardinality one, or with `many` of cardinality many."""
    ended = more.get("ended_value")
    member = (value if ended is None else ended) if more.pop("many", False) else None
    fact = Fact(
        id=id_,
        tenant="acme",
        subject=subject,
        attribute=attribute,
        value=value,
        ended=value is None,
        valid_from=START,
        asserted_from=START,
        recorded_at=START,
        episode_id=episodes[0],
        source="user",
        **more,
    )
    cited = tuple(Cited(episode, f"words of {episode}", 7) for episode in episodes)
    return CitedEntry(slot_key("acme", subject, attribute, member), fact, cited)


def test_an_entry_is_said_of_the_one_kept_by_its_first_episode_and_confirmed_by_the_others() -> None:
    old = said(
        "f", "rob", "home", "Rome", "e1", "e2", schema_version="s/1", memory_type="profile", retention="long"
    )
    first, second = merging([old], "rob", "bob", "m").commands
    assert (first.old, second.old) == (old.stored, None)
    assert (first.moved, second.confirms) == (True, True)
    statement = first.statement
    assert statement is not None
    assert (statement.subject, statement.slot, statement.value) == ("bob", slot_key("acme", "bob", "home"), "Rome")
    assert (statement.episode, statement.quote, statement.quoted_at) == ("e1", "words of e1", 7)
    assert (statement.terms.schema_version, statement.terms.memory_type, statement.terms.retention) == (
        "s/1",
        "profile",
        "long",
    )
    assert second.statement == replace(statement, episode="e2", quote="words of e2")


def test_a_reference_to_the_one_merged_becomes_one_to_the_one_kept_in_the_slot_of_that_value() -> None:
    for value, ended in ((Ref("rob", "Person"), None), (None, Ref("rob", "Person"))):
        old = said("f", "rob", "knows", value, "e1", ended_value=ended, many=True)
        [intent] = merging([old], "rob", "bob", "m").commands
        statement = intent.statement
        assert statement is not None
        assert statement.stored_value == Ref("bob")
        assert isinstance(statement.stored_value, Ref)
        assert statement.stored_value.kind == "Person"
        assert statement.slot == slot_key("acme", "bob", "knows", Ref("bob"))
        assert (statement.value is None) == (value is None)


def test_an_entry_that_is_refused_is_only_retracted_because_of_the_episode_of_the_merge() -> None:
    old = said("f", "rob", "age", 31, "e1", "e2")
    [intent] = merging([old], "rob", "bob", "m", ["f"]).commands
    assert (intent.statement, intent.old, intent.episode) == (None, old.stored, "m")
    assert intent.reason is not None
    assert "waits for review, since bob has another value" in intent.reason


def test_undoing_retracts_what_an_entry_became_and_says_it_again_as_it_was() -> None:
    old = said("f", "rob", "home", "Rome", "e1", "e2")
    now = said("g", "bob", "home", "Rome", "e1", "e2")
    moving, stayed = unmerging([Moved(old, now, frozenset({"e1", "e2"}), None)], "u")
    gone, *again = moving.commands
    assert (gone.statement, gone.old, gone.episode, stayed) == (None, now.stored, "u", [])
    assert [i.statement.episode for i in again if i.statement] == ["e1", "e2"]
    assert again[0].old == old.stored
    assert again[0].statement is not None
    assert again[0].statement.subject == "rob"


def test_undoing_leaves_what_others_say_too_to_the_one_kept_without_what_the_merge_added() -> None:
    old = said("f", "rob", "home", "Rome", "e1", "e2")
    now = said("g", "bob", "home", "Rome", "b", "e1", "e2")
    moving, _ = unmerging([Moved(old, now, frozenset({"e1", "e2"}), None)], "u")
    own, *again = moving.commands
    assert own.old == now.stored
    assert own.statement is not None
    assert (own.statement.subject, own.statement.episode) == ("bob", "b")
    assert [i.statement.subject for i in again if i.statement] == ["rob", "rob"]


def test_undoing_does_not_touch_what_gained_nothing() -> None:
    old, now = said("f", "rob", "home", "Rome", "e1"), said("g", "bob", "home", "Rome", "e1")
    moving, _ = unmerging([Moved(old, now, frozenset(), None)], "u")
    assert [intent.old for intent in moving.commands] == [old.stored]


def test_what_is_not_live_any_more_does_not_go_back_unless_it_waits_for_review() -> None:
    one, other = said("f", "rob", "home", "Rome", "e1"), said("g", "rob", "age", 31, "e1")
    moved = [Moved(one, None, frozenset({"e1"}), None), Moved(other, None, frozenset(), "candidate")]
    moving, stayed = unmerging(moved, "u")
    assert (stayed, [intent.old for intent in moving.commands]) == (["f"], [other.stored])


def test_a_reference_that_others_confirmed_since_stays_where_only_one_value_has_room() -> None:
    old = said("f", "eve", "boss", Ref("rob"), "e1")
    now = said("g", "eve", "boss", Ref("bob"), "e1", "since")
    assert unmerging([Moved(old, now, frozenset({"e1"}), None)], "u")[1] == ["f"]


# -- the two changes that the planner has for it ----------------------------------------------------------------


def entry(id_: str, value: Value, *episodes: str, live: bool = True, slot: str = "s") -> Entry:
    return Entry(id_, slot, START, None, value, "user", frozenset(episodes), live)


def test_an_entry_said_anew_is_one_of_its_own_even_where_the_old_one_says_the_same() -> None:
    for live in (True, False):
        old, new = entry("f", "Rome", "e1", "e2", live=live), entry("new", "Rome", "e1")
        planned = plan({"s": Window(START, (old,))}, [Correction("f", new, anew=True)])
        assert [e.id for e in planned.created] == ["new"]
        assert planned.retracted == ({"f": "new"} if live else {})
        assert planned.supersedes["new"][0] == "f"


def test_an_entry_said_anew_confirms_the_one_that_says_the_same_there_and_is_refused_by_another() -> None:
    windows = {
        "s": Window(START, (entry("f", "Rome", "e1"),)),
        "t": Window(START, (entry("g", "Rome", "b", slot="t"),)),
    }
    same = plan(windows, [Correction("f", entry("new", "Rome", "e1", slot="t"), anew=True)])
    assert (same.retracted, same.confirmed, same.created) == ({"f": "g"}, [("g", 0)], [])
    other = plan(windows, [Correction("f", entry("new", "Bern", "e1", slot="t"), anew=True)])
    assert (other.decisions[0].status, other.decisions[0].against, other.writes) == (Status.REFUSED, ("g",), False)


def test_a_further_episode_confirms_what_is_live_and_never_what_was_retracted() -> None:
    was, now = entry("f", "Rome", "e1", "e2", live=False), entry("g", "Rome", "e1")
    planned = plan({"s": Window(START, (was, now))}, [Confirmation(entry("new", "Rome", "e2"))])
    assert (planned.confirmed, planned.decisions[0].entry) == ([("g", 0)], "g")
    for there in ((), (was,), (entry("h", "Bern", "b"),)):
        alone = plan({"s": Window(START, there)}, [Confirmation(entry("new", "Rome", "e2"))])
        assert (alone.decisions[0].status, alone.writes) == (Status.REFUSED, False)
