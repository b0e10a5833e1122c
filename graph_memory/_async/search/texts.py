"""The text index: what is put into it of each episode, and by which analyzer it is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory.search.index_generations import (
    Generation,
    Generations,
    SupersededGenerationError,
    generations,
)
from graph_memory.search.term_index import all_entries, entries

# Episodes to a transaction.
_BATCH = 100


class AsyncTexts:
    """The text index of all tenants."""

    def __init__(self, database: AsyncDatabase) -> None:
        self._database = database
        self._known: Generations | None = None

    async def generations(self, *, again: bool = False) -> Generations:
        """Return which index is in use and which is being built; `again` reads it anew."""
        if self._known is None or again:
            self._known = generations(await self._database.read("index/state"))["text"]
        return self._known

    async def adopt(self) -> int:
        """Put episodes that an older version of this program stored into the text index; return how many."""
        adopted = 0
        while some := await self.adopt_some():
            adopted += some
        return adopted

    async def adopt_some(self) -> int:
        """Put one batch of such episodes into the text index; return how many."""
        strays = await self._database.read("index/strays", limit=_BATCH)
        if not strays:
            return 0
        known = await self.generations(again=True)
        for tenant, rows in _by_tenant(strays, lambda tenant, text: all_entries(tenant, text, known)):
            await self._adopt(tenant, rows, known)
        return len(strays)

    async def _adopt(self, tenant: str, rows: list[dict[str, Any]], known: Generations) -> None:
        async def work(transaction: AsyncTransaction) -> None:
            adopted = await transaction.run(
                "write/adopt", tenant=tenant, generation=known.newest.number, rows=rows
            )
            turns = {id_: session for id_, session in adopted if session is not None}
            if turns:
                sessions = sorted({*turns.values()})
                await transaction.run("write/link", tenant=tenant, sessions=sessions, ids=list(turns))

        await self._database.write(work)

    async def missing(self, generation: Generation) -> int:
        """Return how many episodes are not in an index yet."""
        [[missing]] = await self._database.read("index/count_unworded", generation=generation.number)
        return int(missing)

    async def catch_up(self, generation: Generation) -> int:
        """Put some episodes into an index that are not in it yet; return how many.

        Raises:
            SupersededGenerationError: the index is neither in use nor being built.
        """
        found = await self._database.read("index/unworded", generation=generation.number, limit=_BATCH)
        for tenant, rows in _by_tenant(found, lambda tenant, text: entries(tenant, text, generation)):
            await self._write(tenant, rows, generation)
        return len(found)

    async def _write(self, tenant: str, rows: list[dict[str, Any]], generation: Generation) -> None:
        async def work(transaction: AsyncTransaction) -> bool:
            [[wanted, _]] = await transaction.run(
                "write/words",
                tenant=tenant,
                generation=generation.number,
                property=generation.terms_property,
                rows=rows,
            )
            return bool(wanted)

        if not await self._database.write(work):
            raise SupersededGenerationError(f"generation {generation.number} of the text index is over")


def _by_tenant(
    episodes: Iterable[Sequence[str]], passages: Callable[[str, str], list[dict[str, Any]]]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return what is written of episodes (tenant, id, text), by tenant in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for tenant, id_, text in episodes:
        found.setdefault(tenant, []).append({"episode": id_, "passages": passages(tenant, text)})
    return sorted(found.items())


async def put_into_text_index(database: AsyncDatabase, held: Callable[[], Awaitable[None]]) -> None:
    """Put all episodes into the text index over passages, and drop that over episodes; `held` after each batch.

    It is the part of migration 0006 that no statement can do.
    """
    texts = AsyncTexts(database)
    while await texts.adopt_some():
        await held()
    active = (await texts.generations(again=True)).active
    for (name,) in await database.run_alone_template("index/others", active=active.name):
        await database.run_alone("DROP INDEX $name IF EXISTS", name=name)
