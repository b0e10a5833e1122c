"""The chat model where none is given, and how any of them is asked for a typed answer."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from graph_memory.errors import InvalidInputError
from graph_memory.providers.chat import UnusableAnswerError, default_chat_model, parsed, structured


class Answer(BaseModel):
    city: str


class Model:
    """A chat model that takes one set of options."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def with_structured_output(self, answer: type[BaseModel], **options: Any) -> dict[str, Any]:
        if options != self.options:
            raise TypeError("not these")
        return options


@pytest.mark.parametrize(
    "options",
    [{"method": "json_schema", "strict": True, "include_raw": True}, {"include_raw": True}, {}],
)
def test_a_model_is_held_to_the_schema_as_far_as_it_can_be(options: dict[str, Any]) -> None:
    assert structured(Model(**options), Answer) == options


@pytest.mark.parametrize("model", [Model(method="xml"), object()])
def test_a_model_without_structured_output_is_refused(model: Any) -> None:
    with pytest.raises(InvalidInputError, match="with_structured_output"):
        structured(model, Answer)


def test_an_answer_is_taken_from_whatever_langchain_returns() -> None:
    right = Answer(city="Bern")
    assert parsed(Answer, right) == right
    assert parsed(Answer, {"city": "Bern"}) == right
    assert parsed(Answer, {"raw": None, "parsed": right, "parsing_error": None}) == right


def test_what_is_no_answer_says_why() -> None:
    with pytest.raises(UnusableAnswerError, match="cut off"):
        parsed(Answer, {"raw": None, "parsed": None, "parsing_error": ValueError("cut off")})
    with pytest.raises(ValidationError):
        parsed(Answer, {"town": "Bern"})


def test_no_model_is_made_where_the_environment_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_MODEL", raising=False)
    with pytest.raises(InvalidInputError, match="GRAPH_MEMORY_MODEL"):
        default_chat_model()


def test_a_model_at_openai_needs_a_key_and_one_elsewhere_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langchain_openai")
    monkeypatch.setenv("GRAPH_MEMORY_MODEL", "small")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InvalidInputError, match="OPENAI_API_KEY"):
        default_chat_model()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert default_chat_model().temperature == 0
