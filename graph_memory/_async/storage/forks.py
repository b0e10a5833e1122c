"""What a forked process must not do with the connections of its parent."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Protocol
from weakref import WeakSet


class Inheritor(Protocol):
    """What holds connections that a forked process inherits."""

    def disown(self) -> object:
        """Give up the connections without closing them, and return what holds them."""


_inheritors: WeakSet[Any] = WeakSet()


def watch(inheritor: Inheritor) -> None:
    """Let something give up its connections in every process that is forked from now on."""
    _inheritors.add(inheritor)


def _in_child() -> None:
    """Give up the parent's connections, of which each socket is shared with it.

    Whatever closes one here, the garbage collector too, would end it for the parent. So what holds them is kept to
    the end of the process, and is never destroyed.
    """
    for inheritor in list(_inheritors):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(inheritor.disown()))


if hasattr(os, "register_at_fork"):  # where processes can be forked
    os.register_at_fork(after_in_child=_in_child)
