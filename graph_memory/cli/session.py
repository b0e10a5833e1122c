"""A session of a command: its output, and the memory that the options name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from graph_memory.cli.output import Output
from graph_memory.errors import InvalidInputError, SchemaMismatchError, UnavailableError

if TYPE_CHECKING:
    from graph_memory import AsyncGraphMemory, GraphMemory, Recorded, Schema, Tenant


@dataclass
class Session:
    """The output of a command, and the memory that the options name; it connects at first use.

    Every field except `output` is the option of the same name.
    """

    output: Output
    uri: str | None = None
    user: str | None = None
    password_file: Path | None = None
    ask_password: bool = False
    database: str | None = None
    home: Path | None = None
    tenant_name: str | None = None
    schema: str | None = None
    _open: ExitStack = field(default_factory=ExitStack, init=False)

    def __post_init__(self) -> None:
        if self.uri and self.home:
            raise InvalidInputError("--uri and --home name two different servers: give one of them")
        if self.password_file and self.ask_password:
            raise InvalidInputError("--password-file and --ask-password both give the password: give one of them")

    def auth(self) -> tuple[str, str] | None:
        """Return user and password from the options; None: the environment decides.

        Raises:
            InvalidInputError: --user is given without a password.
        """
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

    @cached_property
    def declared(self) -> Schema | None:
        """The schema that --schema names, loaded; None: the option is not given."""
        if not self.schema:
            return None
        from graph_memory.cli.schema_option import load_schema

        return load_schema(self.schema)

    def require_schema(self) -> Schema:
        """Return the schema that --schema names; raises InvalidInputError where the option is not given."""
        if self.declared is None:
            raise InvalidInputError("this command needs a schema: give --schema, or set GRAPH_MEMORY_SCHEMA")
        return self.declared

    def memory(
        self, many: Recorded | None = None, *, home: Path | None = None, with_schema: bool = True
    ) -> GraphMemory:
        """Connect, and return the memory; `close` closes it.

        The schema decides the cardinality of attributes; without a schema the database does.

        Args:
            many: attributes of cardinality many that the database may not know yet.
            home: folder of the managed local server to use; None: the options and the environment decide.
            with_schema: whether to open the memory with the schema of --schema, which registers it.

        Raises:
            InvalidInputError: options contradict each other, or the schema cannot be loaded.
            SchemaMismatchError: the database has one of `many` with cardinality one.
            UnavailableError: the database does not answer, or refuses the credentials.
        """
        from graph_memory import RECORDED, GraphMemory

        schema = self.declared if with_schema else None
        if schema is not None and many is not None:
            raise InvalidInputError(
                f"--many does not go with --schema: leave it out, since {schema.label} declares which attributes "
                "have many values"
            )
        with self._connecting(home) as where:
            memory = GraphMemory.open(**where, schema=schema, many=() if schema is not None else many or RECORDED)
        self._open.enter_context(memory)
        if many is not None:
            _check_many(memory, many.many)
        return memory

    async def memory_to_extract(self, llm: object) -> AsyncGraphMemory:
        """Connect, and return the asynchronous memory with the schema of --schema; the caller closes it.

        Args:
            llm: the chat model that extracts facts from episodes.

        Raises:
            InvalidInputError: --schema is not given, or the schema cannot be loaded.
            UnavailableError: the database does not answer, or refuses the credentials.
        """
        from graph_memory import AsyncGraphMemory

        schema = self.require_schema()
        with self._connecting(None) as where:
            return await AsyncGraphMemory.open(**where, schema=schema, llm=llm)

    def require_running(self) -> None:
        """Raise LocalServerError where it is the managed local server that is meant, and it does not run."""
        if self.uri or (self.home is None and os.environ.get("NEO4J_URI")):
            return
        from graph_memory.cli.invocation import command_line
        from graph_memory.errors import LocalServerError
        from graph_memory.local import LocalServer

        server = LocalServer(self.home)
        if server.info() is None:
            raise LocalServerError(
                f"the server of {server.home} does not run, and this starts none: start it with "
                f"{command_line('up', home=self.home)}"
            )

    @contextmanager
    def _connecting(self, home: Path | None) -> Iterator[dict[str, Any]]:
        """Yield the arguments of `open` that name the database; within it, an error tells which option helps."""
        home = home or self.home
        address = self.uri or (None if home else os.environ.get("NEO4J_URI"))
        if address is None and (self.user or self.password_file or self.ask_password):
            raise InvalidInputError(
                "--user, --password-file and --ask-password need --uri or NEO4J_URI: leave them out, since the "
                "managed local server keeps its own password"
            )
        auth = self.auth()
        try:
            yield {"uri": self.uri, "auth": auth, "database": self.database, "home": home}
        except UnavailableError as error:
            if auth is None and "NEO4J_PASSWORD" not in os.environ and _is_about_credentials(error):
                raise UnavailableError(
                    f"{address} needs a password: set NEO4J_PASSWORD, or give --password-file or --ask-password"
                ) from error
            raise

    def tenant(self, many: Recorded | None = None) -> Tenant:
        """Connect, and return the tenant of --tenant."""
        assert self.tenant_name is not None
        return self.memory(many).tenant(self.tenant_name)

    def close(self) -> None:
        """Close the connection."""
        self._open.close()


def _check_many(memory: GraphMemory, many: Collection[str]) -> None:
    # The library would refuse row after row; this check refuses before any row is written.
    for attribute in memory.attributes():
        if attribute.name in many and attribute.cardinality == "one":
            raise SchemaMismatchError(
                f"attribute {attribute.name!r} is recorded with one value at a time, for ever: "
                "leave --many out, or use an attribute with another name"
            )


def _is_about_credentials(error: UnavailableError) -> bool:
    from neo4j.exceptions import AuthError

    return isinstance(error.__context__, AuthError)
