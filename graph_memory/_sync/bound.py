# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What every part of a tenant's memory is bound to."""

from __future__ import annotations

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
from graph_memory._sync.vectors import Vectors


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
    ) -> None:
        self.name = names.tenant_name(name)
        self._database = database
        self._attributes = attributes
        self._extractor = extractor
        self._vectors = vectors or Vectors(database, None)
        self._question_reader = question_reader or QuestionReader()
        self._queue = Queue(database, self.name)
        self._episodes = Episodes(database, self._queue, self._vectors, self.name)
        self._ledger = Ledger(database, attributes, self.name)
        self._entities = Entities(database, self.name)
        self._reader = Reader(database, self.name)
        self._searcher = Searcher(database, self._vectors, self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
