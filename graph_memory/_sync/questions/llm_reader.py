# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Asking a chat model once what a question is about; where that fails, the rules decide."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from graph_memory.providers.chat import default_chat_model, parsed, structured
from graph_memory.providers.failures import failure_of, refuses_bounds
from graph_memory.questions.llm_reading import Reading, UnusableReadingError, answer_model, messages, reading
from graph_memory.questions.subjects import Words


class QuestionReader:
    """A chat model that reads questions.

    Args:
        llm: a LangChain chat model; it is used as it is and never closed. None: the one that GRAPH_MEMORY_MODEL
            names, where it is set.
    """

    def __init__(self, llm: Any = None) -> None:
        self._llm = llm
        self._bounds = True

    @property
    def is_set(self) -> bool:
        """Whether there is a model to ask."""
        return self._llm is not None or bool(os.environ.get("GRAPH_MEMORY_MODEL"))

    def read(self, words: Words, now: datetime) -> Reading:
        """Return how the model reads a question.

        Raises:
            UnusableReadingError: it gave none that can be used; the message says why.
            InvalidInputError: there is no model, or it gives no structured output.
        """
        if self._llm is None:
            self._llm = default_chat_model()
        entities = list(words.entities.values())
        request = messages(words.text, now, entities, words.lexicon)
        try:
            answer = self._answer(request, words)
        except UnusableReadingError:
            raise
        except Exception as error:
            raise UnusableReadingError(failure_of(error, datetime.now(UTC)).reason) from error
        return reading(answer, words.text, entities, words.lexicon)

    def _answer(self, request: list[tuple[str, str]], words: Words) -> BaseModel:
        """Ask once; of a provider that refuses bounds in a JSON Schema, without them from then on."""
        if self._bounds:
            try:
                return self._answer_within(request, words, True)
            except Exception as error:
                if not refuses_bounds(error):
                    raise
                self._bounds = False
        return self._answer_within(request, words, False)

    def _answer_within(self, request: list[tuple[str, str]], words: Words, bounds: bool) -> BaseModel:
        model = answer_model(words.lexicon, bounds=bounds)
        return parsed(model, structured(self._llm, model).invoke(request))
