"""The records that describe a database: its server, indexes, attributes and schemas."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graph_memory.domain.records import Cardinality, ReadOnly, Record


class IndexInfo(Record):
    """An index that searches use.

    Attributes:
        kind: `text` or `vector`.
        name: the index's name in the database.
        language: the analyzer of the text index; None for the vector index.
        embedder: the model that the vectors come from; None for the text index.
        dimension: how many numbers a vector has; None for the text index.
        missing: how many episodes have no vector yet; 0 for the text index.
        building: the language or embedder of an unfinished rebuild; None where no rebuild is under way.
        left: how many episodes that rebuild has still to index.
    """

    kind: str
    name: str
    language: str | None = None
    embedder: str | None = None
    dimension: int | None = None
    missing: int = 0
    building: str | None = None
    left: int = 0


class DatabaseInfo(Record):
    """The database behind a memory.

    Attributes:
        address: the URI that the memory is connected to.
        version: the version of the Neo4j server.
        edition: `community` or `enterprise`.
        migrations: the applied migrations, in order.
        indexes: the indexes that searches use, with the number of episodes missing in them.
    """

    address: str
    version: str
    edition: str
    migrations: tuple[str, ...] = ()
    indexes: tuple[IndexInfo, ...] = ()


class AttributeInfo(Record):
    """An attribute that is recorded in the database, with its cardinality."""

    name: str
    cardinality: Cardinality


class SchemaInfo(Record):
    """A schema that is stored in the database.

    Attributes:
        name: the schema's name.
        version: the declaration's version.
        declaration: the whole declaration, as JSON values.
        recorded_at: when it was stored (UTC, the database's clock).
    """

    name: str
    version: int
    declaration: ReadOnly[dict[str, Any]]
    recorded_at: datetime
