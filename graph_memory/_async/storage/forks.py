"""Keeps a forked process from closing the connections that it shares with its parent."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Protocol
from weakref import WeakSet


class Inheritor(Protocol):
    """An object that holds connections which a forked process inherits."""

    def disown(self) -> object:
        """Give up the connections without closing them, and return the object that holds them."""


_inheritors: WeakSet[Any] = WeakSet()


def watch(inheritor: Inheritor) -> None:
    """Make an object give up its connections in every process that is forked from now on."""
    _inheritors.add(inheritor)


def _in_child() -> None:
    """Give up the parent's connections, whose sockets both processes share.

    Closing one here, even by the garbage collector, would end it for the parent. So the object that holds them is
    kept until the process ends and is never destroyed.
    """
    for inheritor in list(_inheritors):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(inheritor.disown()))


if hasattr(os, "register_at_fork"):  # where processes can be forked
    os.register_at_fork(after_in_child=_in_child)
