# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Asks the chat model for the updates in an episode, and asks again where that may help."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from graph_memory.errors import ExtractionError, InvalidInputError, brief
from graph_memory.extraction.prompts import ExtractionRequest, messages
from graph_memory.extraction.proposals import Malformed, Proposal, proposals, update_model
from graph_memory.providers.chat import default_chat_model, parsed, structured
from graph_memory.providers.failures import Failure, failure_of, refuses_bounds
from graph_memory.schema.schema import Schema

Messages = list[tuple[str, str]]

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
_AGAIN = "Your last answer was cut off or did not have the requested form. Answer again in that form, and shorter."


class Extractor:
    """A chat model that proposes updates for episodes.

    Args:
        schema: declares the attributes.
        llm: a LangChain chat model; it is used as it is and never closed. None: `default_chat_model`, when needed.
        attempts: the most calls for one passage, at least 1.
        timeout: seconds after which it is not called again. The time for one answer is a setting of the model.

    Raises:
        InvalidInputError: `attempts` is below 1, or `timeout` is not above 0.
    """

    def __init__(self, schema: Schema, llm: Any = None, *, attempts: int = 4, timeout: float = 180.0) -> None:
        if attempts < 1 or timeout <= 0:
            raise InvalidInputError(f"attempts {attempts} must be at least 1, and timeout {timeout} above 0")
        self._schema = schema
        self._llm = llm
        self._attempts = attempts
        self._timeout = timeout
        self._bounds = True
        self._asked: dict[bool, tuple[type[BaseModel], Any]] = {}

    def require_model(self) -> None:
        """Raise InvalidInputError where there is no model to ask, or it gives no structured output."""
        self._runnable(self._bounds)

    def extract(self, passage: ExtractionRequest) -> list[Proposal | Malformed]:
        """Return the proposals of the model for a passage; only their shape has been checked.

        Passing failures are tried again, after a growing pause or the pause that the provider asks for: rate
        limits, time-outs, failures of provider or network, answers that are cut off or have another shape.

        Raises:
            ExtractionError: no usable answer came (its cause is the last exception), or the text is too long.
            InvalidInputError: there is no model, it gives no structured output, or the schema is too large for a
                prompt.
        """
        asked = request = messages(self._schema, passage)
        self.require_model()
        began = time.monotonic()
        for attempt in range(1, self._attempts + 1):
            try:
                answer = self._answer(request)
            except Exception as error:
                failure = failure_of(error, datetime.now(UTC))
                pause = _pause(failure, attempt)
                late = time.monotonic() - began + pause > self._timeout
                if not failure.passing or late or attempt == self._attempts:
                    raise _extraction_error(passage, failure, attempt) from error
                if failure.unusable:
                    request = _asked_again(asked)
            else:
                return proposals(answer)
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _answer(self, request: Messages) -> BaseModel:
        """Ask once. If the provider refuses bounds in a JSON Schema, ask without them from then on."""
        if self._bounds:
            try:
                return self._answer_within(request, True)
            except Exception as error:
                if not refuses_bounds(error):
                    raise
        answer = self._answer_within(request, False)
        self._bounds = False
        return answer

    def _answer_within(self, request: Messages, bounds: bool) -> BaseModel:
        model, runnable = self._runnable(bounds)
        return parsed(model, runnable.invoke(request))

    def _runnable(self, bounds: bool) -> tuple[type[BaseModel], Any]:
        if self._llm is None:
            self._llm = default_chat_model()
        if bounds not in self._asked:
            model = update_model(self._schema, bounds=bounds)
            self._asked[bounds] = model, structured(self._llm, model)
        return self._asked[bounds]


def _pause(failure: Failure, attempt: int) -> float:
    """Return the seconds to wait: the provider's, else doubled each time; random, so that callers spread out."""
    if failure.wait is not None:
        return failure.wait + random.uniform(0, FIRST_PAUSE)
    return random.uniform(0.5, 1) * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (attempt - 1))


def _asked_again(asked: Messages) -> Messages:
    """Return the request with a sentence about the unusable answer, since the same request may fail the same way.

    It does not tell what was wrong: that may quote the answer, and the answer may quote orders in the text.
    """
    role, text = asked[-1]
    return [*asked[:-1], (role, f"{text}\n\n{_AGAIN}")]


def _extraction_error(passage: ExtractionRequest, failure: Failure, attempts: int) -> ExtractionError:
    episode = brief(passage.episode.id)
    tried = "" if attempts == 1 else f" after {attempts} attempts"
    wait = "" if failure.wait is None else f"; the provider asks to wait {failure.wait:.0f} s"
    message = f"episode {episode} could not be extracted{tried}: {failure.reason}{wait}"
    return ExtractionError(message, passing=not failure.final)
