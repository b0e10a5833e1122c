"""The commands of docs/cli.md run in the order in which they stand there, for a tenant that is empty at first."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import unused_name
from scripted_llm import KEY, ScriptedLLM, good, update
from servers import TestServer

from graph_memory import GraphMemory, Tenant
from graph_memory.cli.app import run

pytestmark = pytest.mark.server

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LINES = [line.removeprefix("$ ") for block in BLOCKS for line in block.splitlines()]

# What the page shows and this test does not run, and why.
ELSEWHERE = {
    "graph-memory demo": "it starts the server of the user; test_demo runs it",
    "GRAPH_MEMORY_EMBEDDINGS=sentence-transformers/all-MiniLM-L6-v2 graph-memory index update": "fetches a model",
}
OWN = {"GRAPH_MEMORY_MODEL", "OPENAI_API_KEY"}


def file_of_the_page(heading: str, language: str) -> str:
    """Return the first block of a language under a heading: a file that the page tells to save."""
    section = PAGE[PAGE.index(f"\n{heading}\n") :]
    found = re.search(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def good_reader() -> ScriptedLLM:
    """Return a model that reads the two texts of the page."""
    mira = {"subject": "mira"}

    def known(value: str) -> dict[str, str]:
        return {**mira, "change": "update", "current_value": value}

    llm = ScriptedLLM()
    llm.script(
        good(
            update("employer", "Initech", evidence="at Initech", valid_from="2026-07-01", **mira),
            update("passport_deadline", "2027-01-31", evidence="ends on 2027-01-31", **known("2026-06-29")),
            update("likes", "aisle seats", evidence="Aisle seats, please!", **mira),
        ),
        good(update("home_city", "Porto", evidence="moved to Porto", **known("Lisbon"))),
    )
    return llm


@pytest.fixture
def tenant(memory: GraphMemory) -> Tenant:
    return memory.tenant(unused_name())


@pytest.fixture(autouse=True)
def folder(server: TestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder with the files of the page, and the environment that leads to server and model."""
    pytest.importorskip("langchain_openai")
    (tmp_path / "memory.py").write_text(file_of_the_page("## What may be remembered", "python"))
    (tmp_path / "facts.jsonl").write_text(file_of_the_page("### JSON Lines", "json"))
    (tmp_path / "facts.csv").write_text(file_of_the_page("### CSV", "csv"))
    monkeypatch.chdir(tmp_path)
    with good_reader() as llm:
        environment = {
            "NEO4J_URI": server.uri,
            "NEO4J_USERNAME": server.username,
            "NEO4J_PASSWORD": server.password,
            "GRAPH_MEMORY_MODEL": "scripted",
            "OPENAI_BASE_URL": llm.url,
            "OPENAI_API_KEY": KEY,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("GRAPH_MEMORY_SCHEMA", raising=False)
        yield tmp_path


def printed_id(command: str, tenant: Tenant) -> str:
    """Return the id for which a word in capitals stands in a command."""
    match command.split()[1]:
        case "correct":
            deadline = tenant.current("mira", "passport_deadline")
            assert deadline is not None
            return deadline.id
        case "retract":
            [tea] = [fact.id for fact in tenant.history("mira", "likes") if fact.value == "tea"]
            return tea
        case "confirm":
            return tenant.review()[0].id
        case "reject":
            return tenant.review("weak")[0].id
        case "undo-merge":
            return tenant.merges()[-1].id
    raise AssertionError(f"it is not known which id {command!r} means")


def outcome(command: str) -> int:
    """Run a line as a shell would, in this process where it is one command, and return its exit code."""
    if command.startswith("graph-memory ") and "|" not in command:
        return run(shlex.split(command)[1:])
    return subprocess.run(["sh", "-c", command], check=False).returncode


def test_the_commands_of_the_page_run_in_their_order(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for line in LINES:
        if line in ELSEWHERE:
            continue
        command, _, remark = line.partition("  #")
        if command.startswith("export "):
            for name, value in (pair.split("=", 1) for pair in shlex.split(command)[1:]):
                if name not in OWN:
                    monkeypatch.setenv(name, value)
            continue
        command = re.sub(r"(?<= -t )\w+", tenant.name, command).strip()
        if placeholder := re.search(r"\b(FACT|CANDIDATE|MERGE)_ID\b", command):
            command = command.replace(placeholder[0], printed_id(command, tenant))
        documented = re.search(r"exit code (\d+)", remark)
        capfd.readouterr()
        code = outcome(command)
        said = capfd.readouterr()
        assert code == (int(documented[1]) if documented else 0), f"{line}\n{said.out}{said.err}"


def test_what_is_not_run_stands_on_the_page() -> None:
    assert [line for line in ELSEWHERE if line not in LINES] == []
    assert len(LINES) > 45
