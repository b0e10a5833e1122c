"""Which time a question is about, and that nothing of its context is of another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory, Kind, Schema, Tenant, attribute

pytestmark = pytest.mark.server


class TimedPerson(Kind):
    """Someone the assistant works for."""

    city: str = attribute("The city they live in")


SCHEMA = Schema("timed", version=1, kinds=[TimedPerson])


@pytest.fixture(scope="module")
def mira(server: TestServer) -> Iterator[Tenant]:
    """Mira lived in Lisbon, then in Porto."""
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
        tenant = memory.tenant(fresh_name())
        tenant.name_entity("mira", "Mira Chen", aliases=["Mira"], kind="TimedPerson")
        for id_, start, city in (("e1", "2020-01-01", "Lisbon"), ("e2", "2026-06-01", "Porto")):
            tenant.record(f"Mira lives in {city}, by the river.", id_, occurred_at=start)
            tenant.assert_fact("mira", "city", city, valid_from=start, episode=id_)
        yield tenant


def test_where_now_is_in_the_past_nothing_is_of_later(mira: Tenant) -> None:
    context = mira.context("Is there a river?", subject="mira", now="2026-03-01")
    assert not context.answered
    assert [found.episode.id for found in context.evidence] == ["e1"]
    assert [(fact.fact.value, fact.holds) for fact in context.evidence[0].facts] == [("Lisbon", True)]
    assert {fact.fact.value for fact in context.related} <= {"Lisbon"}
