"""What a question is about, decided by the names that a tenant's entities have and by what is known of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graph_memory._async.questions.llm_reader import AsyncQuestionReader
from graph_memory._async.schema.cardinalities import AsyncCardinalities
from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.domain.instants import from_micros
from graph_memory.domain.records import Entity
from graph_memory.entities.normalization import Place, places
from graph_memory.entities.rows import entity_from_row
from graph_memory.questions.attribute_matching import (
    Form,
    Lexicon,
    Mention,
    Topic,
    declared,
    forms,
    longest,
    mentions,
    without_attributes,
)
from graph_memory.questions.interpretation import Asked, Given, kept_apart, routed
from graph_memory.questions.llm_reading import UnusableReadingError
from graph_memory.questions.subjects import Words
from graph_memory.questions.time_expressions import counts_from_now, dates


class AsyncQuestionInterpreter:
    """Reads questions to one tenant's memory."""

    def __init__(self, database: AsyncDatabase, attributes: AsyncCardinalities, tenant: str) -> None:
        self._database = database
        self._attributes = attributes
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
        spots = list(places(text))
        entities, known, named = await self._named(spots, given.subject)
        if given.subject is not None and len(kept := named.get((given.subject, True), [])) == 1:
            # Of one that was merged, the one that was kept is spoken of.
            given = replace(given, subject=kept[0])
        every = mentions(spots, named)
        lexicon = self._lexicon(known, every, given)

        def may_have(key: str, attribute: str) -> bool:
            return lexicon.topics[attribute].fits(entities[key], known[key]) > 0

        named_ = longest(without_attributes(text, every, lexicon, may_have, given.subject))
        times, names = kept_apart(found, named_)
        words = Words(text, times, names, entities, known, self._lexicon(known, names, given))
        if router is None:
            return routed(words, given, now)
        try:
            return routed(words, given, now, await router.read(words, now or await self._now()))
        except UnusableReadingError as error:
            return replace(routed(words, given, now), failure=str(error))

    async def _now(self) -> datetime:
        [[micros]] = await self._database.read("read/now")
        return from_micros(micros)

    async def _named(
        self, spots: Sequence[Place], subject: str | None
    ) -> tuple[dict[str, Entity], dict[str, frozenset[str]], dict[Form, list[str]]]:
        """Return the entities that phrases lead to, what is known of each, and which form leads to which."""
        keys, names = dict.fromkeys([subject] if subject else []), dict[str, None]()
        for spot in spots:
            for form, by_key in forms(spot):
                (keys if by_key else names)[form] = None
        entities: dict[str, Entity] = {}
        known: dict[str, frozenset[str]] = {}
        named: dict[Form, list[str]] = {}
        rows_ = await self._database.read("read/asked", tenant=self._tenant, keys=list(keys), names=list(names))
        for led, attributes, *columns in sorted(rows_, key=lambda row: str(row[2])):
            entity = entity_from_row(self._tenant, columns)
            entities[entity.key], known[entity.key] = entity, frozenset(attributes)
            for form, by_key in led:
                named.setdefault((form, by_key), []).append(entity.key)
        return entities, known, named

    def _lexicon(self, known: Mapping[str, frozenset[str]], named: Sequence[Mention], given: Given) -> Lexicon:
        if self._attributes.schema is not None:
            return declared(self._attributes.schema)
        # What other tenants speak of must not decide what this one is answered.
        keys = {key for mention in named for key in mention.keys} | {given.subject}
        return Lexicon(Topic(name) for name in sorted({name for key in keys for name in known.get(key or "", ())}))
