"""Reads of the ledger of one tenant: the facts that hold or held, and where they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from graph_memory._async.ledger.snapshots import AsyncSnapshots
from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.domain.identifiers import relationship_type
from graph_memory.domain.instants import FIRST_INSTANT, MICROSECOND, from_micros, from_optional_micros
from graph_memory.domain.records import Citation, Episode, Explanation, Fact
from graph_memory.episodes.rows import episode_from_row
from graph_memory.errors import NoEntityError, NotFoundError, brief
from graph_memory.ledger.rows import entry_from_row, fact_from_row
from graph_memory.ledger.timeline import Entry, Segment, coalesce, same_value, segments

T = TypeVar("T")

# How many restatements are followed back one by one before the whole history is read instead.
_STEPS_BACK = 8
# The most citations of an explanation, each with the text of its episode.
_MOST_CITATIONS = 100


class AsyncReader:
    """Reads one tenant's ledger. Slots are given by key; instants are UTC, or None for now."""

    def __init__(self, database: AsyncDatabase, tenant: str) -> None:
        self._database = database
        self._tenant = tenant
        self._snapshots = AsyncSnapshots(database)

    async def holding(
        self, slots: Sequence[str], at: datetime | None, known_at: datetime | None
    ) -> list[Fact | None]:
        """Return the fact, or end, that holds in each slot at an instant, in the order of the slots."""
        found: list[Fact | None] = [None] * len(slots)
        if slots:
            for position, *row in await self._snapshots.of_slots("read/as_of", slots, known_at, at=at):
                found[position] = self._fact(row)
        return found

    async def holding_at(
        self, slots: Sequence[str], instants: Sequence[datetime], known_at: datetime | None
    ) -> list[Fact | None]:
        """Return the fact, or end, that holds in each slot at that slot's own instant (UTC)."""
        found: list[Fact | None] = [None] * len(slots)
        for position, *row in await self._read("read/as_of_each", known_at, slots=slots, instants=instants):
            found[position] = self._fact(row)
        return found

    async def state(
        self, subjects: Sequence[str], attributes: list[str] | None, at: datetime | None, known_at: datetime | None
    ) -> list[Fact]:
        """Return what holds of subjects at an instant, ends included, in all of their slots or in some."""
        about = {"tenant": self._tenant, "subjects": subjects, "attributes": attributes}
        found = await self._snapshots.of_subjects("read/state", known_at, **about, at=at)
        if found is not None:
            return [self._fact(row) for _, *row in found]

        async def read(slots: list[str]) -> list[Fact | None]:
            return await self.holding(slots, at, known_at)

        held = await self._of_all(subjects, attributes, read)
        return [fact for fact in held if fact is not None]

    async def _of_all(
        self,
        subjects: Sequence[str],
        attributes: list[str] | None,
        read: Callable[[list[str]], Awaitable[list[T]]],
    ) -> list[T]:
        """Return what is read of all slots of some subjects; it reads again where a slot is new since."""
        slots = [slot for slot, _ in await self.slots(subjects, attributes)]
        while True:
            found = await read(slots)
            now = [slot for slot, _ in await self.slots(subjects, attributes)]
            if now == slots:
                return found
            slots = now

    async def latest(
        self,
        subjects: Sequence[str],
        attributes: Iterable[str] | None,
        at: datetime | None,
        known_at: datetime | None,
        limit: int,
    ) -> tuple[list[Fact], dict[tuple[str, str], int]]:
        """Return what holds of subjects at an instant, ends left out: of each attribute those that began last.

        Args:
            subjects: keys of entities.
            attributes: their names; None: all.
            at: the instant; None: now.
            known_at: by what the ledger knew at this instant, for which all of them are read; None: now.
            limit: how many of an attribute of a subject at the most.

        Returns:
            The facts, and how many there are by subject and attribute.
        """
        facts: list[Fact] = []
        totals: Counter[tuple[str, str]] = Counter()
        if known_at is None:
            types = None if attributes is None else [relationship_type(name) for name in attributes]
            for total, *row in await self._database.read(
                "read/latest", tenant=self._tenant, subjects=subjects, types=types, at=at, limit=limit
            ):
                facts.append(self._fact(row))
                totals[facts[-1].subject, facts[-1].attribute] = total
            return facts, totals
        names = None if attributes is None else list(attributes)
        state = [fact for fact in await self.state(subjects, names, at, known_at) if not fact.ended]
        for fact in sorted(state, key=lambda fact: (fact.valid_from, fact.id), reverse=True):
            totals[fact.subject, fact.attribute] += 1
            if totals[fact.subject, fact.attribute] <= limit:
                facts.append(fact)
        return facts, totals

    def _fact(self, row: Sequence[Any]) -> Fact:
        valid_from, valid_to, *entry = row
        return fact_from_row(self._tenant, from_micros(valid_from), from_optional_micros(valid_to), entry)

    async def _read(self, name: str, known_at: datetime | None, **parameters: Any) -> list[list[Any]]:
        """Run a template, or the template `NAME_known`, which reads the ledger as it was at `known_at`."""
        if known_at is None:
            return await self._database.read(name, **parameters)
        return await self._database.read(f"{name}_known", known_at=known_at, **parameters)

    async def slots(self, subjects: Sequence[str], attributes: list[str] | None) -> list[tuple[str, str]]:
        """Return the keys of subjects' slots, each with its attribute, in order."""
        found = await self._database.read(
            "read/slots", tenant=self._tenant, subjects=subjects, attributes=attributes
        )
        return sorted((slot, attribute) for slot, attribute in found)

    async def referring_slots(self, keys: Sequence[str], attributes: list[str] | None) -> list[str]:
        """Return the keys of the slots in which one of the entities is, or was, the value."""
        found = await self._database.read(
            "read/referring_slots", tenant=self._tenant, keys=keys, attributes=attributes
        )
        return sorted({slot for [slot] in found})

    async def history(self, slots: Sequence[str], known_at: datetime | None, joined: bool) -> list[Fact]:
        """Return the segments of slots in time order; `joined`: those that touch and have equal values as one."""
        entries: dict[str, list[Any]] = {}
        by_slot: dict[int, list[Entry]] = {}
        if not slots:
            return []
        for position, *entry in await self._snapshots.of_slots("read/history", slots, known_at):
            entries[entry[0]] = entry
            by_slot.setdefault(position, []).append(entry_from_row(slots[position], entry))
        pieces: list[Segment] = []
        for of_slot in by_slot.values():
            pieces += coalesce(segments(of_slot)) if joined else segments(of_slot)
        pieces.sort(key=lambda piece: (piece.valid_from, piece.entry.slot))
        return [fact_from_row(self._tenant, p.valid_from, p.valid_to, entries[p.entry.id]) for p in pieces]

    async def history_of(
        self, subject: str, attribute: str, known_at: datetime | None, joined: bool
    ) -> list[Fact]:
        """Return the segments of all values of an attribute of cardinality many, as `history` does."""

        async def read(slots: list[str]) -> list[Fact]:
            return await self.history(slots, known_at, joined)

        return await self._of_all([subject], [attribute], read)

    async def facts(self, ids: Sequence[str], known_at: datetime | None = None) -> dict[str, tuple[str, Fact]]:
        """Return the facts that exist, by id, each with its slot's key and its first segment.

        Args:
            ids: ids of facts that were recorded by `known_at`.
            known_at: use the state of the ledger at this instant (UTC); None: its present state.
        """
        found: dict[str, tuple[str, Fact]] = {}
        if not ids:
            return found
        rows_ = await self._read("read/facts", known_at, tenant=self._tenant, ids=ids)
        for slot, boundary, near, *entry in rows_:
            neighbours = [
                # The rule needs only the ranks here, so True stands for any value.
                Entry(id_, slot, from_micros(start), from_optional_micros(until), True if has_value else None)
                for id_, start, until, has_value in near
            ]
            pieces = segments(neighbours, before=from_optional_micros(boundary))
            first = next((piece for piece in pieces if piece.entry.id == entry[0]), None)
            start = from_micros(entry[6])
            valid_from, valid_to = (first.valid_from, first.valid_to) if first else (start, start)
            found[entry[0]] = slot, fact_from_row(self._tenant, valid_from, valid_to, entry)
        return found

    async def fact(self, fact_id: str) -> tuple[str, Fact]:
        """Return the key of a fact's slot, and the fact; raises NotFoundError where there is no such fact."""
        found = await self.facts([fact_id])
        if fact_id not in found:
            raise NotFoundError(
                f"tenant {self._tenant} has no fact {brief(fact_id)}: give an id that a read returned"
            )
        return found[fact_id]

    async def entities(self, keys: Sequence[str], required: str) -> list[list[Any]]:
        """Return the columns of the entities that exist; raises NotFoundError where `required` does not."""
        found = await self._database.read("read/entities", tenant=self._tenant, keys=keys)
        if not any(key == required for key, *_ in found):
            raise NoEntityError(self._tenant, required)
        return found

    async def episodes(self, ids: Iterable[str]) -> dict[str, Episode]:
        """Return the episodes that exist, by id."""
        found = await self._database.read("read/episodes", tenant=self._tenant, ids=sorted(set(ids)))
        return {row[0]: episode_from_row(self._tenant, row) for row in found}

    async def explain(self, fact_id: str) -> Explanation:
        """Return the episodes behind a fact, and the facts that it replaced and that replaced it.

        Of more than 100 citations these are the first and the 99 latest ones.

        Raises:
            NotFoundError: the tenant has no such fact.
        """
        slot, fact = await self.fact(fact_id)
        [row] = await self._database.read(
            "read/provenance", tenant=self._tenant, id=fact_id, limit=_MOST_CITATIONS
        )
        total, cited, replaced, replaced_as, replaced_by, retracted_by, retraction_episode, reason = row
        linked = await self.facts([id_ for id_ in (replaced, *replaced_by, retracted_by) if id_])
        facts = {id_: other for id_, (_, other) in linked.items()}
        episodes = await self.episodes(id_ for id_ in (*(c[0] for c in cited), retraction_episode) if id_)
        return Explanation(
            fact=fact,
            since=await self._since(slot, fact),
            citations=_citations(cited, episodes, fact),
            citations_total=total,
            truncated=total > len(cited),
            replaced=facts.get(replaced),
            replaced_as=replaced_as,
            replaced_by=tuple(sorted((facts[id_] for id_ in replaced_by), key=lambda f: (f.recorded_at, f.id))),
            retracted_by=facts.get(retracted_by),
            retraction_episode=episodes.get(retraction_episode),
            retraction_reason=reason,
        )

    async def citations(self, fact: Fact) -> tuple[Citation, ...]:
        """Return all episodes that support a fact; the first is the episode that said it first."""
        cited = await self._database.read("read/citations", tenant=self._tenant, id=fact.id)
        return _citations(cited, await self.episodes(episode for episode, *_ in cited), fact)

    async def _since(self, slot: str, fact: Fact) -> datetime | None:
        if fact.valid_from == fact.valid_to:
            return None
        since = fact.valid_from
        for _ in range(_STEPS_BACK):
            if since == FIRST_INSTANT:
                return since
            [held] = await self.holding([slot], since - MICROSECOND, None)
            if held is None or held.ended != fact.ended or not same_value(held.value, fact.value):
                return since
            since = held.valid_from
        runs = await self.history([slot], None, joined=True)
        return max(run.valid_from for run in runs if run.valid_from <= since)


def _citations(cited: Sequence[Any], episodes: dict[str, Episode], fact: Fact) -> tuple[Citation, ...]:
    found = [
        Citation(
            episode=episodes[episode], quote=quote, start=start, end=end, recorded_at=from_micros(recorded_at)
        )
        for episode, quote, start, end, recorded_at in cited
    ]
    return tuple(sorted(found, key=lambda c: (c.episode.id != fact.episode_id, c.recorded_at, c.episode.id)))
