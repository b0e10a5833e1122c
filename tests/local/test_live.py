"""The managed server for real, on both versions. Slow: each start takes about ten seconds."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import psutil
import pytest

from graph_memory.errors import LocalServerError
from graph_memory.local import SUPPORTED_VERSIONS, LocalServer, ServerInfo, launch
from graph_memory.local.launch import Launch
from graph_memory.local.ports import free_port

pytestmark = pytest.mark.slow

UP = """
import sys
from pathlib import Path
from graph_memory.local import LocalServer
info = LocalServer(Path(sys.argv[1]), *sys.argv[2:]).up()
print(info.pid, info.uri)
"""


def ask(info: ServerInfo, query: neo4j.Query | str, password: str | None = None) -> list[neo4j.Record]:
    auth = (info.username, info.password if password is None else password)
    with neo4j.GraphDatabase.driver(info.uri, auth=auth, telemetry_disabled=True) as driver:
        return driver.execute_query(query).records


def write(info: ServerInfo) -> None:
    ask(info, "CREATE (:Kept {since: 'before'})")


def kept(info: ServerInfo) -> bool:
    return len(ask(info, "MATCH (k:Kept) RETURN k.since AS since")) == 1


def kill(info: ServerInfo) -> None:
    psutil.Process(info.pid).kill()


@pytest.fixture(scope="module", params=SUPPORTED_VERSIONS)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = LocalServer(tmp_path_factory.mktemp("running") / "home", request.param)
    server.up()
    yield server
    server.down()


@pytest.fixture
def info(running: LocalServer) -> ServerInfo:
    found = running.info()
    assert found is not None
    return found


def test_the_password_of_the_file_lets_in_and_no_other(running: LocalServer, info: ServerInfo) -> None:
    assert stat.S_IMODE(running.password_file.stat().st_mode) == 0o600
    password = running.password_file.read_text().strip()
    assert password == info.password
    components = ask(info, "CALL dbms.components() YIELD versions, edition RETURN versions[0] AS v, edition")
    assert components[0].data() == {"v": info.version, "edition": "community"}
    with pytest.raises(neo4j.exceptions.AuthError):
        ask(info, "RETURN 1", password="neo4j")


def test_the_password_is_in_no_process_s_arguments_or_environment(info: ServerInfo) -> None:
    process = psutil.Process(info.pid)
    assert info.password not in " ".join(process.cmdline())
    assert info.password not in " ".join(process.environ().values())
    assert any(argument.startswith("--home-dir=") for argument in process.cmdline())


def test_it_listens_on_the_loopback_address_only(info: ServerInfo) -> None:
    sockets = psutil.Process(info.pid).net_connections("inet")
    listening = {(s.laddr.ip.removeprefix("::ffff:"), s.laddr.port) for s in sockets if s.status == "LISTEN"}
    ports = {int(url.rpartition(":")[2]) for url in (info.uri, info.http_url)}
    assert listening == {("127.0.0.1", port) for port in ports}
    # Fleet discovery would broadcast from a datagram socket.
    assert not [s for s in sockets if s.type.name == "SOCK_DGRAM"]


def test_starting_it_again_finds_the_same(running: LocalServer, info: ServerInfo) -> None:
    assert running.up() == info
    assert LocalServer(running.home).up() == info
    assert LocalServer(running.home).info() == info


def test_another_process_finds_it_by_the_home_alone(running: LocalServer, info: ServerInfo) -> None:
    said = subprocess.run([sys.executable, "-c", UP, running.home], capture_output=True, text=True, check=True)
    assert said.stdout.split() == [str(info.pid), info.uri]


def test_asking_whether_it_runs_takes_milliseconds(running: LocalServer) -> None:
    running.info()
    begin = time.perf_counter()
    for _ in range(20):
        assert running.info() is not None
    assert (time.perf_counter() - begin) / 20 < 0.05


def test_its_status_and_log_tell_that_it_runs(running: LocalServer, info: ServerInfo) -> None:
    status = running.status()
    assert (status.state, status.pid, status.uri) == ("running", info.pid, info.uri)
    assert status.data_bytes > 100_000
    assert running.browser_url() == f"{info.http_url}/browser/?connectURL={info.uri}"
    assert f"Neo4j {info.version}" in running.logs(1000)
    assert len(running.logs(3).splitlines()) == 3


def test_the_browser_is_served(info: ServerInfo) -> None:
    import requests

    page = requests.get(f"{info.http_url}/browser/", timeout=10)
    assert page.status_code == 200
    assert "<html" in page.text.lower()


def test_the_other_version_is_refused_while_it_runs(running: LocalServer, info: ServerInfo) -> None:
    (other,) = set(SUPPORTED_VERSIONS) - {info.version}
    with pytest.raises(LocalServerError, match=rf"runs Neo4j {info.version}, not {other}"):
        LocalServer(running.home, other).up()
    assert LocalServer(running.home, other).info() is None


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_data_password_and_ports_survive_a_stop_and_a_crash(
    version: str, start_in: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_in(version=version)
    first = server.up()
    write(first)
    begin = time.monotonic()
    assert server.down() is True
    assert time.monotonic() - begin < 8, "the pauses of the Bolt server are switched off"
    assert "Stopped." in server.logs(1)
    assert not psutil.pid_exists(first.pid)
    assert server.status().state == "stopped"
    assert server.down() is False

    # After the first fetch it starts with no network.
    monkeypatch.setenv("GRAPH_MEMORY_REPOSITORY", "http://127.0.0.1:9")
    second = server.up()
    assert kept(second)
    assert (second.uri, second.http_url, second.password) == (first.uri, first.http_url, first.password)

    kill(second)
    while server.status().state != "crashed":
        time.sleep(0.05)
    assert server.info() is None
    third = server.up()
    assert kept(third)
    assert third.uri == first.uri


def test_two_processes_that_start_it_at_once_get_the_same_server(
    start_in: Callable[..., LocalServer],
) -> None:
    server = start_in()
    both = [
        subprocess.Popen([sys.executable, "-c", UP, server.home], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=240)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    info = server.info()
    assert info is not None
    assert said[0].split() == [str(info.pid), info.uri]


def test_homes_run_side_by_side_each_with_its_own_data(start_in: Callable[..., LocalServer]) -> None:
    one, two = start_in("one"), start_in("two")
    first, second = one.up(), two.up()
    assert len({first.uri, second.uri, first.http_url, second.http_url}) == 4
    assert first.password != second.password
    write(first)
    assert not kept(second)
    assert one.down() is True
    assert two.info() == second


@pytest.mark.parametrize(("version", "after"), [("2026.08.1", 2.0), ("2026.08.1", 6.0), ("5.26.30", 4.0)])
def test_a_first_start_that_is_killed_is_repaired_by_the_next(
    version: str, after: float, start_in: Callable[..., LocalServer]
) -> None:
    server = start_in(version=version)
    starting = subprocess.Popen([sys.executable, "-c", UP, server.home, version], stdout=subprocess.DEVNULL)
    while server.status().pid is None:
        assert starting.poll() is None
        time.sleep(0.05)
    time.sleep(after)
    starting.kill()
    starting.wait()
    pid = server.status().pid
    assert pid is not None
    psutil.Process(pid).kill()
    assert ask(server.up(), "RETURN 1 AS one")[0]["one"] == 1


def test_a_start_whose_starter_died_is_waited_for(start_in: Callable[..., LocalServer]) -> None:
    server = start_in()
    starting = subprocess.Popen([sys.executable, "-c", UP, server.home], stdout=subprocess.DEVNULL)
    while server.status().pid is None:
        time.sleep(0.05)
    starting.kill()
    starting.wait()
    status = server.status()
    assert status.state == "starting"
    assert server.up().pid == status.pid


def test_a_server_whose_state_file_was_lost_is_replaced_without_loss(
    start_in: Callable[..., LocalServer],
) -> None:
    server = start_in()
    first = server.up()
    write(first)
    (server.home / "server.json").write_text("{ damaged")
    second = server.up()
    assert not psutil.pid_exists(first.pid)
    assert kept(second)


def test_a_port_taken_at_the_last_moment_picks_the_next(
    start_in: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    with socket.create_server(("127.0.0.1", free_port(23000))) as busy:
        port = busy.getsockname()[1]

        def blind(first: int, taken: set[int] = frozenset()) -> int:  # type: ignore[assignment]
            return port if port not in taken else free_port(first, taken)

        monkeypatch.setattr(launch, "free_port", blind)
        info = start_in().up()
        assert str(port) not in info.uri + info.http_url
        assert ask(info, "RETURN 1 AS one")[0]["one"] == 1


def test_a_server_that_dies_while_starting_tells_its_last_words(
    start_in: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph_memory.local.config import render_settings as real

    monkeypatch.setattr(launch, "render_settings", lambda *args: real(*args) + "no.such.setting=1\n")
    server = start_in()
    with pytest.raises(LocalServerError, match=r"(?s)ended while it started.*no\.such\.setting"):
        server.up()
    assert server.status().state == "crashed"
    monkeypatch.undo()
    assert server.up().version == server.version


def test_a_password_changed_in_neo4j_is_told_with_the_file_to_correct(
    start_in: Callable[..., LocalServer],
) -> None:
    server = start_in()
    info = server.up()
    ask(info, f"ALTER CURRENT USER SET PASSWORD FROM '{info.password}' TO 'another-one-1'")
    with pytest.raises(LocalServerError, match=rf"does not accept the password in {server.password_file}"):
        server.up()
    server.password_file.write_text("another-one-1\n")
    assert server.up().password == "another-one-1"


def test_a_home_with_spaces_and_umlauts_works_in_the_c_locale(start_in: Callable[..., LocalServer]) -> None:
    server = start_in('größer als "sonst" [x]')
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "GRAPH_MEMORY_CACHE": str(cache_folder())}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    subprocess.run([sys.executable, "-c", UP, server.home], env=environment, check=True, stdout=subprocess.DEVNULL)
    info = server.info()
    assert info is not None
    write(info)
    assert (server.home / info.version / "data" / "databases" / "neo4j").is_dir()


@pytest.mark.skipif(sys.platform != "linux", reason="makes a small file system")
def test_a_disk_too_small_for_a_database_is_said_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("may not mount a file system here")
    server = LocalServer(small / "home")
    try:
        with pytest.raises(LocalServerError, match="The disk is full"):
            server.up()
        assert server.status().state == "stopped"
        # The look beforehand cannot know what others write meanwhile.
        monkeypatch.setattr(Launch, "_need_room", lambda _self: None)
        with pytest.raises(LocalServerError, match=r"The disk is full.* said:"):
            server.up()
        subprocess.run(["mount", "-o", "remount,size=1500m", str(small)], check=True)
        assert server.up().version == server.version
    finally:
        server.down()
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_a_cold_start_with_an_empty_home_an_empty_cache_and_no_java(tmp_path: Path) -> None:
    nothing = tmp_path / "bin"
    nothing.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JAVA", "GRAPH_MEMORY_", "NEO4J_", "XDG_"))
    }
    environment |= {
        "PATH": str(nothing),
        "HOME": str(tmp_path / "user"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import platformdirs; print(platformdirs.user_data_path('graph-memory', appauthor=False))",
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    server = LocalServer(Path(found.stdout.strip()))
    assert server.home.is_relative_to(tmp_path)
    program = "import typer; from graph_memory.cli import server; app = typer.Typer(); server.register(app); app()"
    try:
        started = subprocess.run(
            [sys.executable, "-c", program, "up"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert started.returncode == 0, started.stderr
        assert "Fetching Neo4j" in started.stderr
        info = server.info()
        assert info is not None
        assert info.uri in started.stdout
        assert ask(info, "RETURN 1 AS one")[0]["one"] == 1
    finally:
        server.down()


def cache_folder() -> Path:
    from graph_memory.local.home import jar_folder

    return jar_folder().parent
