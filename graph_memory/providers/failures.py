"""The meaning of a failed call of a language model, whatever provider's library reports it.

These libraries are not dependencies, so their exceptions are recognised by the names of their classes, by the
status of the HTTP response, and by LangChain's own classes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from pydantic import ValidationError

_MAX_DETAIL = 300
_REFUSED = {"ModelRefusalError", "OpenAIRefusalError", "ContentFilterFinishReasonError"}
_CUT_OFF = {"LengthFinishReasonError"}
_TOO_LONG = {"ContextOverflowError"}
_UNREADABLE = {"UnusableAnswerError", "OutputParserException", "APIResponseValidationError"}
_TIMED_OUT = {"TimeoutError", "APITimeoutError", "ModelTimeoutError", "TimeoutException", "Timeout"}
_UNREACHABLE = {"ConnectionError", "APIConnectionError", "ModelConnectionError", "TransportError"}
_PASSING_STATUS = {408, 409, 425, 429}
_BAD_REQUEST = {400, 422}
_WORDS_OF_CONTEXT = ("context_length_exceeded", "exceed_context_size")
_WORDS_OF_BOUNDS = ("maxlength", "minlength", "maxitems", "'minimum'", "'maximum'", "schema", "grammar")
# What the libraries raise that take a reply apart as if it had to be whole: without choices, or without a message.
_TORN = {"IndexError", "KeyError", "AttributeError", "TypeError"}
_WORDS_OF_TORN = ("'choices'", "response type", "structured output response")
_WORDS_OF_QUOTA = ("insufficient_quota",)
_SECRET = re.compile(r"(?i)\b(sk-|bearer\s+|(?:api[-_ ]?)?key\s*[:=]\s*)[^\s'\"]+")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call failed, and whether another call may succeed.

    Attributes:
        reason: the reason for people, with the remedy where there is one; it never contains a key.
        passing: whether the same call may succeed later.
        unusable: whether the model answered, but the answer could not be used.
        final: whether the model will never answer for this text.
        wait: how many seconds the provider asks to wait; None where it does not say.
    """

    reason: str
    passing: bool = False
    unusable: bool = False
    final: bool = False
    wait: float | None = None


def failure_of(error: BaseException, now: datetime | None = None) -> Failure:
    """Return the meaning of a call's exception; `now` (UTC) is needed for a Retry-After that is an instant."""
    kinds = {kind.__name__ for cause in _causes(error) for kind in type(cause).__mro__}
    if kinds & _REFUSED:
        return Failure(f"the model or its provider refused to answer ({_detail(error)})", final=True)
    if kinds & _CUT_OFF:
        return Failure("the answer was cut off at the token limit", passing=True, unusable=True)
    if kinds & _TOO_LONG or _names(error, _WORDS_OF_CONTEXT):
        reason = "the prompt does not fit into the model's context: use another model, or shorter texts"
        return Failure(reason, final=True)
    status = _status(error)
    if status is not None:
        return _of_status(status, error, now)
    if kinds & _TIMED_OUT:
        return Failure("the model did not answer in time", passing=True)
    if kinds & _UNREACHABLE or getattr(error, "is_retryable", False):
        return Failure(f"the model cannot be reached ({_detail(error)})", passing=True)
    if isinstance(error, ValidationError | json.JSONDecodeError) or kinds & _UNREADABLE:
        reason = f"the answer does not have the requested shape ({_detail(error)})"
        return Failure(reason, passing=True, unusable=True)
    if isinstance(error, ValueError) and error.args and isinstance(error.args[0], Mapping):
        return Failure(f"the provider failed ({_detail(error)})", passing=True)
    if type(error).__name__ in _TORN or (isinstance(error, ValueError) and _names(error, _WORDS_OF_TORN)):
        reason = f"the provider's reply holds no answer ({type(error).__name__}: {_detail(error)})"
        return Failure(reason, passing=True)
    return Failure(f"{type(error).__name__}: {_detail(error)}")


def refuses_bounds(error: BaseException) -> bool:
    """Whether a provider refused a request because it does not know a keyword of the request's JSON Schema."""
    if _status(error) not in _BAD_REQUEST or _names(error, _WORDS_OF_CONTEXT):
        return False
    return _names(error, _WORDS_OF_BOUNDS)


def _of_status(status: int, error: BaseException, now: datetime | None) -> Failure:
    if status == 429 and _names(error, _WORDS_OF_QUOTA):
        return Failure("the account at the provider has no quota left (HTTP 429)")
    if status == 429:
        return Failure("the provider's rate limit is reached (HTTP 429)", True, wait=_retry_after(error, now))
    if status in _PASSING_STATUS or status >= 500:
        reason = f"the provider failed (HTTP {status}: {_detail(error)})"
        return Failure(reason, passing=True, wait=_retry_after(error, now))
    if status in (401, 403):
        return Failure(f"the provider does not accept the credentials (HTTP {status}): check the key of the model")
    if status == 404:
        return Failure(f"the provider knows no such model or address (HTTP 404: {_detail(error)})")
    return Failure(f"the provider refused the request (HTTP {status}: {_detail(error)})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and the exceptions that it was raised from: libraries wrap each other's exceptions."""
    found: BaseException | None = error
    for _ in range(5):
        if found is None:
            return
        yield found
        found = found.__cause__


def _status(error: BaseException) -> int | None:
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        for holder, name in ((cause, "status_code"), (response, "status_code"), (cause, "code")):
            status = getattr(holder, name, None)
            if isinstance(status, int) and 400 <= status <= 599:
                return int(status)
    return None


def _retry_after(error: BaseException, now: datetime | None) -> float | None:
    for cause in _causes(error):
        headers = getattr(getattr(cause, "response", None), "headers", None)
        if isinstance(headers, Mapping):
            milliseconds = _number(headers.get("retry-after-ms"))
            if milliseconds is not None:
                return milliseconds / 1000
            return _seconds(headers.get("retry-after"), now)
    return None


def _seconds(given: Any, now: datetime | None) -> float | None:
    """Return a Retry-After header in seconds; it gives seconds or an instant (RFC 9110, section 10.2.3)."""
    seconds = _number(given)
    if seconds is not None or now is None or not isinstance(given, str):
        return seconds
    try:
        return max(0.0, (parsedate_to_datetime(given) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _number(given: Any) -> float | None:
    try:
        number = float(given)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number < float("inf") else None


def _names(error: BaseException, words: tuple[str, ...]) -> bool:
    """Whether a provider's messages contain one of `words`, which are in lower case."""
    said = " ".join(f"{cause} {getattr(cause, 'body', '')}" for cause in _causes(error)).lower()
    return any(word in said for word in words)


def _detail(error: BaseException) -> str:
    """Return the provider's message: short, on one line, with everything that looks like a key masked."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        text = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    else:
        body = getattr(error, "body", None) or next(iter(error.args), None)
        said = body.get("message") if isinstance(body, Mapping) else None
        text = str(said or error) or type(error).__name__
    # After an empty line LangChain shows the whole message, or a link to its help.
    return _SECRET.sub(r"\1***", " ".join(text.split("\n\n")[0].split()))[:_MAX_DETAIL]
