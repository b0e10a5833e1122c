"""Processes of the operating system: starting them in the background, recognising and stopping them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graph_memory.local.extras import local_extra

if TYPE_CHECKING:
    from psutil import Process

_SAME_INSTANT_SECONDS = 0.05
_POLL_SECONDS = 0.05


class _Detached(subprocess.Popen[bytes]):
    """A child that is meant to outlive this interpreter."""

    def __del__(self) -> None:
        """Suppress the warning that the process still runs."""


# Kept until this interpreter ends, because it must collect the exit status of its children.
_children: list[_Detached] = []


def spawn(arguments: Sequence[str | Path], folder: Path, output: Path) -> Process:
    """Start a process that outlives this one and gets no signals from its terminal."""
    with local_extra():
        import psutil

    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    else:
        flags = 0
        # Java reads file names by the locale; in the C locale it cannot open a folder with an umlaut.
        environment["LC_ALL"] = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    with output.open("wb") as out:
        child = _Detached(
            arguments,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
    _children.append(child)
    return psutil.Process(child.pid)


def find_by_pid(pid: int, created: float | None, argument: str, folder: Path) -> Process | None:
    """Return the running process with a pid, if it is the server's.

    It is the server's if it began at `created` or was started with `argument`, and if it works in `folder`. The
    pid alone may belong to a later process, the time of the start changes when the system's clock is set, and a
    copy of a folder notes the process of the original.
    """
    with local_extra():
        import psutil
    try:
        process = psutil.Process(pid)
        if not alive(process):
            return None
        here = works_in(process, folder)
        if here is False:
            return None
        if here and created is not None and abs(process.create_time() - created) <= _SAME_INSTANT_SECONDS:
            return process
        return process if argument in process.cmdline() else None
    except psutil.Error:
        return None


def works_in(process: Process, folder: Path) -> bool | None:
    """Return whether a process works in a folder; None: the system does not say.

    A folder that was moved is still the same folder. A copy of it is another one.
    """
    with local_extra():
        import psutil
    told = Path(f"/proc/{process.pid}/cwd")
    try:
        there = (told if sys.platform == "linux" else Path(process.cwd())).stat()
    except (psutil.Error, OSError):
        return None
    try:
        return os.path.samestat(there, folder.stat())
    except OSError:
        return False


def find_by_argument(argument: str, folder: Path) -> Process | None:
    """Return the running process that was started with exactly this argument and works in this folder.

    A process in another folder is left out: the folder that the argument names may have been moved and replaced.
    """
    with local_extra():
        import psutil
    for process in psutil.process_iter(["cmdline"]):
        if argument not in (process.info["cmdline"] or ()) or works_in(process, folder) is False:
            continue
        if alive(process):
            return process
    return None


def alive(process: Process) -> bool:
    """Return whether a process runs, or still holds files and ports.

    A zombie (a process that has ended and waits for its parent to read its exit status) does not, unless some of
    its threads are still ending.
    """
    with local_extra():
        import psutil
    _collect()
    try:
        if not process.is_running():
            return False
        return process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
    except psutil.Error:
        return False


def listens(process: Process, port: int) -> bool:
    """Return whether this process, and not another one, listens on a port.

    Where the system does not say, the answer is True.
    """
    with local_extra():
        import psutil
    try:
        sockets = process.net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True
    return any(
        socket.status == psutil.CONN_LISTEN and socket.laddr and socket.laddr.port == port for socket in sockets
    )


def stop(process: Process, timeout: float) -> bool:
    """Ask a process to end (SIGTERM; on Windows it ends at once); return whether it did in `timeout` seconds."""
    with local_extra():
        import psutil
    try:
        process.terminate()
    except psutil.NoSuchProcess:
        return True
    deadline = time.monotonic() + timeout
    while alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    _collect()
    return True


def _collect() -> None:
    for child in _children:
        child.poll()
