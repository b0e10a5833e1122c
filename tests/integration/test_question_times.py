"""Which time a question is about, and that nothing of its context is of another."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from ledgers import fresh_name
from scripted_llm import ScriptedLLM, scripted_llm
from servers import TestServer

from graph_memory import GraphMemory, Kind, NoteKind, Schema, Tenant, attribute

__all__ = ["scripted_llm"]
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


@pytest.mark.parametrize(
    ("words", "unread"),
    [
        ("in early 2026", "early 2026"),
        ("in summer 2026", "in summer"),
        ("in 2019 or 2026", "2026"),
        ("on 31 February 2026", "31 February 2026"),
        ("last night", "last night"),
        ("on 2026-07-01 09:00 CET", "2026-07-01 09:00 CET"),
    ],
)
def test_a_time_that_is_not_understood_is_neither_now_nor_guessed(mira: Tenant, words: str, unread: str) -> None:
    context = mira.context(f"In which city did Mira live {words}?")
    assert (context.answered, context.routing.start) == (False, None)
    assert [note.kind for note in context.notes] == [NoteKind.NOT_UNDERSTOOD]
    assert f"the time {unread!r} cannot be read: write one date, such as 2026-03-01" in context.render()
    given = mira.context(f"In which city did Mira live {words}?", at="2026-07-01")
    assert [fact.fact.value for fact in given.facts] == ["Porto"]


def test_the_year_of_the_second_date_is_that_of_the_first(mira: Tenant) -> None:
    context = mira.context("In which city did Mira live between March and July 2026?", now="2028-06-01")
    assert [fact.fact.value for fact in context.facts] == ["Lisbon", "Porto"]


def test_whether_somebody_knew_is_not_what_was_known(mira: Tenant) -> None:
    context = mira.context("Did you know in which city Mira lived in May 2026?")
    assert context.routing.known_at is None
    assert [fact.fact.value for fact in context.facts] == ["Lisbon"]
    believed = mira.context("In which city did we think Mira lived on 2019-05-01?")
    assert believed.routing.known_at is not None
    assert not believed.answered


@pytest.mark.parametrize(("start", "cities"), [("2026-01-01", ["Lisbon"]), (None, [])])
def test_a_model_may_say_which_time_is_meant_where_the_words_do_not(
    server: TestServer, mira: Tenant, scripted_llm: ScriptedLLM, start: str | None, cities: list[str]
) -> None:
    end = None if start is None else "2026-04-01"
    answer = {
        "subjects": ["mira"],
        "attributes": ["city"],
        "value": None,
        "intent": "as_of",
        "start": start,
        "end": end,
    }
    scripted_llm.script(json.dumps(answer))
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=scripted_llm.chat_model()) as memory:
        context = memory.tenant(mira.name).context("In which city did Mira live in early 2026?")
    assert [fact.fact.value for fact in context.facts] == cities
    assert [note.kind for note in context.notes] == ([] if cities else [NoteKind.NOT_UNDERSTOOD])
