"""The Python of README.md and of the pages that tell a story runs, and answers what is printed there."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from os import environ
from pathlib import Path

import neo4j
import pytest
from commands import CommandLine
from ledgers import fresh_name
from scripted_llm import KEY, ScriptedLLM, good, update
from servers import TestServer

ROOT = Path(__file__).parents[2]


def blocks(document: str, language: str) -> list[str]:
    """Return the fenced blocks of a document in one language, in order."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def address(server: TestServer) -> dict[str, str]:
    """The variables by which `GraphMemory.open()` finds the server under test."""
    return {"NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password}


def of_a_fresh_tenant(code: str) -> str:
    """Return the code with its tenant replaced by one that no other test uses."""
    fresh, count = re.subn(r'memory\.tenant\("\w+"\)', f'memory.tenant("{fresh_name()}")', code)
    assert count == 1
    return fresh


@pytest.fixture
def model() -> Iterator[dict[str, str]]:
    """The variables by which a memory finds a model, which reads in the README's text what a good one does."""
    subject = {"subject": "mira"}
    with ScriptedLLM() as llm:
        llm.script(
            good(
                update("employer", "Globex", evidence="at Globex", valid_from="2026-09-01", **subject),
                update("passport_deadline", "2026-11-30", evidence="renewed by 2026-11-30", **subject),
                update("likes", "jazz", evidence="Jazz, please!", **subject),
            )
        )
        yield {"GRAPH_MEMORY_MODEL": "scripted", "OPENAI_BASE_URL": llm.url, "OPENAI_API_KEY": KEY}


@pytest.mark.parametrize("number", [0, 1, 2], ids=["asserted", "remembered", "asked"])
def test_an_example_of_the_readme_prints_what_the_readme_says(
    address: dict[str, str], model: dict[str, str], number: int
) -> None:
    example, printed = (blocks("README.md", language)[number] for language in ("python", "text"))
    process = subprocess.run(
        [sys.executable, "-c", of_a_fresh_tenant(example)],
        env=dict(environ) | address | model,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.stdout, process.stderr, process.returncode) == (printed, "", 0)


def test_every_example_of_the_readme_is_run() -> None:
    assert len(blocks("README.md", "python")) == len(blocks("README.md", "text")) == 3


def test_the_query_for_the_browser_finds_what_the_demo_wrote(server: TestServer, cli: CommandLine) -> None:
    assert cli("demo").code == 0
    [query] = blocks("README.md", "cypher")
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        found, _, _ = driver.execute_query(query, routing_=neo4j.RoutingControl.READ)
    labels = {label for record in found for node in record["p"].nodes for label in node.labels}
    assert {"Entity", "Fact", "Episode"} <= labels


@pytest.mark.parametrize(
    ("page", "examples"), [("docs/time.md", 40), ("docs/writing.md", 25), ("docs/reading.md", 25)]
)
def test_the_story_of_a_page_answers_as_written(
    address: dict[str, str], monkeypatch: pytest.MonkeyPatch, page: str, examples: int
) -> None:
    for name, value in address.items():
        monkeypatch.setenv(name, value)
    story = of_a_fresh_tenant("\n".join(blocks(page, "python")))
    test = doctest.DocTestParser().get_doctest(story, {"__name__": "story"}, page, page, 0)
    report: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert outcome.attempted > examples
    assert outcome.failed == 0, "".join(report)
