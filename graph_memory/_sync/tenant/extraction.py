# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Writes in natural language: remember a text, extract an episode, and review the candidates."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from graph_memory._sync.extraction.pipeline import ExtractionPipeline
from graph_memory._sync.queue.leases import Claims
from graph_memory._sync.storage.database import NothingToWriteError, Transaction
from graph_memory._sync.storage.ids import new_id
from graph_memory._sync.tenant.base import TenantPart
from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.candidates.rows import candidate_from_row
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import one_of
from graph_memory.domain.instants import Instant
from graph_memory.domain.pages import Page, page_of
from graph_memory.domain.records import Entity, Episode, Fact, WriteReport
from graph_memory.domain.values import Ref
from graph_memory.entities.rows import entity_from_row
from graph_memory.episodes.validation import EpisodeInput, episode_row, input_of_call
from graph_memory.errors import (
    ExtractionError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
    brief,
)
from graph_memory.extraction.confirmation import OPEN, confirming, require_confirmer, require_open, require_subject
from graph_memory.extraction.outcome import Signal, signals
from graph_memory.ledger import statements
from graph_memory.ledger.planner import Status
from graph_memory.queue.jobs import Claim, Extraction, error_text, limit_of
from graph_memory.queue.rows import told_again

# How long an episode that is extracted at once is kept from the workers.
_LEASE = timedelta(minutes=10)


class TenantExtraction(TenantPart):
    """The write path: a text becomes candidates, and each becomes a fact, waits, or is refused."""

    def remember(
        self,
        text: str | EpisodeInput,
        id: str | None = None,
        kind: str = "message",
        source: str = "user",
        occurred_at: Instant | None = None,
        session: str | None = None,
        retention: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        about: str | None = None,
    ) -> WriteReport:
        """Record a text, and commit the facts that a model reads in it, if they pass the checks.

        The episode is stored first. All of its facts are committed in one transaction, and only once, even if this
        is called again with the same id.

        Args:
            text: 1 to 1,000,000 characters, kept unchanged; or an EpisodeInput with the other fields too.
            id: id of the episode, unique within the tenant; None: a new id is made.
            kind: kind of the episode, such as `message`, `tool_result`, `event`.
            source: who said it; conflict policies rank sources.
            occurred_at: when it was said (UTC). Facts without a start hold from then on, and relative dates count
                from it. None: now.
            session: the conversation of the episode.
            retention: the retention class.
            metadata: an object of JSON values.
            about: key of the entity that "I" and "my" mean in the text.

        Returns:
            The outcome of each candidate, with the reason.

        Raises:
            ConflictError: another episode has this id.
            ExtractionError: the model gave no usable answer. The episode is stored, and `extractions` lists it as
                failed.
            InvalidInputError: an argument is not allowed, the memory has no schema, or there is no model.
        """
        remembering = self._remembering()
        given = input_of_call(
            text,
            id=id,
            kind=kind,
            source=source,
            occurred_at=occurred_at,
            session=session,
            retention=retention,
            metadata=metadata,
            about=about,
        )
        row = episode_row(replace(given, extract="later"), new_id)
        worker = f"remember-{new_id()}"
        [(written, episode)] = self._episodes.record([row], worker=worker, lease=_LEASE)
        if written.error is not None:
            raise written.error
        about = row["about"]
        if written.status is Status.REPLAYED and (known := self._queue.get(episode.id)):
            about = known.about
            if report := _report(known):
                return report
        return self._extract(remembering, episode, about, worker)

    def extract(self, episode: Episode | str) -> WriteReport:
        """Extract a recorded episode, as `remember` does.

        An episode is extracted once: later calls return the report of the first.

        Raises:
            NotFoundError: the episode does not exist.
            ExtractionError, InvalidInputError: as `remember` does.
        """
        remembering = self._remembering()
        id_ = statements.episode_of(self.name, episode)
        known = self._queue.get(id_)
        if report := _report(known):
            return report
        recorded = self._episodes.get(id_)
        if known is not None:  # whoever claimed it says what became of it
            return remembering.extract(recorded, known.about)
        worker = f"extract-{new_id()}"

        def queue(transaction: Transaction) -> None:
            self._queue.enqueue_in(transaction, {id_: None}, worker, _LEASE)

        self._database.write(queue)
        return self._extract(remembering, recorded, None, worker)

    def _extract(
        self, remembering: ExtractionPipeline, episode: Episode, about: str | None, worker: str
    ) -> WriteReport:
        """Extract an episode; if that fails, record the failure on the claim of this worker."""
        claims = Claims(self._database, worker, [self.name], random.Random())
        claim = Claim(self.name, episode.id, about, 1)
        try:
            return remembering.extract(episode, about)
        except ExtractionError as error:
            claims.fail(claim, error_text(error))
            raise
        except UnavailableError:
            raise  # the failure cannot be stored while the database is away
        except BaseException as error:
            with suppress(GraphMemoryError):  # the first error counts
                claims.retry_later(claim, error_text(error), timedelta(0))
            raise

    def _remembering(self) -> ExtractionPipeline:
        schema, extractor = self._attributes.schema, self._services.extractor
        if schema is None or extractor is None:
            raise InvalidInputError(
                "extraction needs a schema: open the memory with schema=, or assert facts yourself"
            )
        extractor.require_model()
        return ExtractionPipeline(
            self._database,
            self._attributes,
            self.name,
            schema,
            extractor,
            self._ledger,
            self._reader,
            self._entities,
        )

    def review(self, status: CandidateStatus | str = CandidateStatus.PENDING, limit: int = 100) -> Page[Candidate]:
        """Return the candidates of one status, the earliest first.

        Args:
            status: `pending` for those that wait for a person; also `weak`, `refused`, `confirmed`, `rejected`,
                `promoted`, `expired`.
            limit: how many at most, 1 to 10,000; `truncated` tells whether there are more.
        """
        most = limit_of(limit)
        found = self._database.read(
            "read/candidates",
            tenant=self.name,
            status=str(one_of(CandidateStatus, status, "status")),
            limit=most + 1,
        )
        return page_of([candidate_from_row(self.name, row) for row in found], most)

    def candidate(self, candidate_id: str) -> Candidate:
        """Return a candidate of any status; raises NotFoundError."""
        found = self._database.read("read/candidate", tenant=self.name, id=identifiers.fact_id(candidate_id))
        return self._only(candidate_id, found)

    def _only(self, id_: str, found: Sequence[Sequence[Any]]) -> Candidate:
        if not found:
            raise NotFoundError(f"tenant {self.name} has no candidate {brief(id_)}: take an id from review()")
        return candidate_from_row(self.name, found[0])

    def confirm(
        self,
        candidate_id: str,
        *,
        episode: Episode | str,
        by: str | None = None,
        subject: str | None = None,
        value: object = None,
    ) -> Fact:
        """Commit a candidate that waits, by what an episode says; it wins over what stood against it.

        Args:
            candidate_id: of a candidate that is pending or weak.
            episode: the episode in which somebody confirms it, or its id; it becomes the fact's first source, and
                the one that the candidate was read from is cited too.
            by: key of the entity that says so, where the episode does not name it ("Yes, that is right.").
            subject: whom it is about, where the candidate leaves that open or has it wrong.
            value: the right value, where the candidate leaves that open or has it wrong.

        Returns:
            The fact; that of the first time where it has been confirmed by this episode before.

        Raises:
            ConflictError: it has been decided otherwise.
            InvalidInputError: the episode is from a source, or by somebody, that may not confirm it; something is
                left open.
            NotFoundError: the candidate or the episode does not exist.
        """
        confirmed_in = self._episodes.get(statements.episode_of(self.name, episode))
        candidate = self.candidate(candidate_id)
        require_confirmer(candidate, confirmed_in, self._attributes.schema)
        said_in = self._episodes.get(candidate.episode_id)
        self._attributes.look_up([candidate.attribute] if candidate.attribute else [])
        meant = self._unmerged(candidate)
        if candidate.status in OPEN:
            self._require_subject(meant, confirmed_in, subject, by)

        def work(transaction: Transaction) -> str:
            now, similar = self._open(transaction, candidate.id)
            if now.status is CandidateStatus.CONFIRMED and now.decided_by == confirmed_in.id:
                raise NothingToWriteError(now.fact_id)
            require_open(now)
            if subject is not None or value is not None:
                similar = []  # what they say is not what is confirmed
            schema = self._attributes.schema
            commands = confirming(
                meant,
                said_in,
                confirmed_in,
                self._attributes,
                subject=subject,
                value=value,
                similar=similar,
                users=None if schema is None else schema.users,
            )
            results, _ = self._ledger.write_in(transaction, commands)
            for result in results:
                if result.error is not None:
                    raise result.error
            fact_id = results[0].fact_id
            assert fact_id is not None
            self._decide(
                transaction,
                candidate.id,
                CandidateStatus.CONFIRMED,
                fact_id=fact_id,
                episode=confirmed_in.id,
                promoted=[signal.candidate for signal in similar],
                named=[commands[0].subject, *commands[0].objects],
            )
            return fact_id

        return (self._reader.fact(self._database.write(work)))[1]

    def _unmerged(self, candidate: Candidate) -> Candidate:
        """Return a candidate as it reads by now: of an entity that was merged, it is about the one kept."""
        value = candidate.value
        keys = [key for key in (candidate.subject, value.key if isinstance(value, Ref) else None) if key]
        kept = self._kept(keys, None)
        changes: dict[str, Any] = {}
        if candidate.subject in kept:
            changes["subject"] = kept[candidate.subject]
        if isinstance(value, Ref) and value.key in kept:
            changes["value"] = Ref(kept[value.key], value.kind)
        return candidate.model_copy(update=changes)

    def _require_subject(
        self, candidate: Candidate, confirmed_in: Episode, subject: str | None, by: str | None
    ) -> None:
        """Raise InvalidInputError where only its subject may confirm a candidate, and somebody else does."""
        key = candidate.subject if subject is None else identifiers.entity_key(subject)
        extraction = self._queue.get(confirmed_in.id)
        speakers = set() if by is None else {identifiers.entity_key(by)}
        if extraction is not None and extraction.about is not None:
            speakers.add(extraction.about)
        if key is None:
            return  # nothing is confirmed without a subject
        kept = self._kept([key, *speakers], None)
        key = kept.get(key, key)
        found = self._database.read("read/entities", tenant=self.name, keys=[key])
        known = entity_from_row(self.name, found[0]) if found else Entity(tenant=self.name, key=key, name=key)
        keys = {kept.get(speaker, speaker) for speaker in speakers}
        require_subject(candidate, confirmed_in, self._attributes.schema, known, keys)

    def reject(self, candidate_id: str, *, reason: str, episode: Episode | str | None = None) -> Candidate:
        """Reject a candidate: it does not become a fact. Rejecting it twice changes nothing.

        Args:
            candidate_id: of a candidate that is pending or weak.
            reason: why, in 1 to 1,000 characters.
            episode: the episode behind the decision, or its id.

        Raises:
            ConflictError: the candidate has been decided already.
            NotFoundError: the candidate or the episode does not exist.
        """
        id_ = identifiers.fact_id(candidate_id)
        decision = statements.reason_of(reason)
        decided_in = None if episode is None else self._episodes.get(statements.episode_of(self.name, episode))

        def work(transaction: Transaction) -> None:
            candidate, _ = self._open(transaction, id_)
            if candidate.status is CandidateStatus.REJECTED:
                raise NothingToWriteError(None)
            require_open(candidate)
            self._decide(
                transaction,
                id_,
                CandidateStatus.REJECTED,
                decision=decision,
                episode=None if decided_in is None else decided_in.id,
            )

        self._database.write(work)
        return self.candidate(id_)

    def _open(self, transaction: Transaction, id_: str) -> tuple[Candidate, list[Signal]]:
        """Lock a candidate; return it, and the other open candidates that say the same."""
        locked = transaction.run("write/decide_open", tenant=self.name, id=id_)
        found = transaction.run("read/candidate", tenant=self.name, id=id_)
        similar = [signal for [rows_] in locked for of_key in signals(rows_).values() for signal in of_key]
        return self._only(id_, found), similar

    def _decide(
        self,
        transaction: Transaction,
        id_: str,
        status: CandidateStatus,
        *,
        decision: str | None = None,
        fact_id: str | None = None,
        episode: str | None = None,
        promoted: Sequence[str] = (),
        named: Sequence[str] = (),
    ) -> None:
        transaction.run(
            "write/decide",
            tenant=self.name,
            id=id_,
            status=str(status),
            decision=decision,
            fact_id=fact_id,
            episode=episode,
            promoted=list(promoted),
            named=list(named),
        )


def _report(extraction: Extraction | None) -> WriteReport | None:
    """Return the report of an episode; None: it has not been settled."""
    if extraction is None or extraction.report is None:
        return None
    return told_again(extraction.report)
