"""The connection: runs templates, retries what can be retried, and turns the driver's errors into ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import neo4j
from neo4j import (
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    exceptions as driver_errors,
)

from graph_memory.errors import GraphMemoryError, UnavailableError
from graph_memory.storage.address import Address
from graph_memory.storage.templates import template

Rows = list[list[Any]]
T = TypeVar("T")

# A writer that loses a race for a unique name is tried again as a whole; somebody else has won it.
_RACES = 10
# By this the writes that are under way are told from all other transactions.
APPLICATION = "graph-memory"
_NO_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")


class TooLargeError(UnavailableError):
    """The server has no room for a transaction of this size; it must be split, not tried again."""

    def __init__(self) -> None:
        super().__init__(
            "Neo4j has no memory for a transaction of this size: write less at a time, or give the server more "
            "(server.memory.heap.max_size)"
        )


class AwayError(UnavailableError):
    """The database does not answer, and has been asked again for as long as the driver does."""


class NothingToWriteError(Exception):
    """Raised inside a write to roll it back, because nothing has to change; carries the result."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


class AsyncTransaction:
    """A transaction in which templates are run."""

    def __init__(self, transaction: AsyncManagedTransaction) -> None:
        self._transaction = transaction

    async def run(self, name: str, /, **parameters: Any) -> Rows:
        """Run a template and return its rows."""
        try:
            result = await self._transaction.run(template(name).text, parameters)
            return [record.values() async for record in result]
        except driver_errors.Neo4jError as error:
            if (error.code or "").endswith(_NO_MEMORY):
                raise TooLargeError from error
            raise


class AsyncDatabase:
    """One Neo4j database behind a driver."""

    def __init__(self, address: Address) -> None:
        self.address = address.uri
        self._database = address.database
        self._credentials = "the user name or password" if address.auth else "a caller without a password"
        self._closed = False
        self._driver: AsyncDriver = AsyncGraphDatabase.driver(
            address.uri,
            auth=None if address.auth is None else (address.auth[0], address.auth[1]),
            telemetry_disabled=True,
            notifications_min_severity="OFF",
        )

    async def close(self) -> None:
        """Close the connections; closing twice does nothing."""
        self._closed = True
        with suppress(BufferError):  # the driver's, where another thread is still in the middle of a call
            await self._driver.close()

    async def verify(self) -> None:
        """Raise UnavailableError unless the server answers and accepts the credentials."""
        with self._explained():
            await self._driver.verify_connectivity()

    async def read(self, name: str, /, **parameters: Any) -> Rows:
        """Run one reading template and return its rows; retried by the driver where that may help."""
        with self._explained():
            return await self._driver.execute_query(
                template(name).text,
                parameters,
                routing_=neo4j.RoutingControl.READ,
                database_=self._database,
                result_transformer_=_rows,
            )

    async def run_alone(self, statement: str, /, **parameters: Any) -> Rows:
        """Run a statement that needs a transaction of its own, such as a change of the schema."""
        with self._explained():
            async with self._driver.session(database=self._database) as session:
                return await _rows(await session.run(statement, parameters))

    async def run_alone_template(self, name: str, /, **parameters: Any) -> Rows:
        """Run a template that needs a transaction of its own, as `run_alone` does."""
        return await self.run_alone(template(name).text, **parameters)

    async def write(self, work: Callable[[AsyncTransaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction, again as a whole where a race or the server asks for it.

        A race for a unique name is not transient for the driver, so it is tried again here.
        """

        @neo4j.unit_of_work(metadata={"application": APPLICATION})
        async def unit(transaction: AsyncManagedTransaction) -> T:
            return await work(AsyncTransaction(transaction))

        bookmarks = self._driver.execute_query_bookmark_manager
        with self._explained():
            async with self._driver.session(database=self._database, bookmark_manager=bookmarks) as session:
                for attempt in range(_RACES):
                    try:
                        return await session.execute_write(unit)
                    except NothingToWriteError as nothing:
                        return nothing.result  # type: ignore[no-any-return]
                    except driver_errors.ConstraintError:
                        if attempt == _RACES - 1:
                            raise
        raise AssertionError("unreachable")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        if self._closed:
            raise UnavailableError("this memory was closed: open another one")
        try:
            yield
        except GraphMemoryError:
            raise
        except driver_errors.AuthError:
            raise UnavailableError(
                f"{self.address} does not accept {self._credentials}: check NEO4J_USERNAME and NEO4J_PASSWORD, or "
                "the auth that was given"
            ) from None
        except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, OSError, ValueError) as error:
            raise AwayError(
                f"Neo4j at {self.address} does not answer ({_first_line(error)}): "
                "check that it runs, and the address"
            ) from error
        except (driver_errors.Neo4jError, driver_errors.DriverError) as error:
            raise self._failure(error, getattr(error, "code", None) or "") from error

    def _failure(self, error: Exception, code: str) -> UnavailableError:
        if code.endswith(_NO_MEMORY):
            return TooLargeError()
        if "DatabaseNotFound" in code or "DatabaseUnavailable" in code:
            return UnavailableError(
                f"Neo4j at {self.address} has no database {self._database!r} that answers: check NEO4J_DATABASE"
            )
        again = isinstance(error, driver_errors.Neo4jError) and error.is_retryable()
        return UnavailableError(
            f"Neo4j at {self.address} could not do it ({_first_line(error)})" + (": try again" if again else "")
        )


async def _rows(result: AsyncResult) -> Rows:
    return [record.values() async for record in result]


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(": ")
