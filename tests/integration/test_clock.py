"""Recorded time: later than every subject's clock, even where the server's clock was set back."""

from datetime import timedelta

from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory, Tenant
from graph_memory._sync.storage.database import Database
from graph_memory.storage.address import Address

START = "2026-01-01"


def test_a_write_is_recorded_after_the_clock_of_its_subject(server: TestServer, tenant: Tenant) -> None:
    episode = tenant.record("said")
    first = tenant.assert_fact("mira", "home", "Rome", valid_from=START, episode=episode)
    ahead = first.recorded_at + timedelta(hours=1)
    database = Database(Address(server.uri, server.auth))
    database.run_alone(
        "MATCH (e:Entity {tenant: $tenant, key: 'mira'}) SET e.clock = $ahead", tenant=tenant.name, ahead=ahead
    )
    database.close()
    second = tenant.assert_fact("mira", "home", "Oslo", valid_from="2026-02-01", episode=episode)
    third = tenant.assert_fact("mira", "home", "Bonn", valid_from="2026-03-01", episode=episode)
    assert second.recorded_at == ahead + timedelta(microseconds=1)
    assert third.recorded_at == ahead + timedelta(microseconds=2)
    assert tenant.as_of("mira", "home", "2026-04-01", known_at=second.recorded_at) is not None


def test_a_search_finds_all_of_a_tenant_however_much_another_has(memory: GraphMemory) -> None:
    small, large = memory.tenant(fresh_name()), memory.tenant(fresh_name())
    large.record_episodes({"id": f"e{n}", "text": "the passport deadline moved"} for n in range(200))
    small.record_episodes({"id": f"e{n}", "text": f"note {n} on a passport"} for n in range(3))
    found = small.search("passport deadline", k=3)
    assert {(evidence.episode.tenant, evidence.episode.id) for evidence in found} == {
        (small.name, f"e{n}") for n in range(3)
    }
