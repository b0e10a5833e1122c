"""The database's address and credentials, checked before the driver sees them: no message shows a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from graph_memory.domain.values import check_encodable
from graph_memory.errors import InvalidInputError, brief

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class Address:
    """A database and the credentials for it.

    Attributes:
        uri: with one of the driver's schemes, without a user name or password.
        auth: user name and password; None for a server without authentication.
        database: the database's name; None for the server's default database.

    Raises:
        InvalidInputError: a part is not allowed.
    """

    uri: str
    auth: tuple[str, str] | None = field(default=None, repr=False)
    database: str | None = None

    def __post_init__(self) -> None:
        _check_uri(self.uri)
        if self.auth is not None:
            _check_auth(self.auth)
        if self.database is not None and (not isinstance(self.database, str) or not self.database):
            raise InvalidInputError(f"database {brief(self.database)} must be the name of a database")
        check_encodable(self.database or "", "database")


def _check_uri(uri: object) -> None:
    if not isinstance(uri, str):
        raise InvalidInputError(f"uri {brief(uri)} must be text such as neo4j://127.0.0.1:7687")
    try:
        parts = urlsplit(uri)
        named = parts.hostname is not None and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if "@" in uri:
        raise InvalidInputError(
            "uri holds a user name or a password: give them as auth=(user, password), or in NEO4J_USERNAME and "
            "NEO4J_PASSWORD"
        )
    if not named or parts.scheme not in SCHEMES:
        raise InvalidInputError(
            f"uri {brief(uri)} is not an address of Neo4j: use one such as neo4j://127.0.0.1:7687, with one of "
            f"the schemes {', '.join(SCHEMES)}"
        )


def _check_auth(auth: object) -> None:
    pair = isinstance(auth, tuple | list) and len(auth) == 2 and all(isinstance(part, str) for part in auth)
    if not pair:
        raise InvalidInputError("auth must be a pair of a user name and a password, both text")
    assert isinstance(auth, tuple | list)
    for part, what in zip(auth, ("the user name", "the password"), strict=True):
        check_encodable(part, what)
