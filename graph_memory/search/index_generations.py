"""The index that searches use, and the index that is being built to replace it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graph_memory.search.analysis import Analyzer

# The first version whose vector indexes filter by a property of the node.
FILTERING = (2026, 2)


class SupersededGenerationError(Exception):
    """A generation of an index is neither in use nor being built any more."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One index.

    Attributes:
        number: higher than that of the one before it.
        name: of the index in the database.
        language: of a text index, its analyzer.
        embedder: of a vector index, the name of the model.
        dimension: of a vector index.
        slot: `a` or `b`, and never that of the one before: it says in which property of passages its vectors, or
            terms, are.
        filtered: of a vector index: whether it filters by tenant.
    """

    number: int
    name: str
    language: str | None = None
    embedder: str | None = None
    dimension: int | None = None
    slot: str = "a"
    filtered: bool | None = None

    @property
    def analyzer(self) -> Analyzer:
        """What makes terms of texts, of a text index."""
        assert self.language is not None
        return Analyzer(self.language)

    @property
    def embedding_property(self) -> str:
        """The property of passages that holds its vectors."""
        return f"embedding_{self.slot}"

    @property
    def terms_property(self) -> str:
        """The property of passages that has the terms of a text index."""
        return f"terms_{self.slot}"

    @property
    def indexed_property(self) -> str:
        """The property of passages that it indexes."""
        return self.embedding_property if self.language is None else self.terms_property

    @property
    def other_slot(self) -> str:
        """The slot of the next generation."""
        return "b" if self.slot == "a" else "a"


@dataclass(frozen=True, slots=True)
class Generations:
    """The indexes of one kind: the index in use, and the index that is being built (None: there is none)."""

    active: Generation
    building: Generation | None

    @property
    def newest(self) -> Generation:
        """The one being built, else the one in use."""
        return self.building or self.active


def generations(rows: Iterable[Sequence[Any]]) -> dict[str, Generations]:
    """Return the generations of each kind from the rows of `index/state`."""
    found = {}
    for kind, number, name, language, embedder, dimension, slot, filtered, building, *rest in rows:
        active = Generation(number, name, language, embedder, dimension, slot, filtered)
        found[kind] = Generations(active, None if building is None else Generation(building, *rest))
    return found


def filters_by_tenant(version: str) -> bool:
    """Whether the vector indexes of a server with this version can filter by tenant."""
    return tuple(int(part) for part in version.split("-")[0].split(".")[:2]) >= FILTERING
