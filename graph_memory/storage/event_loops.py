"""Which event loop a call is made in, for code that has a twin without one."""

from __future__ import annotations

import asyncio


def event_loop() -> object | None:
    """Return none: what is called without an event loop may be called beside any."""
    return None


def event_loop_async() -> object | None:
    """Return the event loop that runs; None where none does."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
