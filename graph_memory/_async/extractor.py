"""Asking the chat model for updates, again where that may help."""

from __future__ import annotations

from typing import Any

from graph_memory.schema import Schema


class AsyncExtractor:
    """The chat model, and what it is asked for."""

    def __init__(self, schema: Schema, llm: Any = None) -> None:
        self._schema = schema
        self._llm = llm
