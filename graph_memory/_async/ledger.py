"""Writes to the ledger of one tenant: each a transaction of two queries, retried as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory._async.attributes import AsyncAttributes
from graph_memory._async.database import AsyncDatabase, AsyncTransaction, NothingToWriteError
from graph_memory.intents import Intent, Written
from graph_memory.writing import Write


class AsyncLedger:
    """The ledger of one tenant."""

    def __init__(self, database: AsyncDatabase, attributes: AsyncAttributes, tenant: str) -> None:
        self._database = database
        self._attributes = attributes
        self._tenant = tenant

    async def write(self, intents: Sequence[Intent]) -> list[Written]:
        """Do all of some intents in one transaction, and say what became of each.

        One that is refused changes nothing, and the others are done. Where a single one is refused, or all
        are, or nothing has to change, the transaction is rolled back.
        """
        names = [intent.statement.attribute for intent in intents if intent.statement]
        new = self._attributes.unrecorded(names)
        committed = False

        async def work(transaction: AsyncTransaction) -> list[Written]:
            nonlocal committed
            if new:
                await self._attributes.register(transaction, new)
            results, wrote = await self.write_in(transaction, intents)
            if not wrote:
                raise NothingToWriteError(results)
            committed = True
            return results

        results = await self._database.write(work)
        if committed:
            self._attributes.registered(new)
        return results

    async def write_in(
        self, transaction: AsyncTransaction, intents: Sequence[Intent]
    ) -> tuple[list[Written], bool]:
        """Do all of some intents in a transaction; return what became of each, and whether any was written."""
        write = Write(self._tenant, intents)
        [row] = await transaction.run("write/lock", **write.to_lock())
        decided = write.decide(row)
        if decided.plan.writes or decided.created:
            await transaction.run("write/apply", **decided.to_apply())
        return decided.results(), decided.plan.writes
