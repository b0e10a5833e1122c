from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_memory.local import LocalServer, launch


@pytest.fixture
def start_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., LocalServer]]:
    """Makes servers in homes under a temporary folder; whatever still runs at the end is stopped."""
    # Away from where other servers of this machine come and go.
    monkeypatch.setattr(launch, "BOLT_PORT", 27600)
    monkeypatch.setattr(launch, "HTTP_PORT", 27400)
    made: list[LocalServer] = []

    def make(home: str = "home", version: str | None = None) -> LocalServer:
        server = LocalServer(tmp_path / home, version)
        made.append(server)
        return server

    yield make
    for server in made:
        server.down()
