"""The questions that products ask, as the templates of cypher/questions answer them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import neo4j
import pytest
from example_scripts import example
from ledgers import fresh_name
from query_plans import crowd
from servers import TestServer

from graph_memory import GraphMemory, Ref, Tenant
from graph_memory.storage.templates import template, template_names

pytestmark = pytest.mark.server

bank = example("bank")

Ask: TypeAlias = Callable[..., list[dict[str, Any]]]
SPRING, SUMMER = datetime(2026, 3, 15, tzinfo=UTC), datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def told(server: TestServer) -> Iterator[Tenant]:
    with GraphMemory.open(server.uri, server.auth, many=bank.MANY) as memory:
        tenant = memory.tenant(fresh_name())
        bank.tell(tenant)
        crowd(memory.tenant(fresh_name()), server)
        yield tenant


@pytest.fixture(scope="module")
def ask(server: TestServer, told: Tenant) -> Iterator[Ask]:
    """Run a question, and take care that it goes by the indexes."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:

        def run(name: str, **parameters: Any) -> list[dict[str, Any]]:
            query = template(f"questions/{name}").text
            records, _, _ = driver.execute_query(query, tenant=told.name, **parameters)
            _, summary, _ = driver.execute_query(f"EXPLAIN {query}", tenant=told.name, **parameters)
            assert summary.plan is not None
            assert [name for name in operators(summary.plan) if re.search("Scan|CartesianProduct", name)] == []
            return [record.data() for record in records]

        yield run


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"]
    for child in plan.get("children", ()):
        yield from operators(child)


def test_which_accounts_a_customer_held_on_a_date(ask: Ask, told: Tenant) -> None:
    held = ask("held_on", subject="lena", attribute="holds", at=SPRING)
    assert [(row["entity"], row["source"], row["quote"]) for row in held] == [
        ("A-17", "crm", "opened account A-17"),
        ("A-42", "crm", None),
    ]
    assert held[1]["until"].to_native() == datetime(2026, 5, 1, tzinfo=UTC)
    assert [row["fact"] for row in held] == [
        edge.fact_id for edge in told.traverse("lena", ["holds"], 1, SPRING, kinds=["Account"]).edges
    ]
    assert [row["entity"] for row in ask("held_on", subject="lena", attribute="holds", at=SUMMER)] == ["A-17"]


def test_which_policies_applied_to_an_account(ask: Ask) -> None:
    def policies(at: datetime) -> list[tuple[str, str]]:
        found = ask("policies_applied", key="A-17", applies="applies_to", belongs=["account_tier"], at=at)
        return [(row["policy"], row["through"]) for row in found]

    assert policies(datetime(2026, 1, 20, tzinfo=UTC)) == []
    assert policies(SPRING) == [("refund", "A-17")]
    assert policies(SUMMER) == [("fast_lane", "gold"), ("refund", "A-17")]


def test_which_decisions_a_task_rests_on(ask: Ask) -> None:
    found = ask("rests_on", key="T-9", attributes=["rests_on"], kind="Decision", at=SUMMER)
    assert [(row["entity"], row["steps"], row["way"]) for row in found] == [
        ("D-3", 1, ["D-3"]),
        ("D-1", 2, ["D-3", "D-1"]),
    ]
    assert all(len(row["facts"]) == row["steps"] for row in found)
    assert ask("rests_on", key="T-9", attributes=["rests_on"], kind="Decision", at=SPRING) == []
    assert ask("rests_on", key="T-9", attributes=["rests_on"], kind="Account", at=SUMMER) == []


def test_what_rests_on_much_that_rests_on_the_same_is_told_at_once(server: TestServer, told: Tenant) -> None:
    layers = [["task"], *([f"d{depth}-{number}" for number in range(6)] for depth in range(8))]
    told.assert_facts(
        {"subject": one, "attribute": "rests_on", "value": Ref(other), "valid_from": SPRING, "episode": "e5"}
        for layer, below in pairwise(layers)
        for one in layer
        for other in below
    )
    asked: dict[str, Any] = {"key": "task", "attributes": ["rests_on"], "kind": None, "at": SUMMER}
    # There are millions of ways down.
    query = neo4j.Query(template("questions/rests_on").text, timeout=20)
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver,
        driver.session() as session,
    ):
        found = session.run(query, tenant=told.name, **asked).data()
    assert [(row["entity"], row["steps"]) for row in found] == [
        (key, depth) for depth, layer in enumerate(layers) for key in layer if depth
    ]


def test_who_else_had_a_value_then(ask: Ask, told: Tenant) -> None:
    same_city = ask("others_with_value", subject="lena", attribute="city", at=SUMMER)
    assert [(row["subject"], row["source"], row["episode"]) for row in same_city] == [("rui", "crm", "e8")]
    assert [fact.subject for fact in told.who_had("city", "Braga", SUMMER)] == ["lena", "rui"]
    same_tier = ask("others_with_value", subject="A-17", attribute="account_tier", at=SUMMER)
    assert [row["subject"] for row in same_tier] == ["A-50"]
    assert [
        row["subject"] for row in ask("others_with_value", subject="A-17", attribute="account_tier", at=SPRING)
    ] == ["A-42"]


def test_every_question_is_asked_here() -> None:
    asked = set(re.findall(r'ask\(\s*"(\w+)"', Path(__file__).read_text("utf-8")))
    assert asked == {name.removeprefix("questions/") for name in template_names("questions")}
