"""The folder of one managed server, and the files in it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from graph_memory.errors import LocalServerError
from graph_memory.local.config import HOST, render_auth_ini
from graph_memory.local.distribution.versions import version_order
from graph_memory.local.files import PRIVATE_FOLDER, write_private

HOME_VARIABLE = "GRAPH_MEMORY_HOME"
CACHE_VARIABLE = "GRAPH_MEMORY_CACHE"

_APPLICATION = "graph-memory"


def default_home() -> Path:
    """Return `GRAPH_MEMORY_HOME`, else the user's data directory."""
    if named := os.environ.get(HOME_VARIABLE):
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_data_path(_APPLICATION, appauthor=False)


def jar_folder() -> Path:
    """Return the folder of all homes' jars: under `GRAPH_MEMORY_CACHE`, else in the user's cache directory."""
    if named := os.environ.get(CACHE_VARIABLE):
        cache = Path(named).expanduser()
    else:
        import platformdirs

        cache = platformdirs.user_cache_path(_APPLICATION, appauthor=False)
    return cache.absolute() / "jars"


@dataclass(frozen=True, slots=True)
class ServerState:
    """The state of a home's server, stored in `server.json`; the file stays when the server stops.

    Attributes:
        version: the Neo4j version that runs, or that ran last.
        bolt_port: the Bolt port on 127.0.0.1; the next start tries the same one, so that addresses stay.
        http_port: the port of Neo4j Browser; the next start tries the same one.
        phase: `starting` until the server first answers with the password, `stopped` after a clean stop.
        pid: the id of the server's process; None while it is unknown or the server is stopped.
        created: when that process began, in seconds since 1970, so that a later process with the same pid is not
            mistaken for the server.
        log_offset: the size in bytes of Neo4j's log before this start, so that older errors are not mistaken for
            errors of this start.
        inode: the inode of the home's folder, which a copy of the folder does not have.
    """

    version: str
    bolt_port: int
    http_port: int
    phase: Literal["starting", "running", "stopped"]
    pid: int | None = None
    created: float | None = None
    log_offset: int = 0
    inode: int | None = None

    @property
    def bolt_uri(self) -> str:
        """The address that drivers connect to."""
        return f"bolt://{HOST}:{self.bolt_port}"

    @property
    def http_url(self) -> str:
        """The address that Neo4j Browser is served from."""
        return f"http://{HOST}:{self.http_port}"

    @property
    def browser_url(self) -> str:
        """Neo4j Browser, with the address to connect to filled in."""
        return f"{self.http_url}/browser/?connectURL={self.bolt_uri}"


class Home:
    """The folder of one managed server: state, password, and a folder for each server version that ran.

    `server.json` (a `ServerState`), `password` and `.lock`; in each version's folder `conf/`, `data/`, `logs/` and
    `java.args`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().resolve()
        self.lock_file = self.folder / ".lock"
        self.password_file = self.folder / "password"
        self._state_file = self.folder / "server.json"

    def create(self) -> None:
        """Make the folder, open to its user only."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)

    def version_folder(self, version: str) -> Path:
        """Return the folder with the data, logs and configuration of one Neo4j version (Neo4j's own home)."""
        return self.folder / version

    def process_argument(self, version: str) -> str:
        """Return the argument by which the server's process is recognised as this home's."""
        return f"--home-dir={self.version_folder(version)}"

    def server_log(self, version: str) -> Path:
        """Return the path of Neo4j's own log; it is kept over starts."""
        return self.version_folder(version) / "logs" / "neo4j.log"

    def console_log(self, version: str) -> Path:
        """Return the path of the Java machine's output since the last start; empty when all is well."""
        return self.version_folder(version) / "logs" / "console.log"

    def versions_with_data(self) -> list[str]:
        """Return the server versions with a database here that answered at least once, oldest first."""
        found = [databases.parents[1].name for databases in self.folder.glob("*/data/databases")]
        versions = [name for name in found if name.replace(".", "").isdigit()]
        return sorted((v for v in versions if not self._unanswered_file(v).exists()), key=version_order)

    def prepare_data(self, version: str) -> None:
        """Make the data folder, and first delete the data of a first start that was killed before it answered.

        Neo4j cannot open a database if it was killed while it made it.
        """
        data, unanswered = self.version_folder(version) / "data", self._unanswered_file(version)
        if unanswered.exists():
            shutil.rmtree(data, ignore_errors=True)
        if version not in self.versions_with_data():
            unanswered.touch()
        data.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)

    def note_answer(self, version: str) -> None:
        """Note that this version has answered, so that its data is never mistaken for a half-made database."""
        self._unanswered_file(version).unlink(missing_ok=True)

    def _unanswered_file(self, version: str) -> Path:
        return self.version_folder(version) / "unanswered"

    @property
    def inode(self) -> int:
        """The number of the folder: it keeps that where it is moved, and a copy has another."""
        return self.folder.stat().st_ino

    def read_state(self) -> ServerState | None:
        """Return the state, or None where there is none or it cannot be read.

        In a copy of a home nothing runs: what is noted there is of the original's server.
        """
        noted = self._noted_state()
        if noted is None or not self._is_of_another(noted):
            return noted
        return replace(noted, phase="stopped", pid=None, created=None)

    def is_copy_of_running(self) -> bool:
        """Whether this is a copy of a home that was made while the original's server ran."""
        noted = self._noted_state()
        return noted is not None and noted.phase != "stopped" and self._is_of_another(noted)

    def _is_of_another(self, noted: ServerState) -> bool:
        return noted.inode is not None and noted.inode != self.inode

    def _noted_state(self) -> ServerState | None:
        try:
            return ServerState(**json.loads(self._state_file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            # The file is damaged: the next start writes it anew, and a running server is found by its arguments.
            return None

    def write_state(self, state: ServerState) -> None:
        write_private(self._state_file, json.dumps(asdict(state), indent=1).encode("utf-8"))

    def read_password(self) -> str:
        """Return the password of the user `neo4j`.

        Raises:
            LocalServerError: the file is missing.
        """
        try:
            return self.password_file.read_text(encoding="utf-8").rstrip("\r\n")
        except FileNotFoundError:
            raise LocalServerError(
                f"the password file {self.password_file} is missing, and the database keeps only a digest of the "
                "password: put the file back, or start a new home (--home or GRAPH_MEMORY_HOME)"
            ) from None

    def prepare_password(self, version: str) -> None:
        """Make a random password for a new home, and set it for this version if it has no database yet.

        Raises:
            LocalServerError: the home holds data and its password file is missing.
        """
        if not self.password_file.exists() and not self.versions_with_data():
            write_private(self.password_file, secrets.token_urlsafe(24).encode("ascii") + b"\n")
        password = self.read_password()
        if version not in self.versions_with_data():
            auth = self.version_folder(version) / "data" / "dbms" / "auth.ini"
            write_private(auth, render_auth_ini(password, secrets.token_bytes(32)))

    def data_bytes(self) -> int:
        """The disk space that the data of all versions takes, in bytes."""
        folders = [self.version_folder(version) / "data" for version in self.versions_with_data()]
        return sum(_allocated(file) for folder in folders for file in folder.rglob("*"))


def _allocated(file: Path) -> int:
    try:
        stat = file.stat()
    except FileNotFoundError:
        # A running server removes files while they are counted.
        return 0
    # Windows does not report blocks.
    return stat.st_blocks * 512 if hasattr(stat, "st_blocks") else stat.st_size
