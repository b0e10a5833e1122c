"""The command line, called as a person or a script would, on a real server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import CommandLine, Process, Result
from servers import TestServer

from graph_memory.cli.app import run


@pytest.fixture
def connection(server: TestServer, tmp_path: Path) -> list[str]:
    """The options that lead to the server."""
    password = tmp_path / "password"
    password.write_text(server.password)
    return ["--uri", server.uri, "--user", server.username, "--password-file", str(password)]


@pytest.fixture
def cli(connection: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Call commands in this process."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(command: str, *arguments: str, tenant: str | None = None) -> Result:
        capsys.readouterr()
        of = [] if tenant is None else ["-t", tenant]
        code = run([*command.split(), *connection, *of, *arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def process(connection: list[str]) -> Process:
    """Start commands as processes."""

    def start(command: str, *arguments: str, tenant: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "graph_memory.cli", command, *connection, "-t", tenant, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ),
        )

    return start
