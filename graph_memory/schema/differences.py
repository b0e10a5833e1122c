"""The differences between two declarations of a schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_MISSING: Any = object()


def differences(stored: Mapping[str, Any], declared: Mapping[str, Any]) -> list[str]:
    """Return the differences of two declarations, one line each: `path: stored value -> declared value`."""
    return [
        f"{path}: {_as_text(old)} -> {_as_text(new)}"
        for path, old, new in _apart("", stored, declared)
        if path not in ("name", "version")
    ]


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
