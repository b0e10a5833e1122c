"""What one suite can be run against: the oracle, the library, and the library's asynchronous twin."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from contextlib import ExitStack
from typing import Any, TypeAlias, cast

import pytest
from oracle import OracleMemory, OracleTenant
from servers import TestServer, running_server

from graph_memory import AsyncGraphMemory, GraphMemory, Tenant

MANY = ("likes", "knows")

Ledger: TypeAlias = OracleTenant | Tenant
Memory: TypeAlias = OracleMemory | GraphMemory


def versions(config: pytest.Config) -> list[str]:
    """Return the Neo4j versions that this run tests on."""
    chosen = str(config.getoption("--neo4j-versions")).split(",")
    return [version.strip() for version in chosen if version.strip()]


def fresh_name() -> str:
    """Return a tenant's name that no other test uses."""
    return f"t-{uuid.uuid4().hex[:12]}"


class Servers:
    """The one server that runs now."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._running: TestServer | None = None
        self._version = ""

    def get(self, version: str) -> TestServer:
        """Return the server of this version, started if another or none is running."""
        if self._running is None or self._version != version:
            self.stop()
            self._running = self._stack.enter_context(running_server(version))
            self._version = version
        return self._running

    def stop(self) -> None:
        """Stop what runs."""
        self._running = None
        self._stack.close()


class Awaited:
    """An asynchronous object used as if it were not: each call runs to its end on a private event loop."""

    def __init__(self, target: Any, runner: asyncio.Runner) -> None:
        self._target = target
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)
        if not callable(method):
            return method

        def call(*args: Any, **kwargs: Any) -> Any:
            result = method(*args, **kwargs)
            if not inspect.isawaitable(result):
                return Awaited(result, self._runner)

            async def wait() -> Any:
                return await result

            return self._runner.run(wait())

        return call


def open_awaited(server: TestServer, many: tuple[str, ...], runner: asyncio.Runner) -> GraphMemory:
    """Open the asynchronous memory behind the face of the other."""
    opened = runner.run(AsyncGraphMemory.open(server.uri, server.auth, many=many))
    return cast(GraphMemory, Awaited(opened, runner))
