# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What every part of a tenant's memory is bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

from graph_memory import names
from graph_memory._sync.attributes import Attributes
from graph_memory._sync.database import Database
from graph_memory._sync.entities import Entities
from graph_memory._sync.extractor import Extractor
from graph_memory._sync.ledger import Ledger
from graph_memory._sync.question_reader import QuestionReader
from graph_memory._sync.queue import Queue
from graph_memory._sync.reads import Reader
from graph_memory._sync.recording import Episodes
from graph_memory._sync.search import Searcher
from graph_memory._sync.texts import Texts
from graph_memory._sync.vectors import Vectors

T = TypeVar("T")


class Bound:
    """A database, one of its tenants, and the ways to read and write it."""

    def __init__(
        self,
        database: Database,
        attributes: Attributes,
        name: str,
        extractor: Extractor | None = None,
        vectors: Vectors | None = None,
        question_reader: QuestionReader | None = None,
        texts: Texts | None = None,
    ) -> None:
        self.name = names.tenant_name(name)
        self._database = database
        self._attributes = attributes
        self._extractor = extractor
        self._vectors = vectors or Vectors(database, None)
        self._question_reader = question_reader or QuestionReader()
        self._queue = Queue(database, self.name)
        texts = texts or Texts(database)
        self._episodes = Episodes(database, self._queue, texts, self._vectors, self.name)
        self._ledger = Ledger(database, attributes, self.name)
        self._entities = Entities(database, self.name)
        self._reader = Reader(database, self.name)
        self._searcher = Searcher(database, texts, self._vectors, self.name)

    def _following(
        self,
        keys: Iterable[str],
        known_at: datetime | None,
        read: Callable[[Callable[[str], str]], T],
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
        answer = read(lambda key: key)
        if found(answer):
            return answer
        kept = self._kept(keys, known_at)
        return read(lambda key: kept.get(key, key)) if kept else answer

    def _kept(self, keys: Iterable[str], known_at: datetime | None) -> dict[str, str]:
        """Return the keys of those that entities were merged into; no entry for one that was not."""
        wanted = sorted(set(keys))
        return dict(self._database.read("read/kept", tenant=self.name, keys=wanted, known_at=known_at))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
