"""The Python of README.md and docs/time.md runs, and answers what is printed there."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from os import environ
from pathlib import Path

import pytest
from ledgers import fresh_name
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


def test_the_example_of_the_readme_prints_what_the_readme_says(address: dict[str, str]) -> None:
    [example] = blocks("README.md", "python")
    [printed] = blocks("README.md", "text")
    process = subprocess.run(
        [sys.executable, "-c", of_a_fresh_tenant(example)],
        env=dict(environ) | address,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.stdout, process.stderr, process.returncode) == (printed, "", 0)


def test_the_story_of_the_page_about_time_answers_as_written(
    address: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in address.items():
        monkeypatch.setenv(name, value)
    story = of_a_fresh_tenant("\n".join(blocks("docs/time.md", "python")))
    test = doctest.DocTestParser().get_doctest(story, {}, "docs/time.md", "docs/time.md", 0)
    report: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert outcome.attempted > 40
    assert outcome.failed == 0, "".join(report)
