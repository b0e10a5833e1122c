"""How much of a slot a write reads: what it can change, and no more, however long the history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Value
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Command
from graph_memory.ledger.statements import Statement
from graph_memory.ledger.terms import UNDECLARED, Terms
from graph_memory.ledger.transaction import Write
from graph_memory.storage.templates import template

pytestmark = pytest.mark.server

START = datetime(2020, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LONG = 400


class Undeclared:
    """Attributes of cardinality one that no schema declares."""

    def cardinality(self, attribute: str) -> Cardinality:
        return Cardinality.ONE

    def check(self, attribute: str, value: object) -> Value:
        assert isinstance(value, str)
        return value

    def terms(self, attribute: str) -> Terms:
        return UNDECLARED


def said(tenant: str, start: datetime, until: datetime | None, episode: str) -> Statement:
    """That the shift is `x` from a start on."""
    return statements.assertion(
        tenant, Undeclared(), "mira", "shift", "x", valid_from=start, until=until, episode=episode, quote=None
    )


def locked(server: TestServer, tenant: str, statement: Statement) -> list[Any]:
    """What write/lock answers of the one slot of a statement."""
    parameters = Write(tenant, [Command(statement)], lambda: "new").to_lock()
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver,
        driver.session() as session,
        session.begin_transaction() as transaction,
    ):
        [record] = transaction.run(template("write/lock").text, parameters)
        [window] = record["windows"]
        transaction.rollback()
    return list(window)


@pytest.mark.parametrize("last", [None, START + (LONG + 5) * DAY], ids=["bounded", "an open one at the end"])
def test_a_bounded_write_reads_nothing_from_its_end_on(
    memory: GraphMemory, server: TestServer, last: datetime | None
) -> None:
    tenant = memory.tenant(fresh_name())
    episode = tenant.record("The shifts.").id
    rows: list[dict[str, Any]] = [
        {"subject": "mira", "attribute": "shift", "value": f"s{n}", "episode": episode}
        | {"valid_from": START + n * DAY, "until": START + (n + 1) * DAY}
        for n in range(LONG)
    ]
    if last is not None:
        rows.append(rows[0] | {"valid_from": last, "until": None})
    assert not tenant.assert_facts(rows).refused.first
    start = START + DAY / 2
    bounded, unbounded = (said(tenant.name, start, until, episode) for until in (start + DAY, None))
    assert len(locked(server, tenant.name, bounded)[2]) == 2
    assert len(locked(server, tenant.name, unbounded)[2]) == LONG
    fact = tenant.assert_fact("mira", "shift", "x", valid_from=start, until=start + DAY, episode=episode)
    assert (fact.valid_from, fact.valid_to) == (start, START + DAY)
    assert [(f.value, f.valid_from) for f in tenant.history("mira", "shift")[:4]] == [
        ("s0", START),
        ("x", start),
        ("s1", START + DAY),
        ("s2", START + 2 * DAY),
    ]
    assert memory.verify(tenant.name).problems == ()


def test_a_confirmation_reads_none_of_the_thousands_before_it(memory: GraphMemory, server: TestServer) -> None:
    tenant = memory.tenant(fresh_name())
    tenant.record_episodes({"text": f"Shift x, {n}", "id": f"e{n}"} for n in range(60))
    row = {"subject": "mira", "attribute": "shift", "value": "x", "valid_from": START}
    report = tenant.assert_facts(row | {"episode": f"e{n}"} for n in range(59))
    assert len(report.confirmed) == 58
    *_, there, _ = locked(server, tenant.name, said(tenant.name, START, None, "e59"))
    assert [sorted(entry[8]) for entry in there] == [["e0"]]
    *_, there, _ = locked(server, tenant.name, said(tenant.name, START, None, "e7"))
    assert [sorted(entry[8]) for entry in there] == [["e0", "e7"]]
    assert tenant.assert_facts([row | {"episode": "e7"}, row | {"episode": "e59"}]).counts()["replayed"] == 1
