"""The schemas that a database stores: each version once, so that all programs declare it alike."""

from __future__ import annotations

import json

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory.domain.instants import from_micros
from graph_memory.domain.records import Cardinality
from graph_memory.schema.compatibility import require_cardinalities, require_same
from graph_memory.schema.schema import Schema, cardinalities
from graph_memory.storage.records import SchemaInfo


class AsyncSchemas:
    """The schemas of a database."""

    def __init__(self, database: AsyncDatabase) -> None:
        self._database = database

    async def all(self) -> list[SchemaInfo]:
        """Return the stored schemas, in order of name and version."""
        return [
            SchemaInfo(
                name=name, version=version, declaration=json.loads(text), recorded_at=from_micros(recorded_at)
            )
            for name, version, text, recorded_at in await self._database.read("read/schemas")
        ]

    async def register(self, schema: Schema) -> None:
        """Store a schema and the cardinalities of its attributes, unless they are stored already.

        Raises:
            SchemaMismatchError: the database has another declaration of this version, or another cardinality of an
                attribute; nothing was stored.
        """
        declaration = json.dumps(schema.registered(), ensure_ascii=False, sort_keys=True)
        rows = [{"name": name, "cardinality": str(one)} for name, one in sorted(cardinalities(schema).items())]

        async def work(transaction: AsyncTransaction) -> None:
            [[text]] = await transaction.run(
                "write/register_schema", schema=schema.name, version=schema.version, declaration=declaration
            )
            require_same(schema, json.loads(text))
            recorded = await transaction.run("write/register", tenant=None, rows=rows)
            require_cardinalities(schema, {name: Cardinality(one) for name, one in recorded})

        await self._database.write(work)
