"""The commands of the managed local server: up, down, status, logs, browser."""

from __future__ import annotations

import json
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.filesize import decimal

from graph_memory.errors import GraphMemoryError
from graph_memory.local import SUPPORTED_VERSIONS, LocalServer, ServerStatus

NOT_RUNNING = 3
"""The exit code of ``status`` when the server does not answer, as init scripts have it."""

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="FOLDER",
        help="Data, password and logs; left out: GRAPH_MEMORY_HOME, else the user's data folder.",
        show_default=False,
    ),
]
VersionOption = Annotated[
    str | None,
    typer.Option(
        "--neo4j",
        metavar="VERSION",
        help=f"{' or '.join(SUPPORTED_VERSIONS)}; left out: what this home ran last, else the first.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program's."""
    for command in (up, down, status, logs, browser):
        app.command()(command)


def up(home: HomeOption = None, neo4j: VersionOption = None) -> None:
    """Start the local Neo4j, fetching it the first time, and wait until it answers."""
    with _errors_to_people():
        server = LocalServer(home, neo4j)
        info = server.up(Console(stderr=True))
    _print(f"Neo4j {info.version} answers at {info.uri} (user {info.username}, process {info.pid}).")
    _print(f"The password is in {server.password_file}; graph-memory browser shows the graph.")


def down(home: HomeOption = None) -> None:
    """Stop the local Neo4j cleanly; its data stays."""
    with _errors_to_people():
        stopped = LocalServer(home).down()
    _print("Stopped." if stopped else "It was not running.")


def status(
    home: HomeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Tell whether the local Neo4j runs, and where. Exits 3 when it does not answer."""
    with _errors_to_people():
        found = LocalServer(home).status()
    if as_json:
        _print(json.dumps({**asdict(found), "home": str(found.home)}, ensure_ascii=False, indent=2))
    else:
        for line in _lines(found):
            _print(line)
    if found.state != "running":
        raise typer.Exit(NOT_RUNNING)


def logs(
    home: HomeOption = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last lines.")] = 50,
) -> None:
    """Print the last lines of the local Neo4j's log."""
    with _errors_to_people():
        _print(LocalServer(home).logs(lines))


def browser(
    home: HomeOption = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    show_password: Annotated[bool, typer.Option("--show-password", help="Print the password too.")] = False,
) -> None:
    """Open Neo4j Browser on the local graph, and print its address and how to sign in."""
    with _errors_to_people():
        server = LocalServer(home)
        url = server.browser_url()
        info = server.info()
    _print(url)
    if info is not None:
        _print(f"User: {info.username}")
        _print(f"Password: {info.password}" if show_password else f"Password: in the file {info.password_file}")
    if not no_open and not webbrowser.open(url):
        _print("No web browser was found here; open the address in yours.")


@contextmanager
def _errors_to_people() -> Iterator[None]:
    try:
        yield
    except GraphMemoryError as error:
        typer.secho(f"Error: {error}", err=True, fg="red")
        raise typer.Exit(1) from None


def _lines(found: ServerStatus) -> Iterator[str]:
    yield f"Neo4j {found.version}: {found.state}" + (f" (process {found.pid})" if found.pid else "")
    if found.uri is not None:
        yield f"Bolt:    {found.uri}"
        yield f"Browser: {found.browser_url}"
    yield f"Home:    {found.home}"
    yield f"Data:    {decimal(found.data_bytes)}"
    if found.state == "crashed":
        yield "It ended without being stopped; graph-memory logs shows why, graph-memory up starts it again."


def _print(text: str) -> None:
    # Not rich: paths and logs may hold what it takes for markup, and must not be wrapped.
    typer.echo(text)
