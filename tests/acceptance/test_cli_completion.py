"""What a shell is offered for `--tenant`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory

pytestmark = pytest.mark.server


def offered(server: TestServer, line: str, **environment: str) -> list[str]:
    """Return what the shell's completion gets for a line that is not finished."""
    asked = {
        "_GRAPH_MEMORY_COMPLETE": "complete_bash",
        "COMP_WORDS": f"graph-memory {line}",
        "COMP_CWORD": str(len(line.split())),
    }
    secret = {"NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password}
    done = subprocess.run(
        [sys.executable, "-m", "graph_memory.cli"],
        env={**os.environ, **secret, **asked, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_tenants_that_begin_so_are_offered_where_the_database_answers(
    server: TestServer, memory: GraphMemory
) -> None:
    name = fresh_name()
    for tenant in (f"{name}-a", f"{name}-b", f"x-{name}"):
        memory.tenant(tenant).record("Said.")
    found = offered(server, f"state mira -t {name}", NEO4J_URI=server.uri)
    assert found == [f"{name}-a", f"{name}-b"]
    assert offered(server, f"state --uri {server.uri} -t {name}-b", NEO4J_URI="bolt://127.0.0.1:9") == []
    assert offered(server, f"state --uri {server.uri} -t {name}-", NEO4J_URI="bolt://127.0.0.1:9") == found


def test_nothing_is_offered_or_said_where_it_does_not(server: TestServer, tmp_path: Path) -> None:
    assert offered(server, "state mira -t a", NEO4J_URI="bolt://127.0.0.1:9") == []
    home = tmp_path / "home"
    assert offered(server, "state mira -t a", NEO4J_URI="", GRAPH_MEMORY_HOME=str(home)) == []
    assert not home.exists()
