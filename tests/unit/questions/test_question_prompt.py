"""What a chat model is told of the attributes that a question may be about, and how its answer is checked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import pytest

from graph_memory import Kind, Ref, Schema, attribute
from graph_memory.questions.attribute_matching import Lexicon, Topic, declared
from graph_memory.questions.llm_reading import UnusableReadingError, answer_model, messages, reading

NOW = datetime(2026, 6, 24, tzinfo=UTC)


class ReadTicket(Kind):
    """A request of a customer."""


class ReadAccount(Kind):
    """A customer's account."""

    tickets: list[Ref[ReadTicket]] = attribute("Tickets that the customer has opened")
    tier: Literal["gold", "silver"] = attribute("What the customer pays for")


LEXICON = declared(Schema("reading", version=1, kinds=[ReadTicket, ReadAccount]))


def test_an_attribute_is_shown_with_its_kind_its_values_and_the_kind_that_it_refers_to() -> None:
    [(_, system), _] = messages("Which tickets?", NOW, [], LEXICON)
    assert system.split("Attributes:\n")[1].split("\n") == [
        '- tickets: "Tickets that the customer has opened"; an attribute of a ReadAccount; '
        "its value refers to a ReadTicket",
        '- tier: "What the customer pays for"; an attribute of a ReadAccount; '
        'its value is one of ["gold", "silver"]',
    ]


def test_an_attribute_without_a_declaration_is_shown_by_its_name() -> None:
    [(_, system), _] = messages("Where?", NOW, [], Lexicon([Topic("home")]))
    assert system.endswith("Attributes:\n- home")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"subjects": ["nobody"]}, "the model named an unknown entity"),
        ({"value": "Paris"}, "the model named the value 'Paris', which is not in the question"),
        ({"attributes": ["tier"] * 2, "start": None, "end": "2026-01-01"}, "the end '2026-01-01' has no start"),
    ],
)
def test_a_reading_that_cannot_be_used_says_why(changed: dict[str, object], message: str) -> None:
    plain: dict[str, object] = {
        "subjects": [],
        "attributes": [],
        "value": None,
        "intent": "current",
        "start": None,
        "end": None,
    }
    answer = answer_model(LEXICON).model_validate(plain | changed)
    with pytest.raises(UnusableReadingError, match=message):
        reading(answer, "Which tier?", [], LEXICON)
