"""An OpenAI-compatible server on 127.0.0.1 that answers by a script, for the real client over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import pytest

KEY = "sk-scripted-secret"


@dataclass(frozen=True)
class Request:
    """What a client sent to /v1/chat/completions; the names of headers are in lower case."""

    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def prompt(self) -> str:
        """The texts of all messages, one after the other."""
        return "\n".join(message["content"] for message in self.body["messages"])

    @property
    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema that the answer has to follow."""
        found: dict[str, Any] = self.body["response_format"]["json_schema"]["schema"]
        return found


@dataclass(frozen=True)
class Answer:
    """What the server answers: a completion, with `error` an HTTP error, or any `reply`; after `delay` seconds."""

    content: str | None = None
    status: int = 200
    finish_reason: str = "stop"
    refusal: str | None = None
    error: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    reply: Any = None

    def body(self, model: str) -> Any:
        """Return it as the API has it."""
        if self.reply is not None:
            return self.reply
        if self.error is not None:
            return {"error": self.error}
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 1_780_000_000,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason, "logprobs": None}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }


Script = Callable[[Request], "Answer | str"]


def update(
    attribute: str,
    value: Any,
    *,
    evidence: str,
    subject: str,
    change: str = "new",
    current_value: Any = None,
    valid_from: str | None = None,
    until: str | None = None,
) -> dict[str, Any]:
    """One update as a model writes it."""
    fact = {"attribute": attribute, "current_value": current_value, "change": change, "value": value}
    return {"evidence": evidence, "subject": subject, "fact": fact, "valid_from": valid_from, "until": until}


def updates(*found: Any) -> str:
    """The content of an answer with these updates."""
    return json.dumps({"updates": list(found)}, ensure_ascii=False)


def good(*found: Any) -> Answer:
    """A completion with these updates."""
    return Answer(updates(*found))


def malformed() -> Answer:
    """A completion that is no JSON, though the model says that it is done."""
    return Answer('{"updates": [{"evidence": "I work')


def refused(words: str = "I cannot help with that.") -> Answer:
    """A refusal, which the API sends as a success."""
    return Answer(refusal=words)


def truncated() -> Answer:
    """An answer that the token limit cut off."""
    return Answer('{"updates": [{"evidence": "I work', finish_reason="length")


def filtered() -> Answer:
    """An answer that the provider's content filter stopped."""
    return Answer("", finish_reason="content_filter")


def slow(seconds: float, content: str | None = None) -> Answer:
    """An answer that takes its time."""
    return Answer(updates() if content is None else content, delay=seconds)


def failing(status: int = 500, message: str = "scripted failure", code: str | None = None) -> Answer:
    """An HTTP error."""
    return Answer(status=status, error={"message": message, "type": "scripted", "param": None, "code": code})


def rate_limited(retry_after: str | None = None) -> Answer:
    """HTTP 429, with the header Retry-After where one is given."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    error = {"message": "Rate limit reached", "type": "requests", "param": None, "code": "rate_limit_exceeded"}
    return Answer(status=429, error=error, headers=headers)


class ScriptedLLM:
    """The server, while its context is open.

    Attributes:
        requests: all that came, in the order in which it came.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._script: Script | list[Answer | str] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def script(self, *answers: Answer | str | Script) -> None:
        """Answer so from now on: one answer after the other (a text is a completion), or what a function says."""
        with self._lock:
            if len(answers) == 1 and not isinstance(answers[0], Answer | str):
                self._script = answers[0]
            else:
                self._script = [answer for answer in answers if isinstance(answer, Answer | str)]

    def chat_model(self, **options: Any) -> Any:
        """Return a ChatOpenAI of this server; it has the secret key KEY and does not retry by itself."""
        from langchain_openai import ChatOpenAI

        given: dict[str, Any] = {
            "model": "scripted",
            "base_url": self.url,
            "api_key": KEY,
            "timeout": 10,
            "max_retries": 0,
        }
        return ChatOpenAI(**(given | {"temperature": 0} | options))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            script = self._script
            if isinstance(script, list):
                found = script.pop(0) if script else failing(400, "the script has no more answers")
        if not isinstance(script, list):
            found = script(request)
        return Answer(found) if isinstance(found, str) else found

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path != "/v1/chat/completions":
                    answer = failing(404, f"no such path: {self.path}")
                else:
                    answer = scripted._next(Request(body, {k.lower(): v for k, v in self.headers.items()}))
                scripted._closing.wait(answer.delay)
                payload = json.dumps(answer.body(body.get("model", ""))).encode()
                try:
                    self.send_response(answer.status)
                    for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                        self.send_header(name, value)
                    # Clients of a chat model are kept for its life, and nothing closes what they hold open.
                    self.send_header("Connection", "close")
                    self.send_header("Content-Length", str(len(payload)))
                    self.end_headers()
                    self.wfile.write(payload)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Stay silent."""

        return Handler


@pytest.fixture
def scripted_llm() -> Iterator[ScriptedLLM]:
    """A server that answers by a script."""
    with ScriptedLLM() as server:
        yield server
