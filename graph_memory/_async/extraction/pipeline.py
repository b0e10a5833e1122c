"""From an episode to its facts: the prompt, the proposals of the model, and the transaction that settles them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from graph_memory._async.entities.resolver import AsyncEntities
from graph_memory._async.extraction.model_call import AsyncExtractor
from graph_memory._async.ledger.reader import AsyncReader
from graph_memory._async.ledger.writer import AsyncLedger
from graph_memory._async.schema.cardinalities import AsyncCardinalities
from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction, NothingToWriteError
from graph_memory._async.storage.ids import new_id
from graph_memory.domain.records import Entity, Episode, Fact, WriteReport
from graph_memory.entities.normalization import Mentions
from graph_memory.extraction.entity_linking import Fate
from graph_memory.extraction.outcome import Settling, signals
from graph_memory.extraction.prompts import ExtractionRequest, KnownEntity
from graph_memory.extraction.proposals import Malformed, Proposal
from graph_memory.extraction.validation import Held, Judge, Judgement, named_in
from graph_memory.ledger.commands import StaleExpectationError, Written
from graph_memory.queue.rows import report_of
from graph_memory.schema.schema import Schema

# A prompt shows at most this many values of one attribute of a subject.
_SHOWN = 50

Pair: TypeAlias = tuple[str, str]
"""A subject and an attribute."""


class AsyncExtractionPipeline:
    """Extracts the episodes of one tenant."""

    def __init__(
        self,
        database: AsyncDatabase,
        attributes: AsyncCardinalities,
        tenant: str,
        schema: Schema,
        extractor: AsyncExtractor,
        ledger: AsyncLedger,
        reader: AsyncReader,
        entities: AsyncEntities,
    ) -> None:
        self._database = database
        self._attributes = attributes
        self._tenant = tenant
        self._schema = schema
        self._extractor = extractor
        self._ledger = ledger
        self._reader = reader
        self._entities = entities

    async def extract(self, episode: Episode, about: str | None) -> WriteReport:
        """Extract an episode, and settle all of its candidates in one transaction.

        If the answer believed other values to be stored, the model is asked once more, with the objections. What
        is still wrong then goes to review.

        Raises:
            ExtractionError: the model gave no usable answer.
        """
        objections: tuple[str, ...] = ()
        for final in (False, True):
            judgements = await self._judged(episode, about, objections)
            objections = tuple(j.reason or "" for j in judgements if j.fate is Fate.STALE)
            if objections and not final:
                continue
            try:
                return await self._settle(episode, judgements, final)
            except StaleExpectationError as error:
                objections = (str(error),)
        raise AssertionError("unreachable")

    async def _judged(self, episode: Episode, about: str | None, objections: tuple[str, ...]) -> list[Judgement]:
        at = episode.said_at
        mentions = await self._entities.mentioned(episode.text, about)
        mentioned = mentions.entities
        held, totals = await self._held([entity.key for entity in mentioned], at)
        passage = ExtractionRequest(
            episode=episode,
            at=at,
            about=about,
            entities=tuple(_known(entity, held) for entity in mentioned),
            objections=objections,
        )
        proposals = await self._extractor.extract(passage)
        shown = {entity.key: entity for entity in mentioned}
        known = await self._known(proposals, mentions, shown)
        others = {entity.key for found in known.values() for entity in found} - shown.keys()
        of_others, of_each = await self._held(sorted(others), at)
        held |= of_others
        held |= await self._whole(proposals, held, totals | of_each, at)
        judge = Judge(self._schema, self._attributes, episode, at, about, shown, known, held)
        return judge.judge(proposals)

    async def _held(self, subjects: Sequence[str], at: datetime) -> tuple[dict[Pair, list[Fact]], dict[Pair, int]]:
        """Return what holds of subjects, of each attribute those that began last, and how many there are."""
        if not subjects:
            return {}, {}
        facts, totals = await self._reader.latest(subjects, list(self._schema.attributes), at, None, _SHOWN)
        return _by_pair(facts), totals

    async def _whole(
        self,
        proposals: Sequence[Proposal | Malformed],
        held: Mapping[Pair, Sequence[Fact]],
        totals: Mapping[Pair, int],
        at: datetime,
    ) -> dict[Pair, list[Fact]]:
        """Return all that holds of those attributes that proposals are about, where only some of it was read."""
        about = {proposal.attribute for proposal in proposals if isinstance(proposal, Proposal)}
        found: dict[Pair, list[Fact]] = {}
        for subject, attribute in sorted(pair for pair, facts in held.items() if totals[pair] > len(facts)):
            if attribute in about:
                limit = 2 * totals[subject, attribute]
                facts, _ = await self._reader.latest([subject], [attribute], at, None, limit)
                found |= _by_pair(facts)
        return found

    async def _known(
        self, proposals: Sequence[Proposal | Malformed], mentions: Mentions, shown: Mapping[str, Entity]
    ) -> dict[str, list[Entity]]:
        """Return the entities that each proposed name can mean; most names were looked up with the text."""
        said = named_in(self._schema, proposals)
        looked_up = {name: [shown[name]] if name in shown else mentions.meant(name) for name in said}
        known = {name: found for name, found in looked_up.items() if found is not None}
        if others := sorted(said - known.keys()):
            known |= await self._entities.resolve(others)
        return known

    async def _settle(self, episode: Episode, judgements: Sequence[Judgement], final: bool) -> WriteReport:
        """Settle an episode; return the report of the transaction that settled it, this one or an earlier one.

        Raises:
            StaleExpectationError: not `final`, and a value that a candidate expected no longer holds. Nothing was
                written.
        """
        keys = sorted({j.signal for j in judgements if j.signal is not None and j.fate is Fate.WEAK})

        async def work(transaction: AsyncTransaction) -> WriteReport:
            [[state, report, weak]] = await transaction.run(
                "write/settle_open", tenant=self._tenant, episode=episode.id, signals=keys
            )
            if state == "done":
                raise NothingToWriteError(report_of(json.loads(report)["candidates"], again=True))
            settling = Settling(self._schema, episode.id, judgements, signals(weak), final, new_id)
            results: list[Written] = []
            if settling.commands:
                results, _ = await self._ledger.write_in(transaction, settling.commands)
            settling.settle(results)
            if settling.candidates:
                await transaction.run("write/candidates", tenant=self._tenant, rows=settling.candidates)
            await transaction.run("write/settle", tenant=self._tenant, **settling.to_settle())
            return settling.report()

        return await self._database.write(work)


def _by_pair(facts: Iterable[Fact]) -> dict[Pair, list[Fact]]:
    """Return facts by subject and attribute, those that began last first."""
    found: dict[Pair, list[Fact]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.valid_from, fact.id), reverse=True):
        found.setdefault((fact.subject, fact.attribute), []).append(fact)
    return found


def _known(entity: Entity, held: Held) -> KnownEntity:
    stored = [
        (attribute, fact.value)
        for (subject, attribute), facts in sorted(held.items())
        if subject == entity.key
        for fact in facts[:_SHOWN]
        if fact.value is not None
    ]
    return KnownEntity(entity.key, entity.name, entity.kinds, entity.aliases, tuple(stored))
