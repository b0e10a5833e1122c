"""Whatever library reports it, a failure is known for what it is, and for whether it may pass."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.providers.failures import failure_of, refuses_bounds

NOW = datetime(2026, 7, 15, 9, tzinfo=UTC)


class Response:
    """Of an HTTP library."""

    def __init__(self, status_code: int, headers: dict[str, str] | None = None) -> None:
        self.status_code = status_code
        self.headers = headers or {}


class ProviderError(Exception):
    """Of a provider's library: it says what it has in attributes."""

    def __init__(self, message: str = "", **has: Any) -> None:
        super().__init__(message)
        vars(self).update(has)


class RetryableError(ProviderError):
    """One that says of itself that it may pass."""

    is_retryable = True


def raised_from(cause: BaseException) -> BaseException:
    error = ProviderError("the call failed")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        ProviderError(status_code=529),
        ProviderError(response=Response(503)),
        ProviderError(code=504),
        raised_from(ProviderError(status_code=500)),
        RetryableError(),
        TimeoutError(),
        ConnectionResetError(),
        raised_from(ConnectionRefusedError()),
        json.JSONDecodeError("no", "", 0),
        IndexError("list index out of range"),  # of a reply with an empty list of choices
        KeyError("choices"),
        AttributeError("'NoneType' object has no attribute 'tool_calls'"),
        TypeError("Received response with null value for 'choices'."),
        ValueError("Unexpected response type from OpenAI-compatible endpoint."),
        ValueError({"message": "overloaded"}),  # of a reply that has an error in the place of choices
    ],
)
def test_what_may_pass_is_known_by_status_kind_and_cause(error: BaseException) -> None:
    assert failure_of(error, NOW).passing


@pytest.mark.parametrize(
    "error",
    [
        ProviderError(status_code=400),
        ProviderError(status_code=413),
        ProviderError(code="rate_limit_exceeded"),
        ProviderError(code=14),
        ProviderError(),
        ValueError("no"),
    ],
)
def test_what_is_not_known_to_pass_does_not(error: BaseException) -> None:
    failure = failure_of(error, NOW)
    assert not failure.passing
    assert failure.reason


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Wed, 15 Jul 2026 09:01:00 GMT"}, 60.0),
        ({"retry-after": "Wed, 15 Jul 2026 08:00:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 15 Jul 2026 09:01:00"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
    ],
)
def test_retry_after_is_seconds_or_an_instant(headers: dict[str, str], wait: float | None) -> None:
    assert failure_of(ProviderError(response=Response(429, headers)), NOW).wait == wait


@pytest.mark.parametrize(
    "secret",
    [
        "sk-abc123",
        "Bearer abc123",
        "api_key=abc123",
        "key: abc123",
        "API-Key = abc123",
        "'Authorization': 'Bearer abc123'",
    ],
)
def test_what_looks_like_a_key_is_not_repeated(secret: str) -> None:
    for error in (ProviderError(f"it sent {secret} along"), ProviderError(f"it sent {secret}", status_code=400)):
        assert "abc123" not in failure_of(error, NOW).reason


def test_a_long_message_is_cut() -> None:
    assert len(failure_of(ProviderError("x" * 10_000, status_code=400), NOW).reason) < 400


@pytest.mark.parametrize(
    "said", ["'maxLength' is not permitted", "unsupported JSON schema", "'maximum' is unknown"]
)
def test_bounds_are_refused_by_a_bad_request_that_names_them(said: str) -> None:
    assert refuses_bounds(ProviderError(said, status_code=400))
    assert refuses_bounds(ProviderError("no", status_code=422, body={"error": {"message": said}}))
    assert not refuses_bounds(ProviderError(said, status_code=500))
    assert not refuses_bounds(ProviderError(said))


def test_a_prompt_that_is_too_long_does_not_speak_of_bounds() -> None:
    error = ProviderError(
        "maximum context length, schema included", status_code=400, code="x", body="exceed_context_size"
    )
    assert not refuses_bounds(error)
    assert "context" in failure_of(error, NOW).reason
