# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What a tenant's memory can be told in the words of people, and what is decided about it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from graph_memory._sync.extraction.pipeline import Remembering
from graph_memory._sync.queue.leases import Claims
from graph_memory._sync.storage.database import NothingToWriteError, Transaction
from graph_memory._sync.storage.ids import new_id
from graph_memory._sync.tenant.base import Bound
from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.candidates.rows import candidate_from_row
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import one_of
from graph_memory.domain.instants import Instant
from graph_memory.domain.pages import Page, page_of
from graph_memory.domain.records import Episode, Fact, WriteReport
from graph_memory.domain.values import Ref
from graph_memory.episodes.validation import EpisodeInput, episode_row, input_of_call
from graph_memory.errors import (
    ExtractionError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
    brief,
)
from graph_memory.extraction.confirmation import confirming, require_confirmer, require_open
from graph_memory.extraction.outcome import Signal, signals
from graph_memory.ledger import statements
from graph_memory.ledger.planner import Status
from graph_memory.queue.jobs import Claim, Extraction, error_text, limit_of
from graph_memory.queue.rows import told_again

# How long an episode that is extracted at once is kept from the workers.
_LEASE = timedelta(minutes=10)


class TenantMemory(Bound):
    """The write path: what is said becomes candidates, and these become facts, wait, or are refused."""

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
        """Record what was said, and commit what a model reads in it, as far as that passes the checks.

        The episode is stored first. All of its facts are committed in one transaction and only once, however often
        this is called with the same id.

        Args:
            text: 1 to 1,000,000 characters, kept unchanged; or an EpisodeInput, which holds the other fields too.
            id: unique within the tenant; a new one is made where none is given.
            kind: such as `message`, `tool_result`, `event`.
            source: who said it; conflict policies rank sources.
            occurred_at: when it was said; what has no other start holds from then on, and relative dates count
                from it. None: now.
            session: the conversation it belongs to.
            retention: the retention class.
            metadata: what JSON can hold.
            about: key of the entity that the text is about where it names none ("I", "my account").

        Returns:
            What became of each candidate, and why.

        Raises:
            ConflictError: another episode has this id.
            ExtractionError: the model gave no answer that can be used; the episode is stored, and listed by
                `extractions` as failed.
            InvalidInputError: the memory was opened without a schema, or there is no model to ask.
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
        """Extract an episode that was recorded, as `remember` does.

        One that has been extracted is not extracted again: its report says what had become of it.

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

    def _extract(self, remembering: Remembering, episode: Episode, about: str | None, worker: str) -> WriteReport:
        """Extract an episode; where that fails, say so of the claim, if it is this worker's."""
        claims = Claims(self._database, worker, [self.name], random.Random())
        claim = Claim(self.name, episode.id, about, 1)
        try:
            return remembering.extract(episode, about)
        except ExtractionError as error:
            claims.fail(claim, error_text(error))
            raise
        except UnavailableError:
            raise  # nobody could be told
        except BaseException as error:
            with suppress(GraphMemoryError):  # what went wrong first is what counts
                claims.retry_later(claim, error_text(error), timedelta(0))
            raise

    def _remembering(self) -> Remembering:
        schema, extractor = self._attributes.schema, self._services.extractor
        if schema is None or extractor is None:
            raise InvalidInputError(
                "what may be remembered is not declared: open the memory with schema=, or assert facts yourself"
            )
        extractor.require_model()
        return Remembering(
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
        """Return a candidate, whatever has become of it; raises NotFoundError."""
        found = self._database.read("read/candidate", tenant=self.name, id=identifiers.fact_id(candidate_id))
        return self._only(candidate_id, found)

    def _only(self, id_: str, found: Sequence[Sequence[Any]]) -> Candidate:
        if not found:
            raise NotFoundError(f"tenant {self.name} has no candidate {brief(id_)}: take an id from review()")
        return candidate_from_row(self.name, found[0])

    def confirm(
        self, candidate_id: str, *, episode: Episode | str, subject: str | None = None, value: object = None
    ) -> Fact:
        """Commit a candidate that waits, by what an episode says; it wins over what stood against it.

        Args:
            candidate_id: of a candidate that is pending or weak.
            episode: the episode in which somebody confirms it, or its id; it becomes the fact's first source, and
                the one that the candidate was read from is cited too.
            subject: whom it is about, where the candidate leaves that open or has it wrong.
            value: the right value, where the candidate leaves that open or has it wrong.

        Returns:
            The fact; that of the first time where it has been confirmed by this episode before.

        Raises:
            ConflictError: it has been decided otherwise.
            InvalidInputError: the episode is from a source that may not confirm it, or something is left open.
            NotFoundError: the candidate or the episode does not exist.
        """
        confirmed_in = self._episodes.get(statements.episode_of(self.name, episode))
        candidate = self.candidate(candidate_id)
        require_confirmer(candidate, confirmed_in, self._attributes.schema)
        said_in = self._episodes.get(candidate.episode_id)
        self._attributes.look_up([candidate.attribute] if candidate.attribute else [])
        meant = self._unmerged(candidate)

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
            )
            return fact_id

        return (self._reader.fact(self._database.write(work)))[1]

    def _unmerged(self, candidate: Candidate) -> Candidate:
        """Return a candidate as it reads by now: of an entity that was merged, it is about the one kept."""
        value = candidate.value
        named = [name for name in (candidate.subject, value.key if isinstance(value, Ref) else None) if name]
        kept = {name: found[0].key for name, found in (self._entities.resolve(named)).items() if found}
        changes: dict[str, Any] = {}
        if candidate.subject in kept:
            changes["subject"] = kept[candidate.subject]
        if isinstance(value, Ref) and value.key in kept:
            changes["value"] = Ref(kept[value.key], value.kind)
        return candidate.model_copy(update=changes)

    def reject(self, candidate_id: str, *, reason: str, episode: Episode | str | None = None) -> Candidate:
        """Decide that a candidate is not to become a fact; rejecting it twice changes nothing.

        Args:
            candidate_id: of a candidate that is pending or weak.
            reason: why, in 1 to 1,000 characters.
            episode: the episode behind the decision, or its id.

        Raises:
            ConflictError: it has been decided otherwise.
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
        """Lock a candidate; return it, and the others that wait and say the same."""
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
        )


def _report(extraction: Extraction | None) -> WriteReport | None:
    """Return what became of an episode's candidates, where it has been settled."""
    if extraction is None or extraction.report is None:
        return None
    return told_again(extraction.report)
