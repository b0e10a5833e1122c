"""The commands that read across facts, on a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from commands import CommandLine, Result

from graph_memory import Ref, Tenant

pytestmark = pytest.mark.server

OfTenant = Callable[..., Result]


@pytest.fixture
def ask(cli: CommandLine, tenant: Tenant) -> OfTenant:
    """A command line for a tenant with two people, a company, and a move."""
    episode = tenant.record("Mira and Ann work at Acme. Mira lives in Porto.", id="e1")
    moved = tenant.record("Mira moved to Braga.", id="e2", source="crm")
    for subject in ("mira", "ann"):
        tenant.assert_fact(
            subject, "employer", Ref("acme", "Company"), valid_from="2026-01-01", episode=episode, quote="Acme"
        )
    tenant.assert_fact("mira", "home", "Porto", valid_from="2026-01-01", episode=episode, quote="lives in Porto")
    tenant.assert_fact("mira", "home", "Braga", valid_from="2026-03-01", episode=moved)
    return lambda command, *arguments: cli(command, *arguments, tenant=tenant.name)


def test_traverse_goes_only_where_it_is_told(ask: OfTenant, tenant: Tenant) -> None:
    assert [node["key"] for node in ask("traverse", "mira", "--kind", "Company", "--json").json["nodes"]] == [
        "mira",
        "acme",
    ]
    tenant.assert_fact("zoe", "knows", Ref("ben", "Person"), valid_from="2026-01-01", episode="e1")
    alone = ask("traverse", "mira", "--kind", "Person", "--memory-type", "preference", "--json").json
    assert [node["key"] for node in alone["nodes"]] == ["mira"]
    assert "acme" in ask("traverse", "mira").out


def test_traverse_passes_some_kinds_and_ends_at_others(ask: OfTenant, tenant: Tenant) -> None:
    tenant.name_entity("ann", kind="Person")

    def found(*options: str) -> list[str]:
        return [
            node["key"]
            for node in ask("traverse", "mira", "--direction", "both", *options, "--json").json["nodes"]
        ]

    assert found("--through", "Company", "--to", "Person") == ["mira", "acme", "ann"]
    assert found("--to", "Person", "--depth", "1") == ["mira"]
    assert ask("traverse", "mira", "--to", "Nope").code == 2
    assert ask("traverse", "mira", "--to", "Person", "--kind", "Person").code == 2


def test_paths_shows_how_entities_are_connected(ask: OfTenant) -> None:
    shown = ask("paths", "mira", "ann")
    assert "mira -employer-> acme <-employer- ann" in shown.out
    found = ask("paths", "mira", "ann", "--json").json
    assert [len(path["edges"]) for path in found["paths"]] == [2]
    nothing = ask("paths", "mira", "ann", "--depth", "1")
    assert (nothing.code, nothing.out) == (3, "")
    assert "mira" in nothing.err
    assert ask("paths", "mira", "nobody").code == 3
    assert ask("paths", "mira", "ann", "--direction", "up").code == 2


def test_neighborhood_shows_facts_edges_and_quotes(ask: OfTenant, tenant: Tenant) -> None:
    shown = ask("neighborhood", "mira", "--at", "2026-02-01").out
    assert "Porto" in shown
    assert "lives in Porto" in shown
    found = ask("neighborhood", "mira", "--depth", "2", "--json").json
    assert {node["key"] for node in found["nodes"]} == {"mira", "acme", "ann"}
    home = tenant.current("mira", "home")
    assert home is not None
    assert [(fact["value"], fact["id"]) for fact in found["facts"]] == [("Braga", home.id)]


def test_changes_tells_what_changed(ask: OfTenant) -> None:
    shown = ask("changes", "2026-02-01", "--by", "valid").out
    assert "2026-03-01T00:00:00Z" in shown
    assert "Porto" in shown
    assert "Braga" in shown
    found = ask("changes", "2020-01-01", "--subject", "mira", "-a", "home", "--kind", "began", "--json").json
    assert [(event["kind"], event["after"]["value"]) for event in found] == [
        ("began", "Porto"),
        ("began", "Braga"),
    ]
    none = ask("changes", "2020-01-01", "--kind", "retracted", "--json")
    assert (none.code, none.json) == (3, [])
    assert ask("changes", "2020-01-01", "--kind", "improved").code == 2
    assert ask("changes", "2020-01-01", "--until", "2019-01-01").code == 2


def test_diff_tells_what_is_otherwise(ask: OfTenant) -> None:
    shown = ask("diff", "mira", "2026-02-01", "2026-04-01").out
    assert "Porto" in shown
    assert "employer" not in shown
    found = ask("diff", "mira", "2026-02-01", "2026-04-01", "--json").json
    assert [(d["before"]["value"], d["after"]["value"]) for d in found] == [("Porto", "Braga")]
    same = ask("diff", "mira", "2026-04-01", "2026-05-01")
    assert (same.code, same.out) == (3, "")


def test_who_had_takes_a_value_of_a_type(ask: OfTenant) -> None:
    found = ask("who-had", "employer", "acme", "--type", "ref", "--json").json
    assert [fact["subject"] for fact in found] == ["ann", "mira"]
    assert "mira" in ask("who-had", "home", "Porto", "--at", "2026-02-01").out
    assert ask("who-had", "home", "Porto").code == 3
    assert ask("who-had", "employer", "acme").code == 3


def test_changes_are_a_feed_by_a_cursor(ask: OfTenant, tenant: Tenant) -> None:
    first = ask("changes", "--after", "2026-01-01", "--limit", "2", "--json").json
    assert (len(first["changes"]), first["truncated"]) == (2, True)
    rest = ask("changes", "--after", first["cursor"], "--json").json
    assert (len(rest["changes"]), rest["truncated"]) == (2, False)
    assert rest["complete_until"] > rest["changes"][-1]["at"]
    again = ask("changes", "--after", rest["cursor"])
    assert (again.code, again.out) == (0, "")
    assert "--after" in again.err
    assert len(ask("changes", "2026-01-01", "--json").json) == 4
    stopped = ask("changes", "2026-01-01", "--limit", "3")
    assert stopped.code == 0
    assert "first 3" in stopped.err
    assert ask("changes").code == 2
    assert "first 1" in ask("who-had", "employer", "acme", "--type", "ref", "--limit", "1").err
