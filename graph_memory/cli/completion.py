"""What a shell is offered to complete an option with: looked up where a database answers at once, else nothing."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import typer

_OFFERED = 50
_SECONDS = 1.0


def tenants(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the first tenants whose names begin so. Starts no server, asks for no password, and never fails."""
    try:
        return _tenants(ctx.params, incomplete)
    except Exception:  # whatever is wrong, a shell that completes is no place to say it
        return []


def _tenants(given: dict[str, Any], incomplete: str) -> list[str]:
    found = _where(given)
    if found is None:
        return []
    from graph_memory._sync.storage.database import Database
    from graph_memory.storage.address import Address

    uri, auth = found
    parts = urlsplit(uri)
    socket.create_connection((parts.hostname, parts.port or 7687), timeout=_SECONDS).close()
    database = Database(Address(uri, auth, given.get("database") or os.environ.get("NEO4J_DATABASE") or None))
    names: list[str] = []
    try:
        while len(names) < _OFFERED:
            rows = database.run_alone_template("read/next_tenant", after=names[-1] if names else incomplete)
            if not rows or not rows[0][0].startswith(incomplete):
                break
            names.append(rows[0][0])
    finally:
        database.close()
    return names


def _where(given: dict[str, Any]) -> tuple[str, tuple[str, str] | None] | None:
    """Return the address and credentials that a command would use; None where its server does not run."""
    home = given.get("home")
    uri = given.get("uri") or (None if home else os.environ.get("NEO4J_URI"))
    if uri is None:
        from graph_memory.local import LocalServer

        info = LocalServer(home).info()
        return None if info is None else (info.uri, (info.username, info.password))
    password = os.environ.get("NEO4J_PASSWORD")
    if given.get("password_file"):
        password = Path(given["password_file"]).read_text(encoding="utf-8").strip("\r\n")
    if password is None:
        return uri, None
    return uri, (given.get("user") or os.environ.get("NEO4J_USERNAME") or "neo4j", password)
