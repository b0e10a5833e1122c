"""The managed server: starting, stopping, finding and describing it."""

from __future__ import annotations

import shlex
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from graph_memory.errors import InvalidInputError, LocalServerError, brief
from graph_memory.local import process as processes
from graph_memory.local.config import USERNAME
from graph_memory.local.distribution.versions import (
    DEFAULT_VERSION,
    SUPPORTED_VERSIONS,
    ServerVersion,
    server_version,
    version_order,
)
from graph_memory.local.extras import local_extra
from graph_memory.local.files import explained
from graph_memory.local.home import Home, ServerState, default_home, jar_folder
from graph_memory.local.info import ServerInfo, ServerStatus, State
from graph_memory.local.launch import DiedError, Launch, PortTakenError, death, out_of_room
from graph_memory.local.logfiles import tail
from graph_memory.local.readiness import refusal, speaks_bolt

if TYPE_CHECKING:
    from psutil import Process
    from rich.console import Console

START_SECONDS = 300.0
STOP_SECONDS = 60.0

# A first start in another process may be fetching over a slow line.
_LOCK_SECONDS = 3600.0
_POLL_SECONDS = 0.1


class LocalServer:
    """The Neo4j server of one home: starts it, finds it again, and stops it.

    Args:
        home: the folder for data, password and logs. None: `GRAPH_MEMORY_HOME`, else the user's data directory.
        version: one of `SUPPORTED_VERSIONS`. None: the version that this home runs or ran last, else
            `DEFAULT_VERSION`.

    Raises:
        InvalidInputError: the home is not a path.
        LocalServerError: the version is not supported.
    """

    def __init__(self, home: Path | str | None = None, version: str | None = None) -> None:
        if home is not None and not isinstance(home, str | Path):
            raise InvalidInputError(f"home {brief(home)} must be the path of a folder")
        self._home = Home(Path(home) if home is not None else default_home())
        self._asked = server_version(version).version if version is not None else None

    @property
    def home(self) -> Path:
        """The folder with data, password and logs."""
        return self._home.folder

    @property
    def password_file(self) -> Path:
        """The file, readable by its user only, with the password of the user `neo4j`."""
        return self._home.password_file

    @property
    def version(self) -> str:
        """The Neo4j version that runs here, or that `up` would start."""
        if self._asked is not None:
            return self._asked
        if (state := self._home.read_state()) is not None:
            return state.version
        with_data = self._home.versions_with_data()
        return with_data[-1] if with_data else DEFAULT_VERSION

    def up(self, progress: Console | None = None, timeout: float = START_SECONDS) -> ServerInfo:
        """Start the server unless it runs, and wait until it answers with the password.

        The first call fetches the server's jars. It is safe to call this again, and from several processes at
        once: they wait for each other and get the same server.

        Args:
            progress: the console for the progress of the download and of the start; None shows nothing.
            timeout: seconds to wait for the server's answer, after the jars are fetched.

        Raises:
            LocalServerError: the server could not be fetched or started; the message says why. A later call tries
                again.
        """
        with explained("starting the local server", self.home):
            self._home.create()
            with self._alone(_LOCK_SECONDS):
                if (found := self._find()) is not None:
                    state, process = found
                    self._refuse_another(state)
                    try:
                        return self._wait(state, process, time.monotonic() + timeout)
                    except DiedError:
                        _say(progress, "The server ended just now; starting it again.")
                return self._start(server_version(self.version), progress, timeout)

    def down(self, timeout: float = STOP_SECONDS) -> bool:
        """Stop the server cleanly and wait until its process has ended; return False where no server ran.

        It signals only a process that the home's state file or the process's arguments prove to be its server.

        Raises:
            LocalServerError: the server still runs after `timeout` seconds.
        """
        if not self.home.exists():
            return False
        with explained("stopping the local server", self.home), self._alone(timeout):
            found = self._find()
            if found is None:
                last = self._home.read_state()
                if last is not None and not self._home.is_copy_of_running():  # of a copy, `up` has to tell that
                    self._home.write_state(replace(last, phase="stopped", pid=None, created=None))
                return False
            state, process = found
            if not processes.stop(process, timeout):
                raise LocalServerError(
                    f"the server (process {process.pid}) was asked to stop and still runs after {timeout:g} s "
                    f"(it may be writing much): run it again, or read {self._home.server_log(state.version)}"
                )
            self._home.write_state(replace(state, phase="stopped", pid=None, created=None))
            return True

    def info(self) -> ServerInfo | None:
        """Return the server if it runs and answers, else None; takes milliseconds and never waits."""
        state = self._home.read_state()
        if state is None or state.phase != "running" or state.version != self.version:
            return None
        process = self._noted(state)
        if process is None or not speaks_bolt(state.bolt_port):
            return None
        return self._describe(state, process)

    def status(self) -> ServerStatus:
        """Return the server's present state."""
        state = self._home.read_state()
        process = self._noted(state) if state is not None else None
        doing: State = "stopped"
        if state is not None and process is not None:
            doing = "starting"
            if state.phase == "running":
                doing = "running" if speaks_bolt(state.bolt_port) else "not answering"
        elif state is not None and state.phase != "stopped":
            doing = "crashed"
        there = state if process is not None else None
        return ServerStatus(
            state=doing,
            version=there.version if there else self.version,
            uri=there.bolt_uri if there else None,
            browser_url=there.browser_url if there else None,
            pid=process.pid if process else None,
            home=self.home,
            data_bytes=self._home.data_bytes(),
        )

    def logs(self, lines: int = 50) -> str:
        """Return the last lines of the server's log, after the Java machine's own output, if there is any."""
        printed = tail(self._home.console_log(self.version), lines)
        said = tail(self._home.server_log(self.version), lines)
        return "\n".join([line for line in printed + said if line.strip()][-lines:])

    def browser_url(self) -> str:
        """Return the address of Neo4j Browser, with the database's address filled in.

        Raises:
            LocalServerError: the server does not run.
        """
        state = self._home.read_state()
        if state is None or self.info() is None:
            raise LocalServerError(f"the server of {self.home} does not run: start it with {self._command('up')}")
        return state.browser_url

    def _command(self, name: str) -> str:
        """Return the command line that runs a command on this home."""
        home = "" if self.home == Home(default_home()).folder else f" --home {shlex.quote(str(self.home))}"
        return f"graph-memory {name}{home}"

    def _start(self, version: ServerVersion, progress: Console | None, timeout: float) -> ServerInfo:
        self._refuse_downgrade(version, progress)
        launch = Launch(self._home, version, jar_folder())
        launch.prepare(progress)
        if self._home.is_copy_of_running():
            _say(
                progress,
                f"{self.home} is a copy that was made while the original's server ran: Neo4j recovers what the "
                "copy has of it. To copy all, stop the server first.",
            )
        deadline = time.monotonic() + timeout
        taken: set[int] = set()
        while True:
            ports = launch.choose_ports(taken)
            _say(progress, f"Starting Neo4j {version.version} in {self.home} {ports}")
            state, process = launch.start(ports)
            try:
                return self._wait(state, process, deadline)
            except PortTakenError:
                if time.monotonic() > deadline:
                    raise
                taken |= {state.bolt_port, state.http_port}

    def _wait(self, state: ServerState, process: Process, deadline: float) -> ServerInfo:
        info = self._describe(state, process)
        reason: str | None = "nothing listens there"
        while not processes.listens(process, state.bolt_port) or (reason := refusal(info)) is not None:
            if out_of_room(self._home):
                # On a full disk Neo4j may stay half-started for ever, so it is stopped.
                processes.stop(process, STOP_SECONDS)
            if not processes.alive(process):
                raise death(self._home, state)
            if time.monotonic() > deadline:
                raise LocalServerError(
                    f"Neo4j {state.version} (process {process.pid}) runs in {self.home} and does not answer "
                    f"at {state.bolt_uri} yet ({reason}): run it again to wait longer, or {self._command('down')} "
                    f"to stop it; its log is {self._home.server_log(state.version)}"
                )
            time.sleep(_POLL_SECONDS)
        self._home.note_answer(state.version)
        if state.phase != "running":
            self._home.write_state(replace(state, phase="running"))
        return info

    def _refuse_another(self, running: ServerState) -> None:
        if self._asked is not None and running.version != self._asked:
            raise LocalServerError(
                f"the home {self.home} runs Neo4j {running.version}, not {self._asked}: stop it first "
                f"({self._command('down')}), or use another home for the other version"
            )

    def _refuse_downgrade(self, version: ServerVersion, progress: Console | None) -> None:
        others = [other for other in self._home.versions_with_data() if other != version.version]
        newer = [other for other in others if version_order(other) > version.order]
        if newer:
            raise LocalServerError(
                f"the home {self.home} holds data of Neo4j {newer[-1]}, which {version.version} cannot read, so "
                "going back to the older version would show an empty or an outdated database: use another "
                "home for it (--home or GRAPH_MEMORY_HOME), or move the folder "
                f"{self._home.version_folder(newer[-1])} away first"
            )
        if others and version.version not in self._home.versions_with_data():
            notice = (
                f"The data of Neo4j {', '.join(others)} in {self.home} is not carried over: the database of "
                f"{version.version} starts empty. The old data stays where it is."
            )
            _say(progress, notice)
            warnings.warn(notice, stacklevel=4)

    def _find(self) -> tuple[ServerState, Process] | None:
        """Return the process of this home's server and what is known of it. The caller holds the home's lock."""
        state = self._home.read_state()
        if state is not None and state.pid is not None:
            process = self._noted(state)
            return (state, process) if process is not None else None
        if state is not None and state.phase == "stopped":
            return None
        # A start that did not live to note its process, or a state file that was lost.
        for version in [state.version] if state else SUPPORTED_VERSIONS:
            folder = self._home.version_folder(version)
            process = processes.find_by_argument(self._home.process_argument(version), folder)
            if process is not None and state is not None:
                return replace(state, pid=process.pid, created=process.create_time()), process
            if process is not None:
                # The ports of this server are unknown: stop it, so that a new one can start.
                processes.stop(process, STOP_SECONDS)
        return None

    def _noted(self, state: ServerState) -> Process | None:
        if state.pid is None:
            return None
        return processes.find_by_pid(
            state.pid,
            state.created,
            self._home.process_argument(state.version),
            self._home.version_folder(state.version),
        )

    def _describe(self, state: ServerState, process: Process) -> ServerInfo:
        return ServerInfo(
            uri=state.bolt_uri,
            username=USERNAME,
            password=self._home.read_password(),
            http_url=state.http_url,
            version=state.version,
            pid=process.pid,
            home=self.home,
        )

    @contextmanager
    def _alone(self, timeout: float) -> Iterator[None]:
        """Hold the home's lock; the system releases it when a process dies."""
        with local_extra():
            from filelock import FileLock, Timeout
        lock = FileLock(self._home.lock_file, timeout=timeout)
        try:
            lock.acquire()
        except Timeout as error:
            raise LocalServerError(
                f"another process has been starting or stopping the server of {self.home} for {timeout:g} s: wait "
                "for it, or end it"
            ) from error
        try:
            yield
        finally:
            lock.release()


def _say(progress: Console | None, what: str) -> None:
    if progress is not None:
        progress.print(what, highlight=False, markup=False, soft_wrap=True)
