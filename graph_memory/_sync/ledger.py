# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Writes to the ledger of one tenant: each a transaction of two queries, retried as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory._sync.attributes import Attributes
from graph_memory._sync.database import Database, NothingToWriteError, Transaction
from graph_memory.intents import Intent, Written
from graph_memory.writing import Write


class Ledger:
    """The ledger of one tenant."""

    def __init__(self, database: Database, attributes: Attributes, tenant: str) -> None:
        self._database = database
        self._attributes = attributes
        self._tenant = tenant

    def write(self, intents: Sequence[Intent]) -> list[Written]:
        """Do all of some intents in one transaction, and say what became of each.

        One that is refused changes nothing, and the others are done. Where a single one is refused, or all
        are, or nothing has to change, the transaction is rolled back.
        """
        write = Write(self._tenant, intents)
        names = [intent.statement.attribute for intent in intents if intent.statement]
        new = self._attributes.unrecorded(names)
        committed = False

        def work(transaction: Transaction) -> list[Written]:
            nonlocal committed
            if new:
                self._attributes.register(transaction, new)
            [row] = transaction.run("write/lock", **write.to_lock())
            decided = write.decide(row)
            if not decided.plan.writes:
                raise NothingToWriteError(decided.results())
            transaction.run("write/apply", **decided.to_apply())
            committed = True
            return decided.results()

        results = self._database.write(work)
        if committed:
            self._attributes.registered(new)
        return results
