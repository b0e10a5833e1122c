"""The schemas of a database: each version stored once, so that two programs cannot mean different things by it."""

from __future__ import annotations

import json
from typing import Any

from graph_memory._async.database import AsyncDatabase, AsyncTransaction
from graph_memory.errors import SchemaMismatchError
from graph_memory.instants import from_micros
from graph_memory.records import Cardinality, SchemaInfo
from graph_memory.schema import Schema, cardinalities, differences


class AsyncSchemas:
    """The schemas of a database."""

    def __init__(self, database: AsyncDatabase) -> None:
        self._database = database

    async def all(self) -> list[SchemaInfo]:
        """Return those that are stored, by name and version."""
        return [
            SchemaInfo(
                name=name, version=version, declaration=json.loads(text), recorded_at=from_micros(recorded_at)
            )
            for name, version, text, recorded_at in await self._database.read("read/schemas")
        ]

    async def register(self, schema: Schema) -> None:
        """Store a schema, and the cardinality of its attributes, where the database has neither.

        Raises:
            SchemaMismatchError: it has another declaration of this version, or an attribute of another
                cardinality; nothing was stored.
        """
        declared = schema.registered()
        rows = [{"name": name, "cardinality": str(one)} for name, one in sorted(cardinalities(schema).items())]

        async def work(transaction: AsyncTransaction) -> None:
            [[text]] = await transaction.run(
                "write/register_schema",
                schema=schema.name,
                version=schema.version,
                declaration=json.dumps(declared, ensure_ascii=False, sort_keys=True),
            )
            _require_same(schema, json.loads(text), declared)
            _require_cardinalities(schema, await transaction.run("write/register", rows=rows))

        await self._database.write(work)


def _require_same(schema: Schema, stored: dict[str, Any], declared: dict[str, Any]) -> None:
    if apart := differences(stored, declared):
        raise SchemaMismatchError(
            f"the database has another declaration of schema {schema.label} (stored -> declared here): "
            f"{'; '.join(apart)}. Declare it as it is stored, or give the new declaration another version"
        )


def _require_cardinalities(schema: Schema, recorded: list[list[Any]]) -> None:
    wrong = [
        f"{name} is recorded with cardinality {text} and declared with {schema.attributes[name].cardinality}"
        for name, text in recorded
        if schema.attributes[name].cardinality is not Cardinality(text)
    ]
    if wrong:
        raise SchemaMismatchError(
            f"schema {schema.label} does not fit the database: {'; '.join(wrong)}. A cardinality never changes: "
            "give the attribute another name"
        )
