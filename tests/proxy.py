"""A way to the database that can be cut: what a program sees when its server is away for a while."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit


class Proxy:
    """Passes bytes between a port of its own and a server, while it is open.

    Args:
        uri: of the server.
    """

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self._target = parts.hostname or "127.0.0.1", parts.port or 7687
        self._server: asyncio.Server | None = None
        self._port = 0
        self._passing: set[asyncio.Task[None]] = set()
        self._lost: bytes | None = None

    def lose_answer_to(self, message: bytes | None) -> None:
        """Pass what is sent up to such a message, which reaches the server, and end the connection there."""
        self._lost = message

    @property
    def uri(self) -> str:
        """Where to connect instead; without routing, which would lead past the proxy."""
        return f"bolt://127.0.0.1:{self._port}"

    async def open(self) -> None:
        """Take connections, always on the same port."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """End every connection and take no more."""
        if self._server is not None:
            self._server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        losing = asyncio.Event()
        for task in (
            asyncio.create_task(self._send(reader, back, losing)),
            asyncio.create_task(_pass(there, writer, losing)),
        ):
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _send(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                if self._lost is not None and self._lost in data:
                    losing.set()
                writer.write(data)
                await writer.drain()
        writer.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event) -> None:
    try:
        while data := await reader.read(65_536):
            if losing.is_set():
                return
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        with suppress(ConnectionError):
            writer.close()
