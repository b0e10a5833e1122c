"""docs/graph.md: every query there gives the answer that stands below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest
from example_scripts import example
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory
from graph_memory.storage.templates import template_names

pytestmark = pytest.mark.server

bank = example("bank")

TEXT = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^### (.+?)\n.*?^```cypher\n(.*?)^```\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL)
QUERIES = {title: query for title, query, _ in SECTIONS}
ANSWERS = {title: re.findall(r"^\|.*\|$", rest, re.MULTILINE) for title, _, rest in SECTIONS}


@pytest.fixture(scope="module")
def told(server: TestServer) -> Iterator[tuple[neo4j.Driver, dict[str, Any]]]:
    """A connection, and the parameters of the queries."""
    with GraphMemory.open(server.uri, server.auth, many=bank.MANY) as memory:
        tenant = memory.tenant(fresh_name())
        bank.tell(tenant)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        yield driver, {"tenant": tenant.name, "at": datetime(2026, 6, 15, tzinfo=UTC)}


def cell(value: Any) -> str:
    """A value as the tables of the document have it."""
    if isinstance(value, list):
        return ", ".join(map(cell, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def table(keys: list[str], rows: list[list[Any]]) -> list[str]:
    """The lines of a table."""
    lines = [keys, ["---"] * len(keys), *([cell(value) for value in row] for row in rows)]
    return ["| " + " | ".join(line) + " |" if line != lines[1] else "|" + "|".join(line) + "|" for line in lines]


@pytest.mark.parametrize("title", QUERIES)
def test_a_query_gives_the_answer_below_it(told: tuple[neo4j.Driver, dict[str, Any]], title: str) -> None:
    driver, parameters = told
    records, _, keys = driver.execute_query(QUERIES[title], parameters)
    assert table(keys, [record.values() for record in records]) == ANSWERS[title]
    assert records


def test_there_are_a_dozen_queries() -> None:
    assert len(QUERIES) >= 12
    assert TEXT.count("```cypher") == len(QUERIES)


def test_it_names_every_question() -> None:
    named = {f"questions/{name}" for name in re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)}
    assert named == set(template_names("questions"))
