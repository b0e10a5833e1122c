"""Merging the entities of one tenant, and undoing that: each in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graph_memory._async.entities.resolver import AsyncEntities
from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction, NothingToWriteError
from graph_memory._async.storage.ids import new_id
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity, Merge
from graph_memory.domain.wording import with_article
from graph_memory.entities import merging
from graph_memory.entities.aliases import NameBook, Naming
from graph_memory.entities.merging import MAX_MOVED, CitedEntry, Moved, Moving
from graph_memory.entities.rows import kinds_of_labels, merge_from_row
from graph_memory.errors import ConflictError, InvalidInputError, NoEntityError, NotFoundError, brief, merged_error
from graph_memory.ledger.mutations import Mutation
from graph_memory.ledger.transaction import Write
from graph_memory.schema.schema import Schema, confirmers


class AsyncMerges:
    """The merges of one tenant."""

    def __init__(
        self, database: AsyncDatabase, entities: AsyncEntities, schema: Schema | None, tenant: str
    ) -> None:
        self._database = database
        self._entities = entities
        self._schema = schema
        self._tenant = tenant

    async def all(self) -> list[Merge]:
        """Return all merges in the order of recording, undone merges too."""
        found = await self._database.read("read/merges", tenant=self._tenant)
        return [merge_from_row(self._tenant, row) for row in found]

    async def merge(self, kept: str, merged: str, episode: str) -> Merge:
        """Merge one entity into another: what `merge_entities` does, with checked names."""
        if kept == merged:
            raise InvalidInputError(f"entity {kept!r} cannot be merged into itself: give two different keys")

        async def work(transaction: AsyncTransaction) -> Merge:
            [[known, entities, around]] = await transaction.run(
                "write/merge_open", tenant=self._tenant, episode=episode, kept=kept, merged=merged
            )
            self._require_episode(known, episode)
            # Count before all neighbours are locked, and again once nobody else can add to them.
            await self._speaking_of(transaction, merged)
            book = await self._lock(transaction, kept, merged, entities, around)
            await self._require_mergeable(transaction, book, kept, merged, episode)
            ids = await self._speaking_of(transaction, merged)
            entries = list((await self._entries(transaction, ids)).values())
            moving, decided, refused = await self._moved(transaction, entries, kept, merged, episode)
            candidates = {
                said.fact.id: merging.conflict(
                    new_id(),
                    said,
                    merged,
                    kept,
                    refused[said.fact.id],
                    confirmers(self._schema, said.fact.attribute),
                )
                for said in entries
                if said.fact.id in refused
            }
            if candidates:
                await transaction.run("write/candidates", tenant=self._tenant, rows=list(candidates.values()))
            merged_aliases = book.entities[merged].aliases
            aliases, kinds = book.take_over(merged, kept)
            await self._entities.write(transaction, book)
            id_ = new_id()
            await transaction.run(
                "write/merge",
                tenant=self._tenant,
                episode=episode,
                id=id_,
                instant=decided.instant,
                kept=kept,
                merged=merged,
                aliases=list(aliases),
                merged_aliases=list(merged_aliases),
                kinds=list(kinds),
                moved=moving.moved(decided, {fact: row["id"] for fact, row in candidates.items()}),
                conflicts=[row["id"] for row in candidates.values()],
            )
            return (await self._found(transaction, id=id_))[1]

        return await self._database.write(work)

    async def _lock(
        self,
        transaction: AsyncTransaction,
        kept: str,
        merged: str,
        entities: Iterable[Sequence[Any]],
        around: Iterable[str],
    ) -> NameBook:
        """Lock two entities with their names and neighbours, even if these change before the locks are held."""
        names = {normalise(text) for name, aliases, _ in entities for text in (name, *aliases)}
        kinds = set(kinds_of_labels(label for _, _, labels in entities for label in labels))
        names.add(normalise(merged))
        while True:
            said = [Naming(kept, kinds=tuple(kinds)), *map(Naming, {merged, *around} - {kept})]
            book = await self._entities.lock(transaction, said, names - {""})
            gone = book.entities[merged]
            needed = set(map(normalise, (gone.name, *gone.aliases)))
            if needed <= names and kinds.issuperset(gone.kinds):
                return book
            names |= needed
            kinds.update(gone.kinds)

    async def _require_mergeable(
        self, transaction: AsyncTransaction, book: NameBook, kept: str, merged: str, episode: str
    ) -> None:
        for key in (kept, merged):
            if key in book.created:
                raise NoEntityError(self._tenant, key)
        one, other = book.entities[kept], book.entities[merged]
        if other.merged_into == kept:
            _, found = await self._found(transaction, merged=merged)
            if found.episode_id == episode:
                raise NothingToWriteError(found)
            raise ConflictError(f"entity {merged!r} was merged into {kept!r} already, by merge {found.id}")
        for entity in (one, other):
            if entity.merged_into is not None:
                raise merged_error(entity.key, entity.merged_into)
        if one.kinds and other.kinds and not self._related(one, other):
            raise ConflictError(
                f"{kept} is {' and '.join(map(with_article, one.kinds))} and {merged} is "
                f"{' and '.join(map(with_article, other.kinds))}: merge only entities of the same kind"
            )

    def _related(self, one: Entity, other: Entity) -> bool:
        def are(kind: str, target: str) -> bool:
            return kind == target or (self._schema is not None and self._schema.is_a(kind, target))

        return any(are(k, t) or are(t, k) for k in one.kinds for t in other.kinds)

    async def _speaking_of(self, transaction: AsyncTransaction, key: str) -> list[str]:
        """Return the ids of the live facts about an entity; raises InvalidInputError where they are too many."""
        found = await transaction.run("write/merge_entries", tenant=self._tenant, key=key, limit=MAX_MOVED + 1)
        if len(found) > MAX_MOVED:
            raise InvalidInputError(
                f"more than {MAX_MOVED} live facts are about entity {key!r}, and a merge moves no more: merge the "
                "other entity into this one"
            )
        return [id_ for [id_] in found]

    async def _entries(self, transaction: AsyncTransaction, ids: Sequence[str]) -> dict[str, CitedEntry]:
        found = await transaction.run("read/entries", tenant=self._tenant, ids=ids)
        entries = [CitedEntry.read(self._tenant, row) for row in found]
        return {said.fact.id: said for said in entries}

    async def _moved(
        self, transaction: AsyncTransaction, entries: Sequence[CitedEntry], kept: str, merged: str, episode: str
    ) -> tuple[Moving, Mutation, dict[str, tuple[str, ...]]]:
        """Move entries to the kept entity; entries that conflict with its facts are retracted and returned."""
        moving = merging.merging(entries, merged, kept, episode)
        write = Write(self._tenant, moving.commands, new_id, frozenset({kept, merged}), frozenset({episode}))
        [row] = await transaction.run("write/lock", **write.to_lock())
        decided = write.decide(row)
        refused = moving.refused(decided)
        if refused:
            moving = merging.merging(entries, merged, kept, episode, refused)
            decided = write.decide(row, moving.commands)
        if decided.plan.writes:
            await transaction.run("write/apply", **decided.to_apply())
        return moving, decided, refused

    async def undo(self, id: str, episode: str) -> Merge:
        """Undo a merge: what `undo_merge` does, with checked names."""

        async def work(transaction: AsyncTransaction) -> Merge:
            _, merge = await self._found(transaction, id=id)
            [[known, entities, around]] = await transaction.run(
                "write/unmerge_open", tenant=self._tenant, id=id, episode=episode
            )
            self._require_episode(known, episode)
            book = await self._lock(transaction, merge.kept, merge.merged, entities, around)
            aliases, merge = await self._found(transaction, id=id)
            if merge.undone_at is not None:
                raise NothingToWriteError(merge)
            if (later := book.entities[merge.kept].merged_into) is not None:
                raise ConflictError(
                    f"entity {merge.kept!r} was merged into {later!r} later: undo that merge first"
                )
            moved = await self._what_moved(transaction, id)
            moving, stayed = merging.unmerging(moved, episode)
            concerned = frozenset({merge.kept, merge.merged})
            write = Write(self._tenant, moving.commands, new_id, concerned, frozenset({episode}))
            [row] = await transaction.run("write/lock", **write.to_lock())
            decided = write.decide(row)
            if refused := moving.refused(decided):
                raise ConflictError(
                    f"merge {id} cannot be undone, since later facts about {merge.merged} conflict: retract first "
                    f"{', '.join(sorted({other for against in refused.values() for other in against}))}"
                )
            if decided.plan.writes:
                await transaction.run("write/apply", **decided.to_apply())
            book.give_back(merge, aliases)
            await self._entities.write(transaction, book)
            pending = [one.pending for one in moved if one.pending]
            await transaction.run(
                "write/unmerge",
                tenant=self._tenant,
                episode=episode,
                instant=decided.instant,
                id=id,
                candidates=pending,
                stayed=stayed,
            )
            return (await self._found(transaction, id=id))[1]

        return await self._database.write(work)

    async def _what_moved(self, transaction: AsyncTransaction, id: str) -> list[Moved]:
        found = await transaction.run("write/unmerge_moved", id=id)
        for _, _, _, _, later in found:
            if later is not None:
                raise ConflictError(
                    f"merge {later} moved facts that merge {id} had moved: undo merge {later} first"
                )
        ids = {id_ for old, now, *_ in found for id_ in (old, now) if id_ is not None}
        entries = await self._entries(transaction, sorted(ids))
        return [
            Moved(entries[old], None if now is None else entries[now], frozenset(added), pending)
            for old, now, added, pending, _ in found
        ]

    async def _found(
        self, transaction: AsyncTransaction, id: str | None = None, merged: str | None = None
    ) -> tuple[tuple[str, ...], Merge]:
        """Return the aliases that the merged entity had, and the merge; raises NotFoundError."""
        found = await transaction.run("write/merge_of", tenant=self._tenant, id=id, merged=merged)
        for aliases, *row in found:
            return tuple(aliases), merge_from_row(self._tenant, row)
        raise NotFoundError(f"tenant {self._tenant} has no merge {brief(id)}: take an id from merges()")

    def _require_episode(self, known: bool, episode: str) -> None:
        if not known:
            raise NotFoundError(f"tenant {self._tenant} has no episode {brief(episode)}: record it first")
