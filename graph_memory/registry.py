"""How the declaration of a schema compares with what a database has.

A version of a schema means one thing to all programs, and the cardinality of an attribute never changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graph_memory.errors import SchemaMismatchError

if TYPE_CHECKING:
    from graph_memory.records import Cardinality
    from graph_memory.schema import Schema


def differences(stored: Mapping[str, Any], declared: Mapping[str, Any]) -> list[str]:
    """Return in what two declarations differ, one line each: `where: what is stored -> what is declared`."""
    return [
        f"{path}: {_as_text(old)} -> {_as_text(new)}"
        for path, old, new in _apart("", stored, declared)
        if path not in ("name", "version")
    ]


def require_same(schema: Schema, stored: Mapping[str, Any]) -> None:
    """Raise SchemaMismatchError unless the stored declaration of a schema's version is its own."""
    if apart := differences(stored, schema.registered()):
        raise SchemaMismatchError(
            f"the database has another declaration of schema {schema.label} (stored -> declared here): "
            f"{'; '.join(apart)}. Declare it as it is stored, or give the new declaration another version"
        )


def require_cardinalities(schema: Schema, recorded: Mapping[str, Cardinality]) -> None:
    """Raise SchemaMismatchError where attributes are recorded with another cardinality than is declared."""
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


_MISSING: Any = object()


def _apart(path: str, one: Any, other: Any) -> list[tuple[str, Any, Any]]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return [
            found
            for key in sorted({*one, *other})
            for found in _apart(f"{path}.{key}" if path else key, one.get(key, _MISSING), other.get(key, _MISSING))
        ]
    return [] if one == other else [(path, one, other)]


def _as_text(value: Any) -> str:
    if value is _MISSING:
        return "not there"
    if isinstance(value, Mapping):
        return "declared"
    return json.dumps(value, ensure_ascii=False)
