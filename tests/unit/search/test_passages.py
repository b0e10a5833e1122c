import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from toy_embeddings import ToyEmbeddings

from graph_memory.errors import InvalidInputError, UnavailableError
from graph_memory.providers.embeddings import (
    VARIABLE,
    SentenceTransformerEmbeddings,
    checked_vectors,
    documents,
    embedder_of,
    query,
)
from graph_memory.search.passages import LONGEST, passages, scan_limit

texts = st.lists(st.sampled_from(["word", " ", "\n", ". ", "x" * 300, "\u6771", "\u3002"]), max_size=200).map(
    "".join
)


@given(texts)
def test_the_passages_of_a_text_are_all_of_it(text: str) -> None:
    found = passages(text)
    covered = {place for part in found for place in range(part.start, part.end)}
    assert all(text[place].isspace() for place in set(range(len(text))) - covered)
    assert [part.number for part in found] == list(range(len(found)))
    for part in found:
        assert part.text == text[part.start : part.end]
        assert 0 < len(part.text) <= LONGEST


def test_passages_share_what_stands_across_a_cut() -> None:
    text = "".join(f"Sentence number {number} is said here. " for number in range(100))
    for before, after in zip(passages(text), passages(text)[1:], strict=False):
        assert before.text.endswith(". ")
        assert before.start < after.start < before.end


def test_a_short_text_is_one_passage_and_an_empty_one_none() -> None:
    assert [part.text for part in passages("Mira moved.")] == ["Mira moved."]
    assert passages(" \n ") == []


@pytest.mark.parametrize(
    "found",
    [
        None,
        3,
        [],
        [[1.0], [1.0]],
        [["x"]],
        [[math.nan]],
        [[0.0, 0.0]],
        [[]],
        [[1.0] * 5000],
        [[1.0, math.inf]],
        [[1e300, 1.0]],
        [[1e-300, 0.0]],
    ],
    ids=lambda found: str(found)[:20],
)
def test_what_is_no_vector_for_each_text_is_refused(found: Any) -> None:
    with pytest.raises(InvalidInputError, match="embeddings of toy"):
        checked_vectors(found, 1, "toy")


def test_vectors_of_another_dimension_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="2 numbers where 3"):
        checked_vectors([[1.0, 2.0]], 1, "toy", 3)


def test_a_model_is_known_by_its_class_and_its_name() -> None:
    embedder = embedder_of(ToyEmbeddings("small"))
    assert embedder is not None
    assert embedder.name == "ToyEmbeddings:small"
    assert len(documents(embedder, ["a", "b"], 64)) == 2


def test_a_model_that_fails_is_unavailable() -> None:
    toy = ToyEmbeddings()
    toy.broken = True
    embedder = embedder_of(toy)
    assert embedder is not None
    with pytest.raises(UnavailableError, match="ToyEmbeddings:toy failed"):
        query(embedder, "anything")


class Nameless:
    """What says nothing of which model it runs, as a wrapper around a local one may."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0]


def test_a_model_without_a_name_cannot_be_told_from_others_and_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"Nameless.*set \.name"):
        embedder_of(Nameless())
    named = Nameless()
    named.name = "a.gguf"  # type: ignore[attr-defined]
    embedder = embedder_of(named)
    assert embedder is not None
    assert embedder.name == "Nameless:a.gguf"


def test_a_class_is_no_model() -> None:
    with pytest.raises(InvalidInputError, match="instance"):
        embedder_of(ToyEmbeddings)


def test_models_in_two_folders_of_one_name_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("v1", "v2"):
        (tmp_path / version / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    first, second = (SentenceTransformerEmbeddings(f"{version}/model") for version in ("v1", "v2"))
    assert first.name != second.name
    assert first.name == SentenceTransformerEmbeddings(str(tmp_path / "v1" / "model")).name
    assert SentenceTransformerEmbeddings("v1/model", name="mine").name == "mine"


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="embed_documents"):
        embedder_of("all-MiniLM")


def test_the_environment_names_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert embedder_of(None) is None
    with pytest.raises(InvalidInputError, match=VARIABLE):
        SentenceTransformerEmbeddings()
    monkeypatch.setenv(VARIABLE, "some/model")
    embedder = embedder_of(None)
    assert embedder is not None
    assert embedder.name == "SentenceTransformerEmbeddings:some/model"


def test_a_tenant_is_scanned_as_long_as_that_is_less_work_than_asking_an_index_for_its_share() -> None:
    assert scan_limit(0, 50) == 1000
    assert scan_limit(1_000_000, 50) == 5000
    assert scan_limit(10**9, 50) == 10_000
