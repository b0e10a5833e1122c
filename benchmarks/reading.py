"""What reading costs, as ratios to the bare database in the same run.

    python benchmarks/reading.py
    python benchmarks/reading.py --only context --only walks

Vectors come from a stand-in that gives every text one of 384 dimensions. It needs an empty database: a managed
local server of its own (`--home`), never one that NEO4J_URI names.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import neo4j
from measuring import Ratio, bare_driver, bare_read, milliseconds, run, side_by_side

from graph_memory import GraphMemory, Ref, SearchMode, Tenant
from graph_memory.local.info import ServerInfo
from graph_memory.search.analysis import Analyzer, token
from graph_memory.search.ranking import POOL

START = datetime(2026, 1, 1, tzinfo=UTC)
AT = START + timedelta(days=1)
DIMENSIONS = 384
SHARES = {"0.01 %": 10, "1 %": 1_000, "99 %": 98_990}
TEXT_INDEX, VECTOR_INDEX = "passage_text", "passage_a"
WORDS = [f"word{number}" for number in range(2_000)]
# What is said again and again, by the largest tenant in one of five turns.
SHORT = [
    "Ok, thanks.",
    "Yes, please.",
    "No, thank you.",
    "Sounds good, thanks.",
    "Hi, how are you?",
    "Ok.",
    "Bye!",
]
SHORT_QUERIES = ["ok thanks", "yes please", "thank you", "how are you"]
DEPTHS = (1, 2, 3, 4, 5)


class Hashed:
    """Embeddings of LangChain's kind: a vector from the digest of a text, so each text has one of its own."""

    name = "hashed"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        chance = random.Random(hashlib.sha256(text.encode()).digest())
        return [chance.uniform(-1.0, 1.0) for _ in range(DIMENSIONS)]


@dataclass
class Bench:
    """A memory and a bare driver on one server."""

    memory: GraphMemory
    driver: neo4j.Driver
    embeddings: Hashed

    def read(self, statement: str, **parameters: Any) -> list[list[Any]]:
        return bare_read(self.driver, statement, **parameters)


def context(bench: Bench) -> list[Ratio]:
    """A question that exact state answers, beside `RETURN 1`."""
    tenant = bench.memory.tenant("questions")
    episode = tenant.record("Mira's passport deadline is 2026-07-15.", occurred_at=START)
    tenant.assert_fact("mira", "passport_deadline", date(2026, 7, 15), valid_from=START, episode=episode)
    tenant.assert_fact("mira", "home", "Lisbon", valid_from=START, episode=episode)
    question = "What is the passport deadline of mira?"
    assert tenant.context(question, router="rules").answered
    times = side_by_side(
        {
            "RETURN 1": lambda: bench.read("RETURN 1"),
            "context": lambda: tenant.context(question, router="rules"),
            "current": lambda: tenant.current("mira", "passport_deadline"),
        },
        rounds=400,
        warm_up=100,
    )
    ratio = times["context"] / times["RETURN 1"]
    return [Ratio("context without a model / RETURN 1", ratio, 8.0, detail=milliseconds(times))]


def evidence(bench: Bench) -> list[Ratio]:
    """Search among 100,000 episodes of three tenants, by words and by vectors, beside the bare index."""
    tenants = {share: bench.memory.tenant(f"share-{number}") for share, number in SHARES.items()}
    for share, tenant in tenants.items():
        report = tenant.record_episodes(_episodes(SHARES[share], share))
        assert len(report.committed) == SHARES[share], report
        print(f"{SHARES[share]:,} episodes of the tenant with {share}", file=sys.stderr)
    bench.memory.index_missing()
    bench.read("CALL db.awaitIndexes(300)")
    chance = random.Random(5)
    queries = [" ".join(chance.sample(WORDS, 3)) for _ in range(50)]
    asked = [(tenant, f"tenant with {share}", queries) for share, tenant in tenants.items()]
    asked.append((asked[-1][0], "repeated short turns", SHORT_QUERIES))
    return [measure(bench, *one) for one in asked for measure in (_words, _vectors)]


def _episodes(number: int, share: str) -> Iterator[dict[str, Any]]:
    chance = random.Random(share)
    for position in range(number):
        text = f"{' '.join(chance.choices(WORDS, k=12))}."
        if number > 10_000 and position % 5 == 0:
            text = chance.choice(SHORT)
        said_at = START + timedelta(seconds=position)
        yield {"text": text, "occurred_at": said_at, "session": f"session {position // 20}"}


def _words(bench: Bench, tenant: Tenant, name: str, queries: list[str]) -> Ratio:
    def bare(query: str, limit: int) -> None:
        statement = (
            f"CALL db.index.fulltext.queryNodes('{TEXT_INDEX}', $query, {{limit: $limit}}) YIELD node, score "
            "MATCH (node)-[:PART_OF]->(e) RETURN e.id AS id, e.text AS text, score"
        )
        terms = " ".join(token(tenant.name, term) for term in Analyzer("english").asked(query))
        bench.read(statement, query=terms, limit=limit)

    return _beside_bare(f"search by words, {name}", bare, tenant, SearchMode.TEXT, queries)


def _vectors(bench: Bench, tenant: Tenant, name: str, queries: list[str]) -> Ratio:
    def bare(query: str, limit: int) -> None:
        statement = (
            f"CYPHER 25 MATCH (p:Passage) SEARCH p IN (VECTOR INDEX {VECTOR_INDEX} FOR $vector "
            "WHERE p.tenant = $tenant LIMIT $limit) SCORE AS score MATCH (p)-[:PART_OF]->(e) "
            "RETURN e.id AS id, e.text AS text, score"
        )
        vector = bench.embeddings.embed_query(query)
        bench.read(statement, vector=vector, tenant=tenant.name, limit=limit)

    return _beside_bare(f"search by vectors, {name}", bare, tenant, SearchMode.VECTOR, queries)


def _beside_bare(
    name: str, bare: Callable[[str, int], None], tenant: Tenant, mode: SearchMode, queries: list[str]
) -> Ratio:
    """Compare a search for ten with the index that is asked for as many as a search ranks."""
    turn = itertools.count()

    def query() -> str:
        return queries[next(turn) % len(queries)]

    times = side_by_side(
        {
            "bare index, 10": lambda: bare(query(), 10),
            f"bare index, {POOL}": lambda: bare(query(), POOL),
            "search": lambda: tenant.search(query(), mode=mode),
        },
        rounds=100,
        warm_up=20,
    )
    ratio = times["search"] / times[f"bare index, {POOL}"]
    return Ratio(f"{name} / bare index", ratio, 1.3, detail=milliseconds(times))


def walks(bench: Bench) -> list[Ratio]:
    """`traverse` and `paths` in a tree of three branches, beside Cypher written by hand."""
    tenant = bench.memory.tenant("walks")
    episode = tenant.record("Who knows whom.")
    rows = [
        {
            "subject": f"n{parent}",
            "attribute": "next_to",
            "value": Ref(f"n{3 * parent + branch}"),
            "valid_from": START,
            "episode": episode,
        }
        for parent in range(364)
        for branch in (1, 2, 3)
    ]
    report = tenant.assert_facts(rows)
    assert not report.refused, report.refused.first[0]
    ratios = []
    for depth in DEPTHS:
        walk = (
            f"MATCH (s:Entity {{tenant: 'walks', key: 'n0'}})-[r:NEXT_TO*1..{depth}]->(e) "
            "WHERE all(x IN r WHERE x.valid_from <= $at AND coalesce(x.valid_to > $at, true)) "
            "UNWIND r AS edge WITH DISTINCT edge RETURN startNode(edge).key, type(edge), endNode(edge).key, "
            "edge.fact_id, edge.valid_from.epochSeconds, edge.valid_to.epochSeconds"
        )
        end = sum(3**level for level in range(depth))
        way = (
            f"MATCH (s:Entity {{tenant: 'walks', key: 'n0'}}), (e:Entity {{tenant: 'walks', key: 'n{end}'}}) "
            f"MATCH p = (s)-[r:NEXT_TO*1..{depth}]-(e) "
            "WHERE all(x IN r WHERE x.valid_from <= $at AND coalesce(x.valid_to > $at, true)) "
            "RETURN [n IN nodes(p) | n.key], [x IN relationships(p) | x.fact_id] LIMIT 10"
        )
        times = side_by_side(
            {
                "Cypher walk": lambda walk=walk: bench.read(walk, at=AT),  # type: ignore[misc]
                "traverse": lambda depth=depth: tenant.traverse("n0", depth=depth, at=AT),  # type: ignore[misc]
                "Cypher way": lambda way=way: bench.read(way, at=AT),  # type: ignore[misc]
                "paths": lambda end=end, depth=depth: tenant.paths(  # type: ignore[misc]
                    "n0", f"n{end}", depth=depth, at=AT
                ),
            },
            rounds=40,
            warm_up=10,
        )
        figures = milliseconds(times)
        ratios.append(
            Ratio(f"traverse, depth {depth} / Cypher", times["traverse"] / times["Cypher walk"], detail=figures)
        )
        ratios.append(Ratio(f"paths, depth {depth} / Cypher", times["paths"] / times["Cypher way"]))
    return ratios


PARTS: dict[str, Callable[[Bench], list[Ratio]]] = {"context": context, "evidence": evidence, "walks": walks}


@contextmanager
def opened(info: ServerInfo) -> Iterator[Bench]:
    """The memory with its embeddings, and the driver."""
    embeddings = Hashed()
    auth = (info.username, info.password)
    with (
        bare_driver(info) as driver,
        GraphMemory.open(info.uri, auth, embeddings=embeddings, many=["next_to"]) as memory,
    ):
        yield Bench(memory, driver, embeddings)


if __name__ == "__main__":
    sys.exit(run("The reading", __doc__ or "", PARTS, opened))
