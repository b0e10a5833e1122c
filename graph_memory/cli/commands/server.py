"""Commands of the managed local server: up, down, status, logs, browser."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.filesize import decimal

from graph_memory.cli import exit_codes
from graph_memory.cli.command_group import Commands
from graph_memory.cli.invocation import command_line
from graph_memory.cli.options import AsJson, Home
from graph_memory.cli.output import Output, complain, visible
from graph_memory.domain.wording import counted
from graph_memory.errors import LocalServerError, UnavailableError
from graph_memory.local import SUPPORTED_VERSIONS, LocalServer, ServerStatus

if TYPE_CHECKING:
    from graph_memory.storage.records import IndexInfo

Version = Annotated[
    str | None,
    typer.Option(
        "--neo4j",
        metavar="VERSION",
        help=f"{' or '.join(SUPPORTED_VERSIONS)}. Default: the version that this home ran last, else the first.",
    ),
]

_commands = Commands("The local server")
register = _commands.register


@_commands.plain("up")
def up(home: Home = None, neo4j: Version = None) -> None:
    """Start the local Neo4j and wait until it answers. The first time, download it.

    Example: graph-memory up
    """
    _say_which_is_used(home)
    server = LocalServer(home, neo4j)
    info = server.up(Console(stderr=True))
    _print(f"Neo4j {info.version} answers at {info.uri} (user {info.username}, process {info.pid}).")
    _print(f"The password is in {server.password_file}; {command_line('browser', home=home)} shows the graph.")


@_commands.plain("down")
def down(home: Home = None) -> None:
    """Stop the local Neo4j cleanly; its data stays.

    Example: graph-memory down
    """
    _print("Stopped." if LocalServer(home).down() else "It was not running.")


@_commands.plain("status")
def status(home: Home = None, as_json: AsJson = False) -> None:
    """Tell whether the local Neo4j runs, and where. The exit code is 3 where it does not answer.

    Example: graph-memory status --json
    """
    _say_which_is_used(home)
    server = LocalServer(home)
    found = server.status()
    indexes = _indexes(server) if found.state == "running" else []
    if as_json:
        Output(json=True).document({**asdict(found), "home": str(found.home), "indexes": indexes})
    else:
        for line in (*_lines(found, home), *_missing(indexes, home)):
            _print(line)
    if found.state != "running":
        raise typer.Exit(exit_codes.NOTHING)


@_commands.plain("logs")
def logs(
    home: Home = None,
    lines: Annotated[int, typer.Option("--lines", "-n", metavar="N", min=1, help="Print the last N lines.")] = 50,
) -> None:
    """Print the last lines of the local Neo4j's log.

    Example: graph-memory logs -n 20
    """
    server = LocalServer(home)
    found = server.logs(lines)
    if not found:
        complain(f"The server of {server.home} has not run yet, so it has no log.")
        raise typer.Exit(exit_codes.NOTHING)
    _print(found)


@_commands.plain("browser")
def browser(
    home: Home = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    show_password: Annotated[bool, typer.Option("--show-password", help="Print the password too.")] = False,
) -> None:
    """Open Neo4j Browser on the local graph, and print its address and how to sign in.

    Example: graph-memory browser
    """
    _say_which_is_used(home)
    server = LocalServer(home)
    info = server.info()
    if info is None:
        raise LocalServerError(
            f"the server of {server.home} does not run: start it with {command_line('up', home=home)}"
        )
    url = server.browser_url()
    _print(url)
    _print(f"User: {info.username}")
    _print(f"Password: {info.password}" if show_password else f"Password: in the file {info.password_file}")
    if not no_open and not webbrowser.open(url):
        _print("No web browser was found here; open the address in yours.")


def _say_which_is_used(home: Path | None) -> None:
    """Say that other commands go elsewhere, where the environment names a database and the user no home."""
    if home is None and (uri := os.environ.get("NEO4J_URI")):
        # A password has no place in an address, and would be shown here.
        complain(
            f"Note: this is about the managed local server. NEO4J_URI is set, so programs and commands without "
            f"--home use {uri.rpartition('@')[2]} instead."
        )


def _lines(found: ServerStatus, home: Path | None) -> Iterator[str]:
    yield f"Neo4j {found.version}: {found.state}" + (f" (process {found.pid})" if found.pid else "")
    if found.uri is not None:
        yield f"Bolt:    {found.uri}"
        yield f"Browser: {found.browser_url}"
    yield f"Home:    {found.home}"
    yield f"Data:    {decimal(found.data_bytes)}"
    if found.state == "crashed":
        yield (
            f"The server crashed: {command_line('logs', home=home)} shows why, "
            f"{command_line('up', home=home)} starts it again."
        )


def _indexes(server: LocalServer) -> list[IndexInfo]:
    """Return the indexes that searches use; empty where the database has none or does not answer."""
    from graph_memory._sync.search.indexes import Indexes
    from graph_memory._sync.search.texts import Texts
    from graph_memory._sync.search.vectors import Vectors
    from graph_memory._sync.storage.database import Database
    from graph_memory.storage.address import Address

    info = server.info()
    if info is None:
        return []
    database = Database(Address(info.uri, (info.username, info.password), None))
    try:
        return Indexes(database, Texts(database), Vectors(database, None)).all()
    except UnavailableError:
        return []
    finally:
        database.close()


def _missing(indexes: list[IndexInfo], home: Path | None) -> Iterator[str]:
    for index in indexes:
        if index.missing:
            update = command_line("index", "update", home=home)
            what = "Vectors: missing for" if index.kind == "vector" else "Text index: it lacks"
            yield f"{what} {index.missing} episodes; {update} makes up for them"
        if index.building:
            left = counted(index.left or 0, "episode")
            yield f"Rebuild: the {index.kind} index is being rebuilt as {index.building}, {left} left"


def _print(text: str) -> None:
    # Not rich: paths and logs must not be wrapped.
    typer.echo(visible(text))
