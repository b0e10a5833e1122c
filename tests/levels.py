"""A schema of one attribute, texts that say it, and models that read them: what the tests of the queue extract."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from scripted_llm import update

from graph_memory import Kind, Schema, attribute


class Person(Kind):
    """Somebody who has a level."""

    level: int = attribute("How far they have come")


SCHEMA = Schema("levels", version=1, kinds=[Person], sources=["user"])

_SAID = re.compile(r"^(?P<subject>[a-z0-9-]+) has level (?P<level>\d+) from 2026-01-01\.$", re.MULTILINE)


def text_of(number: int) -> str:
    """Return a text that says the level of a person of its own."""
    return f"person-{number} has level {number} from 2026-01-01."


def read(prompt: str) -> list[dict[str, Any]]:
    """Return the updates that a prompt's text asks for, as a model writes them."""
    return [
        update("level", int(said["level"]), evidence=said[0], subject=said["subject"], valid_from="2026-01-01")
        for said in _SAID.finditer(prompt)
    ]


class ReadingModel:
    """A chat model in this process, which reads a text as `read` does.

    Args:
        before: called with the text of each prompt first; it may raise, or return how many seconds to wait.

    Attributes:
        asked: the persons it was asked about, in order.
    """

    def __init__(self, before: Callable[[str], float | None] | None = None) -> None:
        self.asked: list[str] = []
        self._before = before
        self._answer: type[BaseModel] | None = None

    def with_structured_output(self, answer: type[BaseModel]) -> ReadingModel:
        """Take the form of the answers."""
        self._answer = answer
        return self

    async def ainvoke(self, messages: list[tuple[str, str]]) -> BaseModel:
        """Answer."""
        prompt = messages[-1][1]
        said = _SAID.search(prompt)
        assert said is not None
        self.asked.append(said["subject"])
        if self._before is not None and (seconds := self._before(said[0])) is not None:
            await asyncio.sleep(seconds)
        assert self._answer is not None
        return self._answer.model_validate({"updates": read(prompt)})
