# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Writes to the ledger of one tenant: each a transaction of two queries, retried as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graph_memory._sync.schema.cardinalities import Cardinalities
from graph_memory._sync.storage.database import Database, NothingToWriteError, Transaction
from graph_memory._sync.storage.ids import new_id
from graph_memory.domain.records import Cardinality
from graph_memory.errors import InvalidInputError
from graph_memory.ledger.commands import Command, Written
from graph_memory.ledger.planner import Status
from graph_memory.ledger.statements import placed
from graph_memory.ledger.transaction import Write
from graph_memory.schema.recorded import without_room


class RecordedOtherwiseError(Exception):
    """Raised inside a write to roll it back: an attribute has another cardinality, so facts have other slots."""


class Ledger:
    """The ledger of one tenant."""

    def __init__(self, database: Database, attributes: Cardinalities, tenant: str) -> None:
        self._database = database
        self._attributes = attributes
        self._tenant = tenant

    def write(self, commands: Sequence[Command]) -> list[Written]:
        """Carry out commands in one transaction, and return the result of each.

        A refused command changes nothing, and the others are carried out. Where no command changes anything, the
        transaction is rolled back.

        Raises:
            InvalidInputError: another process has just recorded an attribute with cardinality many, and an end
                does not say which of the values ends.
        """
        while True:
            try:
                return self._write(commands)
            except RecordedOtherwiseError:
                # What another process recorded never changes, so this comes to an end.
                commands = [self._placed(command) for command in commands]

    def _placed(self, command: Command) -> Command:
        statement = command.statement
        if statement is None:
            return command
        cardinality = self._attributes.cardinality(statement.attribute)
        return replace(command, statement=placed(self._tenant, statement, cardinality))

    def _write(self, commands: Sequence[Command]) -> list[Written]:
        new = self._attributes.unrecorded(c.statement.attribute for c in commands if c.statement)
        used: dict[str, Cardinality] = {}

        def work(transaction: Transaction) -> list[Written]:
            used.clear()
            refused = self._without_room(transaction, new) if new else {}
            errors = [refused.get(c.statement.attribute) if c.statement else None for c in commands]
            allowed = [command for command, error in zip(commands, errors, strict=True) if error is None]
            results, wrote = self.write_in(transaction, allowed) if allowed else ([], False)
            taken = iter(results)
            every = [Written(Status.REFUSED, error=error) if error else next(taken) for error in errors]
            if not wrote:
                raise NothingToWriteError(every)
            for command, written in zip(commands, every, strict=True):
                if written.error is None and command.statement and command.statement.attribute in new:
                    used[command.statement.attribute] = new[command.statement.attribute]
            # Last, since whoever else uses them for the first time waits from here on until this has committed.
            if used and not self._attributes.register(transaction, self._tenant, used):
                raise RecordedOtherwiseError
            return every

        results = self._database.write(work)
        self._attributes.registered(used)
        return results

    def _without_room(
        self, transaction: Transaction, new: Mapping[str, Cardinality]
    ) -> dict[str, InvalidInputError]:
        [[first_used, types]] = transaction.run("read/attribute_room", tenant=self._tenant)
        return without_room(self._tenant, new, first_used, types)

    def write_in(self, transaction: Transaction, commands: Sequence[Command]) -> tuple[list[Written], bool]:
        """Carry out commands in a transaction; return the result of each, and whether any changed the ledger."""
        write = Write(self._tenant, commands, new_id)
        [row] = transaction.run("write/lock", **write.to_lock())
        mutation = write.decide(row)
        if mutation.plan.writes or mutation.created:
            transaction.run("write/apply", **mutation.to_apply())
        return mutation.results(), mutation.plan.writes
