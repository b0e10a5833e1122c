"""What a question is about, decided by the names that a tenant's entities have and by what is known of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graph_memory._async.attributes import AsyncAttributes
from graph_memory._async.database import AsyncDatabase
from graph_memory._async.entities import AsyncEntities
from graph_memory._async.question_reader import AsyncQuestionReader
from graph_memory.dates import counts_from_now, dates
from graph_memory.instants import from_micros
from graph_memory.question_model import UnusableReadingError
from graph_memory.questions import Lexicon, Topic, declared, mentions
from graph_memory.routing import Asked, Given, Words, kept_apart, routed

# Of how many entities that a question may mean it is looked up what is known of them.
MAX_LOOKED_AT = 8


class AsyncAsking:
    """Reads questions to one tenant's memory."""

    def __init__(
        self, database: AsyncDatabase, attributes: AsyncAttributes, entities: AsyncEntities, tenant: str
    ) -> None:
        self._database = database
        self._attributes = attributes
        self._entities = entities
        self._tenant = tenant

    async def read(self, question: str, given: Given, router: AsyncQuestionReader | None) -> Asked:
        """Return what a question asks for, as far as its words, or a model, decide that.

        Args:
            question: in words.
            given: what the caller has decided.
            router: the model to ask first; None: the rules decide.
        """
        text = unicodedata.normalize("NFC", question)
        now = given.now
        if now is None and counts_from_now(text):
            now = await self._now()
        # Where no date counts from it, any instant will do for now.
        found = dates(text, now or datetime(9999, 1, 1, tzinfo=UTC))
        entities = {entity.key: entity for entity in await self._entities.mentioned(text, given.subject)}
        times, names = kept_apart(found, mentions(text, list(entities.values())))
        keys = ([given.subject] if given.subject else []) + [key for mention in names for key in mention.keys]
        known = await self.known_of(list(dict.fromkeys(keys))[:MAX_LOOKED_AT])
        words = Words(text, times, names, entities, known, self._lexicon(known))
        if router is None:
            return routed(words, given, now)
        try:
            return routed(words, given, now, await router.read(words, now or await self._now()))
        except UnusableReadingError as error:
            return replace(routed(words, given, now), failure=str(error))

    async def _now(self) -> datetime:
        [[micros]] = await self._database.read("read/now")
        return from_micros(micros)

    async def known_of(self, keys: Sequence[str]) -> dict[str, frozenset[str]]:
        """Return for each entity the attributes of which anything was ever said."""
        if not keys:
            return {}
        rows = await self._database.read("read/attributes_of", tenant=self._tenant, subjects=list(keys))
        return {key: frozenset() for key in keys} | {key: frozenset(names) for key, names in rows}

    def _lexicon(self, known: Mapping[str, frozenset[str]]) -> Lexicon:
        if self._attributes.schema is not None:
            return declared(self._attributes.schema)
        # What other tenants speak of must not decide what this one is answered.
        return Lexicon(Topic(name) for name in sorted({name for names in known.values() for name in names}))
