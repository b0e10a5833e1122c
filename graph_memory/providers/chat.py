"""LangChain chat models: the model that the environment names, and requests for typed answers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from graph_memory.errors import InvalidInputError, brief

REQUEST_TIMEOUT = 60.0
_Answer = TypeVar("_Answer", bound=BaseModel)

# The options of with_structured_output, tried in this order: a strict JSON Schema first, then the model's default.
_WAYS: tuple[Mapping[str, Any], ...] = (
    {"method": "json_schema", "strict": True, "include_raw": True},
    {"include_raw": True},
    {},
)


class UnusableAnswerError(Exception):
    """A model's answer does not have the requested shape."""


def default_chat_model() -> Any:
    """Return the chat model that GRAPH_MEMORY_MODEL names, from an OpenAI-compatible provider.

    OPENAI_BASE_URL is the provider's address (unset: OpenAI), and OPENAI_API_KEY the key. The model answers at
    temperature 0, times out after REQUEST_TIMEOUT seconds, and does not retry by itself.

    Raises:
        InvalidInputError: no model is named, it has no key, or the extra `openai` is not installed.
    """
    name = os.environ.get("GRAPH_MEMORY_MODEL")
    if not name:
        raise InvalidInputError(
            "no language model is given: pass llm= with a LangChain chat model, or set GRAPH_MEMORY_MODEL to the "
            "name of a model (and OPENAI_API_KEY, and for another provider than OpenAI also OPENAI_BASE_URL)"
        )
    try:
        from langchain_openai import ChatOpenAI
    except ImportError:
        raise InvalidInputError(
            f"the model {brief(name)} of GRAPH_MEMORY_MODEL needs the extra 'openai': "
            'run pip install "graph-memory[openai]", or pass llm= with another LangChain chat model'
        ) from None
    url, key = os.environ.get("OPENAI_BASE_URL") or None, os.environ.get("OPENAI_API_KEY") or None
    if key is None and url is None:
        raise InvalidInputError(
            f"the model {brief(name)} of GRAPH_MEMORY_MODEL runs at OpenAI, and there is no key: set "
            "OPENAI_API_KEY, or OPENAI_BASE_URL where the model runs elsewhere"
        )
    # A local server mostly needs no key, but the client does not start without one.
    options: dict[str, Any] = {"model": name, "base_url": url, "api_key": key or "none"}
    return ChatOpenAI(**options, temperature=0, timeout=REQUEST_TIMEOUT, max_retries=0)


def structured(llm: Any, answer: type[BaseModel]) -> Any:
    """Return a runnable that asks a chat model for an instance of `answer`; `parsed` reads its result.

    Raises:
        InvalidInputError: the model cannot give structured output.
    """
    reason: Exception | None = None
    for options in _WAYS:
        try:
            return llm.with_structured_output(answer, **options)
        except (AttributeError, TypeError, ValueError, NotImplementedError) as error:
            reason = error
    raise InvalidInputError(
        f"llm {brief(type(llm).__name__)} gives no structured output: pass a LangChain chat model that has "
        "with_structured_output"
    ) from reason


def parsed(answer: type[_Answer], returned: Any) -> _Answer:
    """Return the instance of `answer` from the result of a runnable of `structured`.

    Raises:
        ValidationError: the result is not a valid `answer`.
        UnusableAnswerError: LangChain could not parse the answer, or the model refused; the cause says why.
    """
    if isinstance(returned, Mapping) and "parsing_error" in returned:
        if returned["parsing_error"] is not None:
            raise UnusableAnswerError(str(returned["parsing_error"])) from returned["parsing_error"]
        returned = returned["parsed"]
    return returned if isinstance(returned, answer) else answer.model_validate(returned)
