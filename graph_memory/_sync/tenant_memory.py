# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What a tenant's memory can be told in the words of people, and what is decided about it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

from graph_memory import names, rows, statements
from graph_memory._sync.bound import Bound
from graph_memory._sync.claims import Claims
from graph_memory._sync.database import NothingToWriteError, Transaction
from graph_memory._sync.remembering import Remembering
from graph_memory.episodes import episode_row
from graph_memory.errors import ExtractionError, InvalidInputError, NotFoundError, brief
from graph_memory.extractions import Claim, Extraction, error_text, limit_of
from graph_memory.planner import Status
from graph_memory.records import Candidate, CandidateStatus, Episode, Fact, WriteReport
from graph_memory.reviews import confirming, require_confirmer, require_open
from graph_memory.settling import report_of, signals
from graph_memory.statements import Instant

# How long an episode that is extracted at once is kept from the workers.
_LEASE = timedelta(minutes=10)


class TenantMemory(Bound):
    """The write path: what is said becomes candidates, and these become facts, wait, or are refused."""

    def remember(
        self,
        text: str,
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
            text: 1 to 1,000,000 characters, kept unchanged.
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
        row = episode_row(
            text,
            id=id,
            kind=kind,
            source=source,
            occurred_at=occurred_at,
            session=session,
            retention=retention,
            metadata=metadata,
            extract="later",
            about=about,
        )
        worker = f"remember-{uuid4().hex}"
        [(written, episode)] = self._episodes.record([row], worker=worker, lease=_LEASE)
        if written.error is not None:
            raise written.error
        if written.status is Status.REPLAYED and (report := _report(self._queue.get(episode.id))):
            return report
        try:
            return remembering.extract(episode, row["about"])
        except ExtractionError as error:
            claims = Claims(self._database, worker, [self.name], random.Random())
            claims.fail(Claim(self.name, episode.id, row["about"], 1), error_text(error))
            raise

    def extract(self, episode: Episode | str) -> WriteReport:
        """Extract an episode that was recorded, as `remember` does.

        One that has been extracted is not extracted again: its report says what had become of it.

        Raises:
            NotFoundError: the episode does not exist.
            ExtractionError, InvalidInputError: as `remember` does.
        """
        remembering = self._remembering()
        id_ = statements.episode_of(episode)
        known = self._queue.get(id_)
        if report := _report(known):
            return report
        return remembering.extract(self._episodes.get(id_), None if known is None else known.about)

    def _remembering(self) -> Remembering:
        schema = self._attributes.schema
        if schema is None or self._extractor is None:
            raise InvalidInputError(
                "what may be remembered is not declared: open the memory with schema=, or assert facts yourself"
            )
        return Remembering(
            self._database,
            self._attributes,
            self.name,
            schema,
            self._extractor,
            self._ledger,
            self._reader,
            self._entities,
        )

    def review(self, status: CandidateStatus | str = CandidateStatus.PENDING, limit: int = 100) -> list[Candidate]:
        """Return the candidates of one status, the earliest first.

        Args:
            status: `pending` for those that wait for a person; also `weak`, `refused`, `confirmed`, `rejected`,
                `promoted`, `expired`.
            limit: how many at most, 1 to 10,000.
        """
        if status not in list(CandidateStatus):
            raise InvalidInputError(f"status {brief(status)} must be one of {', '.join(CandidateStatus)}")
        found = self._database.read("read/candidates", tenant=self.name, status=str(status), limit=limit_of(limit))
        return [rows.candidate(self.name, row) for row in found]

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
        id_ = names.fact_id(candidate_id)
        confirmed_in = self._episodes.get(statements.episode_of(episode))

        def work(transaction: Transaction) -> str:
            candidate, weak = self._open(transaction, id_)
            if candidate.status is CandidateStatus.CONFIRMED and candidate.decided_by == confirmed_in.id:
                raise NothingToWriteError(candidate.fact_id)
            require_open(candidate)
            require_confirmer(candidate, confirmed_in)
            said_in = self._episodes.get(candidate.episode_id)
            self._attributes.look_up([candidate.attribute] if candidate.attribute else [])
            intents = confirming(
                candidate,
                said_in,
                confirmed_in,
                self._attributes,
                subject=subject,
                value=value,
                similar=weak if subject is None and value is None else (),
            )
            results, _ = self._ledger.write_in(transaction, intents)
            for result in results:
                if result.error is not None:
                    raise result.error
            fact_id = results[0].fact_id
            assert fact_id is not None
            transaction.run(
                "write/decide",
                tenant=self.name,
                id=id_,
                status=str(CandidateStatus.CONFIRMED),
                decision=None,
                fact_id=fact_id,
                episode=confirmed_in.id,
                promoted=[signal.candidate for signal in weak],
            )
            return fact_id

        return (self._reader.fact(self._database.write(work)))[1]

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
        id_ = names.fact_id(candidate_id)
        decision = statements.reason_of(reason)
        decided_in = None if episode is None else self._episodes.get(statements.episode_of(episode))

        def work(transaction: Transaction) -> Candidate:
            candidate, _ = self._open(transaction, id_)
            if candidate.status is CandidateStatus.REJECTED:
                raise NothingToWriteError(candidate)
            require_open(candidate)
            transaction.run(
                "write/decide",
                tenant=self.name,
                id=id_,
                status=str(CandidateStatus.REJECTED),
                decision=decision,
                fact_id=None,
                episode=None if decided_in is None else decided_in.id,
                promoted=[],
            )
            return (self._open(transaction, id_))[0]

        return self._database.write(work)

    def _open(self, transaction: Transaction, id_: str) -> tuple[Candidate, list[Any]]:
        """Lock a candidate; return it, and the weak signals that say the same."""
        found = transaction.run("write/decide_open", tenant=self.name, id=id_)
        if not found:
            raise NotFoundError(f"tenant {self.name} has no candidate {brief(id_)}: take an id from review()")
        [[weak, *columns]] = found
        similar = [signal for of_key in signals(weak).values() for signal in of_key]
        return rows.candidate(self.name, columns), similar


def _report(extraction: Extraction | None) -> WriteReport | None:
    """Return what became of an episode's candidates, where it has been settled."""
    if extraction is None or extraction.report is None:
        return None
    return report_of(extraction.report["candidates"], again=True)
