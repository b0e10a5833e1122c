"""The managed local server, where no address is given."""

from __future__ import annotations

from pathlib import Path

from graph_memory.local.default import started_async


async def local_server(home: Path | str | None) -> tuple[str, tuple[str, str]]:
    """Return the address and credentials of the managed local server, started if need be."""
    return await started_async(home)
