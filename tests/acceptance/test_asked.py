"""Questions in words, asked of the demo's story and of samples of real data, without a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from asked import Question, answered, questions
from example_scripts import example
from ledgers import fresh_name
from servers import TestServer

from graph_memory import GraphMemory, Tenant
from graph_memory.cli.demo_story import ATTRIBUTE, SUBJECT, tell

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
