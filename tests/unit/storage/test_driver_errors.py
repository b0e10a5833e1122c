"""What the errors of the driver and the network become, and which are left alone."""

from __future__ import annotations

import logging
import ssl
import subprocess
import sys

import pytest
from neo4j import exceptions as driver_errors

from graph_memory import InvalidInputError, UnavailableError
from graph_memory._sync.storage.database import Database
from graph_memory._sync.storage.driver_errors import AwayError, failure_of
from graph_memory.storage.address import Address

HERE = "bolt://127.0.0.1:9"
SYNTAX = "42NFF: error: syntax error or access rule violation"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Neo.ClientError.Security.AuthenticationRateLimit", "too many times in a row .* wait"),
        ("Neo.ClientError.Security.Unauthorized", "does not accept the user name or password.*existing volume"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "the default database .* is read-only"),
        ("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", "is read-only"),
        ("Neo.ClientError.Database.DatabaseNotFound", "the default database of Neo4j at .* does not exist"),
        ("Neo.TransientError.General.DatabaseUnavailable", r"is not available\. .*default_to_read_only"),
        ("Neo.DatabaseError.General.UnknownError", r"could not do it \(the words of the server\)$"),
    ],
)
def test_what_the_server_refuses_is_told_in_our_words(code: str, said: str) -> None:
    error = driver_errors.Neo4jError._hydrate_neo4j(code=code, message="the words of the server")
    failure = failure_of(error, Address(HERE, ("neo4j", "x")))
    assert failure is not None
    with pytest.raises(UnavailableError, match=said):
        raise failure
    assert "syntax" not in str(failure)
    assert "None" not in str(failure)


def caused(error: Exception, *causes: BaseException) -> Exception:
    last: BaseException = error
    for cause in causes:
        last.__cause__ = cause
        last = cause
    return error


@pytest.mark.parametrize(
    ("causes", "said"),
    [
        ([ssl.SSLCertVerificationError(1, "self-signed certificate")], r"certificate .* is not trusted .*\+ssc"),
        (
            [
                ExceptionGroup(
                    "all", [caused(driver_errors.ServiceUnavailable("x"), ssl.SSLCertVerificationError(1, "y"))]
                )
            ],
            "certificate .* is not trusted",
        ),
        (
            [ssl.SSLEOFError(8, "EOF")],
            "asks for encryption, and the server there does not encrypt: use bolt://h:9",
        ),
        ([driver_errors.ServiceUnavailable("no (looks like HTTP)")], "is a port for web browsers"),
        ([ConnectionRefusedError(111, "refused")], "does not answer .* that the server runs"),
    ],
)
def test_why_nobody_answers_is_told_from_what_led_to_it(causes: list[BaseException], said: str) -> None:
    error = caused(driver_errors.ServiceUnavailable("no"), *causes)
    failure = failure_of(error, Address("bolt+s://h:9"))
    assert isinstance(failure, AwayError)
    with pytest.raises(AwayError, match=said):
        raise failure


def test_a_name_that_can_be_none_does_not_answer() -> None:
    database = Database(Address(f"bolt://{'a' * 70}.x:9"))
    with pytest.raises(UnavailableError, match="does not answer"):
        database.verify()
    database.close()


def test_a_lost_answer_to_a_commit_is_not_taken_for_a_server_that_is_away() -> None:
    failure = failure_of(driver_errors.IncompleteCommit("gone"), Address(HERE))
    assert failure is not None
    assert "may be stored or not" in str(failure)


@pytest.mark.parametrize(
    "error",
    [ValueError("a plan of ours"), FileNotFoundError("a template"), KeyError("x"), InvalidInputError("bad")],
)
def test_an_error_of_our_own_is_left_as_it_is(error: Exception) -> None:
    database = Database(Address(HERE))
    with pytest.raises(type(error)) as raised, database._explained():
        raise error
    assert raised.value is error
    database.close()


def test_what_the_driver_says_of_each_try_is_on_no_terminal_and_in_the_log_of_who_reads_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    shout = "import graph_memory._sync.storage.driver, logging; logging.getLogger('neo4j.pool').warning('retried')"
    done = subprocess.run([sys.executable, "-c", shout], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    logging.getLogger("neo4j.pool").warning("retried")
    assert "retried" in caplog.text
