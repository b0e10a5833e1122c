# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The indexes behind searches: their state, and how a new index replaces the old one."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from graph_memory._sync.search.texts import Texts
from graph_memory._sync.search.vectors import HARMLESS, Vectors
from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.errors import ConflictError, UnavailableError
from graph_memory.providers.embeddings import query
from graph_memory.search.analysis import analyzer
from graph_memory.search.index_generations import (
    Generation,
    Generations,
    SupersededGenerationError,
    generations,
)
from graph_memory.storage.records import IndexInfo

IndexProgress = Callable[[int, int], object]

_PAUSE = 0.2
# The server plans each query anew once an index is there. A reader that has locked what the drop of an index then
# waits for may itself wait until another one has planned the same query, which waits behind the drop: they stand
# still, and Neo4j neither sees it nor ends it. So readers get the time to plan first.
_PLANNED = 2.0
_GIVEN = ("language", "embedder", "dimension", "slot", "filtered")
# A rebuild that meets another rebuild tries again this many times.
_TRIES = 20


class Indexes:
    """The text index and the vector index of a database."""

    def __init__(self, database: Database, texts: Texts, vectors: Vectors) -> None:
        self._database = database
        self._texts = texts
        self._vectors = vectors

    def all(self) -> list[IndexInfo]:
        """Return the indexes, with what is missing in them."""
        known = generations(self._database.read("index/state"))
        return [self._info(kind, known[kind]) for kind in sorted(known)]

    def _info(self, kind: str, known: Generations) -> IndexInfo:
        active, building = known.active, known.building
        missing = self._vectors.missing if kind == "vector" else self._texts.missing
        return IndexInfo(
            kind=kind,
            name=active.name,
            language=active.language,
            embedder=active.embedder,
            dimension=active.dimension,
            missing=missing(active),
            building=None if building is None else building.embedder or building.language,
            left=0 if building is None else missing(building),
        )

    def index_missing(self, limit: int | None) -> int:
        """Make missing vectors for at most `limit` episodes (None: for all); return for how many."""
        self._vectors.required()
        self.adopt()
        generation = self._vectors.ready()
        done = failed = 0
        while limit is None or done < limit:
            room = 1_000_000 if limit is None else limit - done
            try:
                more, bad = self._vectors.catch_up(generation, room, failed)
            except SupersededGenerationError:
                generation = self._vectors.ready()
                continue
            done, failed = done + more, failed + bad
            if not more and not bad:
                break
        return done

    def adopt(self) -> None:
        """Make up for what others have left out of the text index: older programs, and rebuilds as they ended."""
        self._texts.adopt()
        known = self._texts.generations(again=True)
        with suppress(SupersededGenerationError):
            while self._texts.catch_up(known.active):
                pass

    def rebuild_text(self, language: str, progress: IndexProgress | None) -> None:
        """Build the text index anew with the analyzer of a language; the old one serves until it is done."""
        analyzer(language)
        self.adopt()
        old, building = self._begin_text(language)
        try:
            self._fill_text(building, progress)
            self._filled(building.name)
        except UnavailableError:
            self._give_up("text", building)
            raise
        except SupersededGenerationError:
            raise _taken_over() from None
        if not self._switch("text", building):
            raise _taken_over()
        time.sleep(_PLANNED)
        # What was recorded by whoever did not know yet that it was being built.
        with suppress(SupersededGenerationError):
            self._fill_text(building, None)
        self._tidy("text", old, building)

    def _fill_text(self, building: Generation, progress: IndexProgress | None) -> None:
        total = self._texts.missing(building)
        done = 0
        while some := self._texts.catch_up(building):
            done += some
            if progress is not None and done < total:
                progress(100 * done // total, 100)
        if progress is not None:
            progress(100, 100)

    def _begin_text(self, language: str) -> tuple[Generation, Generation]:
        """Return the index in use, and the one that is being built from now on."""
        for _ in range(_TRIES):
            known = self._texts.generations(again=True)
            active = known.active
            self._end_other("text", known)

            def prepare(building: Generation, active: Generation = active) -> None:
                # What a rebuild left behind that was killed would stand where the new index has to be.
                for (name,) in self._database.run_alone_template("index/others", active=active.name):
                    self._drop(name)
                self._clear(building)
                self._database.run_alone(
                    "CREATE FULLTEXT INDEX $name IF NOT EXISTS FOR (p:Passage) "
                    f"ON EACH [p.{building.terms_property}] OPTIONS $options",
                    name=building.name,
                    options={"indexConfig": {"fulltext.analyzer": "whitespace"}},
                )

            building = self._begin("text", active, prepare, language=language)
            if building is not None:
                return active, building
        raise _taken_over()

    def _filled(self, name: str) -> None:
        while True:
            found = self._database.run_alone_template("index/population", index=name)
            if not found:
                raise _taken_over()
            [[state, _]] = found
            if state == "ONLINE":
                return
            if state == "FAILED":
                raise UnavailableError(f"Neo4j could not build the index {name}: look into its log, and try again")
            time.sleep(_PAUSE)

    def rebuild_vectors(self, progress: IndexProgress | None) -> int:
        """Rebuild the vectors of all episodes with this embedder; searches use the old ones until it is done.

        An interrupted rebuild by the same embedder goes on where it stopped.

        Returns:
            The number of episodes that got no vectors.
        """
        self._vectors.required()
        if self._vectors.generations(again=True) is None:
            return self._fill(self._vectors.ready(), progress)
        old, building = self._begin_vectors()
        try:
            failed = self._fill(building, progress)
        except SupersededGenerationError:
            raise _taken_over() from None
        switched = self._switch("vector", building)
        known = self._vectors.generations(again=True)
        # Another rebuild by the same embedder may have helped to fill this index, and put it in use.
        if known is None or known.active.number != building.number:
            raise _taken_over()
        if switched:
            self._tidy("vector", old, building)
        return failed

    def _begin_vectors(self) -> tuple[Generation, Generation]:
        """Return the index in use, and the one being built, begun now or by a rebuild of this embedder."""
        embedder = self._vectors.required()
        # A model that is loaded for this takes its time, in which other rebuilds may begin and end.
        dimension = len(query(embedder, HARMLESS))
        filtered = self._vectors.filters()

        def prepare(building: Generation) -> None:
            self._clear(building)
            self._vectors.make_index(building)

        for _ in range(_TRIES):
            known = self._vectors.generations(again=True)
            assert known is not None
            building = known.building
            if building is None or (building.embedder, building.dimension) != (embedder.name, dimension):
                self._end_other("vector", known)
                building = self._begin(
                    "vector",
                    known.active,
                    prepare,
                    embedder=embedder.name,
                    dimension=dimension,
                    filtered=filtered,
                )
            if building is not None:
                with suppress(SupersededGenerationError):
                    self._vectors.create_index(building)
                    return known.active, building
        raise _taken_over()

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

    def _end_other(self, kind: str, known: Generations) -> None:
        """End a running rebuild, if there is one; it notices this by its generation."""
        building = known.building
        if building is not None:
            self._database.write(lambda transaction: _end(transaction, kind, building))

    def _begin(
        self, kind: str, active: Generation, prepare: Callable[[Generation], None], **about: Any
    ) -> Generation | None:
        """Begin a rebuild whose place is prepared under the lock on the index.

        Whoever holds locks on episodes or passages must not wait for that lock meanwhile: what is prepared may
        wait for theirs, in sessions of its own, and the server would not see that they wait for each other.

        Returns:
            What is being built; None where another index is in use by now, or another rebuild has begun.
        """
        given = {name: about.get(name) for name in _GIVEN} | {"slot": active.other_slot}

        def work(transaction: Transaction) -> Generation | None:
            begun = transaction.run("index/begin", kind=kind, active=active.number, **given)
            if not begun:
                return None
            [[number, name]] = begun
            building = Generation(number, name, **given)  # type: ignore[arg-type]
            prepare(building)
            return building

        return self._database.write(work)

    def _switch(self, kind: str, building: Generation) -> bool:
        """Put an index in use; return False if its rebuild was ended, or the index is in use already."""

        def work(transaction: Transaction) -> bool:
            return bool(transaction.run("index/switch", kind=kind, generation=building.number))

        return self._database.write(work)

    def _tidy(self, kind: str, old: Generation, active: Generation) -> None:
        """Remove what was in use before; the next rebuild does it where one has begun by now."""

        def work(transaction: Transaction) -> None:
            [[number, building]] = transaction.run("index/hold", kind=kind)
            if number == active.number and building is None:
                self._clear(old)

        self._database.write(work)

    def _give_up(self, kind: str, building: Generation) -> None:
        """Leave it at the index in use; where the server is away that fails too, and the next rebuild does it."""
        with suppress(UnavailableError):
            self._drop(building.name)
            self._database.write(lambda transaction: _end(transaction, kind, building))

    def _clear(self, generation: Generation) -> None:
        """Remove an index and what it holds; only under the lock on the index, and where nobody uses it."""
        self._drop(generation.name)
        self._database.run_alone_template("index/clear", property=generation.indexed_property)

    def _drop(self, name: str) -> None:
        self._database.run_alone("DROP INDEX $name IF EXISTS", name=name)


def _end(transaction: Transaction, kind: str, building: Generation) -> None:
    transaction.run("index/give_up", kind=kind, generation=building.number)


def _taken_over() -> ConflictError:
    return ConflictError("another rebuild of this index has begun: this one stops, wait for the other")
