from __future__ import annotations

import errno
import hashlib
import io
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO

import pytest
from rich.console import Console

from graph_memory.errors import LocalServerError
from graph_memory.local.distribution import jars as jars_module
from graph_memory.local.distribution.jars import Jar, JarCache
from graph_memory.local.distribution.versions import DEFAULT_VERSION, server_version
from graph_memory.local.ports import free_port

CONTENT = {f"lib-{number}.jar": os.urandom(200_000) for number in range(6)}


class Repository:
    """A repository of jars on this machine that can misbehave, and counts what it is asked for."""

    def __init__(self) -> None:
        self.served = dict(CONTENT)
        self.cut: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        repository = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.rpartition("/")[2]
                repository.asked[name] += 1
                if name not in repository.served:
                    self.send_error(404)
                    return
                content = repository.served[name]
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if repository.cut[name] > 0:
                    repository.cut[name] -= 1
                    content = content[:1000]
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/repository"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class SmallCache(JarCache):
    """A cache whose lock names a few small files."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder, server_version(DEFAULT_VERSION))
        self.url = url

    def jars(self) -> list[Jar]:
        return [
            Jar(
                name,
                self.folder / "org" / name,
                f"{self.url}/org/{name}",
                hashlib.sha256(content).hexdigest(),
            )
            for name, content in CONTENT.items()
        ]


@pytest.fixture
def repository() -> Iterator[Repository]:
    one = Repository()
    yield one
    one.close()


@pytest.fixture
def cache(tmp_path: Path, repository: Repository) -> SmallCache:
    return SmallCache(tmp_path / "jars", repository.url)


def whole(cache: SmallCache) -> bool:
    """Whether every jar is in place, and nothing else but the lock."""
    files = {file.name: file.read_bytes() for file in cache.folder.rglob("*.*") if file.name != ".lock"}
    return files == CONTENT


def test_the_first_time_everything_is_fetched_once(cache: SmallCache, repository: Repository) -> None:
    paths = cache.ensure()
    assert [path.name for path in paths] == list(CONTENT)
    assert whole(cache)
    assert set(repository.asked.values()) == {1}


def test_what_is_there_needs_no_network(cache: SmallCache, repository: Repository) -> None:
    cache.ensure()
    repository.asked.clear()
    offline = SmallCache(cache.folder, "http://127.0.0.1:9")
    assert offline.ensure() == cache.ensure()
    assert not repository.asked


def test_the_download_shows_a_progress_bar(cache: SmallCache) -> None:
    shown = io.StringIO()
    cache.ensure(Console(file=shown, force_terminal=True, width=120))
    assert f"Fetching Neo4j {DEFAULT_VERSION}" in shown.getvalue()
    assert f"{len(CONTENT)}/{len(CONTENT)}" in shown.getvalue()
    assert "jars, 1 MB" in shown.getvalue()


def test_a_changed_jar_is_replaced_and_the_others_are_kept(cache: SmallCache, repository: Repository) -> None:
    cache.ensure()
    repository.asked.clear()
    (cache.folder / "org" / "lib-3.jar").write_bytes(b"not it")
    cache.ensure()
    assert whole(cache)
    assert repository.asked == {"lib-3.jar": 1}


def test_a_half_finished_download_is_taken_up_again(cache: SmallCache, repository: Repository) -> None:
    (cache.folder / "org").mkdir(parents=True)
    (cache.folder / "org" / "lib-0.jar").write_bytes(CONTENT["lib-0.jar"])
    (cache.folder / "org" / "lib-1.jar").write_bytes(CONTENT["lib-1.jar"][:100])
    (cache.folder / "org" / "lib-2.jar.part").write_bytes(CONTENT["lib-2.jar"][:100])
    cache.ensure()
    assert whole(cache)
    assert "lib-0.jar" not in repository.asked


def test_a_broken_connection_is_tried_again(cache: SmallCache, repository: Repository) -> None:
    repository.cut["lib-2.jar"] = 2
    cache.ensure()
    assert whole(cache)
    assert repository.asked["lib-2.jar"] == 3


def test_a_connection_that_always_breaks_leaves_no_part_behind(cache: SmallCache, repository: Repository) -> None:
    repository.cut["lib-2.jar"] = 99
    with pytest.raises(LocalServerError, match=r"lib-2\.jar could not be fetched"):
        cache.ensure()
    assert not list(cache.folder.rglob("lib-2.jar*"))
    repository.cut.clear()
    cache.ensure()
    assert whole(cache)


def test_a_jar_with_another_sum_is_never_put_in_place(cache: SmallCache, repository: Repository) -> None:
    repository.served["lib-4.jar"] = b"something else"
    with pytest.raises(LocalServerError, match=r"(?s)lib-4\.jar was fetched 3 times.*SHA-256.*deleted"):
        cache.ensure()
    assert not list(cache.folder.rglob("lib-4.jar*"))
    repository.served = dict(CONTENT)
    cache.ensure()
    assert whole(cache)


def test_a_jar_the_repository_lacks_is_named_with_its_answer(cache: SmallCache, repository: Repository) -> None:
    del repository.served["lib-5.jar"]
    with pytest.raises(LocalServerError, match=r"lib-5\.jar.*answers 404.*GRAPH_MEMORY_REPOSITORY"):
        cache.ensure()


def test_no_network_is_said_as_such(tmp_path: Path) -> None:
    nobody = f"http://127.0.0.1:{free_port(20000)}"
    with pytest.raises(LocalServerError, match=r"could not be fetched.*the first start needs the network"):
        SmallCache(tmp_path, nobody).ensure()


def test_a_full_disk_is_said_as_such_and_the_next_time_goes_on(
    cache: SmallCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_open = Path.open

    class Full(io.RawIOBase):
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def open_full(path: Path, mode: str = "r") -> BinaryIO:
        if path.name == "lib-3.jar.part":
            path.touch()
            return Full()  # type: ignore[return-value]
        return real_open(path, mode)  # type: ignore[return-value]

    monkeypatch.setattr(Path, "open", open_full)
    with pytest.raises(LocalServerError, match=r"the disk is full.*goes on where it stopped"):
        cache.ensure()
    assert not list(cache.folder.rglob("*.part"))
    monkeypatch.undo()
    cache.ensure()
    assert whole(cache)


@pytest.mark.skipif(sys.platform != "linux", reason="makes a small file system")
def test_a_disk_that_is_really_full_is_said_as_such(tmp_path: Path, repository: Repository) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("may not mount a file system here")
    try:
        with pytest.raises(LocalServerError, match="the disk is full"):
            SmallCache(small / "jars", repository.url).ensure()
        assert not list(small.rglob("*.part"))
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_a_folder_that_may_not_be_written_is_said_as_such(
    cache: SmallCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(cache.folder))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(LocalServerError, match=r"cannot be written.*GRAPH_MEMORY_CACHE"):
        cache.ensure()


def test_two_that_fetch_at_once_fetch_once(cache: SmallCache, repository: Repository) -> None:
    ensure = partial(cache.ensure, None)
    threads = [threading.Thread(target=ensure) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert whole(cache)
    assert set(repository.asked.values()) == {1}


def test_a_mirror_is_used_for_every_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(jars_module.REPOSITORY_VARIABLE, "http://mirror.example/maven/")
    jars = JarCache(tmp_path, server_version(DEFAULT_VERSION)).jars()
    inside = f"org/neo4j/neo4j/{DEFAULT_VERSION}/neo4j-{DEFAULT_VERSION}.jar"
    assert all(jar.url.startswith("http://mirror.example/maven/") for jar in jars)
    assert f"http://mirror.example/maven/{inside}" in {jar.url for jar in jars}
