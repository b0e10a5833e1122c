"""The episodes that one worker has claimed from the queue, and their leases. All instants are the database's."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory.domain.instants import MICROSECOND
from graph_memory.queue.jobs import Claim, Waiting, choose

# A worker reads this many more episodes than it needs, so that workers seldom choose the same ones.
_LOOK_AHEAD = 32
_TRIES = 5


class AsyncClaims:
    """The claims of one worker.

    A claim belongs to a worker and a number of attempts. Once another worker has taken it over, the first worker's
    writes to it change nothing.

    Args:
        database: the database with the queue.
        worker: the worker's name, which must be unique.
        tenants: claim only episodes of these tenants; None: of all.
        chance: chooses at random among the episodes that are due.
    """

    def __init__(
        self, database: AsyncDatabase, worker: str, tenants: Sequence[str] | None, chance: random.Random
    ) -> None:
        self._database = database
        self._worker = worker
        self._tenants = None if tenants is None else list(tenants)
        self._chance = chance
        self._served = ""

    async def claim(self, number: int, lease: timedelta, max_attempts: int) -> tuple[list[Claim], list[Claim]]:
        """Claim up to `number` episodes that are due, from different tenants in turn.

        Returns:
            The claims; and the episodes that were given up, because they had been claimed `max_attempts` times
            without a result: extracting them may crash the worker.
        """
        claims: list[Claim] = []
        given_up: list[Claim] = []
        for _ in range(_TRIES):
            wanted = choose(await self._due(number + _LOOK_AHEAD), number - len(claims), self._chance)
            if not wanted:
                break
            for *columns, hopeless in await self._write(
                "write/claim",
                rows=[{"tenant": tenant, "episode": episode} for tenant, episode in sorted(wanted)],
                lease=lease // MICROSECOND,
                max_attempts=max_attempts,
            ):
                (given_up if hopeless else claims).append(Claim(*columns))
            if len(claims) == number:
                break
        return claims, given_up

    async def renew(self, claims: Iterable[Claim], lease: timedelta) -> list[Claim]:
        """Renew leases for `lease` from now; return the claims that another worker has taken over."""
        held = {(claim.tenant, claim.episode): claim for claim in claims}
        lost = await self._write("write/renew", rows=_rows(held.values()), lease=lease // MICROSECOND)
        return [held[tenant, episode] for tenant, episode in lost]

    async def retry_later(self, claim: Claim, error: str, delay: timedelta) -> bool:
        """Give a claim back, so that it may be claimed again after `delay`; return whether it was still held."""
        return bool(await self._give_back([claim], error=error, delay=delay))

    async def fail(self, claim: Claim, error: str) -> bool:
        """Give an episode up: it is listed as failed. Return whether the claim was still held."""
        return bool(await self._give_back([claim], error=error, failed=True))

    async def release(self, claims: Iterable[Claim]) -> int:
        """Give claims back without counting the attempt; return how many were still held."""
        return len(await self._give_back(claims, attempts_back=1))

    async def queued(self) -> int:
        """Return how many episodes are queued or running."""
        if self._tenants is None:
            [[number]] = await self._database.read("read/queued")
        else:
            [[number]] = await self._database.read("read/queued_of", tenants=self._tenants)
        return int(number)

    async def _due(self, limit: int) -> list[list[Waiting]]:
        """Return the episodes that are due, in groups from which equally many are taken."""
        if self._tenants is not None:
            groups: dict[str, list[Waiting]] = {}
            for tenant, episode in await self._database.read("read/due_of", tenants=self._tenants, limit=limit):
                groups.setdefault(tenant, []).append((tenant, episode))
            return list(groups.values())
        oldest: list[Waiting] = []
        others: list[tuple[str, str, bool]] = []
        for is_oldest, tenant, episode, due in await self._database.read(
            "read/due", after=self._served, limit=limit
        ):
            if is_oldest:
                oldest.append((tenant, episode))
            else:
                others.append((tenant, episode, due))
        next_tenant = next((tenant for tenant, _, due in others if due), None)
        # Within a tenant the due episodes come first, so a tenant whose first episode is not due has none.
        self._served = next_tenant or (others[-1][0] if len(others) == limit else "")
        return [oldest, [(tenant, episode) for tenant, episode, due in others if due and tenant == next_tenant]]

    async def _give_back(
        self,
        claims: Iterable[Claim],
        *,
        error: str | None = None,
        delay: timedelta = timedelta(0),
        failed: bool = False,
        attempts_back: int = 0,
    ) -> list[list[Any]]:
        return await self._write(
            "write/give_back",
            rows=_rows(claims),
            error=error,
            delay=delay // MICROSECOND,
            failed=failed,
            attempts_back=attempts_back,
        )

    async def _write(self, name: str, **parameters: Any) -> list[list[Any]]:
        async def work(transaction: AsyncTransaction) -> list[list[Any]]:
            return await transaction.run(name, worker=self._worker, **parameters)

        return await self._database.write(work)


def _rows(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    rows = [{"tenant": c.tenant, "episode": c.episode, "attempts": c.attempts} for c in claims]
    return sorted(rows, key=lambda row: (row["tenant"], row["episode"]))
