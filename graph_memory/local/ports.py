"""The choice of a server's ports."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection

from graph_memory.errors import LocalServerError
from graph_memory.local.config import HOST

BOLT_PORT = 7687
HTTP_PORT = 7474

_TRIED = 200


def free_port(first: int, taken: Collection[int] = ()) -> int:
    """Return the first port, from `first` on, that no program listens on and that is not in `taken`.

    Raises:
        LocalServerError: none of the next 200 is free.
    """
    for port in range(first, min(first + _TRIED, 65536)):
        if port not in taken and is_free(port):
            return port
    last = first + _TRIED - 1
    raise LocalServerError(f"no port from {first} to {last} is free on {HOST}: stop a program that uses one")


def is_free(port: int) -> bool:
    """Return whether a server could listen on this port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # Some systems let a second program bind beside one that listens on all addresses: try to connect first.
        probe.settimeout(1)
        if probe.connect_ex((HOST, port)) == 0:
            return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # Connections of a server that has just stopped stay on its port, but do not block a new listener.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
