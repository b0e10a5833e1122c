"""Finding or starting the managed local server for `GraphMemory.open()` without an address."""

from __future__ import annotations

import asyncio
from pathlib import Path

from graph_memory.local.server import LocalServer


def started(home: Path | str | None) -> tuple[str, tuple[str, str]]:
    """Return the address and credentials of a home's server; start it if needed, with a note on stderr."""
    from rich.console import Console

    server = LocalServer(home)
    info = server.info()
    if info is None:
        info = server.up(progress=Console(stderr=True))
    return info.uri, (info.username, info.password)


async def started_async(home: Path | str | None) -> tuple[str, tuple[str, str]]:
    """Do the same as `started` without blocking the event loop."""
    return await asyncio.to_thread(started, home)
