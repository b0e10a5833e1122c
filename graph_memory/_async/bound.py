"""What every part of a tenant's memory is bound to."""

from __future__ import annotations

from graph_memory import names
from graph_memory._async.attributes import AsyncAttributes
from graph_memory._async.database import AsyncDatabase
from graph_memory._async.entities import AsyncEntities
from graph_memory._async.extractor import AsyncExtractor
from graph_memory._async.ledger import AsyncLedger
from graph_memory._async.question_reader import AsyncQuestionReader
from graph_memory._async.queue import AsyncQueue
from graph_memory._async.reads import AsyncReader
from graph_memory._async.recording import AsyncEpisodes
from graph_memory._async.search import AsyncSearcher
from graph_memory._async.vectors import AsyncVectors


class AsyncBound:
    """A database, one of its tenants, and the ways to read and write it."""

    def __init__(
        self,
        database: AsyncDatabase,
        attributes: AsyncAttributes,
        name: str,
        extractor: AsyncExtractor | None = None,
        vectors: AsyncVectors | None = None,
        question_reader: AsyncQuestionReader | None = None,
    ) -> None:
        self.name = names.tenant_name(name)
        self._database = database
        self._attributes = attributes
        self._extractor = extractor
        self._vectors = vectors or AsyncVectors(database, None)
        self._question_reader = question_reader or AsyncQuestionReader()
        self._queue = AsyncQueue(database, self.name)
        self._episodes = AsyncEpisodes(database, self._queue, self._vectors, self.name)
        self._ledger = AsyncLedger(database, attributes, self.name)
        self._entities = AsyncEntities(database, self.name)
        self._reader = AsyncReader(database, self.name)
        self._searcher = AsyncSearcher(database, self._vectors, self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
