"""From a question to the smallest cited context: exact state first, then related facts and evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from graph_memory._async.questions.answers import AsyncAnswerReader
from graph_memory._async.questions.interpreter import AsyncQuestionInterpreter
from graph_memory._async.questions.llm_reader import AsyncQuestionReader
from graph_memory._async.questions.pipeline import AsyncContextPipeline
from graph_memory._async.questions.support import AsyncSupportReader
from graph_memory._async.tenant.reads import AsyncTenantReads
from graph_memory.context.records import Context
from graph_memory.context.rendering import assembled, counter
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import one_of, optional_instant, within
from graph_memory.domain.instants import Instant
from graph_memory.domain.values import check_encodable
from graph_memory.errors import InvalidInputError, brief
from graph_memory.questions.interpretation import Given
from graph_memory.questions.records import Router
from graph_memory.search.query import search_of
from graph_memory.search.records import Evidence

MAX_QUESTION = 100_000
MIN_BUDGET, MAX_BUDGET = 50, 1_000_000


class AsyncTenantQuestions(AsyncTenantReads):
    """Questions in words."""

    async def context(
        self,
        question: str,
        at: Instant | None = None,
        known_at: Instant | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        token_budget: int = 1000,
        now: Instant | None = None,
        tokens: Callable[[str], int] | None = None,
        router: Router | Literal["rules", "model"] | None = None,
    ) -> Context:
        """Return the exact facts that answer a question, and further lines that help in a prompt.

        Names, descriptions and dates in the question decide its subject, attribute and time. If no fact answers,
        the episodes are searched; they are evidence, and overrule no fact.

        Args:
            question: an English question of 1 to 100,000 characters.
            at: the instant in valid time; None: the question's time, else now.
            known_at: the instant in recorded time; None: the question's, else now.
            subject: key of the entity that the question is about; None: the entity that it names.
            attribute: the attribute that it asks for; None: the attribute that it names or describes.
            token_budget: the most tokens of the rendered context, 50 to 1,000,000.
            now: the instant that counts as now, also for "yesterday"; None: the database's clock decides.
            tokens: a function that counts the tokens of a text; None: an estimate that errs on the high side.
            router: what reads the question: `rules`, or `model`, one call of the chat model, whose answer is
                checked; if it fails, the rules read it. None: the model if one is set and subject or attribute
                is left out, else the rules.

        Raises:
            InvalidInputError: an argument is not allowed, the attribute is not declared, `router` is `model` and
                there is no model, or `tokens` returns no whole number.
        """
        given = Given(
            subject=None if subject is None else identifiers.entity_key(subject),
            attribute=None if attribute is None else self._attribute(attribute),
            at=optional_instant(at, "at"),
            known_at=optional_instant(known_at, "known_at"),
            now=optional_instant(now, "now"),
        )
        budget = within("token_budget", token_budget, MIN_BUDGET, MAX_BUDGET)
        count = counter(tokens)
        asking = AsyncQuestionInterpreter(self._database, self._attributes, self.name)
        asked = await asking.read(_checked(question), given, self._model(router, given))
        answering = AsyncAnswerReader(self._database, self._attributes, self._reader, self.name)
        supporting = AsyncSupportReader(self._database, self._attributes, self._reader, answering, self.name)

        async def search(words: str, k: int, at: datetime | None, known_at: datetime | None) -> list[Evidence]:
            # A time that a question names is when something was so, and not when it was said.
            said_by_now = search_of(words, k, at=given.now, known_at=known_at)
            return await self._searcher.search(replace(said_by_now, at=at))

        contexts = AsyncContextPipeline(answering, supporting, search, self.name, asked, given.now, budget)
        return assembled(await contexts.find(), budget, count)

    def _model(self, router: Router | str | None, given: Given) -> AsyncQuestionReader | None:
        chosen = None if router is None else one_of(Router, router, "router")
        reader = self._services.question_reader
        if chosen is Router.MODEL:
            return reader
        decided = given.subject is not None and given.attribute is not None
        return reader if chosen is None and reader.is_set and not decided else None

    def _attribute(self, attribute: str) -> str:
        name = identifiers.attribute_name(attribute)
        if self._attributes.schema is not None:
            self._attributes.schema.attribute(name)
        return name


def _checked(question: object) -> str:
    if not isinstance(question, str) or not question.strip() or len(question) > MAX_QUESTION:
        raise InvalidInputError(f"question {brief(question)} must be text of 1 to {MAX_QUESTION} characters")
    check_encodable(question, "question")
    return question
