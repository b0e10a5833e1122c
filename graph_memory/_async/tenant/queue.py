"""The queue of episodes to extract, and the state of each."""

from __future__ import annotations

from graph_memory._async.tenant.base import AsyncTenantPart
from graph_memory.domain.pages import Page, page_of
from graph_memory.domain.records import Episode
from graph_memory.ledger.statements import episode_of
from graph_memory.queue.jobs import Extraction, ExtractionState, limit_of, states_of


class AsyncTenantQueue(AsyncTenantPart):
    """The queue of episodes that workers extract."""

    async def extractions(self, state: ExtractionState | str | None = None, limit: int = 100) -> Page[Extraction]:
        """Return the episodes that are to be extracted or were, those whose state changed last first.

        Args:
            state: `queued`, `running`, `done` or `failed`; None: all.
            limit: how many at most, 1 to 10,000; `truncated` tells whether there are more.
        """
        most = limit_of(limit)
        return page_of(await self._queue.extractions(states_of(state), most + 1), most)

    async def requeue(self, episode: Episode | str) -> Extraction:
        """Queue an episode anew: one that failed, that waits for a retry, or that never was queued.

        Args:
            episode: the episode, or its id.

        Raises:
            ConflictError: the extraction is done, or a worker is running it.
            NotFoundError: the episode does not exist.
        """
        return await self._queue.requeue(episode_of(self.name, episode))
