"""Reading the server's logs."""

from __future__ import annotations

import re
from pathlib import Path

_TAIL_BYTES = 1 << 20
_NOISE = re.compile(r"^\s*(at |\.\.\. \d+ more|Suppressed:)|^\s*$")
_STAMP = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_BAD_NEWS = re.compile(r"\b(ERROR|FATAL)\b|^(Error|Exception|Caused by|#)")


def tail(path: Path, lines: int, offset: int = 0) -> list[str]:
    """Return the last lines of a file after byte `offset`; none where there is no file."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, 2)
            # A smaller file was rotated since the offset was taken, so all of it is new.
            begin = offset if offset <= size else 0
            log.seek(max(begin, size - _TAIL_BYTES))
            text = log.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return text.splitlines()[-lines:] if lines > 0 else []


def last_words(server_log: Path, offset: int, console_log: Path, lines: int = 12) -> str:
    """Return the last messages of a server that ended: its errors with their causes, without the stack traces.

    Args:
        server_log: Neo4j's own log, which is kept over starts; the part after `offset` belongs to this start.
        offset: the size in bytes that the log had before the start.
        console_log: the output of the Java machine itself.
        lines: the most lines to return.
    """
    said = [line for line in tail(server_log, 10_000, offset) if not _NOISE.search(line)]
    first_error = next((at for at, line in enumerate(said) if _BAD_NEWS.search(line)), None)
    if first_error is not None:
        said = [line for line in said[first_error:] if _BAD_NEWS.search(line) or not _STAMP.match(line)]
    printed = [line for line in tail(console_log, 1_000) if not _NOISE.search(line)]
    return "\n".join((said + printed)[-lines:])
