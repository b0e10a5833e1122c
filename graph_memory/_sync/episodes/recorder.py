# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Episodes of one tenant: stored first, in a transaction of their own, so that they are never lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from graph_memory._sync.queue.jobs import Queue
from graph_memory._sync.search.texts import Texts
from graph_memory._sync.search.vectors import Vectors
from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.instants import to_pair
from graph_memory.domain.records import Episode
from graph_memory.episodes.rows import episode_from_row
from graph_memory.episodes.validation import same_content
from graph_memory.errors import ConflictError, NotFoundError
from graph_memory.ledger.commands import Written
from graph_memory.ledger.planner import Status
from graph_memory.search.index_generations import Generations
from graph_memory.search.term_index import all_entries


class _OtherIndexError(Exception):
    """Another text index is in use, or is being built, than was known."""


class Episodes:
    """The episodes of one tenant."""

    def __init__(self, database: Database, queue: Queue, texts: Texts, vectors: Vectors, tenant: str) -> None:
        self._database = database
        self._queue = queue
        self._texts = texts
        self._vectors = vectors
        self._tenant = tenant

    def record(
        self, given: Sequence[dict[str, Any]], worker: str | None = None, lease: timedelta = timedelta(0)
    ) -> list[tuple[Written, Episode]]:
        """Store episodes in one transaction, queue those with `extract`, and return the result of each.

        A known id with the same content is a replay; with other content it is a conflict and changes nothing.
        `worker` and `lease` are those of `AsyncQueue.enqueue_in`. After the commit, the vectors of the new
        episodes are made, where the memory has embeddings.
        """
        first: dict[str, dict[str, Any]] = {}
        for row in given:
            first.setdefault(row["id"], row)
        order = {id_: position for position, id_ in enumerate(first)}

        known = self._texts.generations()

        def work(transaction: Transaction) -> list[tuple[Written, Episode]]:
            stored = self._store(transaction, list(first.values()), known)
            sessions = {id_: first[id_]["session"] for (_, created, id_, *_) in stored if created}
            if turns := {id_: session for id_, session in sessions.items() if session is not None}:
                transaction.run(
                    "write/link", tenant=self._tenant, sessions=sorted({*turns.values()}), ids=list(turns)
                )
            results: list[tuple[Written, Episode]] = []
            to_extract: dict[str, str | None] = {}
            for row in given:
                _, created, *columns = stored[order[row["id"]]]
                episode = episode_from_row(self._tenant, columns)
                written = _outcome(row, episode, row is first[row["id"]] and created)
                results.append((written, episode))
                if row["extract"] and written.error is None:
                    to_extract.setdefault(episode.id, row["about"])
            if to_extract:
                self._queue.enqueue_in(transaction, to_extract, worker, lease)
            return results

        while True:
            try:
                recorded = self._database.write(work)
                break
            except _OtherIndexError:
                known = self._texts.generations(again=True)
        new = {episode.id: episode.text for written, episode in recorded if written.status is Status.COMMITTED}
        self._vectors.follow(self._tenant, new)
        return recorded

    def _store(
        self, transaction: Transaction, given: Sequence[dict[str, Any]], known: Generations
    ) -> list[list[Any]]:
        """Return the rows of `write/record`, in the order given, but for the generation.

        Raises:
            _OtherIndexError: another text index is in use, or is being built, than was known.
        """
        stored = sorted(
            transaction.run(
                "write/record",
                tenant=self._tenant,
                generation=known.newest.number,
                rows=[_stored(row, all_entries(self._tenant, row["text"], known)) for row in given],
            )
        )
        if any(newest != known.newest.number for _, _, newest, *_ in stored):
            raise _OtherIndexError
        return [[position, created, *columns] for position, created, _, *columns in stored]

    def get(self, id_: str) -> Episode:
        """Return an episode; raises NotFoundError where the tenant has no such episode."""
        found = self._database.read("read/episodes", tenant=self._tenant, ids=[id_])
        if not found:
            raise NotFoundError(f"tenant {self._tenant} has no episode {id_!r}: record it first, or check the id")
        return episode_from_row(self._tenant, found[0])


def _outcome(row: dict[str, Any], episode: Episode, created: bool) -> Written:
    if created:
        return Written(Status.COMMITTED)
    if same_content(episode, row):
        return Written(Status.REPLAYED)
    clash = ConflictError(
        f"episode {episode.id!r} exists with other content (kind {episode.kind}, source {episode.source}, "
        f"text {episode.text[:60]!r}): episodes never change, so give the new one another id"
    )
    return Written(Status.REFUSED, error=clash)


def _stored(row: dict[str, Any], passages: list[dict[str, Any]]) -> dict[str, Any]:
    occurred_at = row["occurred_at"]
    return row | {"occurred_at": None if occurred_at is None else to_pair(occurred_at), "passages": passages}
