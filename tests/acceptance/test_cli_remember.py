"""Text on the command line through a model to facts, candidates and decisions; and what entities are called."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import CommandLine, unused_name
from scripted_llm import KEY, ScriptedLLM, good, refused, update

from graph_memory.cli import exit_codes

pytestmark = pytest.mark.server

SOURCE = """
from __future__ import annotations
from datetime import date
from graph_memory import Kind, Ref, Schema, attribute

class Guest(Kind):
    guest_passport: date = attribute("When the passport ends", sensitive=True)
    guest_firm: Ref[Firm] = attribute("Where they work")
    guest_age: int = attribute("Age")

class Firm(Kind):
    firm_city: str = attribute("Where it is")

schema = Schema("guests", version=1, kinds=[Guest, Firm])
"""


@pytest.fixture(scope="module")
def llm() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as server:
        yield server


@pytest.fixture(autouse=True)
def environment(llm: ScriptedLLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema, and the model, as a user would name them."""
    (tmp_path / "guests.py").write_text(SOURCE)
    monkeypatch.setenv("GRAPH_MEMORY_SCHEMA", str(tmp_path / "guests.py"))
    monkeypatch.setenv("GRAPH_MEMORY_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", llm.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def tenant() -> str:
    return unused_name()


def passport(**given: Any) -> dict[str, Any]:
    return update("guest_passport", "2026-07-15", evidence="2026-07-15", subject="mira", **given)


def test_what_a_model_reads_is_committed_or_waits_and_each_is_told(
    cli: CommandLine, llm: ScriptedLLM, tenant: str
) -> None:
    age = update("guest_age", 40, evidence="I am 40", subject="mira")
    nowhere = update("guest_age", 41, evidence="I am 41", subject="mira")
    llm.script(good(age, passport(), nowhere))
    text = "I am 40, and my passport ends on 2026-07-15."
    given = [text, "--about", "mira", "--id", "e1", "--occurred-at", "2026-06-01"]
    found = cli("remember", *given, "--json", tenant=tenant)
    assert found.code == exit_codes.OK
    assert found.json["episode"] == "e1"
    counts = {name: len(outcomes) for name, outcomes in found.json.items() if name != "episode"}
    assert counts | {"committed": 1, "for_review": 1, "refused": 1} == counts
    assert "is not in the episode" in found.json["refused"][0]["reason"]

    shown = cli("remember", *given, tenant=tenant).out
    assert "for review" in shown
    assert "guest_passport" in shown
    state = cli("state", "mira", "--at", "2026-06-02", "--json", tenant=tenant).json
    assert {name: fact["value"] for name, fact in state.items()} == {"guest_age": 40}
    assert len(llm.requests) == 1, "a replay asked the model again"


def test_a_candidate_is_confirmed_by_an_episode_of_the_user(
    cli: CommandLine, llm: ScriptedLLM, tenant: str
) -> None:
    llm.script(good(passport()))
    cli("remember", "My passport: 2026-07-15.", "--about", "mira", "--id", "e1", tenant=tenant)
    [waiting] = cli("review", "--json", tenant=tenant).json
    assert (waiting["value"], waiting["value_type"], waiting["status"]) == ("2026-07-15", "date", "pending")
    assert waiting["id"] in cli("review", tenant=tenant).out
    for id_, source in (("e2", "crm"), ("e3", "user")):
        cli("record", "Yes, that is right.", "--id", id_, "--source", source, tenant=tenant)
    assert cli("confirm", waiting["id"], "-e", "e2", "--by", "mira", tenant=tenant).code == exit_codes.INVALID
    for by in ([], ["--by", "bob"]):
        assert cli("confirm", waiting["id"], "-e", "e3", *by, tenant=tenant).code == exit_codes.INVALID
    confirmed = cli(
        "confirm", waiting["id"], "-e", "e3", "--by", "mira", "--value", "2026-07-16", "--json", tenant=tenant
    )
    assert (confirmed.code, confirmed.json["value"], confirmed.json["value_type"]) == (0, "2026-07-16", "date")
    assert cli("review", "--json", tenant=tenant).json == []
    [decided] = cli("review", "--status", "confirmed", "--json", tenant=tenant).json
    assert (decided["fact_id"], decided["decided_by"]) == (confirmed.json["id"], "e3")


def test_a_candidate_is_rejected_with_a_reason_and_never_both(
    cli: CommandLine, llm: ScriptedLLM, tenant: str
) -> None:
    llm.script(good(passport()))
    cli("remember", "My passport: 2026-07-15.", "--about", "mira", "--id", "e1", tenant=tenant)
    [waiting] = cli("review", "--json", tenant=tenant).json
    rejected = cli("reject", waiting["id"], "--reason", "said in jest", tenant=tenant)
    assert "said in jest" in rejected.out
    assert "rejected" in rejected.out
    cli("record", "It is right.", "--id", "e2", tenant=tenant)
    assert cli("confirm", waiting["id"], "-e", "e2", tenant=tenant).code == exit_codes.CONFLICT
    assert cli("reject", "nothing", "--reason", "x", tenant=tenant).code == exit_codes.NOTHING
    assert cli("review", "--status", "odd", tenant=tenant).code == exit_codes.INVALID


def test_where_the_model_fails_the_episode_is_stored_and_named(
    cli: CommandLine, llm: ScriptedLLM, tenant: str
) -> None:
    llm.script(refused())
    failed = cli("remember", "I am 40.", "--about", "mira", tenant=tenant)
    assert failed.code == exit_codes.FAILED
    assert KEY not in failed.err
    [listed] = cli("queue", "--state", "failed", "--json", tenant=tenant).json
    assert f"Episode {listed['episode_id']} is stored." in failed.err
    assert f"graph-memory requeue {listed['episode_id']}" in failed.err
    assert cli("episode", listed["episode_id"], "--json", tenant=tenant).json["text"] == "I am 40."


def test_text_without_anything_to_remember_says_so_and_may_come_from_standard_input(
    cli: CommandLine, llm: ScriptedLLM, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm.script(good())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Hello, Zoë.".encode())))
    assert "Nothing that may be remembered" in cli("remember", "-", "--id", "e1", tenant=tenant).out
    assert cli("episode", "e1", "--json", tenant=tenant).json["text"] == "Hello, Zoë."


@pytest.mark.parametrize(
    ("missing", "words"),
    [("GRAPH_MEMORY_SCHEMA", "needs a schema: give --schema"), ("GRAPH_MEMORY_MODEL", "GRAPH_MEMORY_MODEL")],
)
def test_without_a_schema_or_a_model_it_says_what_to_give(
    cli: CommandLine, tenant: str, missing: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(missing)
    told = cli("remember", "I am 40.", "--about", "mira", tenant=tenant)
    assert told.code == exit_codes.INVALID
    assert words in told.err


def test_entities_are_named_merged_and_parted_again(cli: CommandLine, tenant: str) -> None:
    for key, alias in (("globex", "Globex"), ("globex-corp", "Globex Corporation")):
        named = cli("name-entity", key, "--name", alias, "--alias", f"{alias} AG", "--kind", "Firm", tenant=tenant)
        assert named.code == exit_codes.OK
        assert f"{alias} AG" in named.out
    cli("record", "They are one.", "--id", "e1", tenant=tenant)
    cli("assert", "globex-corp", "firm_city", "Porto", "--from", "2026-01-01", "-e", "e1", tenant=tenant)
    merge = cli("merge-entities", "globex", "globex-corp", "-e", "e1", "--json", tenant=tenant).json
    assert (merge["kept"], merge["merged"], merge["moved"]) == ("globex", "globex-corp", 1)
    assert cli("current", "globex", "firm_city", "--json", tenant=tenant).json["value"] == "Porto"
    assert "merged into" in cli("entity", "globex-corp", tenant=tenant).out
    assert merge["id"] in cli("merges", tenant=tenant).out

    undone = cli("undo-merge", merge["id"], "-e", "e1", tenant=tenant)
    assert "undone" in undone.out
    assert cli("current", "globex-corp", "firm_city", "--json", tenant=tenant).json["value"] == "Porto"
    assert cli("remove-alias", "globex", "Globex AG", "--json", tenant=tenant).json["aliases"] == []
    assert cli("name-entity", "globex", "--kind", "Planet", tenant=tenant).code == exit_codes.INVALID
