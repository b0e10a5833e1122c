"""The records that describe a managed server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

State = Literal["running", "starting", "not answering", "crashed", "stopped"]


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A managed server that runs and answers.

    Attributes:
        uri: the Bolt address, such as `bolt://127.0.0.1:7687`.
        username: `neo4j`.
        password: not shown when the record is printed.
        http_url: where Neo4j Browser is served from.
        version: the Neo4j version.
        pid: the id of the server's process.
        home: the folder with its data, password and logs.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    http_url: str
    version: str
    pid: int
    home: Path

    @property
    def password_file(self) -> Path:
        """The file, readable by its user only, that holds the password."""
        return self.home / "password"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of a home's server.

    Attributes:
        state: `running` (it answers), `starting`, `not answering` (there is a process, and no Bolt),
            `crashed` (it ended without being stopped), `stopped` (or never started).
        version: the Neo4j version that runs, or that the next start would run.
        uri: the Bolt address; like `browser_url` and `pid`, None where there is no process.
        home: the folder with its data, password and logs.
        data_bytes: the disk space that its databases take, in bytes.
    """

    state: State
    version: str
    uri: str | None
    browser_url: str | None
    pid: int | None
    home: Path
    data_bytes: int
