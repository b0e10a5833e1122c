"""Changes as a feed: each comes once, none is lost, whatever is written meanwhile."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from workers import day

from graph_memory import ChangeEvent, ChangeKind, Changes, InvalidInputError, Ref, Tenant
from graph_memory._sync.ledger.writer import Ledger
from graph_memory._sync.storage.database import Transaction
from graph_memory.ledger.commands import Command, Written

pytestmark = pytest.mark.server


@pytest.fixture
def tenant(tenant: Tenant) -> Tenant:
    tenant.record("All of it.", id="e1")
    return tenant


def say(tenant: Tenant, subject: str, number: int, count: int = 1) -> None:
    """Assert facts in one transaction, from an episode of their own: writers on one wait for each other."""
    episode = tenant.record("Some of it.", id=subject).id
    rows = [
        {"subject": f"{subject}{n}", "attribute": "home", "value": number, "valid_from": day(number)}
        for n in range(count)
    ]
    report = tenant.assert_facts({**row, "episode": episode} for row in rows)
    assert not report.refused.first


def subjects(found: Changes) -> list[str]:
    return [event.fact.subject for event in found]


def test_a_feed_never_passes_a_write_that_is_under_way(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long transaction carries an instant from before the reader's last one, and commits after it."""
    holds, go_on = threading.Event(), threading.Event()
    write_in = Ledger.write_in

    def slowly(self: Ledger, transaction: Transaction, commands: list[Command]) -> tuple[list[Written], bool]:
        written = write_in(self, transaction, commands)
        if any(command.subject == "slow0" for command in commands):
            holds.set()
            assert go_on.wait(120)
        return written

    monkeypatch.setattr(Ledger, "write_in", slowly)
    begin = datetime.now(UTC) - timedelta(days=1)
    say(tenant, "first", 1)
    slow = threading.Thread(target=say, args=(tenant, "slow", 1, 50))
    slow.start()
    assert holds.wait(60)
    say(tenant, "quick", 1)
    meanwhile = tenant.changes(after=begin)
    assert subjects(meanwhile) == ["first0"]
    assert not meanwhile.truncated
    seen_now = tenant.changes(begin)
    assert subjects(seen_now) == ["first0", "quick0"]
    for page in (meanwhile, seen_now):
        assert page.complete_until is not None
        assert seen_now[0].at < page.complete_until <= seen_now[1].at
    again = tenant.changes(after=meanwhile.cursor)
    assert subjects(again) == []
    go_on.set()
    slow.join()

    for cursor in (meanwhile.cursor, seen_now.cursor, again.cursor):
        rest = tenant.changes(after=cursor)
        assert sorted(subjects(rest)) == sorted(["quick0", *(f"slow{n}" for n in range(50))])
        assert subjects(tenant.changes(after=rest.cursor)) == []


@pytest.mark.parametrize("by", ["recorded", "valid"])
@pytest.mark.parametrize("subject", [None, "s7"])
def test_pages_move_on_where_many_changes_have_one_instant(tenant: Tenant, by: str, subject: str | None) -> None:
    for number in range(3):
        say(tenant, "s", number, count=40)
    every = tenant.changes("0001-01-01", by=by, subject=subject)
    assert len(every) == (3 if subject else 120)
    assert not every.truncated
    found, after = list[ChangeEvent](), "0001-01-01"
    for _ in range(100):
        page = tenant.changes(after=after, by=by, subject=subject, limit=7)
        found += page
        after = page.cursor
        if not page.truncated:
            break
        assert len(page) == 7
    assert found == every
    assert list(tenant.changes(after=after, by=by, subject=subject)) == []
    first = tenant.changes("0001-01-01", by=by, subject=subject, limit=2)
    assert first.truncated
    assert first + tenant.changes(after=first.cursor, by=by, subject=subject) == every


def test_since_and_after_do_not_go_together_and_a_cursor_is_checked(tenant: Tenant) -> None:
    say(tenant, "s", 1)
    cursor = tenant.changes("2026-01-01").cursor
    with pytest.raises(InvalidInputError, match="either since"):
        tenant.changes("2026-01-01", after=cursor)
    with pytest.raises(InvalidInputError, match="either since"):
        tenant.changes()
    with pytest.raises(InvalidInputError, match="by='recorded'"):
        tenant.changes(after=cursor, by="valid")
    with pytest.raises(InvalidInputError, match="no cursor"):
        tenant.changes(after="yesterday")


def test_after_a_merge_the_changes_of_the_one_kept_tell_what_came_with_the_other(tenant: Tenant) -> None:
    tenant.assert_fact("acme", "city", "Berlin", valid_from=day(0), episode="e1")
    moved = tenant.assert_fact("acme inc", "home", "Bonn", valid_from=day(0), episode="e1")
    tenant.record("They are one.", id="e2")
    merge = tenant.merge_entities("acme", "acme inc", episode="e2")
    (event,) = tenant.changes(merge.recorded_at, subject="acme")
    assert event.kind is ChangeKind.CORRECTED
    assert (event.before and event.before.id, event.after and event.after.subject) == (moved.id, "acme")
    assert tenant.changes(merge.recorded_at, subject="acme inc") == [event]


def test_lists_say_that_they_stopped(tenant: Tenant) -> None:
    say(tenant, "s", 1, count=5)
    found = tenant.who_had("home", 1, at=day(2), limit=3)
    assert (len(found), found.truncated) == (3, True)
    whole = tenant.who_had("home", 1, at=day(2), limit=5)
    assert (len(whole), whole.truncated) == (5, False)
    for number in range(3):
        tenant.record(f"Text {number}.", extract="later")
    assert (len(tenant.extractions(limit=2)), tenant.extractions(limit=2).truncated) == (2, True)
    assert not tenant.extractions(limit=3).truncated
    assert not tenant.review().truncated


def test_unknown_names_are_said_to_be_unknown(tenant: Tenant) -> None:
    tenant.assert_fact("mira", "employer", Ref("acme", "Company"), valid_from=day(0), episode="e1")
    for ask in (
        lambda: tenant.who_had("never_said", 1),
        lambda: tenant.traverse("mira", relations=["never_said"]),
        lambda: tenant.paths("mira", "acme", relations=["employer", "never_said"]),
        lambda: tenant.changes(day(0), attributes=["never_said"]),
    ):
        with pytest.raises(InvalidInputError, match="no attribute 'never_said'"):
            ask()
    for ask in (
        lambda: tenant.traverse("mira", kinds=["NeverSeen"]),
        lambda: tenant.paths("mira", "acme", kinds=["Company", "NeverSeen"]),
    ):
        with pytest.raises(InvalidInputError, match="kind 'NeverSeen'"):
            ask()
    assert len(tenant.traverse("mira", relations=["employer"], kinds=["Company"]).edges) == 1


def test_changes_of_what_holds_look_at_the_tenants_own_attributes_only(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    read = type(tenant._database).read

    def noted(self: object, name: str, /, **parameters: object) -> object:
        if name == "read/starting_in":
            asked.append(parameters["attributes"])  # type: ignore[arg-type]
        return read(self, name, **parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(type(tenant._database), "read", noted)
    tenant.assert_fact("mira", "home", "x", valid_from=day(0), episode="e1")
    tenant.assert_fact("mira", "employer", Ref("acme"), valid_from=day(0), episode="e1")
    assert len(tenant.changes("0001-01-01", by="valid")) == 2
    assert asked == [["employer", "home"]]
