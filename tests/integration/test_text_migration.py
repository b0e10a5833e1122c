"""Databases whose text index was over whole episodes come out right."""

from __future__ import annotations

from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory, Tenant

pytestmark = pytest.mark.server

# What a program of migration 0004 left: a mark on each episode and nothing of its words, an index over episodes,
# and passages of those alone that have vectors.
STATEMENTS = (
    "MATCH (e:Episode) CALL (e) { SET e.tenant_token = 't0' REMOVE e.worded } IN TRANSACTIONS OF 1000 ROWS",
    "MATCH (p:Passage) WHERE p.embedding_a IS NULL AND p.embedding_b IS NULL "
    "CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 1000 ROWS",
    "MATCH (p:Passage) CALL (p) { REMOVE p.terms_a, p.terms_b } IN TRANSACTIONS OF 1000 ROWS",
    "CREATE FULLTEXT INDEX episode_text_3 IF NOT EXISTS FOR (e:Episode) ON EACH [e.tenant_token, e.text]",
    "MATCH (i:Index {kind: 'text'}) SET i.generation = 3, i.name = 'episode_text_3', i.slot = 'b', "
    "i.language = $language, i.begun = 4, i.building = 4, i.building_name = 'episode_text_4', "
    "i.building_language = 'german', i.building_slot = 'a'",
    "MATCH (m:Migration {id: '0006_passages'}) DELETE m",
)


def turned_back(memory: GraphMemory, language: str) -> None:
    database = memory.services.database
    for (name,) in database.run_alone("SHOW FULLTEXT INDEXES YIELD name RETURN name"):
        database.run_alone("DROP INDEX $name", name=name)
    for statement in STATEMENTS:
        database.run_alone(statement, **({"language": language} if "$language" in statement else {}))


def told(tenant: Tenant, query: str) -> list[Any]:
    return [(one.episode.id, one.quote, one.parts) for one in tenant.search(query, k=20)]


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [("brazilian", "portuguese")])
def test_all_episodes_are_found_by_their_passages_after_the_migration(
    server: TestServer, memory: GraphMemory, old: str, new: str
) -> None:
    tenant = memory.tenant(fresh_name())
    filler = "We talked of this and that. " * 200
    tenant.record(f"{filler} At the end: heron77.", id="long", session="s1")
    tenant.record("Noted.", id="after", session="s1")
    tenant.record_episodes({"text": f"note{number} is short.", "id": f"n{number}"} for number in range(250))
    before = [told(tenant, query) for query in ("heron77", "note7")]
    turned_back(memory, old)
    try:
        with GraphMemory.open(server.uri, server.auth) as opened:
            assert [told(opened.tenant(tenant.name), query) for query in ("heron77", "note7")] == before
            text = next(index for index in opened.indexes() if index.kind == "text")
            assert (text.language, text.building, text.missing) == (new, None, 0)
            assert opened.services.database.run_alone(
                "SHOW FULLTEXT INDEXES YIELD labelsOrTypes AS labels, properties RETURN labels, properties"
            ) == [[["Passage"], ["terms_a"]]]
        # Who was open meanwhile goes on as well.
        tenant.record("A late heron88.", id="late")
        assert [one for one, _, _ in told(tenant, "heron88")] == ["late"]
    finally:
        memory.rebuild_text_index()


def test_what_an_older_program_goes_on_to_store_is_adopted_without_looking_at_all_episodes(
    memory: GraphMemory, tenant: Tenant
) -> None:
    stored = """CREATE (:Episode {tenant: $tenant, id: 'old', text: 'A heron.', kind: 'message', source: 'user',
      metadata: '{}', retention: 'default', recorded_at: datetime(), tenant_token: 't0', embedded: 0,
      said_at: datetime()})"""
    database = memory.services.database
    database.run_alone(stored, tenant=tenant.name)
    assert told(tenant, "heron") == []
    memory.services.indexes.adopt()
    assert [one for one, _, _ in told(tenant, "heron")] == ["old"]
    assert database.read("index/strays", limit=10) == []
