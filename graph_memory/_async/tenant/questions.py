"""From a question to the smallest cited context: exact state first, the graph and the evidence in support."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from graph_memory._async.questions.answers import AsyncAnswering
from graph_memory._async.questions.interpreter import AsyncAsking
from graph_memory._async.questions.llm_reader import AsyncQuestionReader
from graph_memory._async.questions.pipeline import AsyncContexts
from graph_memory._async.questions.support import AsyncSupporting
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


class AsyncTenantContext(AsyncTenantReads):
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
        """Return the exact facts that answer a question, and what else is worth a place in a prompt.

        Whom and what the question is about, and of which time, is decided by names, descriptions and dates. Where
        exact state does not answer, episodes are searched; what they say is evidence and overrules nothing.

        Args:
            question: in words, 1 to 100,000 characters.
            at: the instant in valid time; None: what the question says, else now.
            known_at: by what the ledger knew at this instant; None: what the question says, else now.
            subject: key of the entity that it is about; None: the one that it names.
            attribute: what it asks of that; None: the one that it names or describes.
            token_budget: what the rendered context may take, 50 to 1,000,000 tokens.
            now: from when "yesterday" counts, and what holds now; None: the database's clock.
            tokens: counts the tokens of a text; None: an estimate, rather too many than too few.
            router: who decides whom and what the question is about: `rules`, or one call of the chat `model`,
                whose answer is checked, and the rules where it fails; None: the model where one is set, but for
                questions whose subject and attribute are given.

        Raises:
            InvalidInputError: something is not allowed, the attribute is not declared, or `tokens` gives no whole
                number.
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
        asking = AsyncAsking(self._database, self._attributes, self.name)
        asked = await asking.read(_checked(question), given, self._model(router, given))
        answering = AsyncAnswering(self._database, self._attributes, self._reader, self.name)
        supporting = AsyncSupporting(self._database, self._attributes, self._reader, answering, self.name)

        async def search(words: str, k: int, at: datetime | None, known_at: datetime | None) -> list[Evidence]:
            # A time that a question names is when something was so, and not when it was said.
            said_by_now = search_of(words, k, at=given.now, known_at=known_at)
            return await self._searcher.search(replace(said_by_now, at=at))

        contexts = AsyncContexts(answering, supporting, search, self.name, asked, given.now, budget)
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
