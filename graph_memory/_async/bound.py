"""What every part of a tenant's memory is bound to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

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
from graph_memory._async.texts import AsyncTexts
from graph_memory._async.vectors import AsyncVectors

T = TypeVar("T")


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
        texts: AsyncTexts | None = None,
    ) -> None:
        self.name = names.tenant_name(name)
        self._database = database
        self._attributes = attributes
        self._extractor = extractor
        self._vectors = vectors or AsyncVectors(database, None)
        self._question_reader = question_reader or AsyncQuestionReader()
        self._queue = AsyncQueue(database, self.name)
        texts = texts or AsyncTexts(database)
        self._episodes = AsyncEpisodes(database, self._queue, texts, self._vectors, self.name)
        self._ledger = AsyncLedger(database, attributes, self.name)
        self._entities = AsyncEntities(database, self.name)
        self._reader = AsyncReader(database, self.name)
        self._searcher = AsyncSearcher(database, texts, self._vectors, self.name)

    async def _following(
        self,
        keys: Iterable[str],
        known_at: datetime | None,
        read: Callable[[Callable[[str], str]], Awaitable[T]],
        found: Callable[[T], Any] = bool,
    ) -> T:
        """Return what a read finds of entities or, where it finds nothing, of those that they were merged into.

        Of a merged entity there is nothing, so only then is it looked up what became of it.

        Args:
            keys: of the entities that the read is about.
            known_at: by what the ledger knew at this instant; None: by what it knows now.
            read: takes a function that gives the key to read for a key.
            found: whether the read found anything.
        """
        answer = await read(lambda key: key)
        if found(answer):
            return answer
        kept = await self._kept(keys, known_at)
        return await read(lambda key: kept.get(key, key)) if kept else answer

    async def _kept(self, keys: Iterable[str], known_at: datetime | None) -> dict[str, str]:
        """Return the keys of those that entities were merged into; no entry for one that was not."""
        wanted = sorted(set(keys))
        return dict(await self._database.read("read/kept", tenant=self.name, keys=wanted, known_at=known_at))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
