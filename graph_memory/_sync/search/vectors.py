# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The vectors of episodes: makes them in batches after episodes are stored, and that of a query."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.wording import counted
from graph_memory.errors import GraphMemoryError, InvalidInputError, SchemaMismatchError, UnavailableError
from graph_memory.providers.embeddings import Embedder, documents, query
from graph_memory.search.index_generations import (
    Generation,
    Generations,
    SupersededGenerationError,
    filters_by_tenant,
    generations,
)
from graph_memory.search.passages import as_rows, passages

_log = logging.getLogger(__name__)

# Texts in one call of the model, and passages in one transaction.
_BATCH = 64
# A text that no model refuses: a model that fails at it does not work at all.
HARMLESS = "dimension"


class Vectors:
    """The vectors of all tenants, by one embedder, or by none."""

    def __init__(self, database: Database, embedder: Embedder | None) -> None:
        self._database = database
        self.embedder = embedder
        self._known: Generations | None = None
        self._index_exists = False

    def required(self) -> Embedder:
        """Return the embedder; raises InvalidInputError if there is none."""
        if self.embedder is None:
            raise InvalidInputError(
                "a search by vectors needs embeddings: open the memory with embeddings=, or set "
                "GRAPH_MEMORY_EMBEDDINGS to the name of a model"
            )
        return self.embedder

    def generations(self, *, again: bool = False) -> Generations | None:
        """Return the generations of vectors; None: there are no vectors. `again` reads the database again."""
        if self._known is None or again:
            self._known = generations(self._database.read("index/state")).get("vector")
        return self._known

    def ours(self, *, again: bool = False) -> Generation | None:
        """Return the generation in use; None: there is none.

        Raises:
            SchemaMismatchError: another embedder made it.
        """
        known = self.generations(again=again)
        if known is None:
            return None
        name = self.required().name
        if known.active.embedder != name and not again:
            return self.ours(again=True)
        if known.active.embedder != name:
            raise SchemaMismatchError(
                f"the vectors of this database are from {known.active.embedder}, and vectors of {name} cannot be "
                "compared with them: use the same embeddings, or run graph-memory index rebuild"
            )
        return known.active

    def of_query(self, text: str, generation: Generation) -> list[float]:
        """Return the vector of a query; raises as `embedders.query` does."""
        return query(self.required(), text, generation.dimension)

    def ready(self) -> Generation:
        """Return the generation in use; if there is none, begin one with this embedder.

        Raises:
            SchemaMismatchError: another embedder made it.
            UnavailableError: the model does not answer.
        """
        generation = self.ours()
        if generation is None:
            self._begin()
            generation = self.ours(again=True)
            assert generation is not None
        if not self._index_exists:
            try:
                self.create_index(generation)
            except SupersededGenerationError:
                generation = self.ours(again=True)
                assert generation is not None
            self._index_exists = True
        return generation

    def _begin(self) -> None:
        embedder = self.required()
        dimension = len(query(embedder, HARMLESS))
        filtered = self.filters()

        def work(transaction: Transaction) -> None:
            transaction.run("index/first_vectors", embedder=embedder.name, dimension=dimension, filtered=filtered)

        self._database.write(work)

    def filters(self) -> bool:
        """Whether the server's vector indexes filter by tenant."""
        [[version, _]] = self._database.read("admin/server")
        return filters_by_tenant(version)

    def create_index(self, generation: Generation) -> None:
        """Make the index of a generation, if it does not exist, and wait until it is filled.

        Raises:
            SupersededGenerationError: the generation is over.
        """

        def work(transaction: Transaction) -> bool:
            [wanted] = transaction.run("index/hold", kind="vector")
            if generation.number in wanted:
                self.make_index(generation)
            return generation.number in wanted

        exists = self._database.run_alone_template("index/population", index=generation.name)
        if not exists and not self._database.write(work):
            raise SupersededGenerationError(f"generation {generation.number} is over")
        self._database.run_alone("CALL db.awaitIndex($name, 300)", name=generation.name)

    def make_index(self, generation: Generation) -> None:
        """Make the index of a generation; only under the lock on the index."""
        dialect, given = ("CYPHER 25 ", "WITH [p.tenant] ") if generation.filtered else ("", "")
        self._database.run_alone(
            f"{dialect}CREATE VECTOR INDEX $name IF NOT EXISTS FOR (p:Passage) "
            f"ON (p.{generation.embedding_property}) {given}OPTIONS $options",
            name=generation.name,
            options={
                "indexConfig": {
                    "vector.dimensions": generation.dimension,
                    "vector.similarity_function": "cosine",
                }
            },
        )

    def follow(self, tenant: str, texts: Mapping[str, str]) -> None:
        """Make the vectors of episodes that were just stored; failures are logged, and tried again later."""
        if self.embedder is None or not texts:
            return
        try:
            self.embed([(tenant, id_, text) for id_, text in texts.items()], self.ready())
        except (GraphMemoryError, SupersededGenerationError) as error:
            _log.warning("no vectors yet for %s of %s: %s", counted(len(texts), "episode"), tenant, error)

    def embed(self, episodes: Sequence[tuple[str, str, str]], generation: Generation) -> None:
        """Make the vectors of episodes, given as tenant, id and text.

        Raises:
            SupersededGenerationError: vectors of this generation are not wanted any more.
        """
        parts = [(tenant, id_, passages(text)) for tenant, id_, text in episodes]
        texts = [part.text for _, _, of_episode in parts for part in of_episode]
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            vectors += documents(self.required(), batch, generation.dimension)
        by_tenant: dict[str, list[dict[str, object]]] = {}
        for tenant, id_, of_episode in parts:
            mine, vectors = vectors[: len(of_episode)], vectors[len(of_episode) :]
            by_tenant.setdefault(tenant, []).append(as_rows(id_, of_episode, mine))
        for tenant, rows in sorted(by_tenant.items()):
            self._write(tenant, rows, generation)

    def _write(self, tenant: str, rows: list[dict[str, object]], generation: Generation) -> None:
        def work(transaction: Transaction) -> bool:
            [[wanted, _]] = transaction.run(
                "write/embed",
                tenant=tenant,
                generation=generation.number,
                property=generation.embedding_property,
                rows=rows,
            )
            return bool(wanted)

        if not self._database.write(work):
            self._known = None
            raise SupersededGenerationError(f"another generation has replaced generation {generation.number}")

    def missing(self, generation: Generation) -> int:
        """Return how many episodes have no vectors of a generation yet."""
        [[missing]] = self._database.read("index/count_missing", generation=generation.number)
        return int(missing)

    def catch_up(self, generation: Generation, limit: int, skip: int = 0) -> tuple[int, int]:
        """Make the vectors of some episodes that have none of a generation yet.

        If a batch fails, each of its episodes is tried alone, so that one bad text does not block the others.
        After each failure the model gets a harmless text: that tells a refused text from a model that does not
        work.

        Returns:
            The number of episodes that got vectors, and the number that failed.

        Raises:
            UnavailableError, InvalidInputError: the model fails at every text.
            SupersededGenerationError: another generation has replaced this one.
        """
        found = self._database.read(
            "index/missing", generation=generation.number, skip=skip, limit=min(limit, _BATCH)
        )
        episodes = [(tenant, id_, text) for tenant, id_, text in found]
        if not episodes:
            return 0, 0
        try:
            self.embed(episodes, generation)
        except (UnavailableError, InvalidInputError) as error:
            _log.info("a batch of %d episodes got no vectors, trying one by one: %s", len(episodes), error)
        else:
            return len(episodes), 0
        failed = 0
        for episode in episodes:
            try:
                self.embed([episode], generation)
            except (UnavailableError, InvalidInputError) as error:
                documents(self.required(), [HARMLESS], generation.dimension)
                failed += 1
                _log.warning("no vectors for episode %s of %s: %s", episode[1], episode[0], error)
        return len(episodes) - failed, failed
