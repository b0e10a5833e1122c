"""What is left over of a question makes its answer unsure; references within one kind go the way that is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import Context, GraphMemory, Kind, NoteKind, Ref, Role, Schema, Tenant, attribute

pytestmark = pytest.mark.server


class UnsureFirm(Kind):
    """A company."""

    seat: str = attribute("The city it is in")


class UnsurePerson(Kind):
    """Someone who is spoken of."""

    employer: Ref[UnsureFirm] = attribute("Where they work")
    boss: Ref[UnsurePerson] = attribute("To whom they report")
    passport_deadline: str = attribute("When the passport must be renewed")
    salary: int = attribute("What they are paid")
    hobby: list[str] = attribute("What they like to do")


SCHEMA = Schema("context-unsure", version=1, kinds=[UnsurePerson, UnsureFirm])


def tell(tenant: Tenant, person: str | None = None) -> Tenant:
    """Zoe is Mira's boss, and Mira is Bob's."""
    tenant.record("All of it.", "e1", occurred_at="2020-01-01")
    for key, name in (("mira", "Mira Chen"), ("zoe", "Zoe"), ("rob", "Rob")):
        tenant.name_entity(key, name, aliases=["Mira"] if key == "mira" else [], kind=person)
    for subject, of, value, since in (
        ("mira", "employer", Ref("globex"), "2020-01-01"),
        ("mira", "employer", Ref("initech"), "2026-03-10"),
        ("mira", "boss", Ref("zoe"), "2020-01-01"),
        ("zoe", "boss", Ref("ann"), "2020-01-01"),
        ("rob", "boss", Ref("mira"), "2020-01-01"),
        ("zoe", "employer", Ref("umbrella"), "2020-01-01"),
        ("mira", "passport_deadline", "2026-07-15", "2020-01-01"),
        ("mira", "salary", 1000, "2020-01-01"),
        ("initech", "seat", "Porto", "2020-01-01"),
        ("mira", "hobby", "chess", "2020-01-01"),
    ):
        tenant.assert_fact(subject, of, value, valid_from=since, episode="e1")
    return tenant


@pytest.fixture(scope="module", params=["declared", "undeclared"])
def told(server: TestServer, request: pytest.FixtureRequest) -> Iterator[Tenant]:
    if request.param == "declared":
        with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
            yield tell(memory.tenant(fresh_name()), "UnsurePerson")
    else:
        with GraphMemory.open(server.uri, server.auth, many=["hobby"]) as memory:
            yield tell(memory.tenant(fresh_name()))


def ask(tenant: Tenant, question: str, **given: Any) -> Context:
    return tenant.context(question, now="2026-06-24", router="rules", **given)


def answers(context: Context) -> list[tuple[str, object]]:
    facts = [item.fact for item in context.facts if item.role is Role.ANSWER]
    return [(f.subject, f.value.key if isinstance(f.value, Ref) else f.value) for f in facts]


@pytest.mark.parametrize(
    "question",
    [
        "What is Mira's wife's employer?",
        "What is the employer of Mira's brother?",
        "What is Mira Smith's employer?",
        "What is the employer of mira smith?",
        "What is the passport deadline of Mira's daughter?",
        "What are Bob and Mira's employers?",
        "Who said that Mira's wife's employer is Initech?",
        "How has the employer of Mira's wife changed?",
        "Since when is Initech the employer of Mira's wife?",
        "What is Mira's next employer?",
        "What is Mira's favourite employer?",
        "Which is larger, Mira's salary or Zoe's salary?",
        "How many employers does Mira have?",
        "List all employers of Mira.",
        "Who is Mira's boss's boss?",
        "Who knows Mira as well as her boss?",
    ],
)
def test_what_is_left_over_makes_the_answer_unsure(told: Tenant, question: str) -> None:
    context = ask(told, question)
    assert (context.answered, context.facts) == (False, ()), context.text
    assert context.notes[0].kind is NoteKind.NOT_UNDERSTOOD, context.text
    assert "employer" in [item.fact.attribute for item in context.related]
    assert [step.step for step in context.trace if step.step == "evidence"] == ["evidence"]


@pytest.mark.parametrize(
    ("question", "note"),
    [
        (
            "What is Mira's wife's employer?",
            "'wife' is not a known entity or attribute, so this may not be about mira",
        ),
        (
            "What is Mira's favourite employer?",
            "'favourite' is not a known entity or attribute, so this may not be about mira",
        ),
        ("What was the employer of Mira's previous boss?", "unclear: the previous boss or the previous employer?"),
        (
            "How many employers does Mira have?",
            "employer has one value at a time: ask which values it has ever had",
        ),
        (
            "Who is Mira's boss's boss?",
            "the question follows more than two references, or one attribute twice: ask one step at a time",
        ),
        ("Since when is Initrode Mira's employer?", "'initrode' is not a known employer of mira"),
        ("Who has Rob as boss?", "nobody has rob as boss now"),
        ("Who used to have Rob as boss?", "nobody used to have rob as boss"),
        (
            "Where did Mira work in early 2026?",
            "the time 'early 2026' cannot be read: write one date, such as 2026-03-01",
        ),
    ],
)
def test_a_note_says_plainly_why_nothing_answers(told: Tenant, question: str, note: str) -> None:
    context = ask(told, question)
    assert (context.answered, context.notes[0].text) == (False, note)


def test_of_a_given_subject_too_another_one_is_not_answered_for(told: Tenant) -> None:
    assert not ask(told, "What is my wife's employer?", subject="mira").answered
    assert answers(ask(told, "What is my employer?", subject="mira")) == [("mira", "initech")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is Mira's employer?", [("mira", "initech")]),
        ("Please show me the current employer of Mira Chen.", [("mira", "initech")]),
        ("Is Globex Mira's employer?", [("mira", "initech")]),
        ("What is the name of Mira's employer?", [("mira", "initech")]),
        ("What is Mira's old employer?", [("mira", "globex")]),
        ("What is Mira's first employer?", [("mira", "globex"), ("mira", "initech")]),
        ("How many employers has Mira ever had?", [("mira", "globex"), ("mira", "initech")]),
        ("What are the salaries of Mira and Zoe?", [("mira", 1000)]),
        ("How many is Mira's salary?", [("mira", 1000)]),
        ("Whose boss is Mira?", [("rob", "mira")]),
        ("Who is Mira the boss of?", [("rob", "mira")]),
        ("Who has Mira as boss?", [("rob", "mira")]),
        ("Who is Mira's boss?", [("mira", "zoe")]),
        ("Who is the boss of Mira?", [("mira", "zoe")]),
        ("What is the employer of Mira's boss?", [("mira", "zoe"), ("zoe", "umbrella")]),
        ("What is Mira's boss's employer?", [("mira", "zoe"), ("zoe", "umbrella")]),
    ],
)
def test_what_is_understood_whole_is_answered(
    told: Tenant, question: str, expected: list[tuple[str, object]]
) -> None:
    context = ask(told, question)
    assert answers(context) == expected, context.text


def test_of_two_owners_one_of_whom_has_nothing_that_is_told(told: Tenant) -> None:
    context = ask(told, "What is Mira's salary and what is Zoe's salary?")
    assert answers(context) == [("mira", 1000)]
    assert "nothing is known of salary of zoe now" in context.text


def test_who_reports_to_somebody_is_not_to_whom_she_reports(server: TestServer) -> None:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
        tenant = tell(memory.tenant(fresh_name()), "UnsurePerson")
        context = ask(tenant, "Who reports to Mira?")
        assert (context.answered, context.notes[0].kind) == (False, NoteKind.NOT_UNDERSTOOD)
        assert answers(ask(tenant, "Who does Mira report to?")) == [("mira", "zoe")]


def test_a_name_that_is_an_attribute_hides_no_exact_state(told: Tenant) -> None:
    told.name_entity("odd-1", "employer", aliases=["deadline"])
    told.name_entity("odd-2", "Mira's employer", aliases=["employer of Mira"])
    for question in ("What is Mira's employer?", "What is the employer of Mira?"):
        context = ask(told, question)
        assert (context.routing.subjects, answers(context)) == (("mira",), [("mira", "initech")])
    assert answers(ask(told, "What is Mira's passport deadline?")) == [("mira", "2026-07-15")]


def test_who_was_with_somebody_is_not_all_that_is_known_of_them(told: Tenant) -> None:
    context = ask(told, "Who was at Initech in 2021?")
    assert (context.answered, context.notes[0].kind) == (False, NoteKind.NOT_UNDERSTOOD)
    assert ask(told, "Tell me about Initech.").answered
