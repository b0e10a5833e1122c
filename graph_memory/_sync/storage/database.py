# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The connection: runs templates, retries transactions, and turns the driver's errors into GraphMemoryError."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import neo4j
from neo4j import Driver, ManagedTransaction, Result, exceptions as driver_errors

from graph_memory._sync.storage.driver import connected
from graph_memory._sync.storage.driver_errors import TooLargeError, failure_of, is_too_large
from graph_memory._sync.storage.forks import watch
from graph_memory.errors import GraphMemoryError, UnavailableError
from graph_memory.storage.address import Address
from graph_memory.storage.event_loops import event_loop
from graph_memory.storage.templates import template

Rows = list[list[Any]]
T = TypeVar("T")

# How often a write is tried when another writer creates the same unique name first.
_RACES = 10
# By this the writes that are under way are told from all other transactions.
APPLICATION = "graph-memory"


class NothingToWriteError(Exception):
    """Raised inside a write to roll it back, because it changes nothing; carries the write's result."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


class Transaction:
    """A transaction in which templates are run."""

    def __init__(self, transaction: ManagedTransaction) -> None:
        self._transaction = transaction

    def run(self, name: str, /, **parameters: Any) -> Rows:
        """Run a template and return its rows."""
        try:
            result = self._transaction.run(template(name).text, parameters)
            return [record.values() for record in result]
        except driver_errors.Neo4jError as error:
            if is_too_large(error):
                raise TooLargeError from error
            raise


class Database:
    """One Neo4j database behind a driver."""

    def __init__(self, address: Address) -> None:
        self.address = address.uri
        self._database = address.database
        self._full_address = address
        self._closed = False
        self._loop: object | None = None
        self._driver: Driver | None = connected(address)
        watch(self)

    def disown(self) -> Driver | None:
        """Give up the connections in a process that was just forked; it opens its own when it needs any."""
        driver, self._driver, self._loop = self._driver, None, None
        return driver

    def close(self) -> None:
        """Close the connections; closing twice does nothing."""
        self._closed = True
        driver = self._driver
        if driver is None or self._loop not in (None, event_loop()):
            return  # the connections belong to a parent process or to another event loop, which closes them
        with suppress(BufferError):  # the driver raises it while another thread is still in a call
            driver.close()

    def verify(self) -> None:
        """Raise UnavailableError unless the server answers and accepts the credentials."""
        with self._explained() as driver:
            driver.verify_connectivity()

    def read(self, name: str, /, **parameters: Any) -> Rows:
        """Run one reading template and return its rows; the driver retries it after transient errors."""
        query = template(name).text
        with self._explained() as driver:
            return driver.execute_query(
                query,
                parameters,
                routing_=neo4j.RoutingControl.READ,
                database_=self._database,
                result_transformer_=_rows,
            )

    def run_alone(self, statement: str, /, **parameters: Any) -> Rows:
        """Run a statement that needs a transaction of its own, such as a change of the schema."""
        with self._explained() as driver:
            with driver.session(database=self._database) as session:
                return _rows(session.run(statement, parameters))

    def run_alone_template(self, name: str, /, **parameters: Any) -> Rows:
        """Run a template that needs a transaction of its own, as `run_alone` does."""
        return self.run_alone(template(name).text, **parameters)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction; repeat it as a whole after a transient error or a lost race.

        The driver does not retry after a lost race for a unique name, so this method does.
        """

        @neo4j.unit_of_work(metadata={"application": APPLICATION})
        def unit(transaction: ManagedTransaction) -> T:
            return work(Transaction(transaction))

        with self._explained() as driver:
            bookmarks = driver.execute_query_bookmark_manager
            with driver.session(database=self._database, bookmark_manager=bookmarks) as session:
                for attempt in range(_RACES):
                    try:
                        return session.execute_write(unit)
                    except NothingToWriteError as nothing:
                        return nothing.result  # type: ignore[no-any-return]
                    except driver_errors.ConstraintError:
                        if attempt == _RACES - 1:
                            raise
        raise AssertionError("unreachable")

    @contextmanager
    def _explained(self) -> Iterator[Driver]:
        """Yield the driver; within, its errors become ours, and no others do."""
        if self._closed:
            raise UnavailableError("this memory was closed: open a new one")
        loop = event_loop()
        if self._loop not in (None, loop):
            raise UnavailableError(
                "this memory was first used in another event loop, to which its connections belong: open a "
                "memory in each loop, within what asyncio.run runs, or use GraphMemory"
            )
        self._loop = loop
        if self._driver is None:
            self._driver = connected(self._full_address)
        try:
            yield self._driver
        except GraphMemoryError:
            raise
        except Exception as error:
            failure = failure_of(error, self._full_address)
            if failure is None:
                raise
            raise failure from error


def _rows(result: Result) -> Rows:
    return [record.values() for record in result]
