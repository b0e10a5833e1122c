# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Random ids."""

from __future__ import annotations

from uuid import uuid4


def new_id() -> str:
    """Return a random id: 32 hexadecimal digits."""
    return uuid4().hex
