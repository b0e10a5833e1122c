"""Questions in words, asked of the demo's story and of samples of real data, without a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from asked import Question, answered, named, never, of_two, questions, since, who_has
from example_scripts import example
from ledgers import fresh_name
from servers import TestServer

from graph_memory import Fact, GraphMemory, Intent, Kind, Ref, Schema, Tenant
from graph_memory.cli.demo.story import ATTRIBUTE, SUBJECT, tell

pytestmark = pytest.mark.server

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


wikidata12k = example("wikidata12k")
replay_dialogues = example("replay_dialogues")


def wrong(tenant: Tenant, asked: Iterable[Question]) -> tuple[list[str], Counter[str]]:
    """Ask; return a line for each question not answered by exactly its facts, and how many there were."""
    found: list[str] = []
    counts: Counter[str] = Counter()
    for question in asked:
        context = tenant.context(question.text)
        counts[question.intent.value] += 1
        if context.routing.intent is not question.intent:
            found.append(f"{question.text}: taken for {context.routing.intent}")
        elif answered(context) != question.expected:
            found.append(f"{question.text}: {sorted(answered(context))} and not {sorted(question.expected)}")
        elif context.answered != bool(question.expected):
            found.append(f"{question.text}: answered {context.answered}")
    return found, counts


def answered_all_the_same(tenant: Tenant, asked: Iterable[Question]) -> list[str]:
    """Ask what nothing answers; return a line for each question that is answered."""
    found = []
    for question in asked:
        context = tenant.context(question.text)
        if context.answered:
            found.append(f"{question.text}: {sorted(answered(context))}")
    return found


def found_or_not(tenant: Tenant, asked: Iterable[Question]) -> Counter[str]:
    """Ask what may stay without an answer; return how many were found, not found, and answered otherwise."""
    counts: Counter[str] = Counter()
    for question in asked:
        context = tenant.context(question.text)
        right = answered(context) == question.expected
        counts["found" if right else "otherwise" if context.answered else "not found"] += 1
    return counts


def test_all_that_can_be_asked_of_the_story_is_answered_exactly(tenant: Tenant) -> None:
    list(tell(tenant))
    found, counts = wrong(tenant, questions(tenant, SUBJECT, ATTRIBUTE, "passport deadline", False))
    assert found == [], "\n".join(found[:30])
    assert counts == {"current": 1, "as_of": 7, "who_said": 3, "changed": 1, "replaced_by": 2, "replaced": 2}
    assert ATTRIBUTE


def test_all_that_can_be_asked_of_the_facts_of_wikidata_is_answered_exactly(server: TestServer) -> None:
    folder = DATA / "wikidata12k"
    rows, attributes = wikidata12k.read_rows(folder), wikidata12k.read_attributes(folder)
    good, _ = wikidata12k.usable(rows)
    exclusive = {attributes[key] for key in wikidata12k.EXCLUSIVE}
    many = [attribute for attribute in attributes.values() if attribute not in exclusive]
    with GraphMemory.open(server.uri, server.auth, many=many) as memory:
        tenant = memory.tenant(fresh_name())
        wikidata12k.record_episodes(tenant, rows)
        wikidata12k.assert_rows(tenant, good, attributes)
        pairs = sorted({(row.subject, attributes[row.property]) for row, *_ in good})
        asked = (
            question
            for subject, attribute in pairs
            for question in questions(
                tenant, subject, attribute, attribute.split("_", 1)[1].replace("_", " "), attribute in many
            )
        )
        found, counts = wrong(tenant, asked)
    print(dict(counts))
    assert found == [], "\n".join(found[:30])


def declared(attributes: Iterable[str], many: Iterable[str]) -> Schema:
    """Return a schema that declares attributes, all of them references."""
    target = type("AskedTarget", (Kind,), {"__doc__": "What facts refer to.", "__module__": __name__})
    fields = {name: list[Ref[target]] if name in many else Ref[target] for name in attributes}  # type: ignore[valid-type]
    body = {"__doc__": "What facts are about.", "__module__": __name__, "__annotations__": fields}
    return Schema("asked-wikidata", version=1, kinds=[type("AskedHolder", (Kind,), body), target])


def test_who_has_a_value_since_when_and_of_two_is_answered_exactly(server: TestServer) -> None:
    folder = DATA / "wikidata12k"
    rows, attributes = wikidata12k.read_rows(folder), wikidata12k.read_attributes(folder)
    good, _ = wikidata12k.usable(rows)
    exclusive = {attributes[key] for key in wikidata12k.EXCLUSIVE}
    many = [attribute for attribute in attributes.values() if attribute not in exclusive]
    by_attribute: dict[str, set[str]] = {}
    for row, *_ in good:
        by_attribute.setdefault(attributes[row.property], set()).add(row.subject)
    found: list[str] = []
    strange: list[str] = []
    counts: Counter[str] = Counter()
    now, of_none = datetime.now(UTC), 0
    with GraphMemory.open(server.uri, server.auth, schema=declared(attributes.values(), many)) as memory:
        tenant = memory.tenant(fresh_name())
        wikidata12k.record_episodes(tenant, rows)
        wikidata12k.assert_rows(tenant, good, attributes)
        for attribute, holders in sorted(by_attribute.items()):
            words, subjects = attribute.split("_", 1)[1].replace("_", " "), sorted(holders)
            facts = [fact for subject in subjects for fact in tenant.history(subject, attribute) if not fact.ended]
            runs = [run for subject in subjects for run in tenant.history(subject, attribute, coalesce=True)]
            values = sorted({fact.value.key for fact in facts if isinstance(fact.value, Ref)})
            asked = [question for value in values[::3] for question in who_has(facts, runs, value, words, now)]
            for subject in subjects[::2]:
                asked += since(tenant, subject, attribute, words, attribute in many)
            asked += of_two(tenant, subjects[:4], attribute, words, attribute in many)
            lines, some = wrong(tenant, asked)
            found, counts = found + lines, counts + some
            nothing = [q for one in subjects[:2] for q in never(tenant, one, attribute, words, facts[-3:])]
            strange, of_none = strange + answered_all_the_same(tenant, nothing), of_none + len(nothing)
    print(dict(counts), f"and {of_none} about values that were never there")
    assert found == [], "\n".join(found[:30])
    assert strange == [], "\n".join(strange[:30])
    assert of_none > 100


def test_all_that_can_be_asked_of_dialogues_is_answered_exactly(memory: GraphMemory) -> None:
    tenant = memory.tenant(fresh_name())
    subjects = set()
    for dialogue in replay_dialogues.read_dialogues(DATA / "sgd" / "dialogues_sample.json"):
        subjects |= {moment.subject for moment in replay_dialogues.replay(tenant, dialogue)}
    slots = {
        (subject, slot["name"])
        for service in json.loads((DATA / "sgd" / "schema.json").read_text())
        for slot in service["slots"]
        for subject in subjects
        if subject.endswith(f"/{service['service_name']}") and tenant.history(subject, slot["name"])
    }
    asked = (
        question
        for subject, attribute in sorted(slots)
        for question in questions(tenant, subject, attribute, attribute.replace("_", " "), False)
    )
    found, counts = wrong(tenant, asked)
    print(dict(counts))
    assert found == [], "\n".join(found[:30])
    others: dict[str, list[Fact]] = {}
    for subject, attribute in sorted(slots):
        others.setdefault(attribute, []).extend(f for f in tenant.history(subject, attribute) if not f.ended)
    strange = answered_all_the_same(
        tenant,
        (
            question
            for subject, attribute in sorted(slots)[::4]
            for question in never(tenant, subject, attribute, attribute.replace("_", " "), others[attribute][:6])
        ),
    )
    assert strange == [], "\n".join(strange[:30])
    asked_since = found_or_not(
        tenant,
        (
            question
            for subject, attribute in sorted(slots)
            for question in since(tenant, subject, attribute, attribute.replace("_", " "), False)
        ),
    )
    described = found_or_not(
        tenant,
        (
            Question(
                f"For {subject}, which is the {slot['description'].lower()}?",
                Intent.CURRENT,
                named([fact] if (fact := tenant.current(subject, slot["name"])) else []),
            )
            for service in json.loads((DATA / "sgd" / "schema.json").read_text())
            for slot in service["slots"]
            for subject in sorted(subjects)
            if (subject, slot["name"]) in slots and subject.endswith(f"/{service['service_name']}")
        ),
    )
    print("since when:", dict(asked_since), "by description:", dict(described))
    assert (asked_since["otherwise"], described["otherwise"]) == (0, 0)
