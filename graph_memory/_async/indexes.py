"""The indexes behind searches: what state they are in, and how one takes the place of another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from graph_memory._async.database import AsyncDatabase, AsyncTransaction
from graph_memory._async.vectors import AsyncVectors, StaleError
from graph_memory.database_records import IndexInfo
from graph_memory.embedders import query_async
from graph_memory.errors import ConflictError, InvalidInputError, UnavailableError, brief
from graph_memory.generations import Generation, Generations, generations

IndexProgress = Callable[[int, int], object]

_PAUSE = 0.2
# The server plans each query anew once an index is there. A reader that has locked what the drop of an index then
# waits for may itself wait until another one has planned the same query, which waits behind the drop: they stand
# still, and Neo4j neither sees it nor ends it. So readers get the time to plan first.
_PLANNED = 2.0
_ADOPTED_AT_ONCE = 1000
_GIVEN = ("name", "language", "embedder", "dimension", "slot", "filtered")
# One takes a text for a single word, and to the others "Passport" is another word than "passport".
_USELESS = {"keyword", "whitespace", "unicode_whitespace"}


class AsyncIndexes:
    """The text index and the vector index of a database."""

    def __init__(self, database: AsyncDatabase, vectors: AsyncVectors) -> None:
        self._database = database
        self._vectors = vectors

    async def all(self) -> list[IndexInfo]:
        """Return the indexes, with what is missing in them."""
        known = generations(await self._database.read("index/state"))
        return [await self._info(kind, known[kind]) for kind in sorted(known)]

    async def _info(self, kind: str, known: Generations) -> IndexInfo:
        active, building = known.active, known.building
        is_vector = kind == "vector"
        return IndexInfo(
            kind=kind,
            name=active.name,
            language=active.language,
            embedder=active.embedder,
            dimension=active.dimension,
            missing=await self._vectors.missing(active) if is_vector else 0,
            building=None if building is None else building.embedder or building.language,
            left=await self._vectors.missing(building) if is_vector and building is not None else 0,
        )

    async def index_missing(self, limit: int | None) -> int:
        """Make the vectors that are missing, of so many episodes at the most; return of how many."""
        self._vectors.required()
        await self.adopt()
        generation = await self._vectors.ready()
        done = failed = 0
        while limit is None or done < limit:
            room = 1_000_000 if limit is None else limit - done
            try:
                more, bad = await self._vectors.catch_up(generation, room, failed)
            except StaleError:
                generation = await self._vectors.ready()
                continue
            done, failed = done + more, failed + bad
            if not more and not bad:
                break
        return done

    async def adopt(self) -> None:
        """Give episodes that an older program has stored since the migration what newer ones store with them."""
        while strays := await self._database.read("index/strays", limit=_ADOPTED_AT_ONCE):
            for tenant, ids in strays:
                await self._adopt(tenant, ids)

    async def _adopt(self, tenant: str, ids: list[str]) -> None:
        async def work(transaction: AsyncTransaction) -> None:
            adopted = await transaction.run("write/adopt", tenant=tenant, ids=ids)
            turns = {id_: session for id_, session in adopted if session is not None}
            if turns:
                sessions = sorted({*turns.values()})
                await transaction.run("write/link", tenant=tenant, sessions=sessions, ids=list(turns))

        await self._database.write(work)

    async def rebuild_text(self, language: str, progress: IndexProgress | None) -> None:
        """Build the text index anew with the analyzer of a language; the old one serves until it is done."""
        found = await self._database.run_alone(
            "CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer RETURN analyzer"
        )
        analyzers = {name for (name,) in found} - _USELESS
        if language not in analyzers:
            raise InvalidInputError(
                f"language {brief(language)} is none that searches can use: use {', '.join(sorted(analyzers))}"
            )
        known = generations(await self._database.read("index/state"))["text"]
        # What a rebuild left behind that was killed would stand where the new index has to be.
        for (name,) in await self._database.run_alone_template("index/others", active=known.active.name):
            await self._drop(name)
        number = 1 + max(known.active.number, known.building.number if known.building else 0)
        slot = known.active.other_slot
        building = await self._begin("text", name=f"episode_text_{number}", language=language, slot=slot)
        # Two indexes of the same properties in the same order cannot be.
        properties = "e.text, e.tenant_token" if slot == "a" else "e.tenant_token, e.text"
        try:
            await self._database.run_alone(
                "CREATE FULLTEXT INDEX $name IF NOT EXISTS FOR (e:Episode) "
                f"ON EACH [{properties}] OPTIONS $options",
                name=building.name,
                options={"indexConfig": {"fulltext.analyzer": language}},
            )
            await self._filled(building.name, progress)
        except UnavailableError:
            await self._give_up("text", building)
            raise
        await self._switch("text", building)
        await asyncio.sleep(_PLANNED)
        await self._drop(known.active.name)

    async def _filled(self, name: str, progress: IndexProgress | None) -> None:
        while True:
            found = await self._database.run_alone_template("index/population", index=name)
            if not found:
                raise _taken_over()
            [[state, percent]] = found
            if progress is not None:
                progress(int(percent), 100)
            if state == "ONLINE":
                return
            if state == "FAILED":
                raise UnavailableError(f"Neo4j could not build the index {name}: its log says why")
            await asyncio.sleep(_PAUSE)

    async def rebuild_vectors(self, progress: IndexProgress | None) -> int:
        """Make the vectors of all episodes anew with this embedder; the old ones serve until all are there.

        A rebuild by the same embedder that was broken off goes on where it was.

        Returns:
            How many episodes could not be given any.
        """
        embedder = self._vectors.required()
        known = await self._vectors.generations(again=True)
        if known is None:
            generation = await self._vectors.ready()
            return await self._fill(generation, progress)
        building = known.building
        dimension = len(await query_async(embedder, "dimension"))
        if building is None or (building.embedder, building.dimension) != (embedder.name, dimension):
            building = await self._begin_vectors(known, dimension)
        await self._vectors.create_index(building)
        try:
            failed = await self._fill(building, progress)
        except StaleError:
            raise _taken_over() from None
        await self._switch("vector", building)
        await self._vectors.generations(again=True)
        await self._clear(known.active)
        return failed

    async def _begin_vectors(self, known: Generations, dimension: int) -> Generation:
        embedder = self._vectors.required()
        slot = known.active.other_slot
        if known.building is not None:
            await self._drop(known.building.name)
        building = await self._begin(
            "vector",
            name=f"passage_{slot}",
            embedder=embedder.name,
            dimension=dimension,
            slot=slot,
            filtered=await self._vectors.filters(),
        )
        await self._clear(building)
        return building

    async def _fill(self, generation: Generation, progress: IndexProgress | None) -> int:
        await self.adopt()
        total = await self._vectors.missing(generation)
        done = failed = 0
        while True:
            more, bad = await self._vectors.catch_up(generation, 1_000_000, failed)
            if not more and not bad:
                return failed
            done, failed = done + more, failed + bad
            if progress is not None:
                progress(done, max(total, done))

    async def _begin(self, kind: str, **about: Any) -> Generation:
        given = {name: about.get(name) for name in _GIVEN}

        async def work(transaction: AsyncTransaction) -> int:
            [[number]] = await transaction.run("index/begin", kind=kind, **given)
            return int(number)

        return Generation(await self._database.write(work), **given)  # type: ignore[arg-type]

    async def _switch(self, kind: str, building: Generation) -> None:
        async def work(transaction: AsyncTransaction) -> bool:
            return bool(await transaction.run("index/switch", kind=kind, generation=building.number))

        if not await self._database.write(work):
            raise _taken_over()

    async def _give_up(self, kind: str, building: Generation) -> None:
        """Leave it at the index in use; where the server is away that fails too, and the next rebuild does it."""

        async def work(transaction: AsyncTransaction) -> None:
            await transaction.run("index/give_up", kind=kind, generation=building.number)

        with suppress(UnavailableError):
            await self._drop(building.name)
            await self._database.write(work)

    async def _clear(self, generation: Generation) -> None:
        await self._drop(generation.name)
        await self._database.run_alone_template("index/clear", property=generation.embedding_property)

    async def _drop(self, name: str) -> None:
        await self._database.run_alone("DROP INDEX $name IF EXISTS", name=name)


def _taken_over() -> ConflictError:
    return ConflictError("another rebuild of this index has begun since: this one is over")
