"""The driver's errors, translated for the users of a memory."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

from neo4j import exceptions as driver_errors

from graph_memory.errors import UnavailableError
from graph_memory.storage.address import Address

_NO_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")
_NETWORK = (ConnectionError, TimeoutError, socket.gaierror, ssl.SSLError)


class TooLargeError(UnavailableError):
    """The server has no memory for a transaction of this size: split the transaction, do not repeat it."""

    def __init__(self) -> None:
        super().__init__(
            "Neo4j has no memory for a transaction of this size: write less at a time, or give the server more "
            "memory (server.memory.heap.max_size)"
        )


class AwayError(UnavailableError):
    """The database does not answer, after all retries of the driver."""


def is_too_large(error: driver_errors.Neo4jError) -> bool:
    """Whether the server has no memory for the transaction."""
    return (error.code or "").endswith(_NO_MEMORY)


def failure_of(error: Exception, address: Address) -> UnavailableError | None:
    """Return the library's error for an error of the driver or the network; None for any other."""
    if isinstance(error, driver_errors.Neo4jError):
        return _of_server(error, address)
    if isinstance(error, driver_errors.IncompleteCommit):
        return AwayError(
            f"the connection to Neo4j at {address.uri} broke during a commit, so the write may be stored or not: "
            "read it, or repeat it with the same ids, which stores nothing twice"
        )
    # For a host name that cannot be resolved the driver raises ValueError; for an impossible name Python does.
    nameless = isinstance(error, ValueError) and isinstance(error.__cause__, OSError | UnicodeError)
    nameless |= isinstance(error, UnicodeEncodeError) and error.encoding == "idna"  # from Python 3.13 on
    away = isinstance(error, (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, *_NETWORK))
    if away or nameless:
        return AwayError(_away(error, address))
    if isinstance(error, driver_errors.DriverError):
        return UnavailableError(f"Neo4j at {address.uri} could not do it ({_first_line(error)})")
    return None


def _of_server(error: driver_errors.Neo4jError, address: Address) -> UnavailableError:
    code = error.code or ""
    if is_too_large(error):
        return TooLargeError()
    if isinstance(error, driver_errors.AuthError):
        who = "the user name or password" if address.auth else "a caller without a password"
        return UnavailableError(
            f"{address.uri} does not accept {who}: check NEO4J_USERNAME and NEO4J_PASSWORD, or the auth argument. "
            "A database keeps the password of its first start: changing it in .env or NEO4J_AUTH later has no "
            "effect on an existing volume"
        )
    if code.endswith("AuthenticationRateLimit"):
        return UnavailableError(
            f"{address.uri} got a wrong password too many times in a row and accepts none for some seconds: wait, "
            "then check NEO4J_USERNAME and NEO4J_PASSWORD, or the auth argument"
        )
    if "ReadOnly" in code or code.endswith("AccessMode"):
        return UnavailableError(
            f"{_database(address)} is read-only ({_first_line(error)}): make it writable to write to it or to "
            "open it the first time (server.databases.read_only, server.databases.default_to_read_only)"
        )
    if "DatabaseNotFound" in code:
        return UnavailableError(f"{_database(address)} does not exist: check NEO4J_DATABASE")
    if "DatabaseUnavailable" in code:
        return UnavailableError(
            f"{_database(address)} is not available. If the server has just started, wait. Otherwise the database "
            "could not be started, as on a full disk, or where a new database is read-only "
            "(server.databases.default_to_read_only): see SHOW DATABASES and the server's log"
        )
    if "no such fulltext schema index" in _first_line(error):
        return UnavailableError(
            f"the text index of {_database(address)} was dropped ({_first_line(error)}): make it again with "
            "memory.rebuild_text_index() or graph-memory index rebuild --language english"
        )
    again = ": try again" if error.is_retryable() else ""
    return UnavailableError(f"Neo4j at {address.uri} could not do it ({_first_line(error)}){again}")


def _away(error: BaseException, address: Address) -> str:
    causes = list(_chain(error))
    words = " ".join(map(str, causes))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return (
            f"the certificate of Neo4j at {address.uri} is not trusted ({_last_line(causes, ssl.SSLError)}): add "
            "its signer to the system's trusted certificates, use the host name in the certificate, or accept any "
            "certificate with +ssc instead of +s"
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return (
            f"the address {address.uri} asks for encryption, and the server there does not encrypt: use "
            f"{address.uri.replace('+ssc:', ':').replace('+s:', ':')}, or configure TLS on the server"
        )
    if "looks like HTTP" in words:
        return f"{address.uri} is a port for web browsers: give the Bolt port, which is 7687 unless configured"
    return (
        f"Neo4j at {address.uri} does not answer ({_first_line(error)}): check the address and that the server "
        "runs; if it accepts only encrypted connections, begin the address with neo4j+s or bolt+s"
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, its causes and contexts, and the members of exception groups."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += [cause for cause in (found.__cause__, found.__context__) if cause is not None]
        waiting += getattr(found, "exceptions", ())


def _database(address: Address) -> str:
    if address.database is None:
        return f"the default database of Neo4j at {address.uri}"
    return f"database {address.database!r} of Neo4j at {address.uri}"


def _last_line(causes: list[BaseException], kind: type[Exception]) -> str:
    return _first_line(next(cause for cause in causes if isinstance(cause, kind)))


def _first_line(error: BaseException) -> str:
    said = error.message if isinstance(error, driver_errors.Neo4jError) else None
    return ((said or str(error)).splitlines() or [type(error).__name__])[0].rstrip(": ")
