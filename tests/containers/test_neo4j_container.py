from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import neo4j
import pytest

from graph_memory import GraphMemory, Ref

if TYPE_CHECKING:
    from testcontainers.community.neo4j import Neo4jContainer

pytestmark = pytest.mark.slow


@pytest.fixture
def driver(container: "Neo4jContainer") -> Iterator[neo4j.Driver]:
    auth = (container.username, container.password)
    with neo4j.GraphDatabase.driver(container.get_connection_url(), auth=auth, telemetry_disabled=True) as driver:
        yield driver


@pytest.fixture
def memory(container: "Neo4jContainer") -> Iterator[GraphMemory]:
    auth = (container.username, container.password)
    with GraphMemory.open(uri=container.get_connection_url(), auth=auth) as memory:
        yield memory


def test_the_server_is_a_community_edition_that_stores(driver: neo4j.Driver, container: "Neo4jContainer") -> None:
    assert driver.execute_query("CREATE (n:T {x: 1}) RETURN n.x AS x").records[0]["x"] == 1
    server = driver.execute_query("CALL dbms.components() YIELD edition, versions").records[0]
    assert server["edition"] == "community"
    assert server["versions"][0] in container.image


def test_settings_come_from_the_environment(driver: neo4j.Driver) -> None:
    found = driver.execute_query("SHOW SETTINGS YIELD name, value RETURN name, value").records
    settings = {row["name"]: row["value"] for row in found}
    assert settings["server.memory.heap.max_size"] == "512.00MiB"
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["server.fleet_discovery.enabled"] == "false"


def test_a_wrong_password_is_refused(container: "Neo4jContainer") -> None:
    url = container.get_connection_url()
    with (
        neo4j.GraphDatabase.driver(url, auth=("neo4j", "wrong-password")) as driver,
        pytest.raises(neo4j.exceptions.AuthError),
    ):
        driver.verify_connectivity()


def test_the_routing_scheme_works_too(container: "Neo4jContainer") -> None:
    url = container.get_connection_url().replace("bolt://", "neo4j://")
    with neo4j.GraphDatabase.driver(url, auth=(container.username, container.password)) as driver:
        driver.verify_connectivity()


def test_a_correction_and_a_late_arrival_leave_each_date_its_own_answer(memory: GraphMemory) -> None:
    acme = memory.tenant("acme")

    first = acme.record("Mira's passport deadline is 2026-07-15.")
    promised = acme.assert_fact(
        "mira",
        "passport_deadline",
        date(2026, 7, 15),
        valid_from="2026-06-01T09:00:00Z",
        episode=first.id,
        quote="passport deadline",
    )
    second = acme.record("It is now 2026-06-30.")
    corrected = acme.assert_fact(
        "mira",
        "passport_deadline",
        date(2026, 6, 30),
        valid_from="2026-06-03T10:00:00Z",
        episode=second.id,
    )
    late = acme.record("A note from May, found late: good until 2026-08-01.")
    acme.assert_fact(
        "mira",
        "passport_deadline",
        date(2026, 8, 1),
        valid_from="2026-05-30T08:00:00Z",
        episode=late.id,
    )

    now = acme.current("mira", "passport_deadline")
    assert now is not None
    assert now.value == date(2026, 6, 30)
    assert now.episode_id == second.id
    assert corrected.supersedes == promised.id
    pieces = acme.history("mira", "passport_deadline")
    assert [(piece.value, piece.valid_from, piece.valid_to) for piece in pieces] == [
        (date(2026, 8, 1), datetime(2026, 5, 30, 8, tzinfo=UTC), datetime(2026, 6, 1, 9, tzinfo=UTC)),
        (date(2026, 7, 15), datetime(2026, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 3, 10, tzinfo=UTC)),
        (date(2026, 6, 30), datetime(2026, 6, 3, 10, tzinfo=UTC), None),
    ]
    for piece in pieces:
        assert acme.as_of("mira", "passport_deadline", piece.valid_from) == piece


def test_a_value_that_is_an_entity_is_an_edge_to_it(memory: GraphMemory) -> None:
    acme = memory.tenant("acme")
    episode = acme.record("Mira works for Acme.")
    fact = acme.assert_fact(
        "mira", "employer", Ref("acme-inc"), valid_from="2026-01-01T00:00:00Z", episode=episode.id
    )

    [edge] = acme.traverse("mira", relations=["employer"], depth=1).edges
    assert (edge.subject, edge.attribute, edge.object) == ("mira", "employer", "acme-inc")
    assert (edge.fact_id, edge.episode_id) == (fact.id, episode.id)


def test_another_tenant_of_the_same_server_sees_nothing(memory: GraphMemory) -> None:
    episode = memory.tenant("north").record("Noor likes tea.")
    memory.tenant("north").assert_fact(
        "noor", "drink", "tea", valid_from="2026-01-01T00:00:00Z", episode=episode.id
    )

    assert memory.tenant("south").current("noor", "drink") is None
    held = memory.tenant("north").current("noor", "drink")
    assert held is not None
    assert held.value == "tea"
