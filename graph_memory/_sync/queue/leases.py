# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What one worker has claimed of the queue, for as long as its leases last. Every instant is the database's."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.instants import MICROSECOND
from graph_memory.queue.jobs import Claim, Waiting, choose

# A worker looks at more than it wants, so that many of them seldom want the same.
_LOOK_AHEAD = 32
_TRIES = 5


class Claims:
    """The claims of one worker.

    A claim is held by its worker and its number of attempts: once another has taken it over, whatever the first
    does with it changes nothing.

    Args:
        database: where the queue is.
        worker: a name that no other has.
        tenants: whose episodes to claim; None: all.
        chance: what chooses among those that are due.
    """

    def __init__(
        self, database: Database, worker: str, tenants: Sequence[str] | None, chance: random.Random
    ) -> None:
        self._database = database
        self._worker = worker
        self._tenants = None if tenants is None else list(tenants)
        self._chance = chance
        self._served = ""

    def claim(self, number: int, lease: timedelta, max_attempts: int) -> tuple[list[Claim], list[Claim]]:
        """Claim up to so many episodes that are due, those of different tenants in turn.

        Returns:
            The claims; and the episodes that were given up because they had been claimed `max_attempts` times
            already without an answer: whoever claims them may not survive it.
        """
        claims: list[Claim] = []
        given_up: list[Claim] = []
        for _ in range(_TRIES):
            wanted = choose(self._due(number + _LOOK_AHEAD), number - len(claims), self._chance)
            if not wanted:
                break
            for *columns, hopeless in self._write(
                "write/claim",
                rows=[{"tenant": tenant, "episode": episode} for tenant, episode in sorted(wanted)],
                lease=lease // MICROSECOND,
                max_attempts=max_attempts,
            ):
                (given_up if hopeless else claims).append(Claim(*columns))
            if len(claims) == number:
                break
        return claims, given_up

    def renew(self, claims: Iterable[Claim], lease: timedelta) -> list[Claim]:
        """Let leases last that long from now; return the claims that somebody else has taken over."""
        held = {(claim.tenant, claim.episode): claim for claim in claims}
        lost = self._write("write/renew", rows=_rows(held.values()), lease=lease // MICROSECOND)
        return [held[tenant, episode] for tenant, episode in lost]

    def retry_later(self, claim: Claim, error: str, delay: timedelta) -> bool:
        """Give a claim back, to be claimed again after a while; return whether it was still held."""
        return bool(self._give_back([claim], error=error, delay=delay))

    def fail(self, claim: Claim, error: str) -> bool:
        """Give a claim up for good: it is listed as failed; return whether it was still held."""
        return bool(self._give_back([claim], error=error, failed=True))

    def release(self, claims: Iterable[Claim]) -> int:
        """Give claims back as if they had not been made; return how many were still held."""
        return len(self._give_back(claims, attempts_back=1))

    def queued(self) -> int:
        """Return how many episodes are queued or running."""
        if self._tenants is None:
            [[number]] = self._database.read("read/queued")
        else:
            [[number]] = self._database.read("read/queued_of", tenants=self._tenants)
        return int(number)

    def _due(self, limit: int) -> list[list[Waiting]]:
        """Return what is due in groups, of which the same number is taken."""
        if self._tenants is not None:
            groups: dict[str, list[Waiting]] = {}
            for tenant, episode in self._database.read("read/due_of", tenants=self._tenants, limit=limit):
                groups.setdefault(tenant, []).append((tenant, episode))
            return list(groups.values())
        oldest: list[Waiting] = []
        others: list[tuple[str, str, bool]] = []
        for is_oldest, tenant, episode, due in self._database.read("read/due", after=self._served, limit=limit):
            if is_oldest:
                oldest.append((tenant, episode))
            else:
                others.append((tenant, episode, due))
        next_tenant = next((tenant for tenant, _, due in others if due), None)
        # Within a tenant what is due comes first, so a tenant whose first is not due may be passed over.
        self._served = next_tenant or (others[-1][0] if len(others) == limit else "")
        return [oldest, [(tenant, episode) for tenant, episode, due in others if due and tenant == next_tenant]]

    def _give_back(
        self,
        claims: Iterable[Claim],
        *,
        error: str | None = None,
        delay: timedelta = timedelta(0),
        failed: bool = False,
        attempts_back: int = 0,
    ) -> list[list[Any]]:
        return self._write(
            "write/give_back",
            rows=_rows(claims),
            error=error,
            delay=delay // MICROSECOND,
            failed=failed,
            attempts_back=attempts_back,
        )

    def _write(self, name: str, **parameters: Any) -> list[list[Any]]:
        def work(transaction: Transaction) -> list[list[Any]]:
            return transaction.run(name, worker=self._worker, **parameters)

        return self._database.write(work)


def _rows(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    rows = [{"tenant": c.tenant, "episode": c.episode, "attempts": c.attempts} for c in claims]
    return sorted(rows, key=lambda row: (row["tenant"], row["episode"]))
