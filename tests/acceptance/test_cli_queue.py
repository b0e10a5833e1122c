"""Queueing and extracting by commands, with a model behind HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import levels
import pytest
from commands import CommandLine
from scripted_llm import ScriptedLLM, failing, good

from graph_memory import Tenant

pytestmark = pytest.mark.server


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedLLM]:
    """A model that reads levels, and the environment that names it and the schema."""
    pytest.importorskip("langchain_openai")
    with ScriptedLLM() as served:
        served.script(lambda request: good(*levels.read(request.prompt)))
        monkeypatch.setenv("GRAPH_MEMORY_MODEL", "scripted")
        monkeypatch.setenv("OPENAI_BASE_URL", served.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("GRAPH_MEMORY_SCHEMA", f"{levels.__file__}:SCHEMA")
        yield served


def test_an_episode_is_queued_extracted_and_listed(cli: CommandLine, tenant: Tenant, llm: ScriptedLLM) -> None:
    queued = cli("record", levels.text_of(7), "--id", "e7", "--extract", "later", tenant=tenant.name)
    assert queued.code == 0, queued.err
    [waiting] = cli("queue", "--state", "queued", "--json", tenant=tenant.name).json
    assert (waiting["episode_id"], waiting["state"], waiting["attempts"]) == ("e7", "queued", 0)

    done = cli("worker", "--until-empty", "--json", tenant=tenant.name)
    assert done.code == 0, done.err
    last = json.loads(done.out.splitlines()[-1])
    assert (last["done"], last["committed"], last["queued"]) == (1, 1, 0)
    assert tenant.current("person-7", "level").value == 7  # type: ignore[union-attr]
    shown = cli("queue", tenant=tenant.name).out
    assert "done" in shown
    assert "e7" in shown


def test_what_failed_is_listed_with_its_reason_and_can_be_queued_again(
    cli: CommandLine, tenant: Tenant, llm: ScriptedLLM
) -> None:
    for number in range(3):
        cli("record", levels.text_of(number), "--id", f"e{number}", "--extract", "later", tenant=tenant.name)
    llm.script(lambda request: failing(400, "scripted refusal"))
    failed = cli("worker", "--until-empty", "--max-attempts", "1", tenant=tenant.name)
    assert failed.code == 5
    assert "3 failed" in failed.out
    assert "failed at attempt 1: episode e1" in failed.err
    listed = cli("queue", "--state", "failed", tenant=tenant.name)
    assert "scripted refusal" in listed.out

    assert cli("requeue", "e0", tenant=tenant.name).out == "Queued 1 episode.\n"
    assert cli("requeue", "--failed", tenant=tenant.name).out == "Queued 2 episodes.\n"
    llm.script(lambda request: good(*levels.read(request.prompt)))
    assert cli("worker", "--until-empty", tenant=tenant.name).code == 0
    again = cli("requeue", "e0", "e1", tenant=tenant.name)
    assert (again.code, again.out) == (4, "Queued 0 episodes.\n")
    assert again.err.count("has been extracted") == 2
    assert cli("requeue", "nothing", tenant=tenant.name).code == 3


def test_an_import_can_queue(cli: CommandLine, tenant: Tenant, llm: ScriptedLLM, tmp_path: Path) -> None:
    rows = [{"id": f"e{n}", "text": levels.text_of(n), "extract": "later"} for n in range(3)]
    path = tmp_path / "episodes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli("import", str(path), tenant=tenant.name).code == 0
    assert cli("worker", "--until-empty", tenant=tenant.name).code == 0
    assert [tenant.current(f"person-{n}", "level").value for n in range(3)] == [0, 1, 2]  # type: ignore[union-attr]


def test_a_worker_says_what_it_lacks(
    cli: CommandLine, tenant: Tenant, llm: ScriptedLLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_MODEL")
    without_model = cli("worker", "--until-empty", tenant=tenant.name)
    assert (without_model.code, "GRAPH_MEMORY_MODEL" in without_model.err) == (2, True)
    monkeypatch.delenv("GRAPH_MEMORY_SCHEMA")
    without_schema = cli("worker", "--until-empty", tenant=tenant.name)
    assert (without_schema.code, "give --schema" in without_schema.err) == (2, True)


def test_what_is_not_allowed_is_refused_before_anything_is_written(cli: CommandLine, tenant: Tenant) -> None:
    for arguments in (
        ("record", "Text.", "--extract", "now"),
        ("record", "Text.", "--about", "mira"),
        ("requeue",),
        ("requeue", "e1", "--failed"),
        ("queue", "--state", "dead"),
    ):
        assert cli(*arguments, tenant=tenant.name).code == 2, arguments
    assert tenant.extractions() == []
