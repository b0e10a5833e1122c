"""What compose-test.sh asks of the server in NEO4J_URI, signing in by NEO4J_USERNAME and NEO4J_PASSWORD.

compose_check.py settings | write | read | refuses PASSWORD | unencrypted | untrusted
"""

import os
import sys
from datetime import date

import neo4j

from graph_memory import GraphMemory, UnavailableError

EXPECTED = {
    "dbms.usage_report.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "client.allow_telemetry": "false",
    "server.memory.heap.max_size": "1.00GiB",
    "server.memory.pagecache.size": "512.00MiB",
    "db.tx_log.rotation.size": "64.00MiB",
    "db.tx_log.rotation.retention_policy": "256M size",
}
DEADLINES = [("2026-05-31", date(2026, 7, 15)), ("2026-06-04", date(2026, 6, 30))]


def settings() -> None:
    """The container's environment became the server's settings."""
    auth = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    with neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=auth, telemetry_disabled=True) as driver:
        rows = driver.execute_query("SHOW SETTINGS YIELD name, value RETURN name, value").records
    found = {row["name"]: row["value"] for row in rows if row["name"] in EXPECTED}
    assert found == EXPECTED, found


def write() -> None:
    """Two facts, the second of which supersedes the first."""
    with GraphMemory.open() as memory:
        acme = memory.tenant("acme")
        for day, deadline in DEADLINES:
            episode = acme.record(f"The passport deadline is {deadline}.")
            acme.assert_fact(
                "mira",
                "passport_deadline",
                deadline,
                valid_from=day,
                episode=episode,
                quote="passport deadline",
            )


def read() -> None:
    """Both are there, each with its time and its source."""
    with GraphMemory.open() as memory:
        acme = memory.tenant("acme")
        for day, deadline in DEADLINES:
            fact = acme.as_of("mira", "passport_deadline", day)
            assert fact is not None, day
            assert fact.value == deadline, fact
            assert str(deadline) in acme.episode(fact.episode_id).text
        assert len(acme.history("mira", "passport_deadline")) == len(DEADLINES)
        assert memory.verify().clean


def refuses(password: str) -> None:
    """Another password does not open the database."""
    try:
        GraphMemory.open(auth=(os.environ["NEO4J_USERNAME"], password)).close()
    except UnavailableError:
        return
    raise AssertionError("the server accepted a password that is not its own")


def says(uri: str, words: str) -> None:
    """Opening that address fails, and the message says why."""
    said = ""
    try:
        GraphMemory.open(uri, auth=(os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])).close()
    except UnavailableError as error:
        said = str(error)
    assert words in said, f"{uri}: {said or 'the server took the connection'}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["settings"]:
            settings()
        case ["write"]:
            write()
        case ["read"]:
            read()
        case ["refuses", password]:
            refuses(password)
        case ["unencrypted"]:
            says(os.environ["NEO4J_URI"], "accepts only encrypted connections")
        case ["untrusted"]:
            says(os.environ["NEO4J_URI"].replace("+ssc:", "+s:"), "is not trusted")
        case _:
            sys.exit(__doc__)
