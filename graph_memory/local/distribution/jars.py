"""The server's jars: exactly those of the shipped lock file, fetched once and checked at each start."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from graph_memory.errors import LocalServerError
from graph_memory.local.distribution.versions import ServerVersion
from graph_memory.local.extras import local_extra
from graph_memory.local.files import explained

if TYPE_CHECKING:
    from requests import Session
    from rich.console import Console

REPOSITORY_VARIABLE = "GRAPH_MEMORY_REPOSITORY"

# More connections were no faster, and every one asks the same public repository.
_CONNECTIONS = 4
_ATTEMPTS = 3
_TIMEOUT_SECONDS = 30
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar of a lock file: its path, the address to fetch it from, and its SHA-256."""

    name: str
    path: Path
    url: str
    sha256: str

    def intact(self) -> bool:
        """Return whether the file is there and has the lock's SHA-256."""
        try:
            with self.path.open("rb") as content:
                return hashlib.file_digest(content, "sha256").hexdigest() == self.sha256
        except FileNotFoundError:
            return False


class JarCache:
    """The jars of one server version, in a folder that all homes share.

    Only jars of the shipped lock file are fetched, and only jars with the lock's SHA-256 are used. The folder has
    the layout of a Maven repository. `GRAPH_MEMORY_REPOSITORY` may name a mirror to fetch from; the mirror need
    not be trusted, because the SHA-256 sums come from the lock.
    """

    def __init__(self, folder: Path, version: ServerVersion) -> None:
        self.folder = folder
        self.version = version

    def ensure(self, console: Console | None = None) -> list[Path]:
        """Check every jar, fetch those that are missing or wrong, and return the class path in the lock's order.

        Several processes may call this at once. Where all jars are in place it takes about 0.2 s and no network.

        Raises:
            LocalServerError: there is no network, the disk is full, or a jar does not have the lock's SHA-256.
        """
        with local_extra():
            from filelock import FileLock

        jars = self.jars()
        with explained("fetching the server's jars", self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self.folder / ".lock"):
                wrong = [jar for jar in jars if not jar.intact()]
                if wrong:
                    self._fetch(wrong, console)
        return [jar.path for jar in jars]

    def jars(self) -> list[Jar]:
        """Return the jars of the lock file, in its order.

        Raises:
            LocalServerError: the lock has an entry without a SHA-256.
        """
        with local_extra():
            from jgo.env import LockFile
            from jgo.maven import MavenContext

        with as_file(files("graph_memory.local.distribution") / "locks" / self.version.lock_name) as path:
            lock = LockFile.load(path)
        maven = MavenContext(repo_cache=self.folder)
        repository = os.environ.get(REPOSITORY_VARIABLE) or next(iter(maven.remote_repos.values()))
        jars = []
        for entry in lock.dependencies:
            component = maven.project(entry.groupId, entry.artifactId).at_version(entry.version)
            artifact = component.artifact(classifier=entry.classifier or "", packaging=entry.packaging)
            if not entry.sha256:
                raise LocalServerError(
                    f"the lock {self.version.lock_name} has no SHA-256 for {artifact}: make it anew"
                )
            inside = PurePosixPath(*component.path_prefix.parts, artifact.filename)
            jars.append(
                Jar(
                    name=artifact.filename,
                    path=self.folder.joinpath(*inside.parts),
                    url=f"{repository.rstrip('/')}/{inside}",
                    sha256=entry.sha256,
                )
            )
        return jars

    def _fetch(self, jars: Sequence[Jar], console: Console | None) -> None:
        with local_extra():
            import requests

        with (
            requests.Session() as session,
            _progress(console, f"Neo4j {self.version.version}", len(jars)) as advance,
            ThreadPoolExecutor(_CONNECTIONS) as pool,
        ):
            # All jars share one session: a connection for each jar takes twenty times as long as the download.
            fetches = [pool.submit(_fetch_jar, session, jar, advance) for jar in jars]
            try:
                done, _ = wait(fetches, return_when=FIRST_EXCEPTION)
                for fetch in done:
                    fetch.result()
            finally:
                for fetch in fetches:
                    fetch.cancel()


Advance = Callable[[int, int], None]
"""Called with the number of bytes and of jars that just arrived."""


def _fetch_jar(session: Session, jar: Jar, advance: Advance) -> None:
    from requests import RequestException

    jar.path.parent.mkdir(parents=True, exist_ok=True)
    # The file gets its own name only when it is complete and right. A later fetch overwrites the part of a crash.
    part = jar.path.with_name(jar.path.name + ".part")
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            digest = _download(session, jar, part, advance)
        except RequestException as error:
            part.unlink(missing_ok=True)
            if attempt == _ATTEMPTS:
                raise _unreachable(jar, error) from error
            continue
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        if digest == jar.sha256:
            part.replace(jar.path)
            advance(0, 1)
            return
        part.unlink()
    raise LocalServerError(
        f"{jar.name} was fetched {_ATTEMPTS} times and is not the file that the server was locked to: its "
        f"SHA-256 is {digest}, not {jar.sha256}; it was deleted and the server is not started; something "
        f"between this machine and {jar.url} changes the file (a proxy, a mirror): use another network, or "
        f"set {REPOSITORY_VARIABLE} to another mirror"
    )


def _download(session: Session, jar: Jar, part: Path, advance: Advance) -> str:
    digest = hashlib.sha256()
    with session.get(jar.url, stream=True, timeout=_TIMEOUT_SECONDS) as response, part.open("wb") as out:
        response.raise_for_status()
        for chunk in response.iter_content(_CHUNK_BYTES):
            out.write(chunk)
            digest.update(chunk)
            advance(len(chunk), 0)
    return digest.hexdigest()


def _unreachable(jar: Jar, error: Exception) -> LocalServerError:
    from requests import HTTPError

    if isinstance(error, HTTPError) and error.response is not None:
        return LocalServerError(
            f"{jar.name} could not be fetched: {jar.url} answers {error.response.status_code} "
            f"{error.response.reason}; try again later, or set {REPOSITORY_VARIABLE} to a mirror that has it"
        )
    return LocalServerError(
        f"{jar.name} could not be fetched from {jar.url}: {_cause(error)}; the first start needs the network, "
        "later ones do not: connect and run it again, which goes on where it stopped; behind a proxy set "
        f"HTTPS_PROXY, or {REPOSITORY_VARIABLE} to a mirror you can reach"
    )


def _cause(error: BaseException) -> str:
    """Return the innermost cause; the outer exceptions only repeat the address."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return str(error) or type(error).__name__


def _progress(console: Console | None, title: str, jars: int) -> AbstractContextManager[Advance]:
    if console is None:
        return nullcontext(lambda _bytes, _jars: None)
    from graph_memory.local.distribution.progress import fetch_progress

    return fetch_progress(console, title, jars)
