"""Writes to a tenant's memory: episodes, and facts asserted, ended, corrected and retracted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from graph_memory._async.ledger.batches import AsyncBatches, OnRefused, Progress
from graph_memory._async.storage.ids import new_id
from graph_memory._async.tenant.base import AsyncTenantPart
from graph_memory.domain import identifiers
from graph_memory.domain.instants import Instant
from graph_memory.domain.records import Episode, Fact, WriteReport
from graph_memory.episodes.validation import EpisodeInput, episode_row, input_of_call, input_of_row
from graph_memory.errors import ConflictError
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Command, Stored, Written
from graph_memory.ledger.statements import KEEP, Keep, Statement


class AsyncTenantWrites(AsyncTenantPart):
    """Writes. Each is one transaction, all or nothing; bad input raises before anything is written."""

    async def record(
        self,
        text: str | EpisodeInput,
        id: str | None = None,
        kind: str = "message",
        source: str = "user",
        occurred_at: Instant | None = None,
        session: str | None = None,
        retention: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        extract: Literal["later"] | None = None,
        about: str | None = None,
    ) -> Episode:
        """Store an episode: a message, a tool's result or an event.

        Args:
            text: 1 to 1,000,000 characters, kept unchanged; or an EpisodeInput, which holds the other fields too.
            id: unique within the tenant; None: a new one is made.
            kind: such as `message`, `tool_result`, `event`.
            source: who said it; conflict policies rank sources.
            occurred_at: when it was said.
            session: the conversation that the episode belongs to.
            retention: the retention class.
            metadata: values that JSON can hold.
            extract: `later` queues the episode for a worker to extract, in the same transaction; an episode that
                has been queued before is not queued again.
            about: with `extract`, the key of the entity that "I" and "my" in the text refer to.

        Returns:
            The episode; the stored one where an episode with this id and content exists already.

        Raises:
            ConflictError: an episode with this id and other content exists.
            InvalidInputError: an argument is not allowed.
        """
        given = input_of_call(
            text,
            id=id,
            kind=kind,
            source=source,
            occurred_at=occurred_at,
            session=session,
            retention=retention,
            metadata=metadata,
            extract=extract,
            about=about,
        )
        [(written, episode)] = await self._episodes.record([episode_row(given, new_id)])
        if written.error is not None:
            raise written.error
        return episode

    async def record_episodes(
        self,
        rows: Iterable[Any],
        batch_size: int = 1000,
        progress: Progress | None = None,
        on_refused: OnRefused | None = None,
    ) -> WriteReport:
        """Store a stream of episodes: EpisodeInput, or mappings or objects with the names of `record`'s arguments.

        The arguments are those of `assert_facts`.
        """
        bulk = AsyncBatches(batch_size, progress, on_refused)

        async def write(batch: Sequence[dict[str, Any]]) -> list[Written]:
            return [written for written, _ in await self._episodes.record(batch)]

        for batch in bulk.batches(rows):
            with bulk.batch():
                await bulk.commit(bulk.check(batch, lambda row: episode_row(input_of_row(row), new_id)), write)
        return bulk.report

    async def assert_fact(
        self,
        subject: str,
        attribute: str,
        value: object,
        *,
        valid_from: Instant,
        episode: Episode | str,
        until: Instant | None = None,
        quote: str | None = None,
    ) -> Fact:
        """Assert that a subject has a value over an interval.

        Args:
            subject: an entity's key; the entity is created on first use.
            attribute: the attribute's name, `[a-z][a-z0-9_]*`.
            value: str, int (64 bit), float, bool, date, aware datetime, or Ref to an entity.
            valid_from: first instant at which the value holds.
            episode: the episode that states the fact, or its id.
            until: first instant at which the value no longer holds; None: for ever.
            quote: the words of the episode that state the fact, exactly.

        Returns:
            The fact with its first segment; the stored one for a replay or a confirmation.

        Raises:
            ConflictError: the ledger has another value with this start; the error carries it.
            InvalidInputError: an argument is not allowed.
            NotFoundError: the episode does not exist.
            SchemaMismatchError: the attribute is recorded with another cardinality.
        """
        await self._attributes.look_up([identifiers.attribute_name(attribute)])
        statement = statements.assertion(
            self.name,
            self._attributes,
            subject,
            attribute,
            value,
            valid_from=valid_from,
            until=until,
            episode=episode,
            quote=quote,
        )
        return await self._write(Command(statement))

    async def end_fact(
        self,
        subject: str,
        attribute: str,
        *,
        at: Instant,
        episode: Episode | str,
        until: Instant | None = None,
        value: object = None,
        quote: str | None = None,
    ) -> Fact:
        """Assert that no value holds from an instant on, whatever held before.

        Args:
            subject: an entity's key.
            attribute: the attribute's name.
            at: first instant at which nothing holds.
            episode: the episode that states the end, or its id.
            until: first instant at which the earlier value may hold again; None: never.
            value: for an attribute of cardinality many, the value that ends (required there, refused elsewhere).
            quote: the words of the episode that state the end, exactly.

        Returns:
            The end: a fact without a value, `ended` true.

        Raises:
            ConflictError, InvalidInputError, NotFoundError, SchemaMismatchError: as `assert_fact` does.
        """
        await self._attributes.look_up([identifiers.attribute_name(attribute)])
        statement = statements.end(
            self.name,
            self._attributes,
            subject,
            attribute,
            at=at,
            until=until,
            value=value,
            episode=episode,
            quote=quote,
        )
        return await self._write(Command(statement))

    async def correct_fact(
        self,
        fact_id: str,
        *,
        episode: Episode | str,
        value: object = KEEP,
        valid_from: Instant | Keep = KEEP,
        until: Instant | None | Keep = KEEP,
        quote: str | None = None,
    ) -> Fact:
        """Replace a fact that was wrong from its start; arguments that are left out keep the fact's own values.

        Args:
            fact_id: id of a live fact.
            episode: the episode that corrects the fact, or its id.
            value: the right value; an end becomes a value.
            valid_from: the right start.
            until: the right end; None: for ever.
            quote: the words of the episode that correct the fact, exactly.

        Returns:
            The fact that replaces the wrong one.

        Raises:
            ConflictError: the fact is not live (the error names its successor), or another fact has that start.
            InvalidInputError: an argument is not allowed.
            NotFoundError: the fact or the episode does not exist.
        """
        slot, old = await self._reader.fact(identifiers.fact_id(fact_id))
        await self._attributes.look_up([old.attribute])
        statement = statements.correction(
            self.name,
            self._attributes,
            old,
            value=value,
            valid_from=valid_from,
            until=until,
            episode=episode,
            quote=quote,
        )
        return await self._write(Command(statement, old=_stored(slot, old)))

    async def retract_fact(self, fact_id: str, *, reason: str, episode: Episode | str | None = None) -> Fact:
        """Retract a fact that was never true; the remaining entries decide again about the time that it covered.

        Args:
            fact_id: id of a fact; retracting it twice changes nothing.
            reason: why, in 1 to 1,000 characters.
            episode: the episode behind the retraction, or its id.

        Returns:
            The fact, with `retracted_at`.

        Raises:
            NotFoundError: the fact or the episode does not exist.
        """
        reason = statements.reason_of(reason)
        cited = None if episode is None else statements.episode_of(self.name, episode)
        slot, old = await self._reader.fact(identifiers.fact_id(fact_id))
        return await self._write(Command(old=_stored(slot, old), reason=reason, episode=cited))

    async def assert_facts(
        self,
        rows: Iterable[Any],
        batch_size: int = 1000,
        progress: Progress | None = None,
        on_refused: OnRefused | None = None,
    ) -> WriteReport:
        """Assert a stream of facts: mappings or objects with the names of `assert_fact`'s arguments.

        Rows are written in order, one transaction for each batch. A row that is not allowed or in conflict is
        refused with its reason, and the others of its batch are committed. Rows that are already in the ledger are
        replays, so an interrupted stream can be sent again.

        Args:
            rows: any iterable; it is not kept in memory.
            batch_size: rows in a transaction, 1 to 10,000; use fewer where the server has little memory.
            progress: called with the report after each batch.
            on_refused: called with the outcome of each refused row, in order, after its batch is written.

        Returns:
            The number of rows with each result, and the first thousand of each.
        """
        bulk = AsyncBatches(batch_size, progress, on_refused)

        def check(row: Any) -> Statement:
            return statements.assertion_row(self.name, self._attributes, row)

        async def write(batch: Sequence[Statement]) -> list[Written]:
            return await self._ledger.write([Command(statement) for statement in batch])

        for batch in bulk.batches(rows):
            with bulk.batch():
                await self._attributes.look_up(statements.attributes_of(row for _, row in batch))
                await bulk.commit(bulk.check(batch, check), write)
        return bulk.report

    async def _write(self, command: Command) -> Fact:
        [written] = await self._ledger.write([command])
        if isinstance(written.error, ConflictError):
            found = await self._reader.facts(written.against)
            raise ConflictError(str(written.error), [fact for _, fact in found.values()])
        if written.error is not None:
            raise written.error
        if written.fact is not None:
            return written.fact
        assert written.fact_id is not None
        return (await self._reader.fact(written.fact_id))[1]


def _stored(slot: str, fact: Fact) -> Stored:
    return Stored(
        id=fact.id,
        subject=fact.subject,
        attribute=fact.attribute,
        slot=slot,
        value=fact.value,
        valid_from=fact.asserted_from,
    )
