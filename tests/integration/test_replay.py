"""Dialogues through the whole write path, of which a scripted model reads what the annotation says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dialogues import DATA, generated, replay, replay_dialogues
from ledgers import fresh_name
from scripted_llm import ScriptedLLM
from servers import TestServer

from graph_memory import GraphMemory

pytestmark = pytest.mark.server

DIALOGUES = replay_dialogues.read_dialogues(DATA / "dialogues_sample.json")
SCHEMA = generated(DATA / "schema.json")


@pytest.fixture(scope="module")
def llm() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as server:
        yield server


@pytest.fixture(scope="module")
def assistant(server: TestServer, llm: ScriptedLLM) -> Iterator[GraphMemory]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=llm.chat_model()) as memory:
        yield memory


def test_services_become_kinds_and_slots_attributes_with_their_choices() -> None:
    assert list(SCHEMA.kinds) == ["Flights3", "Restaurants2"]
    assert SCHEMA.attribute("price_range").choices == ("cheap", "moderate", "pricey", "ultra high-end", "dontcare")
    assert SCHEMA.attribute("restaurant_name").choices == ()
    assert SCHEMA.attribute("restaurant_name").kinds == ("Restaurants2",)


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: str(dialogue["dialogue_id"]))
def test_a_dialogue_that_is_remembered_gives_the_states_of_one_that_is_asserted(
    assistant: GraphMemory, llm: ScriptedLLM, dialogue: dict[str, object]
) -> None:
    remembered, asserted = assistant.tenant(fresh_name()), assistant.tenant(fresh_name())
    moments = list(replay(remembered, llm, dialogue))
    assert moments == list(replay_dialogues.replay(asserted, dialogue))
    assert replay_dialogues.differences(remembered, moments) == []
    subjects = {moment.subject for moment in moments}
    slots = {(moment.subject, slot) for moment in moments for slot in moment.expected}
    assert slots
    for subject, slot in slots:
        histories = [
            [
                (fact.value, fact.valid_from, fact.valid_to, fact.episode_id)
                for fact in tenant.history(subject, slot)
            ]
            for tenant in (remembered, asserted)
        ]
        assert histories[0] == histories[1]
    kinds = {remembered.entity(subject).kinds for subject in subjects}
    assert kinds <= {(kind,) for kind in SCHEMA.kinds}
    assert remembered.review() == []
