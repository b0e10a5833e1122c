"""What is asked of a timeline and of a subject as a whole: what changed, what has been, and all that is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import Context, GraphMemory, Kind, NoteKind, Ref, Role, Schema, Tenant, attribute

pytestmark = pytest.mark.server


class WholeCompany(Kind):
    """A company."""

    headquarters: str = attribute("The city it is in")


class WholePerson(Kind):
    """Someone who is spoken of."""

    employer: Ref[WholeCompany] = attribute("The company they work for")
    manager: Ref[WholePerson] = attribute("To whom they report")
    job_title: str = attribute("What their job is called")
    lives_in: str = attribute("The city they live in")
    salary: int = attribute("What they are paid in a year")
    speaks: list[str] = attribute("A language they speak")


SCHEMA = Schema("context-whole", version=1, kinds=[WholePerson, WholeCompany])


@pytest.fixture(scope="module")
def told(server: TestServer) -> Iterator[Tenant]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
        tenant = memory.tenant(fresh_name())
        tenant.record("Nadia is at Brightline and will be at Quanta.", "e1", occurred_at="2025-01-06")
        for key in ("nadia", "tom", "ines"):
            tenant.name_entity(key, key.capitalize(), kind="WholePerson")
        for key in ("brightline", "quanta"):
            tenant.name_entity(key, key.capitalize(), kind="WholeCompany")
        for subject, of, value, since in (
            ("nadia", "employer", Ref("brightline"), "2025-01-06"),
            ("nadia", "employer", Ref("quanta"), "2026-09-01"),
            ("nadia", "manager", Ref("tom"), "2025-01-06"),
            ("nadia", "manager", Ref("ines"), "2026-01-01"),
            ("nadia", "job_title", "data analyst", "2025-01-06"),
            ("nadia", "job_title", "senior data analyst", "2026-03-01"),
            ("nadia", "lives_in", "Lyon", "2025-01-06"),
            ("nadia", "lives_in", "Marseille", "2025-08-31"),
            ("nadia", "salary", 55000, "2025-01-06"),
            ("nadia", "speaks", "French", "2025-01-06"),
            ("nadia", "speaks", "Arabic", "2026-10-15"),
            ("tom", "lives_in", "Berlin", "2025-01-06"),
            ("ines", "lives_in", "Porto", "2025-01-06"),
        ):
            tenant.assert_fact(subject, of, value, valid_from=since, episode="e1")
        yield tenant


def ask(tenant: Tenant, question: str, **given: Any) -> Context:
    return tenant.context(question, now="2026-11-30", router="rules", **given)


def roles(context: Context) -> list[tuple[str, object]]:
    facts = [(item.role, item.fact.value) for item in context.facts]
    return [(role.value, value.key if isinstance(value, Ref) else value) for role, value in facts]


def answers(context: Context) -> list[object]:
    return [value for role, value in roles(context) if role == Role.ANSWER.value]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How did Nadia's employer change in September 2026?", [("before", "brightline"), ("answer", "quanta")]),
        ("How did Nadia's employer change on 2026-09-01?", [("before", "brightline"), ("answer", "quanta")]),
        ("How did Nadia's manager change in 2026?", [("before", "tom"), ("answer", "ines")]),
        ("What changed for Nadia in October 2026?", [("answer", "Arabic")]),
        ("What changed for Nadia in September 2026?", [("before", "brightline"), ("answer", "quanta")]),
        (
            "What changed for Nadia in August 2025?",
            [("before", "Lyon"), ("answer", "Marseille")],
        ),
    ],
)
def test_what_changed_comes_with_what_was_before_and_without_what_did_not(
    told: Tenant, question: str, expected: list[tuple[str, object]]
) -> None:
    context = ask(told, question)
    assert (context.answered, roles(context)) == (True, expected), context.text


def test_where_nothing_changed_it_is_not_said_that_nothing_is_known(told: Tenant) -> None:
    context = ask(told, "What changed for Nadia in July 2026?")
    assert (context.answered, context.facts) == (False, ())
    assert "no change is known of nadia in [2026-07-01" in context.text


def test_who_ever_had_a_value_in_an_interval_had_it_in_the_interval(told: Tenant) -> None:
    assert answers(ask(told, "Who ever worked at Brightline as a company in August 2026?")) == ["brightline"]
    assert answers(ask(told, "Who ever worked at Brightline as a company in September 2026?")) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who said that Nadia's job title is senior data analyst?", ["senior data analyst"]),
        ("Since when is Nadia's job title senior data analyst?", ["senior data analyst"]),
        ("Since when is Nadia's job title data analyst?", ["data analyst"]),
        (
            "Who said that Nadia's job title is data analyst, or senior data analyst?",
            ["data analyst", "senior data analyst"],
        ),
    ],
)
def test_a_value_within_a_longer_one_that_is_named_does_not_count(
    told: Tenant, question: str, expected: list[str]
) -> None:
    assert answers(ask(told, question)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where has Nadia lived?", ["Lyon", "Marseille"]),
        ("Which job titles has Nadia had?", ["data analyst", "senior data analyst"]),
        ("Which employers has Nadia had?", ["brightline", "quanta"]),
        ("Who have been Nadia's managers?", ["tom", "ines"]),
        ("How many managers has Nadia had?", ["tom", "ines"]),
        ("Where has Nadia lived since 2026?", ["Marseille"]),
        ("Where does Nadia live?", ["Marseille"]),
        ("Which salary does Nadia have?", [55000]),
        ("Who has Ines as manager?", ["ines"]),
    ],
)
def test_the_perfect_asks_for_all_that_has_been(told: Tenant, question: str, expected: list[object]) -> None:
    context = ask(told, question)
    assert answers(context) == expected, context.text


def test_what_has_been_is_not_what_will_be(told: Tenant) -> None:
    context = told.context("Where has Nadia lived?", now="2025-06-01", router="rules")
    assert answers(context) == ["Lyon"]


@pytest.mark.parametrize(
    "question",
    [
        "When did Nadia start at Quanta?",
        "What did Tom say?",
        "What does Tom know?",
        "How old is Nadia?",
        "Where is Nadia from?",
        "What does Nadia own?",
        "When was Nadia?",
    ],
)
def test_words_that_name_no_attribute_ask_for_something_and_not_for_all(told: Tenant, question: str) -> None:
    context = ask(told, question)
    assert (context.answered, context.notes[0].kind) == (False, NoteKind.NOT_UNDERSTOOD), context.text
    assert context.related
    assert context.evidence or any(item.citations for item in context.related)


@pytest.mark.parametrize(
    "question",
    [
        "Nadia?",
        "Who is Nadia?",
        "Tell me about Nadia.",
        "What do you know about Nadia now?",
        "What is known of Nadia?",
        "What was known of Nadia in 2026?",
        "Please give me a summary of all facts about Nadia.",
        "How has Nadia changed?",
        "How did Nadia change in 2026?",
        "What has changed for Nadia since 2026-08-01?",
        "What happened to Nadia in 2026?",
        "Since when is that known of Nadia?",
    ],
)
def test_without_words_for_anything_else_all_that_is_known_is_asked_for(told: Tenant, question: str) -> None:
    context = ask(told, question)
    assert context.answered, context.text
    assert len({item.fact.attribute for item in context.facts}) > 1


@pytest.mark.parametrize(
    ("question", "when"),
    [
        ("What is Nadia's salary?", "nothing is known of salary of nadia now, as known at 2025-01-01T00:00:00Z"),
        ("What do you know of Nadia?", "nothing is known of nadia now, as known at 2025-01-01T00:00:00Z"),
        ("Who works at Quanta, the company?", "quanta as employer now, as known at 2025-01-01T00:00:00Z"),
        ("Who ever worked at Quanta, the company?", "quanta as employer, as known at 2025-01-01T00:00:00Z"),
    ],
)
def test_that_nothing_is_known_says_as_known_when(told: Tenant, question: str, when: str) -> None:
    context = ask(told, question, known_at="2025-01-01")
    assert not context.answered
    assert when in context.notes[0].text


@pytest.mark.parametrize(
    "question",
    [
        "Who was Nadia's manager when she lived in Lyon?",
        "Who was Nadia's manager while she lived in Lyon?",
        "When she lived in Lyon, who was Nadia's manager?",
        "What was Nadia's salary when Tom was her manager?",
        "What did HRIS say about Nadia's salary?",
        "What did Tom say about Nadia's salary?",
        "According to Tom, what is Nadia's salary?",
        "Who lives in the same city as Tom?",
        "Does Nadia live in the same city as Tom?",
    ],
)
def test_a_bound_that_is_not_read_is_not_passed_over(told: Tenant, question: str) -> None:
    context = ask(told, question)
    assert (context.answered, context.facts) == (False, ()), context.text
    assert context.notes[0].kind is NoteKind.NOT_UNDERSTOOD


@pytest.mark.parametrize(
    "question", ["Do you know when Nadia's salary changed?", "When has Nadia's manager changed?"]
)
def test_when_something_was_so_is_no_bound(told: Tenant, question: str) -> None:
    assert ask(told, question).answered


@pytest.mark.parametrize("question", ["Where?", "What is known?", "Is it French?"])
def test_of_a_key_that_nobody_has_no_facts_of_others_are_shown(told: Tenant, question: str) -> None:
    context = ask(told, question, subject="zz")
    assert (context.answered, context.facts, context.related) == (False, (), ()), context.text


def test_an_entity_whose_key_is_within_that_of_another_is_not_named(server: TestServer) -> None:
    with GraphMemory.open(server.uri, server.auth) as memory:
        tenant = memory.tenant(fresh_name())
        tenant.record("Mira went on.", "e1", occurred_at="2025-01-06")
        for value, since in (("acme", "2025-01-06"), ("acme-europe", "2026-01-01")):
            tenant.assert_fact("mira", "employer", Ref(value), valid_from=since, episode="e1")
        context = ask(tenant, "Since when is acme-europe the employer of mira?")
        assert answers(context) == ["acme-europe"]
