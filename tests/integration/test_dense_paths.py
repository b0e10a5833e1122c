"""The ways to and from an entity that has more facts than one search looks at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from ledgers import fresh_name

from graph_memory import GraphMemory, Ref, Tenant
from graph_memory._sync.graph import paths

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)
SPOKES = 40


@pytest.fixture
def hub(memory: GraphMemory, monkeypatch: pytest.MonkeyPatch) -> Tenant:
    """A hub that knows 40 others, of which `s0` was met first, where a search looks at 20 edges."""
    monkeypatch.setattr(paths, "MAX_EDGES", 20)
    monkeypatch.setattr(paths, "FEW_EDGES", 5)
    tenant = memory.tenant(fresh_name())
    episode = tenant.record("Who met whom.")
    rows = [
        {
            "subject": "hub",
            "attribute": "knows",
            "value": Ref(f"s{number}"),
            "valid_from": START + timedelta(days=number),
            "episode": episode,
        }
        for number in range(SPOKES)
    ]
    assert not tenant.assert_facts(rows).refused
    return tenant


@pytest.mark.parametrize(("a", "b"), [("hub", "s0"), ("s0", "hub")])
def test_the_way_to_the_oldest_acquaintance_of_a_hub_is_found_from_either_end(hub: Tenant, a: str, b: str) -> None:
    found = hub.paths(a, b, depth=1)
    assert [[node.key for node in path.nodes] for path in found.paths] == [[a, b]]
    assert not found.truncated


def test_what_is_left_out_between_two_hubs_is_told(hub: Tenant) -> None:
    episode = hub.record("Another one.")
    for number in range(SPOKES):
        hub.assert_fact("other", "knows", Ref(f"o{number}"), valid_from=START, episode=episode)
    hub.assert_fact("other", "knows", Ref("s0"), valid_from=START, episode=episode)
    assert hub.paths("hub", "other", depth=2).truncated
