import asyncio

from graph_memory.storage.event_loops import event_loop, event_loop_async


def test_the_loop_that_runs_is_told_and_its_twin_asks_for_none() -> None:
    async def running() -> bool:
        return event_loop_async() is asyncio.get_running_loop() and event_loop() is None

    assert asyncio.run(running())
    assert event_loop_async() is None
