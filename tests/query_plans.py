"""What a query plan of Neo4j may not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import neo4j
from servers import TestServer

from graph_memory import Tenant

# All that walks more than it has to: Top and Sort read everything before the first row, scans ignore the index.
FORBIDDEN = re.compile(r"Sort|^Top|PartialTop|Scan|CartesianProduct")


def operators(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the names of a plan's operators, each before those below it."""
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


def crowd(tenant: Tenant, server: TestServer, size: int = 3_000) -> None:
    """Store so many entities that a planner, told how many there are, prefers an index to a scan."""
    tenant.record("A crowd.", source="test", id="crowd")
    rows = ({"subject": f"s-{number}", "attribute": "stands_in", "value": "the crowd"} for number in range(size))
    report = tenant.assert_facts({**row, "valid_from": date(2026, 1, 1), "episode": "crowd"} for row in rows)
    assert not report.refused.first
    replan(server)


def replan(server: TestServer) -> None:
    """Have the server count what its indexes hold, and plan every query anew."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        driver.execute_query("CALL db.prepareForReplanning(60)")
