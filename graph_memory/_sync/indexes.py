# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The indexes behind searches: what state they are in, and how one takes the place of another."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from graph_memory._sync.database import Database, Transaction
from graph_memory._sync.vectors import StaleError, Vectors
from graph_memory.database_records import IndexInfo
from graph_memory.embedders import query
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


class Indexes:
    """The text index and the vector index of a database."""

    def __init__(self, database: Database, vectors: Vectors) -> None:
        self._database = database
        self._vectors = vectors

    def all(self) -> list[IndexInfo]:
        """Return the indexes, with what is missing in them."""
        known = generations(self._database.read("index/state"))
        return [self._info(kind, known[kind]) for kind in sorted(known)]

    def _info(self, kind: str, known: Generations) -> IndexInfo:
        active, building = known.active, known.building
        is_vector = kind == "vector"
        return IndexInfo(
            kind=kind,
            name=active.name,
            language=active.language,
            embedder=active.embedder,
            dimension=active.dimension,
            missing=self._vectors.missing(active) if is_vector else 0,
            building=None if building is None else building.embedder or building.language,
            left=self._vectors.missing(building) if is_vector and building is not None else 0,
        )

    def index_missing(self, limit: int | None) -> int:
        """Make the vectors that are missing, of so many episodes at the most; return of how many."""
        self._vectors.required()
        self.adopt()
        generation = self._vectors.ready()
        done = failed = 0
        while limit is None or done < limit:
            room = 1_000_000 if limit is None else limit - done
            try:
                more, bad = self._vectors.catch_up(generation, room, failed)
            except StaleError:
                generation = self._vectors.ready()
                continue
            done, failed = done + more, failed + bad
            if not more and not bad:
                break
        return done

    def adopt(self) -> None:
        """Give episodes that an older program has stored since the migration what newer ones store with them."""
        while strays := self._database.read("index/strays", limit=_ADOPTED_AT_ONCE):
            for tenant, ids in strays:
                self._adopt(tenant, ids)

    def _adopt(self, tenant: str, ids: list[str]) -> None:
        def work(transaction: Transaction) -> None:
            adopted = transaction.run("write/adopt", tenant=tenant, ids=ids)
            turns = {id_: session for id_, session in adopted if session is not None}
            if turns:
                sessions = sorted({*turns.values()})
                transaction.run("write/link", tenant=tenant, sessions=sessions, ids=list(turns))

        self._database.write(work)

    def rebuild_text(self, language: str, progress: IndexProgress | None) -> None:
        """Build the text index anew with the analyzer of a language; the old one serves until it is done."""
        found = self._database.run_alone(
            "CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer RETURN analyzer"
        )
        analyzers = {name for (name,) in found} - _USELESS
        if language not in analyzers:
            raise InvalidInputError(
                f"language {brief(language)} is none that searches can use: use {', '.join(sorted(analyzers))}"
            )
        known = generations(self._database.read("index/state"))["text"]
        # What a rebuild left behind that was killed would stand where the new index has to be.
        for (name,) in self._database.run_alone_template("index/others", active=known.active.name):
            self._drop(name)
        number = 1 + max(known.active.number, known.building.number if known.building else 0)
        slot = known.active.other_slot
        building = self._begin("text", name=f"episode_text_{number}", language=language, slot=slot)
        # Two indexes of the same properties in the same order cannot be.
        properties = "e.text, e.tenant_token" if slot == "a" else "e.tenant_token, e.text"
        try:
            self._database.run_alone(
                "CREATE FULLTEXT INDEX $name IF NOT EXISTS FOR (e:Episode) "
                f"ON EACH [{properties}] OPTIONS $options",
                name=building.name,
                options={"indexConfig": {"fulltext.analyzer": language}},
            )
            self._filled(building.name, progress)
        except UnavailableError:
            self._give_up("text", building)
            raise
        self._switch("text", building)
        time.sleep(_PLANNED)
        self._drop(known.active.name)

    def _filled(self, name: str, progress: IndexProgress | None) -> None:
        while True:
            found = self._database.run_alone_template("index/population", index=name)
            if not found:
                raise _taken_over()
            [[state, percent]] = found
            if progress is not None:
                progress(int(percent), 100)
            if state == "ONLINE":
                return
            if state == "FAILED":
                raise UnavailableError(f"Neo4j could not build the index {name}: its log says why")
            time.sleep(_PAUSE)

    def rebuild_vectors(self, progress: IndexProgress | None) -> int:
        """Make the vectors of all episodes anew with this embedder; the old ones serve until all are there.

        A rebuild by the same embedder that was broken off goes on where it was.

        Returns:
            How many episodes could not be given any.
        """
        embedder = self._vectors.required()
        known = self._vectors.generations(again=True)
        if known is None:
            generation = self._vectors.ready()
            return self._fill(generation, progress)
        building = known.building
        dimension = len(query(embedder, "dimension"))
        if building is None or (building.embedder, building.dimension) != (embedder.name, dimension):
            building = self._begin_vectors(known, dimension)
        self._vectors.create_index(building)
        try:
            failed = self._fill(building, progress)
        except StaleError:
            raise _taken_over() from None
        self._switch("vector", building)
        self._vectors.generations(again=True)
        self._clear(known.active)
        return failed

    def _begin_vectors(self, known: Generations, dimension: int) -> Generation:
        embedder = self._vectors.required()
        slot = known.active.other_slot
        if known.building is not None:
            self._drop(known.building.name)
        building = self._begin(
            "vector",
            name=f"passage_{slot}",
            embedder=embedder.name,
            dimension=dimension,
            slot=slot,
            filtered=self._vectors.filters(),
        )
        self._clear(building)
        return building

    def _fill(self, generation: Generation, progress: IndexProgress | None) -> int:
        self.adopt()
        total = self._vectors.missing(generation)
        done = failed = 0
        while True:
            more, bad = self._vectors.catch_up(generation, 1_000_000, failed)
            if not more and not bad:
                return failed
            done, failed = done + more, failed + bad
            if progress is not None:
                progress(done, max(total, done))

    def _begin(self, kind: str, **about: Any) -> Generation:
        given = {name: about.get(name) for name in _GIVEN}

        def work(transaction: Transaction) -> int:
            [[number]] = transaction.run("index/begin", kind=kind, **given)
            return int(number)

        return Generation(self._database.write(work), **given)  # type: ignore[arg-type]

    def _switch(self, kind: str, building: Generation) -> None:
        def work(transaction: Transaction) -> bool:
            return bool(transaction.run("index/switch", kind=kind, generation=building.number))

        if not self._database.write(work):
            raise _taken_over()

    def _give_up(self, kind: str, building: Generation) -> None:
        """Leave it at the index in use; where the server is away that fails too, and the next rebuild does it."""

        def work(transaction: Transaction) -> None:
            transaction.run("index/give_up", kind=kind, generation=building.number)

        with suppress(UnavailableError):
            self._drop(building.name)
            self._database.write(work)

    def _clear(self, generation: Generation) -> None:
        self._drop(generation.name)
        self._database.run_alone_template("index/clear", property=generation.embedding_property)

    def _drop(self, name: str) -> None:
        self._database.run_alone("DROP INDEX $name IF EXISTS", name=name)


def _taken_over() -> ConflictError:
    return ConflictError("another rebuild of this index has begun since: this one is over")
