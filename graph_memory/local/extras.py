"""What is said where the extra `local` is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graph_memory.errors import LocalServerError


@contextmanager
def local_extra() -> Iterator[None]:
    """Explain an import from the extra `local` that fails; such imports are made when they are needed.

    Raises:
        LocalServerError: the extra is not installed; the message tells how, and what to do instead.
    """
    try:
        yield
    except ImportError as error:
        raise LocalServerError(
            f"the managed local server needs the package {error.name!r}, which is not installed: run "
            'pip install "graph-memory[local]", or set NEO4J_URI (with NEO4J_USERNAME and NEO4J_PASSWORD) '
            "to use a Neo4j that already runs"
        ) from error
