# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Writes to the ledger of one tenant: each a transaction of two queries, retried as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory._sync.schema.cardinalities import Attributes
from graph_memory._sync.storage.database import Database, NothingToWriteError, Transaction
from graph_memory._sync.storage.ids import new_id
from graph_memory.ledger.commands import Command, Written
from graph_memory.ledger.transaction import Write


class Ledger:
    """The ledger of one tenant."""

    def __init__(self, database: Database, attributes: Attributes, tenant: str) -> None:
        self._database = database
        self._attributes = attributes
        self._tenant = tenant

    def write(self, commands: Sequence[Command]) -> list[Written]:
        """Do all of some commands in one transaction, and say what became of each.

        One that is refused changes nothing, and the others are done. Where a single one is refused, or all
        are, or nothing has to change, the transaction is rolled back.
        """
        names = [command.statement.attribute for command in commands if command.statement]
        new = self._attributes.unrecorded(names)
        committed = False

        def work(transaction: Transaction) -> list[Written]:
            nonlocal committed
            if new:
                self._attributes.register(transaction, new)
            results, wrote = self.write_in(transaction, commands)
            if not wrote:
                raise NothingToWriteError(results)
            committed = True
            return results

        results = self._database.write(work)
        if committed:
            self._attributes.registered(new)
        return results

    def write_in(self, transaction: Transaction, commands: Sequence[Command]) -> tuple[list[Written], bool]:
        """Do all of some commands in a transaction; return what became of each, and whether any was written."""
        write = Write(self._tenant, commands, new_id)
        [row] = transaction.run("write/lock", **write.to_lock())
        decided = write.decide(row)
        if decided.plan.writes or decided.created:
            transaction.run("write/apply", **decided.to_apply())
        return decided.results(), decided.plan.writes
