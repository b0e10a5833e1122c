"""What a command works with: where to print, and the memory that the options name."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from graph_memory.cli.output import Output
from graph_memory.errors import InvalidInputError, SchemaMismatchError, UnavailableError

if TYPE_CHECKING:
    from graph_memory import GraphMemory, Recorded, Tenant


@dataclass
class Session:
    """Where a command prints, and the memory, connected at first use.

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
    _open: ExitStack = field(default_factory=ExitStack, init=False)

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

    def memory(self, many: Recorded | None = None, *, home: Path | None = None) -> GraphMemory:
        """Connect, and return the memory, which `close` closes. Attributes are as the database has them.

        Args:
            many: attributes of cardinality many, which the database may not know yet.
            home: of the managed local server that it has to be; None: what the options and the environment name.

        Raises:
            SchemaMismatchError: one of `many` is recorded with cardinality one.
        """
        from graph_memory import RECORDED, GraphMemory

        home = home or self.home
        address = self.uri or (None if home else os.environ.get("NEO4J_URI"))
        if address is None and (self.user or self.password_file or self.ask_password):
            raise InvalidInputError(
                "--user, --password-file and --ask-password go with --uri or NEO4J_URI: the managed local server "
                "keeps its own password"
            )
        auth = self.auth()
        try:
            memory = GraphMemory.open(self.uri, auth, self.database, many=many or RECORDED, home=home)
        except UnavailableError as error:
            if auth is None and "NEO4J_PASSWORD" not in os.environ and _is_about_credentials(error):
                raise UnavailableError(
                    f"{address} wants a password, and none was given: set NEO4J_PASSWORD, or give "
                    "--password-file or --ask-password"
                ) from error
            raise
        self._open.enter_context(memory)
        if many is not None:
            _check_many(memory, many.many)
        return memory

    def tenant(self, many: Recorded | None = None) -> Tenant:
        """Connect, and return the tenant that the options name."""
        assert self.tenant_name is not None
        return self.memory(many).tenant(self.tenant_name)

    def close(self) -> None:
        """Close the connection."""
        self._open.close()


def _check_many(memory: GraphMemory, many: Collection[str]) -> None:
    # The library tells this of each row that it refuses; here nothing is to be written at all.
    for attribute in memory.attributes():
        if attribute.name in many and attribute.cardinality == "one":
            raise SchemaMismatchError(
                f"attribute {attribute.name!r} is recorded with one value at a time, which never changes: "
                "leave --many out, or use an attribute of another name"
            )


def _is_about_credentials(error: UnavailableError) -> bool:
    from neo4j.exceptions import AuthError

    return isinstance(error.__context__, AuthError)
