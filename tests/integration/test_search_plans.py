"""How the database runs the templates of searches: from an index, and walking no more than it has to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest
from ledgers import fresh_name
from query_plans import FORBIDDEN, operators, replan
from servers import TestServer
from toy_embeddings import ToyEmbeddings

from graph_memory import GraphMemory
from graph_memory.search.index_generations import filters_by_tenant
from graph_memory.storage.templates import template, template_names

pytestmark = pytest.mark.server

# What compares with all passages of a tenant, or of some episodes, has to see them all; only the best are kept.
# Two single rows may well stand side by side.
ALLOWED = {
    "evidence/scan": {"Top", "Sort", "CartesianProduct"},
    "evidence/scan_of": {"Top", "Sort", "CartesianProduct"},
    "evidence/passages": {"CartesianProduct"},
    "evidence/statistics": {"CartesianProduct"},
    # Which facts of an episode do not hold is known only where all were seen.
    "evidence/found": {"Top"},
    "evidence/found_past": {"Top"},
}
FILTERS = ("about", "kinds", "sources", "session", "said_from", "said_before", "known_at", "ids", "at")


@pytest.fixture(scope="module")
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings()) as memory:
        memory.tenant(fresh_name()).record_episodes({"text": f"A fox {n}.", "session": "s1"} for n in range(300))
    replan(server)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


def parameters(name: str) -> dict[str, Any]:
    known = {
        "about": "mira",
        "at": datetime.now(UTC),
        "generation": 1,
        "ids": ["e1"],
        "key": "mira",
        "kinds": ["message"],
        "known_at": datetime.now(UTC),
        "limit": 64,
        "query": "abc*^1.0 abc^0.1",
        "said_before": datetime.now(UTC),
        "said_from": datetime(2020, 1, 1, tzinfo=UTC),
        "session": "s1",
        "sources": ["user"],
        "tenant": "acme",
        "tokens": ["abc", "def"],
        "turns": ["e1"],
        "vector": [0.5] * 64,
    }
    return {parameter: known[parameter] for parameter in template(name).used}


@pytest.mark.parametrize("given", [True, False], ids=["given", "null"])
@pytest.mark.parametrize("name", template_names("evidence"))
def test_a_template_of_a_search_starts_from_an_index(
    driver: neo4j.Driver, server: TestServer, name: str, given: bool
) -> None:
    if name.startswith("evidence/nearest_") and not filters_by_tenant(server.version):
        pytest.skip(f"Neo4j {server.version} has no index that filters by tenant")
    names = driver.execute_query("SHOW VECTOR INDEXES YIELD name RETURN collect(name) AS names").records[0][
        "names"
    ]
    if name.startswith("evidence/nearest_") and f"passage_{name[-1]}" not in names:
        pytest.skip("the index of this slot is not in use; its template differs in the slot alone")
    asked = parameters(name)
    if not given:
        asked |= {parameter: None for parameter in FILTERS if parameter in asked and name != "evidence/scan_of"}
    _, summary, _ = driver.execute_query(f"EXPLAIN {template(name).text}", asked)
    assert summary.plan is not None
    found = list(operators(summary.plan))
    allowed = ALLOWED.get(name, set())
    assert [o for o in found if FORBIDDEN.search(o) and o not in allowed] == [], found


def test_the_place_of_a_turn_in_its_session_is_found_without_reading_the_session(
    driver: neo4j.Driver, server: TestServer
) -> None:
    read = template("write/link")
    _, summary, _ = driver.execute_query(
        f"EXPLAIN {read.text}", {"tenant": "acme", "sessions": ["s1"], "ids": ["e1"]}
    )
    assert summary.plan is not None
    found = list(operators(summary.plan))
    assert [o for o in found if FORBIDDEN.search(o)] == [], found
