# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The queue of one tenant's episodes to extract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.instants import MICROSECOND, format_instant
from graph_memory.errors import ConflictError, NotFoundError
from graph_memory.queue.jobs import Extraction, ExtractionState
from graph_memory.queue.rows import extraction_from_row


class Queue:
    """The queue of one tenant's episodes to extract."""

    def __init__(self, database: Database, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def enqueue_in(
        self,
        transaction: Transaction,
        about: Mapping[str, str | None],
        worker: str | None = None,
        lease: timedelta = timedelta(0),
    ) -> list[str]:
        """Queue episodes within a running transaction, except those that have been queued before.

        Args:
            transaction: the transaction that records the episodes, or a later one.
            about: by episode id, the key of the entity that "I" and "my" in its text refer to, or None.
            worker: the worker that extracts them at once, as the first attempt; None: any worker may claim them.
            lease: how long that worker has before another one may take the episodes over.

        Returns:
            The ids of the episodes that were queued now.
        """
        queued = transaction.run(
            "write/queue",
            tenant=self._tenant,
            rows=[{"episode": id_, "about": about[id_]} for id_ in sorted(about)],
            worker=worker,
            lease=lease // MICROSECOND,
        )
        return [id_ for (id_,) in queued]

    def extractions(self, states: list[str], limit: int) -> list[Extraction]:
        """Return at most `limit` extractions in some states, the latest change first."""
        found = self._database.read("read/extractions", tenant=self._tenant, states=states, limit=limit)
        listed = [extraction_from_row(self._tenant, row) for row in found]
        return sorted(listed, key=lambda one: (one.changed_at, one.episode_id), reverse=True)[:limit]

    def get(self, episode: str) -> Extraction | None:
        """Return the extraction of an episode, or None where it has none."""
        found = self._database.read("read/extraction", tenant=self._tenant, episode=episode)
        return extraction_from_row(self._tenant, found[0]) if found else None

    def requeue(self, episode: str) -> Extraction:
        """Queue an episode anew: one that failed, that waits for a retry, or that never was queued.

        Raises:
            ConflictError: the extraction is done, or a worker is running it.
            NotFoundError: the tenant has no such episode.
        """

        def work(transaction: Transaction) -> Extraction:
            found = transaction.run("write/requeue", tenant=self._tenant, episode=episode)
            if not found:
                raise NotFoundError(f"tenant {self._tenant} has no episode {episode!r}: record it first")
            requeued, *columns = found[0]
            extraction = extraction_from_row(self._tenant, columns)
            if not requeued:
                raise ConflictError(_why_not(extraction))
            return extraction

        return self._database.write(work)


def _why_not(extraction: Extraction) -> str:
    if extraction.state is ExtractionState.DONE:
        return f"episode {extraction.episode_id!r} has been extracted: its facts are in the ledger or in review"
    assert extraction.due_at is not None
    return (
        f"episode {extraction.episode_id!r} is being extracted by {extraction.worker}: wait until that worker is "
        f"done, or until its lease ends at {format_instant(extraction.due_at)}"
    )
