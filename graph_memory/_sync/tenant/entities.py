# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What a tenant's memory can be told of entities themselves: names, aliases, and that two are one."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory._sync.entities.merges import Merges
from graph_memory._sync.storage.database import NothingToWriteError, Transaction
from graph_memory._sync.tenant.base import Bound
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity, Episode, Merge
from graph_memory.entities.aliases import NameBook, Naming, name_of, naming
from graph_memory.errors import InvalidInputError, NoEntityError, brief, merged_error
from graph_memory.ledger.statements import episode_of


class TenantEntities(Bound):
    """Writes about entities: each one transaction, all of it or nothing."""

    def name_entity(
        self, key: str, name: str | None = None, aliases: Iterable[str] = (), kind: str | None = None
    ) -> Entity:
        """Say what an entity is called; it is created on first use, and what is left out stays.

        An alias names one entity of a kind; entities of different kinds may share one, and one without a kind
        shares none. Names are looked up like aliases, and any number of entities may have the same.

        Args:
            key: of the entity.
            name: for people; takes the place of the one it has.
            aliases: other names, beside those that it has; 1,000 at the most.
            kind: what it is, such as `Company`, beside what it is already; it becomes a label.

        Returns:
            The entity as it is now.

        Raises:
            ConflictError: another entity of the kind has an alias, or it was merged into another.
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
        """Say that an entity is not called so; an alias that it does not have changes nothing.

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
        """Say that two entities are one: `b` is merged into `a`, in one transaction.

        Every live fact about `b`, or with `b` as its value, is retracted and said of `a` instead, with its
        interval and episodes; where `a` has something else of the same start, it becomes a candidate for review.
        The names of `b` and its key become aliases of `a`. From then on `b` leads to `a`, and what names `b` in a
        write is refused. Answers as known before do not change.

        Args:
            a: key of the entity that stays.
            b: key of the one that is merged into it; 10,000 live facts may speak of it.
            episode: the episode that says so, or its id.

        Returns:
            The merge; the stored one for a replay from the same episode.

        Raises:
            ConflictError: one of them is merged already, or they are of different kinds.
            InvalidInputError: too many facts speak of `b`, or they are one key.
            NotFoundError: one of them, or the episode, does not exist.
        """
        cited = episode_of(self.name, episode)
        kept, merged = identifiers.entity_key(a), identifiers.entity_key(b)
        return self._hinting(lambda: self._merges.merge(kept, merged, cited))

    def undo_merge(self, id: str, *, episode: Episode | str) -> Merge:
        """Say that two entities that were merged are two after all.

        What was moved is said of the entity merged again, and what waits for review from the merge is withdrawn.
        Facts that were changed since stay, as do those that were said of the other since; `stayed` tells which did
        not go back. Names, aliases and kinds return, but for an alias that somebody else has by now.

        Args:
            id: of the merge.
            episode: the episode behind it, or its id.

        Returns:
            The merge, with `undone_at`; undoing it twice changes nothing.

        Raises:
            ConflictError: a later merge moved on what this one had moved: that is to be undone first.
            NotFoundError: the merge or the episode does not exist.
        """
        return self._merges.undo(identifiers.label(id, "merge id"), episode_of(self.name, episode))

    def merges(self) -> list[Merge]:
        """Return all merges in the order in which they were recorded, those that were undone included."""
        return self._merges.all()

    @property
    def _merges(self) -> Merges:
        return Merges(self._database, self._entities, self._attributes.schema, self.name)

    def _kinds(self, kind: str | None) -> tuple[str, ...]:
        """Return a kind with the declared kinds of which it is one too."""
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
