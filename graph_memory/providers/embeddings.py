"""Models that turn text into vectors: LangChain Embeddings, and models of sentence-transformers."""

from __future__ import annotations

import asyncio
import math
import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_memory.errors import GraphMemoryError, InvalidInputError, UnavailableError, brief
from graph_memory.providers.failures import failure_of

MAX_DIMENSION = 4096
VARIABLE = "GRAPH_MEMORY_EMBEDDINGS"
# The first words of a query carry its meaning, and models refuse or cut longer texts.
_MAX_QUERY = 2000
_NAMES = ("name", "model", "model_name", "model_id", "model_path", "deployment")


class SentenceTransformerEmbeddings:
    """A model of sentence-transformers that runs on this machine; it needs the extra `embeddings`.

    The model is loaded at first use. A text that is too long for the model is cut into parts, and its vector is
    the mean of the parts' vectors, so that the whole text counts.

    Args:
        model: a name on the Hugging Face hub, or a folder; None: the value of GRAPH_MEMORY_EMBEDDINGS.
        name: the name of this model's vectors in the database; None: the model's name, or the whole path of its
            folder. Give one where the folder has another path on another machine.
        **options: options of `SentenceTransformer`, such as `device="cpu"`.

    Raises:
        InvalidInputError: no model is named.
    """

    def __init__(self, model: str | None = None, *, name: str | None = None, **options: Any) -> None:
        chosen = model or os.environ.get(VARIABLE)
        if not chosen:
            raise InvalidInputError(
                f"no model is named: give SentenceTransformerEmbeddings a model such as "
                f"sentence-transformers/all-MiniLM-L6-v2, or set {VARIABLE}"
            )
        self.model = str(chosen)
        self.name = name or (str(Path(self.model).resolve()) if Path(self.model).is_dir() else self.model)
        self._options = options
        self._loaded: Any = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts, of length one."""
        model = self._load()
        parts = [self._parts(text) for text in texts]
        vectors = iter(model.encode([part for of_text in parts for part in of_text], normalize_embeddings=True))
        return [_mean([next(vectors) for _ in of_text]) for of_text in parts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query, of length one."""
        return self.embed_documents([text])[0]

    def _load(self) -> Any:
        if self._loaded is None:
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError:
                raise InvalidInputError(
                    f"the embeddings {brief(self.name)} need the extra 'embeddings': run "
                    'pip install "graph-memory[embeddings]", or pass embeddings= with other LangChain Embeddings'
                ) from None
            try:
                self._loaded = SentenceTransformer(self.model, **self._options)
            except (OSError, ValueError) as error:
                raise InvalidInputError(
                    f"sentence-transformers cannot load the model {brief(self.model)}: {brief(str(error))}"
                ) from error
        return self._loaded

    def _parts(self, text: str) -> list[str]:
        length = len(self._loaded.tokenizer(text, truncation=False, verbose=False)["input_ids"])
        if length <= self._loaded.max_seq_length or len(text) < 2:
            return [text]
        half = len(text) // 2
        return [part for one in (text[:half], text[half:]) for part in self._parts(one)]


def _mean(vectors: Sequence[Any]) -> list[float]:
    summed = [float(sum(values)) for values in zip(*vectors, strict=True)]
    length = sum(value * value for value in summed) ** 0.5
    return [value / length for value in summed] if length else summed


@dataclass(frozen=True, slots=True)
class Embedder:
    """A model and the name of its vectors.

    Attributes:
        name: the name of the model's vectors; vectors with different names are never compared.
        model: the LangChain Embeddings, or an object with the same methods.
    """

    name: str
    model: Any


def embedder_of(embeddings: Any) -> Embedder | None:
    """Return the embedder of the given embeddings, else of those that GRAPH_MEMORY_EMBEDDINGS names, else None.

    Raises:
        InvalidInputError: it lacks the methods of LangChain Embeddings, or has no name.
    """
    if embeddings is None:
        if not os.environ.get(VARIABLE):
            return None
        embeddings = SentenceTransformerEmbeddings()
    if isinstance(embeddings, type):
        raise InvalidInputError(f"embeddings {brief(embeddings)} is a class: give an instance of it")
    if not all(callable(getattr(embeddings, name, None)) for name in ("embed_documents", "embed_query")):
        raise InvalidInputError(
            f"embeddings {brief(embeddings)} must have embed_documents and embed_query, as LangChain Embeddings do"
        )
    named = (getattr(embeddings, name, None) for name in _NAMES)
    model = next((name for name in named if isinstance(name, str) and name), "")
    if not model:
        raise InvalidInputError(
            f"embeddings of {type(embeddings).__name__} do not name their model, and vectors of two models must "
            f"not be compared: set .name on the object, or add it in a subclass ({_or(_NAMES)} will do)"
        )
    return Embedder(f"{type(embeddings).__name__}:{model}", embeddings)


def _or(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


def documents(embedder: Embedder, texts: list[str], dimension: int | None = None) -> list[list[float]]:
    """Return the vectors of texts, each of `dimension` numbers; None: any dimension.

    Raises:
        InvalidInputError: the model returned something else, or vectors of another dimension.
        UnavailableError: the model failed.
    """
    try:
        found = embedder.model.embed_documents(texts)
    except Exception as error:
        raise _failed(embedder, error) from error
    return checked_vectors(found, len(texts), embedder.name, dimension)


async def documents_async(embedder: Embedder, texts: list[str], dimension: int | None = None) -> list[list[float]]:
    """Return the vectors of texts, as `documents` does, without blocking the event loop."""
    try:
        if hasattr(embedder.model, "aembed_documents"):
            found = await embedder.model.aembed_documents(texts)
        else:
            found = await asyncio.to_thread(embedder.model.embed_documents, texts)
    except Exception as error:
        raise _failed(embedder, error) from error
    return checked_vectors(found, len(texts), embedder.name, dimension)


def query(embedder: Embedder, text: str, dimension: int | None = None) -> list[float]:
    """Return the vector of the first 2,000 characters of a query; raises as `documents` does."""
    try:
        found = embedder.model.embed_query(_askable(text))
    except Exception as error:
        raise _failed(embedder, error) from error
    return checked_vectors([found], 1, embedder.name, dimension)[0]


async def query_async(embedder: Embedder, text: str, dimension: int | None = None) -> list[float]:
    """Return the vector of a query, as `query` does, without blocking the event loop."""
    try:
        if hasattr(embedder.model, "aembed_query"):
            found = await embedder.model.aembed_query(_askable(text))
        else:
            found = await asyncio.to_thread(embedder.model.embed_query, _askable(text))
    except Exception as error:
        raise _failed(embedder, error) from error
    return checked_vectors([found], 1, embedder.name, dimension)[0]


def _askable(text: str) -> str:
    return text[:_MAX_QUERY].encode("utf-8", "replace").decode("utf-8")


def _failed(embedder: Embedder, error: Exception) -> GraphMemoryError:
    if isinstance(error, GraphMemoryError):
        return error
    reason = failure_of(error).reason
    return UnavailableError(f"the embeddings of {embedder.name} failed: {reason}")


def checked_vectors(found: Any, number: int, embedder: str, dimension: int | None = None) -> list[list[float]]:
    """Return the vectors that a model gave, as lists of floats.

    Args:
        found: the vectors as the model returned them.
        number: how many texts the model was given.
        embedder: the embedder's name.
        dimension: how many numbers each vector must have; None: as many as the first.

    Raises:
        InvalidInputError: there is not one vector of that dimension for each text, or a vector's numbers, as
            32-bit floats, are not finite or all zero.
    """
    try:
        vectors = [[float(value) for value in vector] for vector in found]
    except (TypeError, ValueError):
        raise InvalidInputError(f"the embeddings of {embedder} are not lists of numbers") from None
    if len(vectors) != number:
        raise InvalidInputError(f"the embeddings of {embedder} gave {len(vectors)} vectors for {number} texts")
    for vector in vectors:
        wanted = dimension or len(vectors[0])
        if len(vector) != wanted or not 1 <= wanted <= MAX_DIMENSION:
            raise InvalidInputError(
                f"the embeddings of {embedder} have {len(vector)} numbers where {wanted} are expected "
                f"(1 to {MAX_DIMENSION})"
            )
        stored = array("f", vector)  # the database stores 32-bit floats
        if not all(map(math.isfinite, stored)) or not any(stored):
            raise InvalidInputError(
                f"the embeddings of {embedder} hold a number that is not finite, or only zeros, as 32-bit floats"
            )
    return vectors
