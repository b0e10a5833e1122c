"""Checks that the declaration of a schema agrees with the database.

All programs must declare a version of a schema alike, and the cardinality of an attribute never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graph_memory.errors import SchemaMismatchError
from graph_memory.schema.differences import differences

if TYPE_CHECKING:
    from graph_memory.domain.records import Cardinality
    from graph_memory.schema.schema import Schema


def require_same(schema: Schema, stored: Mapping[str, Any]) -> None:
    """Raise SchemaMismatchError unless the stored declaration of this schema and version equals `schema`."""
    if apart := differences(stored, schema.registered()):
        raise SchemaMismatchError(
            f"the database has another declaration of schema {schema.label} (stored -> declared here): "
            f"{'; '.join(apart)}. Declare the schema as it is stored, or give it a new version"
        )


def require_cardinalities(schema: Schema, recorded: Mapping[str, Cardinality]) -> None:
    """Raise SchemaMismatchError where the recorded cardinality of an attribute differs from the declared one."""
    wrong = [
        f"{name} is recorded with cardinality {recorded[name]} and declared with {spec.cardinality}"
        for name, spec in schema.attributes.items()
        if recorded.get(name, spec.cardinality) is not spec.cardinality
    ]
    if wrong:
        raise SchemaMismatchError(
            f"schema {schema.label} does not fit the database: {'; '.join(wrong)}. A cardinality never changes: "
            "give the attribute another name"
        )
