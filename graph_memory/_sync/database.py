# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The connection: runs templates, retries what can be retried, and turns the driver's errors into ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import neo4j
from neo4j import (
    Driver,
    GraphDatabase,
    ManagedTransaction,
    Result,
    exceptions as driver_errors,
)

from graph_memory.errors import UnavailableError
from graph_memory.templates import template

Rows = list[list[Any]]
T = TypeVar("T")

# A writer that loses a race for a unique name is tried again as a whole; somebody else has won it.
_RACES = 10
_NO_MEMORY = ("MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError")


class TooLargeError(UnavailableError):
    """The server has no room for a transaction of this size; it must be split, not tried again."""

    def __init__(self) -> None:
        super().__init__(
            "Neo4j has no memory for a transaction of this size: write less at a time, or give the server more "
            "(server.memory.heap.max_size)"
        )


class NothingToWriteError(Exception):
    """Raised inside a write to roll it back, because nothing has to change; carries the result."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


class Transaction:
    """A transaction in which templates are run."""

    def __init__(self, transaction: ManagedTransaction) -> None:
        self._transaction = transaction

    def run(self, name: str, **parameters: Any) -> Rows:
        """Run a template and return its rows."""
        try:
            result = self._transaction.run(template(name).text, parameters)
            return [record.values() for record in result]
        except driver_errors.Neo4jError as error:
            if (error.code or "").endswith(_NO_MEMORY):
                raise TooLargeError from error
            raise


class Database:
    """One Neo4j database behind a driver."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, database: str | None) -> None:
        self.address = uri
        self._database = database
        self._closed = False
        try:
            self._driver: Driver = GraphDatabase.driver(
                uri, auth=auth, telemetry_disabled=True, notifications_min_severity="OFF"
            )
        except (ValueError, driver_errors.ConfigurationError) as error:
            raise UnavailableError(
                f"{uri!r} is not an address of Neo4j ({error}): use for example neo4j://127.0.0.1:7687"
            ) from None

    def close(self) -> None:
        """Close the connections; closing twice does nothing."""
        self._closed = True
        self._driver.close()

    def verify(self) -> None:
        """Raise UnavailableError unless the server answers and accepts the credentials."""
        with self._explained():
            self._driver.verify_connectivity()

    def read(self, name: str, **parameters: Any) -> Rows:
        """Run one reading template and return its rows; retried by the driver where that may help."""
        with self._explained():
            return self._driver.execute_query(
                template(name).text,
                parameters,
                routing_=neo4j.RoutingControl.READ,
                database_=self._database,
                result_transformer_=_rows,
            )

    def run_alone(self, statement: str, **parameters: Any) -> Rows:
        """Run a statement that needs a transaction of its own, such as a change of the schema."""
        with self._explained():
            with self._driver.session(database=self._database) as session:
                return _rows(session.run(statement, parameters))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, again as a whole where a race or the server asks for it.

        A race for a unique name is not transient for the driver, so it is tried again here.
        """

        def unit(transaction: ManagedTransaction) -> T:
            return work(Transaction(transaction))

        bookmarks = self._driver.execute_query_bookmark_manager
        with self._explained():
            with self._driver.session(database=self._database, bookmark_manager=bookmarks) as session:
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
    def _explained(self) -> Iterator[None]:
        if self._closed:
            raise UnavailableError("this memory was closed: open another one")
        try:
            yield
        except driver_errors.AuthError:
            raise UnavailableError(
                f"{self.address} does not accept the user name or password: "
                "check NEO4J_USERNAME and NEO4J_PASSWORD, or the auth that was given"
            ) from None
        except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, OSError) as error:
            raise UnavailableError(
                f"Neo4j at {self.address} does not answer ({_first_line(error)}): "
                "check that it runs, and the address"
            ) from error
        except driver_errors.Neo4jError as error:
            if "DatabaseNotFound" in (error.code or "") or "DatabaseUnavailable" in (error.code or ""):
                raise UnavailableError(
                    f"Neo4j at {self.address} has no database {self._database!r} that answers: "
                    "check NEO4J_DATABASE"
                ) from None
            if error.is_retryable():
                raise UnavailableError(
                    f"Neo4j at {self.address} could not finish in time ({_first_line(error)}): try again"
                ) from error
            raise


def _rows(result: Result) -> Rows:
    return [record.values() for record in result]


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(": ")
