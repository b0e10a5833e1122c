"""Questions that describe an attribute and do not name it, on dialogues: answered right, or not at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from dialogues import DATA, generated, kind_of, replay_dialogues
from ledgers import fresh_name
from servers import TestServer

from graph_memory import Context, Fact, GraphMemory, Role, Tenant

pytestmark = pytest.mark.server

# As people ask, in words of their own: none of these has the name of its slot.
ASKED = {
    "party_size": "How many guests come?",
    "number_of_seats": "How many people is the reservation for?",
    "restaurant_name": "At what restaurant do they eat?",
    "location": "Which city is it in?",
    "time": "At what hour was it reserved?",
    "date": "On which day is it?",
    "cuisine": "What kind of food do they serve?",
    "category": "What type of food do they serve?",
    "price_range": "How expensive is it?",
    "has_live_music": "Do they play live concerts?",
    "serves_alcohol": "Can one drink alcoholic beverages there?",
}


def test_what_is_described_is_answered_right_or_left_open(server: TestServer) -> None:
    outcomes: Counter[str] = Counter()
    with GraphMemory.open(server.uri, server.auth, schema=generated(DATA / "schema.json")) as memory:
        tenant = memory.tenant(fresh_name())
        for question, subject, fact in asked(tenant):
            context = tenant.context(question, subject=subject, router="rules")
            outcomes[outcome(context, fact)] += 1
    # Of those in words of the schema all; of those in words of their own, those that have a rare word of it.
    assert outcomes == {"answered": 18, "beside": 8}


def asked(tenant: Tenant) -> Iterator[tuple[str, str, Fact]]:
    """Yield questions, the subject of each, and the fact that answers it."""
    subjects = set()
    for dialogue in replay_dialogues.read_dialogues(DATA / "dialogues_sample.json"):
        subjects |= {moment.subject for moment in replay_dialogues.replay(tenant, dialogue)}
    for service in json.loads((DATA / "schema.json").read_text()):
        for subject in sorted(s for s in subjects if s.endswith(service["service_name"])):
            tenant.name_entity(subject, kind=kind_of(service["service_name"]))
            for slot in service["slots"]:
                fact = tenant.current(subject, slot["name"])
                if fact is not None and not fact.ended:
                    yield f"What is the {slot['description'].lower()}?", subject, fact
                    if slot["name"] in ASKED:
                        yield ASKED[slot["name"]], subject, fact


def outcome(context: Context, fact: Fact) -> str:
    """Return whether a fact is the answer, stands beside it or is missing, or another one is the answer."""
    answers = {item.fact.id for item in context.facts if item.role is Role.ANSWER}
    if answers:
        return "answered" if answers == {fact.id} else "wrong"
    return "beside" if fact.id in {item.fact.id for item in context.related} else "missing"
