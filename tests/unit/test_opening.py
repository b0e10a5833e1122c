"""What `open` refuses before it connects, and how the driver's errors become ours."""

from pathlib import Path
from typing import Any

import pytest
from neo4j import exceptions as driver_errors

from graph_memory import GraphMemory, InvalidInputError, SchemaMismatchError, UnavailableError
from graph_memory._sync.storage.database import Database, Transaction
from graph_memory._sync.storage.driver_errors import TooLargeError
from graph_memory._sync.storage.migrations import require_version
from graph_memory.storage.address import Address

NOWHERE = "bolt://127.0.0.1:9"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"uri": NOWHERE, "home": Path("x")}, "give one of them"),
        ({"auth": ("neo4j", "x")}, "auth was given without a uri"),
        ({"uri": NOWHERE, "many": "likes"}, "must be a list"),
        ({"uri": NOWHERE, "many": None}, "must be a list"),
        ({"uri": NOWHERE, "many": ["Likes"]}, "not allowed"),
    ],
)
def test_what_contradicts_itself_is_refused(
    arguments: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with pytest.raises(InvalidInputError, match=why):
        GraphMemory.open(**arguments)


def test_a_server_that_is_away_is_named() -> None:
    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1:9 does not answer"):
        GraphMemory.open(NOWHERE)


class Failing:
    """A driver's transaction in which every statement fails."""

    def __init__(self, code: str) -> None:
        self.code = code

    def run(self, *_: object) -> None:
        raise driver_errors.Neo4jError._hydrate_neo4j(code=self.code, message="no")


def test_a_transaction_too_large_for_the_server_is_told_apart_from_what_may_be_tried_again() -> None:
    transaction = Transaction(Failing("Neo.TransientError.General.MemoryPoolOutOfMemoryError"))  # type: ignore[arg-type]
    with pytest.raises(TooLargeError):
        transaction.run("read/now")
    other = Transaction(Failing("Neo.TransientError.Transaction.DeadlockDetected"))  # type: ignore[arg-type]
    with pytest.raises(driver_errors.TransientError):
        other.run("read/now")


@pytest.mark.parametrize(
    "code",
    ["Neo.ClientError.Security.Forbidden", "Neo.ClientError.Statement.SyntaxError", "Neo.DatabaseError.General.X"],
)
def test_no_error_of_the_driver_gets_out(code: str) -> None:
    database = Database(Address(NOWHERE))
    with pytest.raises(UnavailableError), database._explained():
        raise driver_errors.Neo4jError._hydrate_neo4j(code=code, message="no")
    database.close()


def test_a_closed_memory_says_so() -> None:
    database = Database(Address(NOWHERE))
    database.close()
    with pytest.raises(UnavailableError, match="was closed"):
        database.read("read/now")


@pytest.mark.parametrize(
    ("version", "old"), [("5.25.1", True), ("4.4.0", True), ("5.26.0", False), ("2026.08.1", False)]
)
def test_a_server_that_is_too_old_is_refused(version: str, old: bool) -> None:
    class Server:
        address = NOWHERE

        def read(self, name: str) -> list[list[str]]:
            assert name == "admin/server"
            return [[version, "community"]]

    if not old:
        require_version(Server())  # type: ignore[arg-type]
        return
    with pytest.raises(SchemaMismatchError, match=r"needs 5\.26 or newer"):
        require_version(Server())  # type: ignore[arg-type]
