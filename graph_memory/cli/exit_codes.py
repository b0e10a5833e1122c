"""Exit codes (docs/cli.md, "Exit codes"). Scripts depend on them, so their meaning never changes."""

from __future__ import annotations

from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
    SchemaMismatchError,
)

OK = 0
FAILED = 1
INVALID = 2
NOTHING = 3
CONFLICT = 4
REFUSED = 5
UNSOUND = 6
UNANSWERED = 7
INTERRUPTED = 130


def code_of(error: GraphMemoryError) -> int:
    """Return the exit code for an error."""
    if isinstance(error, InvalidInputError | SchemaMismatchError):
        return INVALID
    if isinstance(error, NotFoundError):
        return NOTHING
    if isinstance(error, ConflictError):
        return CONFLICT
    return FAILED
