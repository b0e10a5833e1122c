"""What is told about a database: its server, indexes, attributes and schemas, and what verifying it found."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graph_memory.domain.records import Cardinality, ReadOnly, Record


class IndexInfo(Record):
    """An index that searches use.

    Attributes:
        kind: `text` or `vector`.
        name: of the index in the database.
        language: of the text index, the analyzer.
        embedder: of the vector index, which model its vectors come from.
        dimension: of the vector index, how many numbers a vector has.
        missing: of the vector index, how many episodes are not in it yet.
        building: what a rebuild that is not done makes of it: a language or an embedder; None: none is under way.
        left: how many episodes that rebuild has before it.
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
        address: the URI that was given.
        version: of the Neo4j server.
        edition: `community` or `enterprise`.
        migrations: those applied, in order.
        indexes: those that searches use, with what is missing in them.
    """

    address: str
    version: str
    edition: str
    migrations: tuple[str, ...] = ()
    indexes: tuple[IndexInfo, ...] = ()


class AttributeInfo(Record):
    """An attribute that the database has recorded, with its cardinality."""

    name: str
    cardinality: Cardinality


class SchemaInfo(Record):
    """A schema that the database has.

    Attributes:
        name: of the schema.
        version: of the declaration.
        declaration: what it declares, in the form of JSON.
        recorded_at: when it was stored (UTC).
    """

    name: str
    version: int
    declaration: ReadOnly[dict[str, Any]]
    recorded_at: datetime
