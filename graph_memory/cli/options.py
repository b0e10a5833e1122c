"""The arguments and options that several commands share, and the session that a command runs in."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from graph_memory.cli.output import Output
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import GraphMemory, Recorded, Tenant

CONNECTION_PANEL = "Connection"

Uri = Annotated[
    str | None,
    typer.Option(
        "--uri",
        metavar="URI",
        help="Address of the database, such as bolt://db:7687. Else NEO4J_URI, else the local server.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
User = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        help="User of the database. Else NEO4J_USERNAME, else neo4j.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        help="File that holds the password and nothing else. Else NEO4J_PASSWORD.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
AskPassword = Annotated[
    bool,
    typer.Option("--ask-password", help="Ask for the password.", rich_help_panel=CONNECTION_PANEL),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="NAME",
        help="Name of the database. Else NEO4J_DATABASE, else the server's default.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help="Home of the managed local server. Else GRAPH_MEMORY_HOME, else the user's data directory.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")]
TenantName = Annotated[
    str,
    typer.Option(
        "--tenant",
        "-t",
        metavar="NAME",
        envvar="GRAPH_MEMORY_TENANT",
        show_default=False,
        help="Whose memory it is.",
    ),
]

Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="Key of the entity that the fact is about.")]
Attribute = Annotated[
    str, typer.Argument(metavar="ATTRIBUTE", help="What is said about it, such as passport_deadline.")
]
FactId = Annotated[str, typer.Argument(metavar="FACT_ID", help="Id of a fact, as other commands print it.")]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="INSTANT", help="Answer with what had been recorded by then."),
]
At = Annotated[str | None, typer.Option("--at", metavar="INSTANT", help="The instant asked about. Else now.")]
EpisodeId = Annotated[
    str, typer.Option("--episode", "-e", metavar="ID", help="The episode that says so.", show_default=False)
]
Quote = Annotated[
    str | None,
    typer.Option("--quote", metavar="TEXT", help="The words that say so, exactly as the episode has them."),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="INSTANT", help="First instant at which it no longer holds. Else for ever."),
]
TypeName = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        help="Type of the value: str, int, float, bool, date, datetime, ref or ref:Kind. Else a guess.",
    ),
]
IsMany = Annotated[bool, typer.Option("--many", help="The attribute is new and may hold many values at once.")]


@dataclass
class Session:
    """What a command works with: where to print, and the memory, connected at first use.

    The fields but `output` are the options of the same names.
    """

    output: Output
    uri: str | None = None
    user: str | None = None
    password_file: Path | None = None
    ask_password: bool = False
    database: str | None = None
    home: Path | None = None
    tenant_name: str | None = None
    _open: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        if self.uri and self.home:
            raise InvalidInputError("--uri and --home name two different servers: give one of them")
        if self.password_file and self.ask_password:
            raise InvalidInputError("--password-file and --ask-password: give one of them")

    def auth(self) -> tuple[str, str] | None:
        """Return the credentials that the options give; None leaves them to the environment."""
        name = self.user or os.environ.get("NEO4J_USERNAME") or "neo4j"
        if self.ask_password:
            return name, str(typer.prompt(f"Password of {name}", hide_input=True, err=True))
        if self.password_file:
            return name, self.password_file.read_text(encoding="utf-8").strip("\r\n")
        if self.user:
            password = os.environ.get("NEO4J_PASSWORD")
            if password is None:
                raise InvalidInputError(
                    "--user needs a password: set NEO4J_PASSWORD, or give --password-file or --ask-password"
                )
            return name, password
        return None

    def memory(self, many: Recorded | None = None) -> GraphMemory:
        """Connect, and return the memory, which `close` closes. Attributes are as the database has them.

        Args:
            many: attributes of cardinality many that the database may not know yet.
        """
        from graph_memory import RECORDED, GraphMemory

        recorded = RECORDED if many is None else many
        if self.home is not None:
            return self.managed_memory(recorded)
        memory = GraphMemory.open(self.uri, self.auth(), self.database, many=recorded)
        return self._open.enter_context(memory)

    def managed_memory(self, many: Recorded) -> GraphMemory:
        """Start the managed local server if need be, whatever the environment names, and connect to it."""
        from rich.console import Console

        from graph_memory import GraphMemory
        from graph_memory.local import LocalServer

        server = LocalServer(self.home).up(progress=Console(stderr=True))
        memory = GraphMemory.open(server.uri, (server.username, server.password), self.database, many=many)
        return self._open.enter_context(memory)

    def tenant(self, many: Recorded | None = None) -> Tenant:
        """Connect, and return the tenant that the options name."""
        assert self.tenant_name is not None
        return self.memory(many).tenant(self.tenant_name)

    def close(self) -> None:
        """Close the connection."""
        self._open.close()


CommandFunction = Callable[..., None]
_SHARED: dict[str, Any] = {
    "as_json": (AsJson, False),
    "uri": (Uri, None),
    "user": (User, None),
    "password_file": (PasswordFile, None),
    "ask_password": (AskPassword, False),
    "database": (Database, None),
    "home": (Home, None),
}


def command(
    app: typer.Typer, name: str, panel: str, *, tenant: bool = True
) -> Callable[[CommandFunction], CommandFunction]:
    """Register a function as a command that also takes the shared options, and gets them as a `Session`.

    Args:
        app: where to register it.
        name: of the command.
        panel: the heading under which the help lists it.
        tenant: whether it works for one tenant, which must then be named.
    """
    shared = dict(_SHARED)
    if tenant:
        shared = {"tenant_name": (TenantName, inspect.Parameter.empty), **shared}

    def register(function: CommandFunction) -> CommandFunction:
        hints = get_type_hints(function, include_extras=True)
        own = list(inspect.signature(function).parameters.values())[1:]
        parameters = [
            parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in own
        ]
        parameters += [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
            for key, (annotation, default) in shared.items()
        ]

        def run(**given: Any) -> None:
            output = Output(given.pop("as_json"))
            mine = {item.name: given.pop(item.name) for item in fields(Session) if item.name in given}
            session = Session(output, **mine)
            try:
                function(session, **given)
            finally:
                session.close()

        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        run.__doc__ = function.__doc__
        app.command(name, rich_help_panel=panel)(run)
        return function

    return register
