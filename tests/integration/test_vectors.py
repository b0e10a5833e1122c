"""Searching by vectors: how they come to be, how they are found, and how one model takes the place of another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import pytest
from ledgers import fresh_name
from servers import TestServer
from toy_embeddings import ToyEmbeddings

from graph_memory import (
    AsyncGraphMemory,
    ConflictError,
    Evidence,
    GraphMemory,
    IndexInfo,
    InvalidInputError,
    Kind,
    Schema,
    SchemaMismatchError,
    Tenant,
    UnavailableError,
    Worker,
)
from graph_memory._sync.storage.driver_errors import AwayError
from graph_memory.search.index_generations import Generation

pytestmark = pytest.mark.server


class Person(Kind):
    """Somebody."""

    vocation: str


class Silent:
    """A chat model that is never asked."""

    def with_structured_output(self, schema: type, **options: Any) -> Silent:
        return self


SCHEMA = Schema("test-vectors", version=1, kinds=[Person])


@pytest.fixture
def toy() -> ToyEmbeddings:
    return ToyEmbeddings()


@pytest.fixture
def embedding(server: TestServer, toy: ToyEmbeddings) -> Iterator[GraphMemory]:
    """A memory by whose embeddings the vectors of the database are."""
    with GraphMemory.open(server.uri, server.auth, embeddings=toy) as opened:
        index = vectors(opened)
        if index is not None and (index.embedder != opened.embedder or index.building):
            opened.rebuild_vector_index()
        opened.index_missing()
        yield opened


@pytest.fixture
def tenant(embedding: GraphMemory) -> Tenant:
    return embedding.tenant(fresh_name())


def vectors(memory: GraphMemory) -> IndexInfo | None:
    return next((index for index in memory.indexes() if index.kind == "vector"), None)


def ids(found: Sequence[Evidence]) -> list[str]:
    return [evidence.episode.id for evidence in found]


def test_episodes_are_found_by_the_vectors_that_are_made_when_they_are_recorded(tenant: Tenant) -> None:
    tenant.record("Her passport is due in July.", id="e1")
    tenant.record_episodes([{"text": "Nothing of the kind.", "id": "e2"}, {"text": "Her cat.", "id": "e3"}])
    found = tenant.search("passport due", mode="vector", neighbours=0)
    assert ids(found)[0] == "e1"
    assert len(found) == 3
    assert found[0].parts == {"vector": 1.0}
    assert tenant.search("passport due")[0].parts.keys() == {"text", "vector"}
    assert tenant.search("passport due", mode="text")[0].parts.keys() == {"text"}


def test_a_query_without_words_may_still_mean_something(tenant: Tenant) -> None:
    tenant.record("A fox.", id="e1")
    assert ids(tenant.search("\U0001f98a" * 50_000)) == ["e1"]
    assert tenant.search("  ") == []
    assert ids(tenant.search("\ud800 the")) == ["e1"]


def test_the_end_of_a_long_episode_has_a_vector_too(tenant: Tenant) -> None:
    tenant.record(f"{'Nothing of note was said here. ' * 300}{'Zebra crossing. ' * 30}", id="long")
    tenant.record_episodes({"text": f"Something else number {number}."} for number in range(20))
    found = tenant.search("zebra crossing", mode="vector")[0]
    assert found.episode.id == "long"
    assert "Zebra crossing" in found.quote


def test_what_may_count_is_the_same_as_for_words(tenant: Tenant) -> None:
    first = tenant.record("A fox.", id="e1", session="s1", occurred_at="2026-01-01T00:00Z")
    tenant.record("A fox.", id="e2", source="crm", occurred_at="2026-01-02T00:00Z")
    tenant.record("A fox.", id="e3", kind="event", occurred_at="2026-01-03T00:00Z")
    tenant.assert_fact("mira", "home", "Porto", valid_from="2026-01-01", episode="e3")

    def found(**filters: Any) -> list[str]:
        return ids(tenant.search("fox", mode="vector", **filters))

    assert found() == ["e1", "e2", "e3"]
    assert found(k=1) == ["e1"]
    assert found(sources=["crm"]) == ["e2"]
    assert found(kinds=["event"]) == ["e3"]
    assert found(session="s1") == ["e1"]
    assert found(about="mira") == ["e3"]
    assert found(between=("2026-01-02", "2026-01-03")) == ["e2"]
    assert found(at="2026-01-02") == ["e1", "e2"]
    assert found(known_at=first.recorded_at) == ["e1"]


@pytest.mark.parametrize("own", [5, 1500])
def test_a_tenant_among_many_gets_all_of_its_own_and_nothing_else(embedding: GraphMemory, own: int) -> None:
    ours, theirs = embedding.tenant(fresh_name()), embedding.tenant(fresh_name())
    theirs.record_episodes({"text": f"A fox number {number}."} for number in range(3000))
    ours.record_episodes(
        {"text": f"A dog and a fox, {number}.", "source": f"s{number % 300}"} for number in range(own)
    )
    found = ours.search("fox", k=60, mode="vector")
    assert {one.episode.tenant for one in found} == {ours.name}
    assert len(found) == min(own, 60)
    if own > 60:
        assert len(ours.search("fox", mode="vector", sources=["s7"], neighbours=0)) == 5


def test_equals_are_in_the_order_of_recording_and_the_same_each_time(tenant: Tenant) -> None:
    tenant.record_episodes({"text": "A fox.", "id": f"few{number:03}"} for number in range(30))
    assert ids(tenant.search("fox", k=5, mode="vector")) == [f"few{number:03}" for number in range(5)]
    tenant.record_episodes({"text": "A dog.", "id": f"many{number:03}"} for number in range(200))
    found = ids(tenant.search("dog", k=5, mode="vector"))
    assert found == sorted(found)
    assert all(ids(tenant.search("dog", k=5, mode="vector")) == found for _ in range(3))


def test_an_episode_is_recorded_though_the_model_fails_and_is_made_up_for_later(
    embedding: GraphMemory, tenant: Tenant, toy: ToyEmbeddings
) -> None:
    toy.broken = True
    tenant.record("A fox.", id="e1")
    index = vectors(embedding)
    assert index is not None
    assert index.missing == 1
    assert embedding.info().indexes == tuple(embedding.indexes())
    assert ids(tenant.search("fox")) == ["e1"]
    with pytest.raises(UnavailableError, match="ToyEmbeddings:toy failed"):
        tenant.search("fox", mode="vector")
    with pytest.raises(UnavailableError):
        embedding.index_missing()
    toy.broken = False
    assert embedding.index_missing() == 1
    assert ids(tenant.search("fox", mode="vector")) == ["e1"]
    assert embedding.index_missing() == 0


def test_a_text_that_the_model_refuses_keeps_no_other_from_its_vectors(
    embedding: GraphMemory, tenant: Tenant, toy: ToyEmbeddings
) -> None:
    toy.broken = True
    tenant.record_episodes(
        {"text": "poison" if number == 3 else "A fox.", "id": f"e{number}"} for number in range(9)
    )
    toy.broken, toy.poison = False, "poison"
    assert embedding.index_missing(4) <= 4
    embedding.index_missing()
    index = vectors(embedding)
    assert index is not None
    assert index.missing == 1
    toy.poison = "\0"
    assert embedding.index_missing() == 1


@pytest.mark.parametrize("good", [0, 64, 65])
def test_one_bad_text_alone_in_its_batch_is_no_model_that_is_away(
    embedding: GraphMemory, tenant: Tenant, toy: ToyEmbeddings, good: int
) -> None:
    toy.broken = True
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(good))
    tenant.record("poison", id="bad")
    toy.broken, toy.poison = False, "poison"
    assert embedding.index_missing() == good
    assert embedding.index_missing() == 0
    toy.poison = "\0"
    assert embedding.index_missing() == 1


def test_what_an_older_program_stored_since_the_migration_is_made_up_for(
    embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record("When is your passport due?", id="t1", session="s1", occurred_at="2026-01-01")
    tenant.record("Noted.", id="t3", session="s1", occurred_at="2026-01-03")
    stored = """MATCH (e:Episode {tenant: $tenant, id: 't3'})
        CREATE (:Episode {tenant: $tenant, id: 't2', text: 'In July.', kind: 'message', source: 'user',
          session: 's1', occurred_at: datetime('2026-01-02T00:00Z'), recorded_at: e.recorded_at,
          metadata: e.metadata, retention: e.retention, tenant_token: 't0'})"""
    embedding.services.database.run_alone(stored, tenant=tenant.name)
    assert ids(tenant.search("passport", mode="text")) == ["t1", "t3"]
    assert embedding.index_missing() == 1
    assert ids(tenant.search("passport", mode="text")) == ["t1", "t2"]
    between = ("2026-01-02", "2026-01-03")
    assert ids(tenant.search("July", mode="vector", between=between)) == ["t2"]
    assert embedding.index_missing() == 0


def test_what_others_recorded_without_embeddings_is_made_up_for(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    with GraphMemory.open(server.uri, server.auth) as plain:
        plain.tenant(tenant.name).record("A fox.", id="e1")
        with pytest.raises(InvalidInputError, match="embeddings="):
            plain.tenant(tenant.name).search("fox", mode="vector")
        with pytest.raises(InvalidInputError, match="embeddings="):
            plain.index_missing()
    assert embedding.index_missing() == 1


def test_a_worker_makes_up_for_vectors_that_are_missing(
    server: TestServer, embedding: GraphMemory, tenant: Tenant, toy: ToyEmbeddings
) -> None:
    toy.broken = True
    tenant.record("A fox.", id="e1")
    toy.broken = False

    async def work() -> None:
        async with await AsyncGraphMemory.open(
            server.uri, server.auth, schema=SCHEMA, llm=Silent(), embeddings=toy
        ) as memory:
            worker = Worker(memory, tenants=[fresh_name()])
            running = asyncio.create_task(worker.run())
            for _ in range(1200):  # what other tests left is made up for first
                if not await memory.index_missing(1) and ids(tenant.search("fox", mode="vector")) == ["e1"]:
                    break
                await asyncio.sleep(0.05)
            worker.stop()
            await running

    asyncio.run(work())
    assert ids(tenant.search("fox", mode="vector")) == ["e1"]


@pytest.mark.parametrize("mode", [None, "vector"])
def test_a_database_that_is_away_is_asked_once(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch, mode: Literal["vector"] | None
) -> None:
    tenant.search("fox")
    asked: list[str] = []

    def away(name: str, **parameters: Any) -> list[list[Any]]:
        asked.append(name)
        raise AwayError("Neo4j does not answer")

    monkeypatch.setattr(tenant._database, "read", away)
    with pytest.raises(UnavailableError, match="does not answer"):
        tenant.search("fox", mode=mode)
    assert len(asked) == 1


def test_vectors_of_two_models_are_never_compared(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record("A fox.", id="e1")
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other")) as other:
        theirs = other.tenant(tenant.name)
        theirs.record("Another fox.", id="e2")
        assert theirs.search("fox")[0].parts.keys() == {"text"}
        with pytest.raises(SchemaMismatchError, match=r"ToyEmbeddings:toy.*index rebuild"):
            theirs.search("fox", mode="vector")
        with pytest.raises(SchemaMismatchError):
            other.index_missing()
    assert ids(tenant.search("fox", mode="vector")) == ["e1"]


@pytest.mark.slow
def test_another_model_takes_over_while_the_old_vectors_serve(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}.", "id": f"e{number:03}"} for number in range(150))
    served: list[int] = []
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other", 48)) as other:

        def look(done: int, total: int) -> None:
            served.append(len(tenant.search("fox", mode="vector", k=200)))
            if len(served) == 1:
                tenant.record("A fox that came meanwhile.", id="new")
                index = vectors(other)
                assert index is not None
                assert index.building == "ToyEmbeddings:other"
                assert index.left > 0

        assert other.rebuild_vector_index(look) == 0
        index = vectors(other)
        assert index is not None
        assert (index.embedder, index.dimension, index.missing) == ("ToyEmbeddings:other", 48, 0)
        assert len(other.tenant(tenant.name).search("fox", mode="vector", k=200)) == 151
        with pytest.raises(SchemaMismatchError):
            tenant.search("fox", mode="vector")
    assert served[0] == 150
    assert min(served[1:]) == 151


@pytest.mark.slow
def test_a_rebuild_that_was_broken_off_goes_on_where_it_was(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(200))
    other = ToyEmbeddings("other")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with GraphMemory.open(server.uri, server.auth, embeddings=other) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.rebuild_vector_index(stop)
        made = other.texts
        assert len(tenant.search("fox", mode="vector", k=200)) == 200
        memory.rebuild_vector_index()
        [[passages]] = memory.services.database.run_alone("MATCH (p:Passage) RETURN count(p)")
        assert other.texts <= passages + 2
        assert made > 60
        assert len(memory.tenant(tenant.name).search("fox", mode="vector", k=200)) == 200


@pytest.mark.slow
def test_a_rebuild_that_was_broken_off_is_begun_anew_where_the_dimension_is_another(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(100))

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    first = GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other", 32))
    with first, pytest.raises(KeyboardInterrupt):
        first.rebuild_vector_index(stop)
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other", 48)) as second:
        assert second.rebuild_vector_index() == 0
        index = vectors(second)
        assert index is not None
        assert (index.dimension, index.building, index.missing) == (48, None, 0)
        assert len(second.tenant(tenant.name).search("fox", mode="vector", k=100)) == 100


class Loading(ToyEmbeddings):
    """A model that takes its time to load, in which something happens."""

    def __init__(self, model: str, meanwhile: Callable[[], object]) -> None:
        super().__init__(model)
        self._meanwhile: list[Callable[[], object]] = [meanwhile]

    def embed_query(self, text: str) -> list[float]:
        while self._meanwhile:
            self._meanwhile.pop()()
        return super().embed_query(text)


@pytest.mark.slow
def test_a_rebuild_whose_model_loads_slowly_leaves_alone_what_another_put_in_use_meanwhile(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(100))
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("quick")) as quick:
        served: list[int] = []

        def look(done: int, total: int) -> None:
            served.append(len(quick.tenant(tenant.name).search("fox", mode="vector", k=100)))

        slow = Loading("slow", quick.rebuild_vector_index)
        with GraphMemory.open(server.uri, server.auth, embeddings=slow) as memory:
            before = vectors(memory)
            memory.rebuild_vector_index(look)
            after = vectors(memory)
        assert before is not None
        assert after is not None
        assert after.name == before.name  # one slot on by the quick one, and another by the slow one
        assert set(served) == {100}


@pytest.mark.slow
def test_what_was_chosen_by_an_index_that_is_not_in_use_any_more_is_not_begun(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(20))
    with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other")) as other:
        known = other.services.indexes._vectors.generations(again=True)
        assert known is not None
        other.rebuild_vector_index()
        cleared: list[Generation] = []
        begun = other.services.indexes._begin(
            "vector", known.active, cleared.append, embedder="x", dimension=64, filtered=False
        )
        assert (begun, cleared) == (None, [])
        now = other.services.indexes._vectors.generations()
        assert now is not None
        other.services.indexes._tidy("vector", now.active, known.active)
        assert len(other.tenant(tenant.name).search("fox", mode="vector", k=20)) == 20


@pytest.mark.slow
def test_two_rebuilds_by_one_model_share_the_work(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(200))
    second = GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other"))
    done: list[int] = []

    def look(_: int, total: int) -> None:
        if not done:
            done.append(second.rebuild_vector_index())

    with second, GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other")) as first:
        assert first.rebuild_vector_index(look) == 0
        assert done == [0]
        index = vectors(first)
        assert index is not None
        assert (index.embedder, index.building, index.missing) == ("ToyEmbeddings:other", None, 0)
        assert len(first.tenant(tenant.name).search("fox", mode="vector", k=200)) == 200


@pytest.mark.slow
def test_of_two_rebuilds_by_two_models_the_later_one_wins(
    server: TestServer, embedding: GraphMemory, tenant: Tenant
) -> None:
    tenant.record_episodes({"text": f"A fox, {number}."} for number in range(100))
    later = GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("later", 48))
    begun: list[int] = []

    def look(done: int, total: int) -> None:
        if not begun:
            begun.append(later.rebuild_vector_index())

    with later, GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings("other")) as first:
        with pytest.raises(ConflictError, match="another rebuild"):
            first.rebuild_vector_index(look)
        index = vectors(first)
        assert index is not None
        assert (index.embedder, index.building, index.missing) == ("ToyEmbeddings:later", None, 0)
        assert len(later.tenant(tenant.name).search("fox", mode="vector", k=100)) == 100


def test_two_first_users_of_two_models_make_one_index(server: TestServer, embedding: GraphMemory) -> None:
    index = vectors(embedding)
    assert index is None or index.embedder == "ToyEmbeddings:toy"
    name = fresh_name()

    def record(number: int) -> None:
        with GraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings()) as memory:
            memory.tenant(name).record(f"A fox, {number}.")

    threads = [threading.Thread(target=record, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(embedding.tenant(name).search("fox", mode="vector")) == 4


def test_the_asynchronous_memory_does_the_same(server: TestServer, embedding: GraphMemory) -> None:
    async def use() -> tuple[list[str], int]:
        async with await AsyncGraphMemory.open(server.uri, server.auth, embeddings=ToyEmbeddings()) as memory:
            tenant = memory.tenant(fresh_name())
            await tenant.record("A fox.", id="e1")
            return ids(await tenant.search("fox", mode="vector")), await memory.index_missing()

    assert asyncio.run(use()) == (["e1"], 0)
