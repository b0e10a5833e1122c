from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_memory.local import LocalServer, launch


@pytest.fixture(scope="module", autouse=True)
def surroundings() -> Iterator[None]:
    """Ports away from where other servers of this machine come and go, and starts that cost half."""
    with pytest.MonkeyPatch.context() as patch:
        # Servers that live for seconds never earn back what the second compiler and the parallel collector cost.
        patch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        patch.setattr(launch, "BOLT_PORT", 27600)
        patch.setattr(launch, "HTTP_PORT", 27400)
        yield


@pytest.fixture
def start_in(tmp_path: Path) -> Iterator[Callable[..., LocalServer]]:
    """Makes servers in homes under a temporary folder; whatever still runs at the end is stopped."""
    made: list[LocalServer] = []

    def make(home: str = "home", version: str | None = None) -> LocalServer:
        server = LocalServer(tmp_path / home, version)
        made.append(server)
        return server

    yield make
    for server in made:
        server.down()
