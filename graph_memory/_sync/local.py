# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The managed local server, where no address is given."""

from __future__ import annotations

from pathlib import Path

from graph_memory.local.default import started


def local_server(home: Path | str | None) -> tuple[str, tuple[str, str]]:
    """Return the address and credentials of the managed local server, started if need be."""
    return started(home)
