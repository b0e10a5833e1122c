# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The base class of all parts of a tenant's memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

from graph_memory._sync.entities.resolver import Entities
from graph_memory._sync.episodes.recorder import Episodes
from graph_memory._sync.ledger.reader import Reader
from graph_memory._sync.ledger.writer import Ledger
from graph_memory._sync.queue.jobs import Queue
from graph_memory._sync.search.searcher import Searcher
from graph_memory._sync.services import Services
from graph_memory.domain import identifiers
from graph_memory.errors import NoEntityError

T = TypeVar("T")


class TenantPart:
    """One tenant of a database, with the objects that read and write its data."""

    def __init__(self, services: Services, name: str) -> None:
        self.name = identifiers.tenant_name(name)
        self._services = services
        self._database = services.database
        self._attributes = services.attributes
        self._queue = Queue(self._database, self.name)
        self._episodes = Episodes(self._database, self._queue, services.texts, services.vectors, self.name)
        self._ledger = Ledger(self._database, self._attributes, self.name)
        self._entities = Entities(self._database, self.name)
        self._reader = Reader(self._database, self.name)
        self._searcher = Searcher(self._database, services.texts, services.vectors, self.name)

    def _following(
        self,
        keys: Iterable[str],
        known_at: datetime | None,
        read: Callable[[Callable[[str], str]], T],
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
        answer = self._hinting(lambda: read(lambda key: key))
        if found(answer):
            return answer
        kept = self._kept(keys, known_at)
        return read(lambda key: kept.get(key, key)) if kept else answer

    def _hinting(self, call: Callable[[], T]) -> T:
        """Return what a call returns; where it finds no entity of a key, say whose name that is."""
        try:
            return call()
        except NoEntityError as error:
            called = self._entities.resolve([error.key])
            raise error.hinting([entity.key for entity in called[error.key]]) from None

    def _kept(self, keys: Iterable[str], known_at: datetime | None) -> dict[str, str]:
        """Return, by key, the key of the entity that each was merged into; entities not merged are left out."""
        wanted = sorted(set(keys))
        return dict(self._database.read("read/kept", tenant=self.name, keys=wanted, known_at=known_at))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
