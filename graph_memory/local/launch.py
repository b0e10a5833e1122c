"""One start of a server: its files, its process, and the reason if it ends."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graph_memory.errors import LocalServerError
from graph_memory.local import process as processes
from graph_memory.local.config import HOST, render_java_arguments, render_settings
from graph_memory.local.distribution.jars import JarCache
from graph_memory.local.distribution.java import find_java
from graph_memory.local.distribution.versions import ServerVersion
from graph_memory.local.files import NEW_DATABASE_BYTES, NO_ROOM_BYTES, PRIVATE_FOLDER, write_private
from graph_memory.local.home import Home, ServerState
from graph_memory.local.logfiles import last_words
from graph_memory.local.ports import BOLT_PORT, HTTP_PORT, free_port

if TYPE_CHECKING:
    from psutil import Process
    from rich.console import Console


class DiedError(LocalServerError):
    """The server ended while it started."""


class PortTakenError(DiedError):
    """Another program took a port between the check of the port and the server's own attempt."""


class Ports(NamedTuple):
    """The ports of one start.

    Attributes:
        bolt: for drivers.
        http: for Neo4j Browser.
        passed_over: those that it would have had, and that somebody else uses.
    """

    bolt: int
    http: int
    passed_over: tuple[int, ...] = ()

    def __str__(self) -> str:
        where = f"at bolt://{HOST}:{self.bolt}"
        if not self.passed_over:
            return where
        others, are = " and ".join(map(str, self.passed_over)), "is" if len(self.passed_over) == 1 else "are"
        return f"{where} (Browser: {self.http}), because {others} {are} taken: addresses have moved"


class Launch:
    """One start of one server version in one home. The caller holds the home's lock."""

    def __init__(self, home: Home, version: ServerVersion, jar_folder: Path) -> None:
        self._home = home
        self._version = version
        self._cache = JarCache(jar_folder, version)
        self._folder = home.version_folder(version.version)
        self._java = Path()

    def prepare(self, console: Console | None) -> None:
        """Prepare the start: Java, jars, folders, password, class path.

        Raises:
            LocalServerError: Java is too old, a jar could not be fetched, the disk is full, or the password of old
                data is lost.
        """
        self._java = find_java(self._version)
        class_path = self._cache.ensure(console)
        self._need_room()
        for folder in (self._folder, self._folder / "conf", self._folder / "logs"):
            folder.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
        self._home.prepare_data(self._version.version)
        self._home.prepare_password(self._version.version)
        write_private(self._arguments_file, render_java_arguments(class_path))

    def choose_ports(self, taken: Collection[int] = ()) -> Ports:
        """Return the ports that the server used last, or the next ones that are free.

        Args:
            taken: ports to leave out, even if nobody listens on them.
        """
        last = self._home.read_state()
        wanted = (last.bolt_port, last.http_port) if last else (BOLT_PORT, HTTP_PORT)
        bolt = free_port(wanted[0], taken)
        http = free_port(wanted[1], {*taken, bolt})
        return Ports(bolt, http, tuple(port for port in wanted if port not in (bolt, http)))

    def start(self, ports: Ports) -> tuple[ServerState, Process]:
        """Configure, and start the process; the state file tells of it at once."""
        version = self._version.version
        bolt_port, http_port = ports.bolt, ports.http
        settings = render_settings(self._version, bolt_port, http_port)
        write_private(self._folder / "conf" / "neo4j.conf", settings.encode("utf-8"))
        server_log = self._home.server_log(version)
        state = ServerState(
            version=version,
            bolt_port=bolt_port,
            http_port=http_port,
            phase="starting",
            log_offset=server_log.stat().st_size if server_log.exists() else 0,
            inode=self._home.inode,
        )
        # Written before the process starts: if this program dies before it notes the pid, the next one searches.
        self._home.write_state(state)
        process = processes.spawn(
            [
                self._java,
                f"@{self._arguments_file}",
                self._version.main_class,
                self._home.process_argument(version),
                f"--config-dir={self._folder / 'conf'}",
            ],
            folder=self._folder,
            output=self._home.console_log(version),
        )
        state = replace(state, pid=process.pid, created=process.create_time())
        self._home.write_state(state)
        return state, process

    def _need_room(self) -> None:
        free = shutil.disk_usage(self._home.folder).free
        if free < NEW_DATABASE_BYTES and self._version.version not in self._home.versions_with_data():
            raise LocalServerError(_full(self._home.folder, free))

    @property
    def _arguments_file(self) -> Path:
        return self._folder / "java.args"


def death(home: Home, state: ServerState) -> DiedError:
    """Return the error for a server that ended during its start, with the reason from its log."""
    log = home.server_log(state.version)
    words = last_words(log, state.log_offset, home.console_log(state.version))
    if "already in use" in words or "BindException" in words:
        return PortTakenError(f"a port was taken while Neo4j started in {home.folder}; run it again:\n{words}")
    # Neo4j reports a full disk in many ways and seldom names the disk.
    free = shutil.disk_usage(home.folder).free
    if free < NEW_DATABASE_BYTES or "No space left on device" in words:
        return DiedError(f"{_full(home.folder, free)}; Neo4j {state.version} said:\n{words}")
    return DiedError(
        f"Neo4j {state.version} ended while it started in {home.folder}; its last words:\n{words or '(nothing)'}\n"
        f"the whole log is {log}: fix the reported problem and run it again"
    )


def out_of_room(home: Home) -> bool:
    """Return whether the disk of a home has no room for further writes."""
    return shutil.disk_usage(home.folder).free < NO_ROOM_BYTES


def _full(folder: Path, free: int) -> str:
    return (
        f"the disk is full: {free // 10**6} MB are free in {folder}, and a new database needs "
        f"{NEW_DATABASE_BYTES // 10**6} MB; free some room and run it again"
    )
