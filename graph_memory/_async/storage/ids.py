"""Random ids."""

from __future__ import annotations

from uuid import uuid4


def new_id() -> str:
    """Return a random id: 32 hexadecimal digits."""
    return uuid4().hex
