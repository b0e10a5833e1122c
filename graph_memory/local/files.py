"""Writing files that only the user can read, and error messages where a file cannot be written."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph_memory.errors import LocalServerError

PRIVATE_FOLDER = 0o700

NEW_DATABASE_BYTES = 100_000_000
"""The free space that a new database needs: two megabytes at the start, and room for its first logs."""

NO_ROOM_BYTES = 64_000
"""With less than this free, nothing more can be written."""

_FULL = {errno.ENOSPC, errno.EDQUOT}


def write_private(path: Path, content: bytes) -> None:
    """Replace a file in one step with a file that only the user can read.

    Readers, also after a crash, find either the old content or the new, never a part.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    # mkstemp makes the file with mode 600, so the content is never readable by others.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def explained(doing: str, folder: Path) -> Iterator[None]:
    """Turn the operating system's errors into LocalServerError with a remedy."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise LocalServerError(
                f"the disk is full: {doing} in {folder} needs more room (about 200 MB for a server's jars, "
                f"{NEW_DATABASE_BYTES // 10**6} MB for a new database); free some and run it again, which goes "
                "on where it stopped"
            ) from error
        if isinstance(error, PermissionError) or error.errno == errno.EROFS:
            raise LocalServerError(
                f"{doing} failed: {error.filename or folder} cannot be written; choose another folder with "
                "GRAPH_MEMORY_HOME (data) or GRAPH_MEMORY_CACHE (the server's jars)"
            ) from error
        raise LocalServerError(f"{doing} in {folder} failed: {error}") from error
