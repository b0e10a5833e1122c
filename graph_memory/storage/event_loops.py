"""The event loop of a call, for code that also has a twin without an event loop."""

from __future__ import annotations

import asyncio


def event_loop() -> object | None:
    """Return None: synchronous code has no event loop and may be called beside any."""
    return None


def event_loop_async() -> object | None:
    """Return the running event loop; None where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
