"""The managed server for real. A start takes seconds, so what can share a running server does."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import psutil
import pytest
from rich.console import Console

from graph_memory import GraphMemory, UnavailableError
from graph_memory.errors import LocalServerError
from graph_memory.local import DEFAULT_VERSION, SUPPORTED_VERSIONS, LocalServer, ServerInfo, launch
from graph_memory.local.home import jar_folder
from graph_memory.local.launch import Launch
from graph_memory.local.ports import free_port

pytestmark = [pytest.mark.server, pytest.mark.slow]

# For rules that do not depend on the version, and beside what else runs on it.
on_one_version = pytest.mark.parametrize("running", [DEFAULT_VERSION], indirect=True)

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


def write(info: ServerInfo) -> str:
    """Write a node and return what it is known by."""
    return str(ask(info, "CREATE (k:Kept {id: randomUUID()}) RETURN k.id AS id")[0]["id"])


def kept(info: ServerInfo, written: str) -> bool:
    return len(ask(info, f"MATCH (k:Kept {{id: '{written}'}}) RETURN k")) == 1


def kill(info: ServerInfo) -> None:
    psutil.Process(info.pid).kill()


@pytest.fixture(scope="module", params=SUPPORTED_VERSIONS)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server that tests share; each may stop or kill it, since the next one has it up again."""
    server = LocalServer(tmp_path_factory.mktemp("running") / "home", request.param)
    yield server
    server.down()


@pytest.fixture
def info(running: LocalServer) -> ServerInfo:
    return running.up()


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server in a home with spaces and umlauts, started by a process in the C locale."""
    server = LocalServer(tmp_path_factory.mktemp("beside") / 'größer als "sonst" [x]')
    environment = {name: os.environ[name] for name in ("PATH", "JDK_JAVA_OPTIONS")}
    environment |= {"LC_ALL": "C", "GRAPH_MEMORY_CACHE": str(jar_folder().parent)}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    try:
        subprocess.run([sys.executable, "-c", UP, server.home], env=environment, check=True, capture_output=True)
        yield server
    finally:
        server.down()


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


@pytest.mark.usefixtures("info")
def test_asking_whether_it_runs_takes_milliseconds(running: LocalServer) -> None:
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


def test_data_password_and_ports_survive_a_stop(
    running: LocalServer, info: ServerInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(info)
    begin = time.monotonic()
    assert running.down() is True
    assert time.monotonic() - begin < 8, "the pauses of the Bolt server are switched off"
    assert "Stopped." in running.logs(1)
    assert not psutil.pid_exists(info.pid)
    assert running.status().state == "stopped"
    assert running.down() is False

    # After the first fetch it starts with no network.
    monkeypatch.setenv("GRAPH_MEMORY_REPOSITORY", "http://127.0.0.1:9")
    again = running.up()
    assert kept(again, written)
    assert (again.uri, again.http_url, again.password) == (info.uri, info.http_url, info.password)


@on_one_version
def test_data_and_ports_survive_a_crash(running: LocalServer, info: ServerInfo) -> None:
    written = write(info)
    kill(info)
    while running.status().state != "crashed":
        time.sleep(0.05)
    assert running.info() is None
    again = running.up()
    assert kept(again, written)
    assert again.uri == info.uri


@on_one_version
def test_a_server_whose_state_file_was_lost_is_replaced_without_loss(
    running: LocalServer, info: ServerInfo
) -> None:
    written = write(info)
    (running.home / "server.json").write_text("{ damaged")
    again = running.up()
    assert not psutil.pid_exists(info.pid)
    assert kept(again, written)


@on_one_version
def test_two_processes_that_start_it_at_once_get_the_same_server(running: LocalServer) -> None:
    running.down()
    both = [
        subprocess.Popen([sys.executable, "-c", UP, running.home], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=240)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    info = running.info()
    assert info is not None
    assert said[0].split() == [str(info.pid), info.uri]


@on_one_version
def test_a_start_whose_starter_died_is_waited_for(running: LocalServer) -> None:
    running.down()
    starting = subprocess.Popen([sys.executable, "-c", UP, running.home], stdout=subprocess.DEVNULL)
    while running.status().pid is None:
        time.sleep(0.02)
    starting.kill()
    starting.wait()
    status = running.status()
    assert status.state == "starting"
    assert running.up().pid == status.pid


@on_one_version
def test_a_copy_of_a_running_home_has_a_server_of_its_own(
    running: LocalServer, info: ServerInfo, start_in: Callable[..., LocalServer]
) -> None:
    written = write(info)
    copy = start_in("copy")
    shutil.copytree(running.home, copy.home)
    assert copy.status().state == "stopped"
    assert copy.info() is None
    assert copy.down() is False
    assert running.info() == info

    shown = io.StringIO()
    other = copy.up(Console(file=shown))
    assert (other.pid, other.uri) != (info.pid, info.uri)
    port = info.uri.rpartition(":")[2]
    assert "a copy that was made while the original's server ran" in shown.getvalue()
    assert f"Starting Neo4j {info.version} in {copy.home} at {other.uri}" in shown.getvalue()
    assert f"because {port} and " in shown.getvalue()
    assert kept(other, written)
    with GraphMemory.open(home=copy.home) as memory:
        memory.tenant("acme").record("Said in the copy.", id="e1")
    with GraphMemory.open(home=running.home) as memory:
        assert memory.tenants() == []
    assert copy.down() is True
    assert running.info() == info
    assert copy.status().state == "stopped"


def test_a_home_that_is_moved_while_its_server_runs_keeps_it(start_in: Callable[..., LocalServer]) -> None:
    server = start_in()
    info = server.up()
    moved = LocalServer(server.home.rename(server.home.with_name("moved")))
    found = moved.info()
    assert found is not None
    assert found.pid == info.pid
    assert server.status().state == "stopped"
    assert moved.down() is True


@on_one_version
def test_a_password_changed_in_neo4j_is_told_with_the_file_to_correct(
    running: LocalServer, info: ServerInfo
) -> None:
    ask(info, f"ALTER CURRENT USER SET PASSWORD FROM '{info.password}' TO 'another-one-1'")
    try:
        with pytest.raises(LocalServerError, match=rf"does not accept the password in {running.password_file}"):
            running.up()
    finally:
        running.password_file.write_text("another-one-1\n")
    assert running.up().password == "another-one-1"


@on_one_version
def test_homes_run_side_by_side_each_with_its_own_data(
    running: LocalServer, info: ServerInfo, beside: LocalServer
) -> None:
    other = beside.up()
    assert len({info.uri, other.uri, info.http_url, other.http_url}) == 4
    assert info.password != other.password
    written = write(info)
    assert kept(info, written)
    assert not kept(other, written)
    assert running.info() == info


@on_one_version
@pytest.mark.usefixtures("running")
def test_a_home_with_spaces_and_umlauts_works_in_the_c_locale(beside: LocalServer) -> None:
    info = beside.info()
    assert info is not None
    assert ask(info, "RETURN 1 AS one")[0]["one"] == 1
    assert (beside.home / info.version / "data" / "databases" / "neo4j").is_dir()


@pytest.mark.parametrize(
    ("version", "database"), [(SUPPORTED_VERSIONS[0], "system"), (SUPPORTED_VERSIONS[1], "neo4j")]
)
def test_a_first_start_that_is_killed_while_it_makes_a_database_is_repaired_by_the_next(
    version: str, database: str, start_in: Callable[..., LocalServer]
) -> None:
    server = start_in(version=version)
    starting = subprocess.Popen([sys.executable, "-c", UP, server.home, version], stdout=subprocess.DEVNULL)
    while not (server.home / version / "data" / "databases" / database).exists():
        assert starting.poll() is None
        time.sleep(0.02)
    starting.kill()
    starting.wait()
    pid = server.status().pid
    assert pid is not None
    process = psutil.Process(pid)
    process.kill()
    process.wait()
    for file in (server.home / version / "data" / "databases" / database).rglob("*"):
        if file.is_file():
            file.write_bytes(b"")  # as a kill at the worst moment would leave it
    assert ask(server.up(), "RETURN 1 AS one")[0]["one"] == 1


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
        with pytest.raises(LocalServerError, match="the disk is full"):
            server.up()
        assert server.status().state == "stopped"
        # The look beforehand cannot know what others write meanwhile.
        monkeypatch.setattr(Launch, "_need_room", lambda _self: None)
        with pytest.raises(LocalServerError, match=r"the disk is full.* said:"):
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
        if not name.startswith(("JAVA", "JDK_", "GRAPH_MEMORY_", "NEO4J_", "XDG_"))
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
    try:
        started = subprocess.run(
            [sys.executable, "-m", "graph_memory.cli", "up"],
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


def test_what_keeps_a_program_out_is_said_as_what_it_is(
    start_in: Callable[..., LocalServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph_memory.local.config import render_settings as real

    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    make = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout private.key -out public.crt"
    )
    subprocess.run(make.split(), cwd=tmp_path, check=True, capture_output=True)
    policy = {
        "enabled": "true",
        "base_directory": tmp_path,
        "private_key": "private.key",
        "public_certificate": "public.crt",
        "client_auth": "NONE",
    }
    more = "".join(f"dbms.ssl.policy.bolt.{name}={value}\n" for name, value in policy.items())
    more += "server.bolt.tls_level=OPTIONAL\n"
    monkeypatch.setattr(launch, "render_settings", lambda *args: real(*args) + more)
    server = start_in()
    info = server.up()
    auth = info.username, info.password
    with GraphMemory.open(info.uri, auth) as memory:
        memory.tenant("acme").record("Said once.", id="e1")
    with pytest.raises(UnavailableError, match=r"certificate .* is not trusted \(.*self-signed.*\+ssc"):
        GraphMemory.open(info.uri.replace("bolt:", "bolt+s:"), auth)
    with GraphMemory.open(info.uri.replace("bolt:", "bolt+ssc:"), auth) as memory:
        assert memory.tenants() == ["acme"]
    for _ in range(3):
        with pytest.raises(UnavailableError, match="does not accept the user name or password"):
            GraphMemory.open(info.uri, ("neo4j", "wrong-one"))
    with pytest.raises(UnavailableError, match="too many times in a row"):
        GraphMemory.open(info.uri, ("neo4j", "wrong-one"))
    server.down()

    more = "server.databases.default_to_read_only=true\n"
    info = server.up()
    with pytest.raises(UnavailableError, match="asks for encryption, and the server there does not encrypt"):
        GraphMemory.open(info.uri.replace("bolt:", "bolt+s:"), auth)
    with GraphMemory.open(info.uri, auth) as memory:
        assert memory.tenant("acme").episode("e1").text == "Said once."
        with pytest.raises(UnavailableError, match=r"the default database .* is read-only"):
            memory.tenant("acme").record("Said twice.")
