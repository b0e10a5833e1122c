"""The error message where the extra `local` is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graph_memory.errors import LocalServerError


@contextmanager
def local_extra() -> Iterator[None]:
    """Explain a failed import from the extra `local`; such imports are made where they are needed.

    Raises:
        LocalServerError: the extra is not installed; the message says how to install it, and the alternative.
    """
    try:
        yield
    except ImportError as error:
        raise LocalServerError(
            f"the managed local server needs the package {error.name!r}, which is not installed: run "
            'pip install "graph-memory[local]", or set NEO4J_URI (with NEO4J_USERNAME and NEO4J_PASSWORD) '
            "to use a Neo4j that already runs"
        ) from error
