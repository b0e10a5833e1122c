# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Searching the episodes of one tenant for evidence."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_memory._sync.search.texts import Texts
from graph_memory._sync.search.vectors import Vectors
from graph_memory._sync.storage.database import Database
from graph_memory._sync.storage.driver_errors import AwayError
from graph_memory.domain.json_values import frozen
from graph_memory.episodes.rows import episode_from_row
from graph_memory.errors import InvalidInputError, SchemaMismatchError, UnavailableError
from graph_memory.search.excerpts import excerpt
from graph_memory.search.index_generations import Generation
from graph_memory.search.passages import MOST_SCANNED, scan_limit
from graph_memory.search.query import Search, SearchMode
from graph_memory.search.ranking import (
    NOTHING,
    POOL,
    Found,
    Hit,
    Ranked,
    best_first,
    fused,
    ranked,
    with_neighbours,
)
from graph_memory.search.records import Evidence
from graph_memory.search.rows import supported_from_rows
from graph_memory.search.term_index import MOST_COUNTED, lucene_query, score, tokens_of, weights

_log = logging.getLogger(__name__)

# A few more than are wanted are asked for, so that a few equals at the end are put in order; then many more where
# too few count.
_SPARE = 14
# Of passages more, since the index does not rank them as they are ranked here, and an episode may have many.
_PASSAGES = 4
_GROWTH = 8
# Where so few episodes count, their passages are compared one by one; where more do, it is asked of each hit.
_FEW = 1000
_NEAREST = {"a": "evidence/nearest_a", "b": "evidence/nearest_b"}


class Searcher:
    """The search of one tenant."""

    def __init__(self, database: Database, texts: Texts, vectors: Vectors, tenant: str) -> None:
        self._database = database
        self._texts = texts
        self._vectors = vectors
        self._tenant = tenant

    def search(self, search: Search) -> list[Evidence]:
        """Return the episodes that match best, the best first."""
        ids = None if search.about is None else self._about(search)
        if ids == []:
            return []
        if ids is not None and len(ids) > _FEW:
            ids = None
        else:
            search = replace(search, about=None)
        wanted = max(search.k, POOL)
        vector = self._meaning(search, ids, wanted)
        text = NOTHING if search.mode is SearchMode.VECTOR else self._words(search, ids, wanted)
        parts = fused(text.hits[:wanted], vector.hits[:wanted], search.fusion, search.weights)
        hits = [*text.hits, *vector.hits]
        turns = [id_ for id_ in dict.fromkeys(hit.id for hit in hits if hit.in_session) if id_ in parts]
        beside = self._beside(search, ids, turns) if turns and search.neighbours else {}
        others = {id_: [other for other, _ in found] for id_, found in beside.items()}
        recorded_at = dict(turn for found in beside.values() for turn in found)
        recorded_at |= {hit.id: hit.recorded_at for hit in hits}
        best = ranked(with_neighbours(parts, others, search.neighbours), recorded_at, search.k)
        return self._evidence(search, best, {hit.id: hit for hit in (*vector.hits, *text.hits)})

    def _beside(self, search: Search, ids: list[str] | None, turns: list[str]) -> dict[str, list[tuple[str, int]]]:
        """Return the turns before and after each that count, with when they were recorded."""
        found = self._database.read("evidence/beside", tenant=self._tenant, turns=turns, ids=ids, **search.filters)
        return {turn: [(id_, at) for id_, at in beside] for turn, beside in found}

    def _about(self, search: Search) -> list[str]:
        """Return the episodes that support facts of an entity, or with it, up to one more than a few."""
        found = self._database.read(
            "evidence/about", tenant=self._tenant, key=search.about, known_at=search.known_at, limit=_FEW + 1
        )
        return [id_ for (id_,) in found]

    def _meaning(self, search: Search, ids: list[str] | None, wanted: int) -> Found:
        """Return the hits by vectors; without a mode, words have to do where there can be none."""
        if search.mode is SearchMode.TEXT or (search.mode is None and self._vectors.embedder is None):
            return NOTHING
        try:
            return self._nearest(search, ids, wanted)
        except AwayError:
            raise
        except (SchemaMismatchError, UnavailableError, InvalidInputError) as error:
            if search.mode is not None:
                raise
            _log.warning("searched by words alone: %s", error)
            return NOTHING

    def _nearest(self, search: Search, ids: list[str] | None, wanted: int) -> Found:
        self._vectors.required()
        generation = self._vectors.ours()
        if generation is None or not search.query.strip():
            return NOTHING
        vector = self._vectors.of_query(search.query, generation)
        try:
            found = self._near(search, ids, wanted, generation, vector)
        except AwayError:
            raise
        except UnavailableError:
            if self._vectors.ours(again=True) == generation:
                raise
            found = NOTHING
        # After a rebuild by somebody else there is nothing of the generation that was known here.
        if not found.hits and self._vectors.ours(again=True) != generation:
            return self._nearest(search, ids, wanted)
        return found

    def _near(
        self, search: Search, ids: list[str] | None, wanted: int, generation: Generation, vector: list[float]
    ) -> Found:
        parameters = {
            "tenant": self._tenant,
            "generation": generation.number,
            "vector": vector,
            **search.filters,
        }
        if ids is not None:
            del parameters["about"]
            return _found(self._database.read("evidence/scan_of", **parameters, ids=ids, limit=wanted))
        if generation.filtered:
            name = _NEAREST[generation.slot]
        else:
            total, of_tenant = self._passages(MOST_SCANNED + 1)
            if of_tenant <= scan_limit(total, wanted):
                return _found(self._database.read("evidence/scan", **parameters, ids=ids, limit=wanted))
            name = "evidence/nearest"

        def read(limit: int) -> Found:
            return _found(self._database.read(name, **parameters, ids=ids, limit=limit))

        return _grown(read, wanted, self._most)

    def _passages(self, limit: int) -> tuple[int, int]:
        """Return how many passages there are, and how many the tenant has, counted up to a limit."""
        [[total, of_tenant]] = self._database.read("evidence/passages", tenant=self._tenant, limit=limit)
        return total, of_tenant

    def _most(self) -> int:
        """Return how many passages an index can give at the most."""
        total, _ = self._passages(1)
        return max(total, 1)

    def _words(self, search: Search, ids: list[str] | None, wanted: int) -> Found:
        """Return the hits by words; a rebuild that ends meanwhile makes it ask again."""
        known = self._texts.generations()
        found = self._worded(search, ids, wanted, known.active)
        while found is None:
            known = self._texts.generations(again=True)
            found = self._worded(search, ids, wanted, known.active)
        return found

    def _worded(self, search: Search, ids: list[str] | None, wanted: int, index: Generation) -> Found | None:
        """Return the hits of a text index, ranked by counts over the tenant; None where it is not in use."""
        tokens = tokens_of(self._tenant, search.query, index)
        if not tokens:
            return NOTHING
        asked = {"tenant": self._tenant, "generation": index.number}
        counted = self._database.read("evidence/statistics", **asked, tokens=tokens, limit=MOST_COUNTED)
        if not counted:
            return None
        [[total, counts]] = counted
        weighed = weights(dict(counts), total)
        if not weighed:
            return NOTHING
        query = lucene_query(weighed)

        def read(limit: int) -> Found:
            [[returned, hits]] = self._database.read(
                "evidence/words", **asked, query=query, limit=limit, ids=ids, **search.filters
            )
            scored = (Hit(id_, score(terms.split(), weighed), *rest) for id_, terms, *rest in hits)
            return Found(best_first(scored), returned)

        return _grown(read, wanted, self._most, wanted * _PASSAGES)

    def _evidence(self, search: Search, best: Sequence[Ranked], passages: Mapping[str, Hit]) -> list[Evidence]:
        if not best:
            return []
        ids = [one.id for one in best]
        if search.known_at is None:
            found = self._database.read("evidence/found", tenant=self._tenant, ids=ids, at=search.at)
        else:
            found = self._database.read(
                "evidence/found_past", tenant=self._tenant, ids=ids, at=search.at, known_at=search.known_at
            )
        by_id = {row[1]: row for row in found}
        analyzer = (self._texts.generations()).active.analyzer
        evidence = []
        for one in best:
            facts, *columns = by_id[one.id]
            episode = episode_from_row(self._tenant, columns)
            # Words say best where in the text; without any, the passage whose vector was found.
            passage = passages.get(one.id)
            place = (0, None) if passage is None else (passage.start, passage.end)
            quote = excerpt(episode.text, search.query, analyzer, *place)
            evidence.append(
                Evidence.model_construct(
                    episode=episode,
                    quote=quote.text,
                    start=quote.start,
                    end=quote.end,
                    score=one.score,
                    parts=frozen(dict(one.parts)),
                    facts=supported_from_rows(self._tenant, facts),
                )
            )
        return evidence


def _grown(
    read: Callable[[int], Found],
    wanted: int,
    most: Callable[[], int],
    first: int | None = None,
) -> Found:
    """Return what a reader finds, asked for more hits each time until enough of them count.

    Args:
        read: returns what an index gives where it is asked for so many hits.
        wanted: how many have to count.
        most: how many it can give at all. A server makes room for as many as it is asked for.
        first: for how many it is asked first; None: a few more than are wanted.
    """
    limit = first or wanted + _SPARE
    found = read(limit)
    if found.enough(limit, wanted):
        return found
    bound = most()
    while limit < bound and not found.enough(limit, wanted):
        limit = min(limit * _GROWTH, bound)
        found = read(limit)
    return found


def _found(rows_: list[list[Any]]) -> Found:
    """Return what an index gave: a row of how many, and those that count."""
    [[returned, hits]] = rows_
    return Found(best_first(Hit(*hit) for hit in hits), returned)
