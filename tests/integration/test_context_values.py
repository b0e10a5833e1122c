"""Questions that name values: who has one, one that was never there, and of two names which is the value."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import Context, GraphMemory, Kind, NoteKind, Ref, Role, Schema, Tenant, attribute

pytestmark = pytest.mark.server

NOW = "2026-11-30"


class ValuedFirm(Kind):
    """A company."""

    seat: str = attribute("The place where it sits")


class ValuedPerson(Kind):
    """Someone who is spoken of."""

    employer: Ref[ValuedFirm] = attribute("The company where they work")
    boss: Ref[ValuedPerson] = attribute("To whom they report")
    city: str = attribute("Where they live")
    nickname: str = attribute("Another word for them")
    renewal: date = attribute("When the passport must be renewed")
    hobby: list[str] = attribute("What they like to do")


SCHEMA = Schema("context-values", version=1, kinds=[ValuedPerson, ValuedFirm])


@pytest.fixture(scope="module")
def valued(server: TestServer) -> Iterator[GraphMemory]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
        yield memory


@pytest.fixture(scope="module")
def told(valued: GraphMemory) -> Tenant:
    """Mira left Globex for Initech, where Rui has been; she lived in Rome, then in Oslo; Tom left Initech."""
    tenant = valued.tenant(fresh_name())
    tenant.record("All of it.", "e1", occurred_at="2026-01-01")
    for key in ("mira", "rui", "tom"):
        tenant.name_entity(key, key.title(), kind="ValuedPerson")
    for key in ("globex", "initech", "acme"):
        tenant.name_entity(key, key.title(), kind="ValuedFirm")
    say(tenant, "mira", "employer", Ref("globex"), "2026-03-01")
    say(tenant, "mira", "employer", Ref("initech"), "2026-06-03")
    say(tenant, "rui", "employer", Ref("initech"), "2026-02-01")
    say(tenant, "tom", "employer", Ref("initech"), "2025-02-01", "2025-08-01")
    say(tenant, "mira", "city", "Rome", "2025-02-01", "2025-11-01")
    say(tenant, "mira", "city", "Oslo", "2026-02-01")
    say(tenant, "mira", "renewal", date(2026, 7, 15), "2026-02-01")
    say(tenant, "mira", "nickname", "Friday next week", "2026-11-01")
    say(tenant, "mira", "boss", Ref("rui"), "2026-06-03")
    say(tenant, "rui", "boss", Ref("tom"), "2026-02-01")
    say(tenant, "mira", "hobby", "chess", "2025-01-01", "2025-06-01")
    say(tenant, "mira", "hobby", "surfing", "2025-01-01")
    say(tenant, "globex", "seat", "Porto", "2025-01-01", "2026-07-01")
    say(tenant, "globex", "seat", "Faro", "2026-07-01")
    return tenant


def say(tenant: Tenant, subject: str, of: str, value: object, since: str, until: str | None = None) -> None:
    tenant.assert_fact(subject, of, value, valid_from=since, until=until, episode="e1")


def ask(tenant: Tenant, question: str) -> Context:
    return tenant.context(question, now=NOW, router="rules")


def answers(context: Context) -> list[tuple[str, str]]:
    """Who has which value, by the answer."""
    facts = [item.fact for item in context.facts if item.role is Role.ANSWER]
    return [(f.subject, f.value.key if isinstance(f.value, Ref) else str(f.value)) for f in facts]


def kinds(context: Context) -> list[NoteKind]:
    return [note.kind for note in context.notes]


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who works at Initech?", ["mira", "rui"]),
        ("Who works at Globex?", []),
        ("Who worked at Globex on 2026-04-01?", ["mira"]),
        ("Who worked at Globex in 2026?", ["mira"]),
        ("Who worked at Initech between 2025-07-01 and 2026-03-01?", ["rui", "tom"]),
        ("Who has ever worked at Globex?", ["mira"]),
        ("Who has ever worked at Initech?", ["mira", "rui", "tom"]),
        ("Who used to work at Initech?", ["tom"]),
        ("Who worked at Globex previously?", ["mira"]),
        ("Who used to work at Acme?", []),
        ("Since when does anyone work at Initech?", ["mira", "rui"]),
        ("What replaced Globex as employer?", ["mira"]),
        ("What did Initech replace as employer?", ["mira"]),
    ],
)
def test_who_has_a_value_is_told_of_the_time_that_is_asked(told: Tenant, question: str, who: list[str]) -> None:
    context = ask(told, question)
    assert [subject for subject, _ in answers(context)] == who, context.text
    assert context.answered == bool(who)
    assert (NoteKind.NOTHING_KNOWN in kinds(context)) == (not who)


def test_since_when_they_have_it_and_what_took_its_place_is_told(told: Tenant) -> None:
    since = ask(told, "Since when does anyone work at Initech?").facts
    assert [fact.since for fact in since] == [fact.fact.valid_from for fact in since]
    assert answers(ask(told, "What replaced Globex as employer?")) == [("mira", "initech")]
    assert answers(ask(told, "What did Initech replace as employer?")) == [("mira", "globex")]


def test_who_had_it_once_is_related_where_nobody_has_it(told: Tenant) -> None:
    [past] = [item.fact for item in ask(told, "Who works at Globex?").related if item.fact.attribute == "employer"]
    assert (past.subject, past.value) == ("mira", Ref("globex"))


def test_none_of_those_that_have_a_value_is_overlooked_for_those_that_once_had_it(valued: GraphMemory) -> None:
    tenant = valued.tenant(fresh_name())
    tenant.record("Many.", "e1")
    rows = [
        {
            "subject": f"p{n:04}",
            "attribute": "employer",
            "value": Ref("acme"),
            "valid_from": "2026-01-01",
            "until": "2026-02-01" if n % 100 else None,
            "episode": "e1",
        }
        for n in range(1100)
    ]
    tenant.assert_facts(rows)
    tenant.name_entity("acme", "Acme", kind="ValuedFirm")
    assert [subject for subject, _ in answers(ask(tenant, "Who works at Acme?"))] == [
        f"p{n:04}" for n in range(0, 1100, 100)
    ]
    ever = ask(tenant, "Who has ever worked at Acme?")
    assert (len(ever.facts), kinds(ever)[0]) == (50, NoteKind.LEFT_OUT)
    assert "1100 facts answer" in ever.notes[0].text


def test_where_not_all_could_be_read_that_is_said_and_not_that_nothing_is_known(
    told: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph_memory._sync.questions.answers.MAX_REFERRING", 0)
    context = ask(told, "Who works at Initech?")
    assert (context.answered, kinds(context)) == (False, [NoteKind.LEFT_OUT])


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("What do you know about Mira in 2025?", {("city", "Rome"), ("hobby", "chess"), ("hobby", "surfing")}),
        (
            "Tell me about Mira between 2026-03-01 and 2026-07-01",
            {
                ("employer", "globex"),
                ("employer", "initech"),
                ("boss", "rui"),
                ("city", "Oslo"),
                ("renewal", "2026-07-15"),
                ("hobby", "surfing"),
            },
        ),
    ],
)
def test_all_that_is_known_in_an_interval_is_what_held_at_any_moment_of_it(
    told: Tenant, question: str, known: set[tuple[str, str]]
) -> None:
    context = ask(told, question)
    attributes = [item.fact.attribute for item in context.facts]
    assert set(zip(attributes, [value for _, value in answers(context)], strict=True)) == known


def test_of_what_an_answer_refers_to_counts_what_held_while_it_referred_to_it(told: Tenant) -> None:
    assert answers(ask(told, "What was the seat of Mira's employer in 2026?")) == [
        ("mira", "globex"),
        ("mira", "initech"),
        ("globex", "Porto"),
    ]


def test_what_leads_to_what_was_asked_is_no_answer_without_it(told: Tenant) -> None:
    context = ask(told, "What is the seat of Mira's employer?")
    assert (context.answered, kinds(context)) == (False, [NoteKind.NOTHING_KNOWN])
    assert "nothing is known of seat of initech now" in context.text
    assert context.related[0].fact.value == Ref("initech")


def test_of_which_link_of_a_chain_the_former_is_asked_stays_open(told: Tenant) -> None:
    context = ask(told, "What was the seat of Mira's previous employer?")
    assert (context.answered, kinds(context)) == (False, [NoteKind.NOT_UNDERSTOOD])
    since = ask(told, "Since when has Faro been the seat of Mira's employer?")
    assert not since.answered
    then = ask(told, "What was the seat of Mira's employer on 2026-04-01?")
    assert answers(then) == [("mira", "globex"), ("globex", "Porto")]


@pytest.mark.parametrize(
    "question",
    [
        "Who said that Mira's city is Paris?",
        "Since when is Mira's city Paris?",
        "What did Paris replace as Mira's city?",
        "What replaced Paris as Mira's city?",
        "What was Mira's city before Paris?",
        "What was Mira's city after Paris?",
        "What was Mira's city before the wedding?",
        "Who said that Mira's hobby is knitting?",
        "Since when is Mira's hobby knitting?",
        "Who said that Mira's employer is Acme?",
        "Since when is Acme Mira's employer?",
        "What did Acme replace as Mira's employer?",
        "Who said that Mira's renewal is 2026-09-09?",
        "What replaced 2026-09-09 as Mira's renewal?",
    ],
)
def test_a_value_that_was_never_there_is_not_answered_by_another(told: Tenant, question: str) -> None:
    context = ask(told, question)
    assert (context.answered, context.facts) == (False, ()), context.text
    [note] = context.notes
    assert note.kind is NoteKind.NOTHING_KNOWN
    assert "is not a known" in note.text
    asked = context.routing.attributes[0]
    assert context.related[0].fact.attribute == asked
    now = told.values("mira", asked, NOW) if asked == "hobby" else [told.current("mira", asked)]
    assert context.related[0].fact.value in [fact.value for fact in now if fact]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was Mira's city before Oslo?", ["Rome"]),
        ("What was Mira's city before Rome?", []),
        ("What was Mira's city after Rome?", ["Oslo"]),
        ("What was Mira's city after Oslo?", []),
        ("What was Mira's previous city?", ["Rome"]),
        ("What was Mira's first city?", ["Rome", "Oslo"]),
        ("What was Mira's city two cities ago?", ["Rome", "Oslo"]),
        ("Since when is Mira's renewal 2026-07-15?", ["2026-07-15"]),
        ("Which hobbies did Mira use to have, her former ones?", ["chess"]),
        ("What replaced chess as Mira's hobby?", []),
        ("Since when is Mira's nickname Friday next week?", ["Friday next week"]),
        ("Who said that Mira's nickname is Monday next week?", []),
        ("Was Mira's city ever Paris?", ["Rome", "Oslo"]),
    ],
)
def test_before_and_after_a_value_is_what_stood_beside_it(told: Tenant, question: str, values: list[str]) -> None:
    context = ask(told, question)
    assert [value for _, value in answers(context)] == values, context.text
    assert context.answered == bool(values)
    assert (NoteKind.NOTHING_KNOWN in kinds(context)) == (not values)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where do Mira and Rui work?", [("mira", "initech"), ("rui", "initech")]),
        ("Which of Mira, Rui and Tom works at Initech?", [("mira", "initech"), ("rui", "initech")]),
        ("Which company do Tom or Mira work for?", [("mira", "initech")]),
        ("Who is the boss of Mira and Rui?", [("mira", "rui"), ("rui", "tom")]),
        ("Who is Mira's boss, and who is Rui's boss?", [("mira", "rui"), ("rui", "tom")]),
        ("Is Rui Mira's boss?", [("mira", "rui")]),
        ("Does Mira report to Rui, her boss?", [("mira", "rui")]),
        ("Did Mira work at Globex or Initech, her employer?", [("mira", "initech")]),
    ],
)
def test_two_that_both_may_have_it_are_both_answered_for(
    told: Tenant, question: str, found: list[tuple[str, str]]
) -> None:
    context = ask(told, question)
    assert answers(context) == found, context.text
    unsaid = {"tom"} & set(context.routing.subjects)
    assert all(f"of {key} now" in context.text for key in unsaid)


def test_of_more_subjects_than_are_answered_for_that_is_said(valued: GraphMemory) -> None:
    tenant = valued.tenant(fresh_name())
    tenant.record("Four.", "e1")
    for key in ("ana", "ben", "cid", "dan"):
        tenant.name_entity(key, key.title(), kind="ValuedPerson")
        say(tenant, key, "city", f"City of {key}", "2026-01-01")
    context = ask(tenant, "Where do Ana, Ben, Cid and Dan live, in which city?")
    assert (len(answers(context)), kinds(context)) == (3, [NoteKind.LEFT_OUT])
    assert "may also be about dan" in context.notes[0].text


@pytest.mark.parametrize("count", [2, 5])
def test_one_name_for_several_is_told_whatever_is_known_of_each(valued: GraphMemory, count: int) -> None:
    tenant = valued.tenant(fresh_name())
    tenant.record("All are called Ana.", "e1")
    keys = [f"ana-{n}" for n in range(count)]
    for key in keys:
        tenant.name_entity(key, "Ana", kind="ValuedPerson")
    tenant.name_entity("ana-firm", "Ana", kind="ValuedFirm")
    say(tenant, keys[-1], "city", "Rome", "2026-01-01")
    context = ask(tenant, "What is Ana's city?")
    assert answers(context) == [(keys[-1], "Rome")]
    told = next(note.text for note in context.notes if note.kind is NoteKind.AMBIGUOUS)
    means, follows = told.split(": this answer is about ")
    assert set(means.removeprefix("one name means ").split(", ")) == set(keys)
    assert follows == ("each of them" if count == 2 else f"{keys[-1]}, {keys[0]}, {keys[1]}")
    assert context.routing.values == ()


def test_facts_behind_evidence_are_bounded_and_what_was_cut_is_said(valued: GraphMemory) -> None:
    tenant = valued.tenant(fresh_name())
    tenant.record("Zebras were seen.", "e1")
    rows = [
        {"subject": f"p{n}", "attribute": "city", "value": "Rome", "valid_from": "2026-01-01", "episode": "e1"}
        for n in range(40)
    ]
    tenant.assert_facts(rows)
    context = tenant.context("Were zebras seen?", router="rules", token_budget=100_000)
    assert len(context.related) == 20
    assert NoteKind.LEFT_OUT in kinds(context)
