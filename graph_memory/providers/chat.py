"""LangChain chat models: the one that the environment names, and how any of them is asked for a typed answer."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from graph_memory.errors import InvalidInputError, brief

REQUEST_TIMEOUT = 60.0
_Answer = TypeVar("_Answer", bound=BaseModel)

# The first that a model takes: all that hold it to the JSON Schema, then its own way.
_WAYS: tuple[Mapping[str, Any], ...] = (
    {"method": "json_schema", "strict": True, "include_raw": True},
    {"include_raw": True},
    {},
)


class UnusableAnswerError(Exception):
    """A model answered, and not with what it was asked for."""


def default_chat_model() -> Any:
    """Return the chat model that GRAPH_MEMORY_MODEL names, of an OpenAI-compatible provider.

    OPENAI_BASE_URL says where it is (unset: OpenAI), OPENAI_API_KEY who asks. It answers at temperature 0, gives
    up after REQUEST_TIMEOUT seconds, and does not try again by itself.

    Raises:
        InvalidInputError: no model is named, there is no key for it, or the extra `openai` is not installed.
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
            f"the model {brief(name)} of GRAPH_MEMORY_MODEL is asked at OpenAI, and there is no key: set "
            "OPENAI_API_KEY, or OPENAI_BASE_URL where the model runs elsewhere"
        )
    # Servers of one's own mostly want no key, and the client does not start without one.
    options: dict[str, Any] = {"model": name, "base_url": url, "api_key": key or "none"}
    return ChatOpenAI(**options, temperature=0, timeout=REQUEST_TIMEOUT, max_retries=0)


def structured(llm: Any, answer: type[BaseModel]) -> Any:
    """Return a runnable that asks a chat model for an instance of `answer`; `parsed` reads what it returns.

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
    """Return the instance of `answer` in what a runnable of `structured` returned.

    Raises:
        ValidationError: it is none.
        UnusableAnswerError: LangChain could not make one of the answer; why is its cause, a refusal too.
    """
    if isinstance(returned, Mapping) and "parsing_error" in returned:
        if returned["parsing_error"] is not None:
            raise UnusableAnswerError(str(returned["parsing_error"])) from returned["parsing_error"]
        returned = returned["parsed"]
    return returned if isinstance(returned, answer) else answer.model_validate(returned)
