"""Checks whether a server answers, and whether it accepts its password."""

from __future__ import annotations

import socket

from graph_memory.errors import LocalServerError
from graph_memory.local.config import HOST
from graph_memory.local.info import ServerInfo

_HANDSHAKE_SECONDS = 2.0
_LOGIN_SECONDS = 10.0

# The Bolt protocol's first words: its magic number, then four proposals (here 5.0 to 5.4, and 4.4).
_MAGIC = b"\x60\x60\xb0\x17"
_PROPOSALS = b"\x00\x04\x04\x05" + b"\x00\x00\x04\x04" + b"\x00" * 8


def speaks_bolt(port: int) -> bool:
    """Return whether a Bolt server answers on a port; takes about a millisecond, without driver or login."""
    try:
        with socket.create_connection((HOST, port), timeout=_HANDSHAKE_SECONDS) as connection:
            connection.sendall(_MAGIC + _PROPOSALS)
            answer = connection.recv(4)
    except OSError:
        return False
    return len(answer) == 4 and answer != b"HTTP"


def refusal(info: ServerInfo) -> str | None:
    """Return why the server does not answer a query yet; None when it does.

    Raises:
        LocalServerError: the server refuses the password.
    """
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    if not speaks_bolt(int(info.uri.rpartition(":")[2])):
        return "nothing speaks Bolt there"
    try:
        with GraphDatabase.driver(
            info.uri,
            auth=(info.username, info.password),
            connection_timeout=_LOGIN_SECONDS,
            max_transaction_retry_time=0,
            telemetry_disabled=True,
        ) as driver:
            driver.execute_query("RETURN 1")
    except AuthError as error:
        raise LocalServerError(
            f"the server at {info.uri} does not accept the password in {info.password_file}: if you changed it in "
            "Neo4j, write the new one into that file"
        ) from error
    except (DriverError, Neo4jError) as error:
        return str(error)
    return None
