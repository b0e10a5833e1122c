"""Which event loop a call is made in."""

from __future__ import annotations

import asyncio

from graph_memory.storage.event_loops import event_loop, event_loop_async


def test_the_running_loop_is_told_and_none_where_none_runs() -> None:
    async def ask() -> bool:
        return event_loop_async() is asyncio.get_running_loop()

    assert asyncio.run(ask())
    assert event_loop_async() is None
    assert event_loop() is None
