"""The base class of all parts of a tenant's memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

from graph_memory._async.entities.resolver import AsyncEntities
from graph_memory._async.episodes.recorder import AsyncEpisodes
from graph_memory._async.ledger.reader import AsyncReader
from graph_memory._async.ledger.writer import AsyncLedger
from graph_memory._async.queue.jobs import AsyncQueue
from graph_memory._async.search.searcher import AsyncSearcher
from graph_memory._async.services import AsyncServices
from graph_memory.domain import identifiers
from graph_memory.errors import NoEntityError

T = TypeVar("T")


class AsyncTenantPart:
    """One tenant of a database, with the objects that read and write its data."""

    def __init__(self, services: AsyncServices, name: str) -> None:
        self.name = identifiers.tenant_name(name)
        self._services = services
        self._database = services.database
        self._attributes = services.attributes
        self._queue = AsyncQueue(self._database, self.name)
        self._episodes = AsyncEpisodes(self._database, self._queue, services.texts, services.vectors, self.name)
        self._ledger = AsyncLedger(self._database, self._attributes, self.name)
        self._entities = AsyncEntities(self._database, self.name)
        self._reader = AsyncReader(self._database, self.name)
        self._searcher = AsyncSearcher(self._database, services.texts, services.vectors, self.name)

    async def _following(
        self,
        keys: Iterable[str],
        known_at: datetime | None,
        read: Callable[[Callable[[str], str]], Awaitable[T]],
        found: Callable[[T], Any] = bool,
    ) -> T:
        """Return the result of a read; where it finds nothing, repeat it for the entities' merge targets.

        A merged entity has no facts left, so merges are looked up only after a read that found nothing.

        Args:
            keys: keys of the entities that the read is about.
            known_at: use the state of the ledger at this instant (UTC); None: its present state.
            read: the read. It gets a function from an entity's key to the key to read instead.
            found: whether a result contains anything.
        """
        answer = await self._hinting(lambda: read(lambda key: key))
        if found(answer):
            return answer
        kept = await self._kept(keys, known_at)
        return await read(lambda key: kept.get(key, key)) if kept else answer

    async def _hinting(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what a call returns; where it finds no entity of a key, say whose name that is."""
        try:
            return await call()
        except NoEntityError as error:
            called = await self._entities.resolve([error.key])
            raise error.hinting([entity.key for entity in called[error.key]]) from None

    async def _kept(self, keys: Iterable[str], known_at: datetime | None) -> dict[str, str]:
        """Return, by key, the key of the entity that each was merged into; entities not merged are left out."""
        wanted = sorted(set(keys))
        return dict(await self._database.read("read/kept", tenant=self.name, keys=wanted, known_at=known_at))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
