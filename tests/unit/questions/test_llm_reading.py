"""What a language model is told of a question, and how its answer is checked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from worded import ENTITIES, LEXICON, NOW

from graph_memory.domain.instants import parse_instant
from graph_memory.questions.llm_reading import (
    MAX_CHOSEN,
    Reading,
    UnusableReadingError,
    answer_model,
    messages,
    reading,
)
from graph_memory.questions.records import Intent
from graph_memory.questions.time_expressions import Period

QUESTION = "Where did ben work in Lima in June?"
ANSWER: dict[str, Any] = {
    "subjects": ["ben"],
    "attributes": ["employer"],
    "value": None,
    "intent": "current",
    "start": None,
    "end": None,
}


def answer(**changed: Any) -> BaseModel:
    return answer_model(LEXICON).model_validate(ANSWER | changed)


def read(**changed: Any) -> Reading:
    return reading(answer(**changed), QUESTION, ENTITIES.values(), LEXICON)


def test_the_prompt_holds_entities_attributes_and_time_and_the_question_as_json() -> None:
    (_, rules), (_, request) = messages('Say "hi"\nto ben', NOW, list(ENTITIES.values()), LEXICON)
    assert "- employer:" in rules
    assert '"key": "globex"' in request
    assert "2026-08-01T00:00:00Z" in request
    assert json.dumps('Say "hi"\nto ben') in request


def test_a_reading_that_names_only_what_there_is_is_taken() -> None:
    assert read() == Reading(("ben",), ("employer",), None, None)
    found = read(intent="since", value="Lima", start="2026-06-01", end="2026-07-01")
    assert (found.intent, found.value) == (Intent.SINCE, "Lima")
    assert found.window == Period(parse_instant("2026-06-01"), parse_instant("2026-07-01"))


@pytest.mark.parametrize(
    "changed",
    [
        {"subjects": ["zoe"]},
        {"subjects": ["ana", "ben", "ana-2", "globex"]},
        {"value": "Paris"},
        {"start": "2026-02-30"},
        {"start": "2026-07-01", "end": "2026-06-01"},
    ],
)
def test_a_reading_that_names_what_there_is_not_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(UnusableReadingError):
        read(**changed)


def test_an_attribute_is_one_of_a_closed_set() -> None:
    with pytest.raises(ValidationError):
        answer(attributes=["salary"])


def test_the_json_schema_is_closed_and_bounded_unless_a_provider_refuses_that() -> None:
    bounded = answer_model(LEXICON).model_json_schema()
    assert bounded["additionalProperties"] is False
    assert set(bounded["required"]) == set(ANSWER)
    assert bounded["properties"]["subjects"]["maxItems"] == MAX_CHOSEN
    assert "maxItems" not in answer_model(LEXICON, bounds=False).model_json_schema()["properties"]["subjects"]
