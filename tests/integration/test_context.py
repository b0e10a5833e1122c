"""From questions to contexts, on a memory with a schema: whom, what, when, and what is said without an answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import date

import pytest
from ledgers import fresh_name
from scripted_llm import ScriptedLLM, failing, good, scripted_llm, update
from servers import TestServer

from graph_memory import (
    AsyncGraphMemory,
    Context,
    GraphMemory,
    Intent,
    InvalidInputError,
    Kind,
    NoteKind,
    Ref,
    Role,
    Router,
    Schema,
    Tenant,
    attribute,
)

__all__ = ["scripted_llm"]
pytestmark = pytest.mark.server


class AskedFirm(Kind):
    """A company."""

    seat: str = attribute("The city it is in")


class AskedPerson(Kind):
    """Someone the assistant works for."""

    firm: Ref[AskedFirm] = attribute("The company they work for, their employer")
    renewal: date = attribute("When the passport must be renewed", sensitive=True)
    hobby: list[str] = attribute("What they like to do in their free time")
    flat: str = attribute("The address they live at")


SCHEMA = Schema("asked", version=1, kinds=[AskedPerson, AskedFirm], sources=["hr", "user"])


@pytest.fixture(scope="module")
def declared(server: TestServer) -> Iterator[GraphMemory]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA) as memory:
        yield memory


@pytest.fixture(scope="module")
def told(declared: GraphMemory) -> Tenant:
    """Ana worked at Globex, then at Initech; Rui is there too; she moved out; a renewal waits for her word."""
    tenant = declared.tenant(fresh_name())
    tell(tenant)
    return tenant


def tell(tenant: Tenant) -> None:
    tenant.record("Ana Silva joined Globex in January.", "e1", source="hr", occurred_at="2026-01-05")
    tenant.record("Ana is at Initech now, like Rui.", "e2", source="user", occurred_at="2026-06-02")
    tenant.record("Initech sits in Porto.", "e3", occurred_at="2026-03-01")
    tenant.record("Ana plays chess and has moved out of Rua Nova 1.", "e4", occurred_at="2026-07-01")
    tenant.record("Yes, Ana is at Initech.", "e5", source="hr", occurred_at="2026-08-01")
    tenant.name_entity("ana", "Ana Silva", aliases=["Ana"], kind="AskedPerson")
    tenant.name_entity("rui", "Rui", kind="AskedPerson")
    tenant.name_entity("initech", "Initech", kind="AskedFirm")
    tenant.assert_fact("ana", "firm", Ref("globex"), valid_from="2026-01-05", episode="e1", quote="joined Globex")
    tenant.assert_fact(
        "ana", "firm", Ref("initech"), valid_from="2026-06-01", episode="e2", quote="at Initech now"
    )
    tenant.assert_fact("rui", "firm", Ref("initech"), valid_from="2026-02-01", episode="e2")
    tenant.assert_fact("ana", "firm", Ref("initech"), valid_from="2026-06-01", episode="e5")
    tenant.assert_fact("initech", "seat", "Porto", valid_from="2020-01-01", episode="e3", quote="in Porto")
    tenant.assert_fact("ana", "flat", "Rua Nova 1", valid_from="2025-01-01", episode="e4")
    tenant.end_fact("ana", "flat", at="2026-06-15", episode="e4", quote="has moved out")
    tenant.assert_fact("rui", "flat", "Rua Nova 2", valid_from="2026-02-01", until="2026-03-01", episode="e4")
    tenant.assert_fact("ana", "hobby", "chess", valid_from="2026-01-01", episode="e4")
    tenant.assert_fact("ana", "hobby", "surfing", valid_from="2026-01-01", until="2026-05-01", episode="e4")


def answers(context: Context) -> list[str]:
    """The values that answer."""
    found = []
    for item in context.facts:
        if item.role is Role.ANSWER:
            value = item.fact.value
            found.append(value.key if isinstance(value, Ref) else str(value))
    return found


def kinds(context: Context) -> list[NoteKind]:
    return [note.kind for note in context.notes]


@pytest.mark.parametrize(
    ("question", "intent", "values"),
    [
        ("Where does Ana work?", Intent.CURRENT, ["initech"]),
        ("Who is Ana Silva's employer?", Intent.CURRENT, ["initech"]),
        ("Which company did Ana work for on 2026-03-01?", Intent.AS_OF, ["globex"]),
        ("Which company did Ana work for in June 2026?", Intent.AS_OF, ["initech"]),
        ("Which firm was Ana at between March 2026 and July 2026?", Intent.AS_OF, ["globex", "initech"]),
        ("Where did Ana work before?", Intent.REPLACED, ["globex"]),
        ("What is Ana's previous firm?", Intent.REPLACED, ["globex"]),
        ("Which firm did Ana's move to Initech replace?", Intent.REPLACED, ["globex"]),
        ("What replaced Globex as Ana's firm?", Intent.REPLACED_BY, ["initech"]),
        ("How has Ana's firm changed?", Intent.CHANGED, ["globex", "initech"]),
        ("Since when does Ana work at Initech?", Intent.SINCE, ["initech"]),
        ("When did Ana join Globex as her firm?", Intent.SINCE, ["globex"]),
        ("Who said that Ana's firm is Globex?", Intent.WHO_SAID, ["globex"]),
        ("What are Ana's hobbies?", Intent.CURRENT, ["chess"]),
        ("What was Ana's hobby in April 2026?", Intent.AS_OF, ["chess", "surfing"]),
        ("What was Ana's hobby between December 2025 and August 2026?", Intent.AS_OF, ["chess", "surfing"]),
        ("What was Ana's flat between 2024 and 2027?", Intent.AS_OF, ["Rua Nova 1", "None"]),
        ("What was Rui's flat between 2025 and 2027?", Intent.AS_OF, ["Rua Nova 2"]),
        ("Which hobbies has Ana ever had?", Intent.CHANGED, ["chess", "surfing"]),
        ("Who works at Initech, the company?", Intent.CURRENT, ["initech", "initech"]),
        ("In which city is Ana's firm?", Intent.CURRENT, ["initech"]),
        ("What is the seat of Ana's firm?", Intent.CURRENT, ["initech", "Porto"]),
        ("What is the hobby of Ana, and her firm?", Intent.CURRENT, ["initech", "chess"]),
    ],
)
def test_a_question_is_answered_by_exact_facts(
    told: Tenant, question: str, intent: Intent, values: list[str]
) -> None:
    context = told.context(question)
    assert (context.routing.intent, answers(context)) == (intent, values), context.trace
    assert context.answered
    assert context.evidence == ()


def test_what_the_answer_refers_to_is_related_where_the_question_has_words_for_it(told: Tenant) -> None:
    [seat] = told.context("In which city is Ana's firm?").related
    assert (seat.fact.subject, seat.fact.value) == ("initech", "Porto")
    assert told.context("What is Ana's firm?").related == ()


def test_who_said_so_has_those_that_confirmed_it_too(told: Tenant) -> None:
    [fact] = told.context("Who said that Ana is at Initech, her firm?").facts
    assert [(c.episode_id, c.source, c.quote) for c in fact.citations] == [
        ("e2", "user", "at Initech now"),
        ("e5", "hr", None),
    ]
    [fact] = told.context("What is Ana's firm?").facts
    assert [c.episode_id for c in fact.citations] == ["e2"]


def test_what_ended_is_an_answer_that_says_so(told: Tenant) -> None:
    context = told.context("What is Ana's flat?")
    assert context.answered
    assert context.facts[0].fact.ended
    [note] = context.notes
    assert (note.kind, note.episode_id) == (NoteKind.ENDED, "e4")
    assert "ended at 2026-06-15" in context.render()
    assert answers(told.context("What was Ana's flat on 2026-06-14?")) == ["Rua Nova 1"]


def test_a_value_that_begins_later_is_told(told: Tenant) -> None:
    context = told.context("Who was Rui's firm in 2025?")
    assert not context.answered
    assert kinds(context) == [NoteKind.BEGINS]
    assert "begins at 2026-02-01" in context.render()


def test_a_value_that_ran_out_is_told(told: Tenant) -> None:
    context = told.context("Where does Rui live?")
    assert (context.answered, kinds(context)) == (False, [NoteKind.ENDED])
    assert "the last value held until 2026-03-01" in context.render()


def test_where_nothing_is_known_that_is_said_and_related_facts_and_evidence_follow(told: Tenant) -> None:
    context = told.context("When must Rui renew the passport?")
    assert (context.answered, context.facts, kinds(context)) == (False, (), [NoteKind.NOTHING_KNOWN])
    assert "firm" in [item.fact.attribute for item in context.related]
    assert [step.step for step in context.trace if step.step == "evidence"] == ["evidence"]
    assert "nothing is known of renewal of rui now" in context.render()


def test_a_value_that_is_named_and_holds_no_longer_is_shown_with_its_time(told: Tenant) -> None:
    context = told.context("Does Ana still work at Globex, her firm?", subject="ana")
    assert answers(context) == ["initech"]
    [past] = context.related
    assert (past.fact.value, past.role) == (Ref("globex"), Role.RELATED)
    assert "until 2026-06-01" in context.render()


def test_a_stale_episode_leads_to_what_is_so(told: Tenant) -> None:
    context = told.context("Tell me who joined.")
    assert not context.answered
    assert any(item.fact.value == Ref("initech") for item in context.related)
    [stale] = [item for item in context.evidence if item.episode.id == "e1"]
    assert [supported.holds for supported in stale.facts] == [False]
    assert "superseded on ana firm" in context.render()


def test_what_waits_for_review_is_told(
    declared: GraphMemory, server: TestServer, scripted_llm: ScriptedLLM
) -> None:
    name = fresh_name()
    model = scripted_llm.chat_model()
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=model) as memory:
        tenant = memory.tenant(name)
        tenant.name_entity("ana", "Ana", kind="AskedPerson")
        scripted_llm.script(good(update("renewal", "2026-07-15", evidence="by 2026-07-15", subject="ana")))
        tenant.remember("Ana must renew her passport by 2026-07-15.", "e1")
    context = declared.tenant(name).context("When must Ana renew her passport?")
    assert not context.answered
    [waiting] = declared.tenant(name).review()
    notes = {note.kind: note for note in context.notes}
    assert notes[NoteKind.UNDER_REVIEW].candidates == (waiting.id,)
    assert "under review" in context.render()
    before = declared.tenant(name).context("When must Ana renew her passport?", known_at="2020-01-01")
    assert NoteKind.UNDER_REVIEW not in kinds(before)


def test_one_name_for_two_is_told_and_decided_by_nobody(declared: GraphMemory) -> None:
    tenant = declared.tenant(fresh_name())
    tenant.record("Two of them.", "e1")
    for key in ("sam-1", "sam-2"):
        tenant.name_entity(key, "Sam", kind="AskedPerson")
        tenant.assert_fact(key, "flat", f"Home of {key}", valid_from="2026-01-01", episode="e1")
    context = tenant.context("What is Sam's flat?")
    assert answers(context) == ["Home of sam-1", "Home of sam-2"]
    assert kinds(context) == [NoteKind.AMBIGUOUS]


def test_what_changed_of_a_subject_is_told_in_the_order_of_time(told: Tenant) -> None:
    context = told.context("What changed for Ana since 2026-05-15?")
    assert context.routing.intent is Intent.CHANGED
    assert [(item.fact.attribute, item.role) for item in context.facts if item.role is Role.ANSWER] == [
        ("firm", Role.ANSWER),
        ("flat", Role.ANSWER),
    ]
    assert {item.fact.attribute for item in context.facts if item.role is Role.BEFORE} == {"firm", "flat"}
    early = told.context("How has Ana's firm changed?", at="2026-02-01")
    assert answers(early) == ["globex"]


def test_an_entity_that_was_merged_is_asked_for_as_the_one_that_was_kept(declared: GraphMemory) -> None:
    tenant = declared.tenant(fresh_name())
    tenant.record("One and the same.", "e1")
    tenant.name_entity("ana", "Ana", kind="AskedPerson")
    tenant.assert_fact("ana-s", "flat", "Rua Nova 1", valid_from="2026-01-01", episode="e1")
    tenant.merge_entities("ana", "ana-s", episode="e1")
    for question, subject in (("What is the flat of ana-s?", None), ("What is my flat?", "ana-s")):
        context = tenant.context(question, subject=subject)
        assert (context.routing.subjects, answers(context)) == (("ana",), ["Rua Nova 1"])


def test_more_facts_than_a_context_holds_are_counted(declared: GraphMemory) -> None:
    tenant = declared.tenant(fresh_name())
    tenant.record("Many.", "e1")
    rows = [
        {
            "subject": "ana",
            "attribute": "hobby",
            "value": f"hobby {n}",
            "valid_from": "2026-01-01",
            "episode": "e1",
        }
        for n in range(60)
    ]
    tenant.assert_facts(rows)
    context = tenant.context("What are the hobbies?", subject="ana")
    assert len(context.facts) == 50
    assert "60 facts answer" in context.notes[0].text


def test_the_caller_decides_subject_attribute_and_time(told: Tenant) -> None:
    assert answers(told.context("And there?", subject="ana", attribute="firm")) == ["initech"]
    assert answers(told.context("And then?", subject="ana", attribute="firm", at="2026-02-01")) == ["globex"]
    assert answers(told.context("Ana's firm last June?", at="2026-02-01")) == ["globex"]
    assert answers(told.context("Ana's firm two months ago?", now="2026-07-15")) == ["globex"]
    assert answers(told.context("Ana's firm two months ago?", now="2026-11-15")) == ["initech"]


def test_what_was_known_then_does_not_know_what_came_later(told: Tenant) -> None:
    first = told.current("rui", "firm")
    assert first is not None
    context = told.context("What is Rui's firm?", known_at="2020-01-01")
    assert (context.answered, context.facts, context.evidence) == (False, (), ())
    believed = told.context("What did we believe Rui's firm was on 2026-03-01?")
    assert believed.routing.known_at is not None
    assert not believed.answered
    assert told.context("What is Rui's firm?", known_at=first.recorded_at).answered


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": ""},
        {"question": " "},
        {"question": 3},
        {"question": "x" * 100_001},
        {"question": "\ud800"},
        {"question": "Ana?", "attribute": "salary"},
        {"question": "Ana?", "subject": ""},
        {"question": "Ana?", "token_budget": 49},
        {"question": "Ana?", "at": "yesterday"},
        {"question": "Ana?", "router": "oracle"},
    ],
)
def test_what_cannot_be_asked_is_refused(told: Tenant, arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        told.context(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        "?!",
        "🙂",
        "a" * 300,
        "AND OR NOT ( [ { \" ' \\ / ^ ~ * ?",
        "Ana's firm " * 5000,
        "何?",
        "2026-99-99",
        "\x00\n\t",
    ],
)
def test_any_text_can_be_asked(told: Tenant, question: str) -> None:
    assert told.context(question).question == question


@pytest.mark.parametrize("budget", [50, 80, 120, 200, 100_000])
def test_the_rendered_context_keeps_to_the_budget(told: Tenant, budget: int) -> None:
    context = told.context("Tell me about Ana.", token_budget=budget)
    assert context.tokens <= budget
    assert len(context.facts) == 2
    assert (NoteKind.LEFT_OUT in kinds(context)) == (budget == 50)
    words = told.context("Tell me about Ana.", token_budget=60, tokens=lambda text: len(text.split()))
    assert words.tokens == len(words.render().split()) <= 60


def test_each_line_has_its_fact_its_episode_its_time_and_its_words(told: Tenant) -> None:
    context = told.context("What was Ana's firm on 2026-03-01?")
    [fact] = context.facts
    assert context.render() == (
        "Answer:\n- ana (Ana Silva) firm = globex | from 2026-01-05 until 2026-06-01 | "
        f'hr, episode e1 "joined Globex" [fact {fact.fact.id[:8]}]'
    )
    [citation] = context.citations
    assert (citation.fact_id, citation.episode_id, citation.quote) == (fact.fact.id, "e1", "joined Globex")


# With a model


def reading(**fields: object) -> str:
    """What a model answers."""
    whole = {
        "subjects": ["ana"],
        "attributes": ["firm"],
        "value": None,
        "intent": "current",
        "start": None,
        "end": None,
    }
    return json.dumps(whole | fields)


@pytest.fixture
def asking(server: TestServer, told: Tenant, scripted_llm: ScriptedLLM) -> Iterator[Tenant]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=scripted_llm.chat_model()) as memory:
        yield memory.tenant(told.name)


def test_a_model_reads_what_the_rules_do_not(asking: Tenant, scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script(reading(intent="as_of", start="2026-03-01", end="2026-04-01"))
    context = asking.context("Who signed Ana's pay slips when spring began?")
    assert (context.routing.by, answers(context)) == (Router.MODEL, ["globex"])
    [request] = scripted_llm.requests
    assert request.json_schema["properties"]["attributes"]["items"]["enum"] == [
        "firm",
        "flat",
        "hobby",
        "renewal",
        "seat",
    ]
    assert request.json_schema["additionalProperties"] is False


def test_a_model_makes_of_an_attribute_that_is_not_listed_no_question_for_all(
    asking: Tenant, scripted_llm: ScriptedLLM
) -> None:
    scripted_llm.script(reading(attributes=[]))
    unlisted = asking.context("What is Ana's shoe size?")
    assert (unlisted.routing.by, unlisted.answered) == (Router.MODEL, False)
    assert kinds(unlisted) == [NoteKind.NOT_UNDERSTOOD]
    scripted_llm.script(reading(attributes=[]))
    assert asking.context("What do you know about Ana?").answered


def test_a_model_tells_which_words_are_a_value(asking: Tenant, scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script(reading(intent="since"))
    assert answers(asking.context("Seit wann arbeitet Ana da?")) == ["initech"]
    scripted_llm.script(reading(intent="since", value="Umbrella"))
    never = asking.context("Seit wann arbeitet Ana bei Umbrella?")
    assert (never.routing.by, never.answered, kinds(never)) == (Router.MODEL, False, [NoteKind.NOTHING_KNOWN])
    scripted_llm.script(reading(intent="since", value="Umbrella"))
    assert asking.context("Seit wann arbeitet Ana da?").routing.by is Router.RULES


def test_a_model_never_overrules_a_date_that_stands_in_the_question(
    asking: Tenant, scripted_llm: ScriptedLLM
) -> None:
    scripted_llm.script(reading(intent="current"))
    assert answers(asking.context("Where was Ana paid on 2026-03-01?")) == ["globex"]


@pytest.mark.parametrize(
    "answer",
    [
        reading(subjects=["nobody"]),
        reading(attributes=["salary"]),
        reading(start="soon"),
        reading(start="2026-06-01", end="2026-05-01"),
        reading(subjects=["ana"] * 2 + ["initech", "rui", "globex"]),
        "{}",
        "no JSON",
        failing(500),
        failing(401),
    ],
)
def test_where_the_model_fails_the_rules_decide(asking: Tenant, scripted_llm: ScriptedLLM, answer: object) -> None:
    scripted_llm.script(answer)  # type: ignore[arg-type]
    context = asking.context("Where does Ana work, with Rui, at Initech?", subject=None)
    assert context.routing.by is Router.RULES
    assert any("model" in step.found for step in context.trace)
    assert len(scripted_llm.requests) == 1


def test_the_model_is_not_asked_what_the_caller_has_decided(asking: Tenant, scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script(reading())
    assert answers(asking.context("So?", subject="ana", attribute="firm")) == ["initech"]
    assert answers(asking.context("Where does Ana work?", router="rules")) == ["initech"]
    assert scripted_llm.requests == []


def test_without_a_model_to_ask_for_it_is_an_error(told: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_MODEL", raising=False)
    with pytest.raises(InvalidInputError, match="no language model"):
        told.context("Where does Ana work?", router="model")


def test_the_asynchronous_twin_answers_alike(server: TestServer, told: Tenant, scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script(reading(intent="replaced"))

    async def ask() -> list[Context]:
        model = scripted_llm.chat_model()
        async with await AsyncGraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=model) as memory:
            tenant = memory.tenant(told.name)
            return [
                await tenant.context("Where does Ana work?", router="rules"),
                await tenant.context("And what did she do earlier on, Ana?"),
            ]

    by_rules, by_model = asyncio.run(ask())
    assert by_rules == told.context("Where does Ana work?")
    assert (by_model.routing.by, answers(by_model)) == (Router.MODEL, ["globex"])


def test_a_time_that_a_question_names_hides_nothing_that_was_said_later(tenant: Tenant) -> None:
    tenant.record("James went to Kenya in 2021.", id="later", occurred_at="2024-05-01T00:00:00Z")
    context = tenant.context("Which country did James visit in 2021?", router="rules")
    assert [found.episode.id for found in context.evidence] == ["later"]
    before = tenant.context("Which country did James visit in 2021?", router="rules", now="2023-01-01T00:00:00Z")
    assert before.evidence == ()


def test_the_budget_decides_how_many_episodes_are_shown(tenant: Tenant) -> None:
    tenant.record_episodes({"text": f"The heron was seen at place {n}.", "id": f"e{n:02}"} for n in range(40))
    wide = tenant.context("Where was the heron?", router="rules", token_budget=10_000)
    assert len(wide.evidence) == 40
    narrow = tenant.context("Where was the heron?", router="rules", token_budget=400)
    assert 5 < len(narrow.evidence) < 40
    assert [found.episode.id for found in narrow.evidence] == [f.episode.id for f in wide.evidence][
        : len(narrow.evidence)
    ]
    assert NoteKind.LEFT_OUT in kinds(narrow)


def test_before_the_first_day_nothing_answers(tenant: Tenant) -> None:
    tenant.record("Ana has always lived in Rome.", id="e1")
    tenant.assert_fact("ana", "city", "Rome", valid_from="0001-01-01", episode="e1")
    assert tenant.context("What was Ana's city on 0001-01-01?", router="rules").answered
    assert not tenant.context("What was Ana's city before 0001-01-01?", router="rules").answered
    assert tenant.context("What is Ana's city on 9999-12-31?", router="rules").answered
