"""A connection that breaks while a transaction commits: nobody knows whether it was, and the error says so."""

from __future__ import annotations

import asyncio

import pytest
from ledgers import fresh_name
from proxy import Proxy
from servers import TestServer

from graph_memory import AsyncGraphMemory, GraphMemory, UnavailableError

pytestmark = pytest.mark.server

COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # Bolt: a chunk of two bytes, a structure without fields, its tag, the end


def test_a_lost_answer_to_a_commit_says_that_it_may_be_stored_and_that_it_may_be_done_again(
    server: TestServer, memory: GraphMemory
) -> None:
    name = fresh_name()

    async def lose() -> None:
        proxy = Proxy(server.uri)
        await proxy.open()
        async with await AsyncGraphMemory.open(proxy.uri, server.auth) as opened:
            tenant = opened.tenant(name)
            proxy.lose_answer_to(COMMIT)
            with pytest.raises(UnavailableError, match=r"broke during a commit, so .* may be stored or not"):
                await tenant.record("Said once.", id="e1")
            proxy.lose_answer_to(None)
            await tenant.record("Said once.", id="e1")
        await proxy.cut()

    asyncio.run(lose())
    assert memory.tenant(name).episode("e1").text == "Said once."
