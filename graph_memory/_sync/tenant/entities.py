# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Writes about entities: names, aliases, merges."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory._sync.entities.merges import Merges
from graph_memory._sync.storage.database import NothingToWriteError, Transaction
from graph_memory._sync.tenant.base import TenantPart
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity, Episode, Merge
from graph_memory.entities.aliases import NameBook, Naming, name_of, naming
from graph_memory.errors import InvalidInputError, NoEntityError, brief, merged_error
from graph_memory.ledger.statements import episode_of


class TenantEntities(TenantPart):
    """Writes about entities: each one transaction, all of it or nothing."""

    def name_entity(
        self, key: str, name: str | None = None, aliases: Iterable[str] = (), kind: str | None = None
    ) -> Entity:
        """Give an entity a name, aliases and a kind. The first use creates it. Arguments left out change nothing.

        An alias names one entity of a kind. Entities of different kinds may share an alias; an entity without a
        kind shares none. Any number of entities may have the same name; names are looked up like aliases.

        Args:
            key: key of the entity.
            name: its new name for people; it replaces the old name.
            aliases: aliases to add; an entity has at most 1,000.
            kind: a kind to add, such as `Company`; it becomes a label.

        Returns:
            The entity as it is now.

        Raises:
            ConflictError: another entity of the kind has one of the aliases, or this one was merged into another.
            InvalidInputError: a key, name, alias or kind is not allowed, or the schema does not declare the kind.
        """
        said = naming(key, name, listed("aliases", aliases), self._kinds(kind))

        def work(transaction: Transaction) -> Entity:
            book = self._entities.lock(transaction, [said])
            book.name(said)
            for taken in book.taken:
                raise taken.error()
            return self._named(transaction, book, said.key)

        return self._database.write(work)

    def remove_alias(self, key: str, alias: str) -> Entity:
        """Remove an alias of an entity and return the entity; removing an alias that it lacks changes nothing.

        Raises:
            NotFoundError: the entity does not exist.
            ConflictError: it was merged into another.
        """
        said = Naming(identifiers.entity_key(key))
        alias = name_of(alias, "alias")

        def work(transaction: Transaction) -> Entity:
            book = self._entities.lock(transaction, [said], [normalise(alias)])
            entity = self._existing(book, said.key)
            if entity.merged_into is not None:
                raise merged_error(entity.key, entity.merged_into)
            book.remove_alias(said.key, alias)
            return self._named(transaction, book, said.key)

        return self._hinting(lambda: self._database.write(work))

    def merge_entities(self, a: str, b: str, *, episode: Episode | str) -> Merge:
        """Merge entity `b` into entity `a`, in one transaction, because the two are the same.

        Every live fact about `b`, or with `b` as its value, is retracted and asserted about `a`, with its interval
        and episodes. A fact that conflicts with a fact of `a` with the same start becomes a candidate for review.
        The names and the key of `b` become aliases of `a`. From then on `b` leads to `a`, and a write that names
        `b` is refused. Answers as known before the merge do not change.

        Args:
            a: key of the entity that is kept.
            b: key of the entity that is merged into it; at most 10,000 live facts may be about it.
            episode: the episode that says so, or its id.

        Returns:
            The merge; the stored one for a replay from the same episode.

        Raises:
            ConflictError: one of them is merged already, or they are of different kinds.
            InvalidInputError: too many facts are about `b`, or the keys are equal.
            NotFoundError: one of them, or the episode, does not exist.
        """
        cited = episode_of(self.name, episode)
        kept, merged = identifiers.entity_key(a), identifiers.entity_key(b)
        return self._hinting(lambda: self._merges.merge(kept, merged, cited))

    def undo_merge(self, id: str, *, episode: Episode | str) -> Merge:
        """Undo a merge: the two entities are two again.

        The moved facts are asserted again about the merged entity, and candidates for review from the merge are
        withdrawn. Facts that were changed since, or asserted about the kept entity since, stay there; `stayed`
        lists the moved facts that did not go back. Names, aliases and kinds return, except an alias that another
        entity has now.

        Args:
            id: id of the merge.
            episode: the episode that says so, or its id.

        Returns:
            The merge, with `undone_at`; undoing it twice changes nothing.

        Raises:
            ConflictError: a later merge moved the facts again and must be undone first, or later facts conflict.
            NotFoundError: the merge or the episode does not exist.
        """
        return self._merges.undo(identifiers.label(id, "merge id"), episode_of(self.name, episode))

    def merges(self) -> list[Merge]:
        """Return all merges in the order of recording, undone merges too."""
        return self._merges.all()

    @property
    def _merges(self) -> Merges:
        return Merges(self._database, self._entities, self._attributes.schema, self.name)

    def _kinds(self, kind: str | None) -> tuple[str, ...]:
        """Return a kind with its declared base kinds."""
        schema = self._attributes.schema
        if kind is None or schema is None:
            return () if kind is None else (kind,)
        if kind not in schema.kinds:
            raise InvalidInputError(
                f"kind {brief(kind)} is not declared: {schema.label} has {', '.join(schema.kinds)}"
            )
        return tuple(other for other in schema.kinds if schema.is_a(kind, other))

    def _existing(self, book: NameBook, key: str) -> Entity:
        if key in book.created:
            raise NoEntityError(self.name, key)
        return book.entities[key]

    def _named(self, transaction: Transaction, book: NameBook, key: str) -> Entity:
        if not book.writes:
            raise NothingToWriteError(book.entities[key])
        self._entities.write(transaction, book)
        return book.entities[key]
