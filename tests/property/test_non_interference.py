"""Whatever another tenant writes, a search keeps what is eligible, how many are found, and no foreign text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from ledgers import fresh_name
from servers import TestServer
from toy_embeddings import ToyEmbeddings

from graph_memory import GraphMemory, Tenant

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ("fox", "dog", "river", "moved", "passport", "the")

turns = st.fixed_dictionaries(
    {
        "text": st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
        "session": st.sampled_from([None, "s1", "s2"]),
        "source": st.sampled_from(["user", "crm"]),
        "occurred_at": st.integers(0, 5).map(lambda day: START + timedelta(days=day)),
    }
)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
filters = st.fixed_dictionaries(
    {},
    optional={
        "session": st.just("s1"),
        "sources": st.just(["crm"]),
        "at": st.integers(0, 5).map(lambda day: START + timedelta(days=day)),
        "mode": st.sampled_from(["text", "vector", "hybrid"]),
    },
)


@pytest.fixture(scope="module")
def embedding(server: TestServer) -> Any:
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings()) as memory:
        if any(index.embedder not in (None, memory.embedder) for index in memory.indexes()):
            memory.rebuild_vector_index()
        yield memory


def found(tenant: Tenant, query: str, how: dict[str, Any]) -> set[str]:
    evidence = tenant.search(query, k=100, **how)
    assert {one.episode.tenant for one in evidence} <= {tenant.name}
    for one in evidence:
        assert one.episode == tenant.episode(one.episode.id)
        assert one.quote == one.episode.text[one.start : one.end]
        assert one.score == pytest.approx(sum(one.parts.values()))
    return {one.episode.id for one in evidence}


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ours=st.lists(turns, min_size=1, max_size=8),
    theirs=st.lists(turns, max_size=12),
    query=queries,
    how=filters,
)
def test_a_search_finds_the_same_whatever_another_tenant_writes(
    embedding: GraphMemory,
    ours: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
    query: str,
    how: dict[str, Any],
) -> None:
    tenant, other = embedding.tenant(fresh_name()), embedding.tenant(fresh_name())
    tenant.record_episodes({**turn, "id": f"e{number}"} for number, turn in enumerate(ours))
    before = found(tenant, query, how)
    other.record_episodes(
        {**turn, "id": f"e{number}", "text": f"{turn['text']} {query}"} for number, turn in enumerate(theirs)
    )
    assert found(tenant, query, how) == before
    eligible = {
        f"e{number}"
        for number, turn in enumerate(ours)
        if how.get("session", turn["session"]) == turn["session"]
        and turn["source"] in how.get("sources", [turn["source"]])
        and turn["occurred_at"] <= how.get("at", turn["occurred_at"])
    }
    assert before <= eligible
    if how.get("mode") == "vector":
        assert before == eligible
    else:
        wanted = set(query.split()) - {"the"}
        assert before >= {f"e{n}" for n, turn in enumerate(ours) if wanted & set(turn["text"].split())} & eligible
