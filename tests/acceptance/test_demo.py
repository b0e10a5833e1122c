"""The demo plays its story, and each answer is what the rule gives."""

from __future__ import annotations

from typing import Any

import pytest
from commands import CommandLine
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory
from graph_memory.cli.app import run

pytestmark = pytest.mark.server

E0, E1, E2 = "2026-05-30T08:00:00Z", "2026-06-01T09:00:00Z", "2026-06-03T10:00:00Z"


def test_the_demo_tells_the_story_and_telling_it_again_changes_nothing(
    cli: CommandLine, memory: GraphMemory
) -> None:
    first = cli("demo", "--json")
    assert (first.code, first.err) == (0, "")
    second = cli("demo", "--json")
    assert second.json["answers"] == first.json["answers"]
    assert len(memory.tenant("acme").history("mira", "passport_deadline")) == 3


def test_each_answer_has_value_validity_source_and_quote(cli: CommandLine) -> None:
    found, june4, june2, may31, before = cli("demo", "--json").json["answers"]

    assert found["found"]["id"] == "e1"
    assert "stale" in found["remark"]
    assert "e2" in found["remark"]

    def told(answer: dict[str, Any]) -> tuple[str, str, str | None, str, list[str]]:
        fact = answer["fact"]
        return fact["value"], fact["valid_from"], fact["valid_to"], fact["episode_id"], answer["quotes"]

    assert told(june4) == ("2026-06-30", E2, None, "e2", ["It is now 2026-06-30."])
    assert "2026-07-15" in june4["remark"]
    assert told(june2) == ("2026-07-15", E1, E2, "e1", ["Her passport deadline is 2026-07-15."])
    assert told(may31) == ("2026-08-01", E0, E1, "e0", ["Mira's papers are good until 2026-08-01."])
    assert before["fact"] is None


def test_people_see_the_answers_and_how_to_go_on(cli: CommandLine, server: TestServer) -> None:
    shown = cli("demo")
    assert shown.code == 0
    for words in (
        "2026-06-30",
        f"[{E2}, unbounded)",
        "user, episode e2",
        "It is now 2026-06-30.",
        f"[{E0}, {E1})",
        "Mira's papers are good until 2026-08-01.",
        "nothing is known",
        "Neo4j Browser",
        "MATCH p = (:Entity {tenant: 'acme', key: 'mira'})",
        server.version,
    ):
        assert words in shown.out
    assert "$" not in shown.out


def test_it_plays_on_the_managed_server_whatever_the_environment_names(
    server: TestServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if server.local is None:
        pytest.skip("the server under test is not a managed one")
    home = server.local.home
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("GRAPH_MEMORY_HOME", str(home))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert run(["demo"]) == 0
    shown = capsys.readouterr().out
    assert server.uri in shown
    for command in ("browser", "history mira passport_deadline -t acme", "down"):
        assert f"graph-memory {command} --home {home}\n" in shown
    monkeypatch.delenv("NEO4J_URI")
    assert run(["demo"]) == 0
    assert "graph-memory down\n" in capsys.readouterr().out


def test_the_late_note_left_the_others_as_they_were(cli: CommandLine, memory: GraphMemory) -> None:
    cli("demo", "--json")
    history = memory.tenant("acme").history("mira", "passport_deadline")
    assert [(fact.episode_id, fact.supersedes is None) for fact in history] == [
        ("e0", True),
        ("e1", True),
        ("e2", False),
    ]
    assert history[2].supersedes == history[1].id


def test_other_data_of_the_tenant_stays_as_it_was(cli: CommandLine, memory: GraphMemory) -> None:
    acme = memory.tenant("acme")
    acme.record("words", "mine")
    acme.assert_fact("joe", "passport_deadline", "never", valid_from="2026-01-01", episode="mine")
    cli("demo", "--json")
    kept = acme.current("joe", "passport_deadline")
    assert kept is not None
    assert kept.value == "never"


def test_a_tenant_that_holds_something_else_keeps_it_and_the_demo_plays_in_another(
    cli: CommandLine, memory: GraphMemory
) -> None:
    mine, demo = fresh_name(), fresh_name()
    memory.tenant(mine).record("My own words.", "e1")
    refused = cli("demo", "--tenant", mine)
    assert refused.code == 4
    assert "in a tenant of its own with --tenant" in refused.err
    assert memory.tenant(mine).episode("e1").text == "My own words."
    played = cli("demo", "-t", demo)
    assert played.code == 0
    assert f"MATCH p = (:Entity {{tenant: '{demo}', key: 'mira'}})" in played.out
