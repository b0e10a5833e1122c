"""Decides which entity has which name, from the names and entities that a transaction has locked and read.

An alias names one entity of a kind. Entities of different kinds may share an alias; an entity without a kind
shares none, since it may be of any kind. Any number of entities may have the same name; names are looked up like
aliases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_memory.domain import identifiers
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity, Merge
from graph_memory.domain.wording import with_article
from graph_memory.entities.rows import entity_from_row, kinds_of_labels
from graph_memory.errors import ConflictError, InvalidInputError, brief, merged_error

MAX_ALIASES = 1000


@dataclass(frozen=True, slots=True)
class Naming:
    """New names and kinds of an entity.

    Attributes:
        key: key of the entity; it is created if it does not exist.
        name: its new name for people; None: the name stays.
        aliases: aliases to add.
        kinds: kinds to add.
    """

    key: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def names(self) -> Iterable[str]:
        """The normal forms of its aliases and its name."""
        yield from map(normalise, (*self.aliases, *(() if self.name is None else (self.name,))))


@dataclass(frozen=True, slots=True)
class Taken:
    """An alias that an entity cannot have, because another entity that is or may be of its kind has it."""

    key: str
    alias: str
    holder: str

    def error(self) -> ConflictError:
        """Return the error that refuses the alias."""
        return ConflictError(
            f"{self.key} cannot have the alias {brief(self.alias)}: {self.holder} has it, and an alias names one "
            f"entity of a kind. Give the two different kinds, remove the alias from {self.holder}, or merge them"
        )


def naming(key: str, name: str | None = None, aliases: Iterable[str] = (), kinds: Iterable[str] = ()) -> Naming:
    """Return a checked naming; white space becomes single spaces. Raises InvalidInputError."""
    return Naming(
        identifiers.entity_key(key),
        None if name is None else name_of(name, "name"),
        tuple(dict.fromkeys(name_of(alias, "alias") for alias in aliases)),
        tuple(map(identifiers.kind_name, kinds)),
    )


def name_of(text: str, what: str) -> str:
    """Return a name that can be looked up; raises InvalidInputError."""
    name = identifiers.entity_name(" ".join(text.split()) if isinstance(text, str) else text, what)
    if len(normalise(name)) > identifiers.MAX_KEY:
        raise InvalidInputError(
            f"{what} {brief(name)} has {len(normalise(name))} characters in normal form, more than "
            f"{identifiers.MAX_KEY}: use a shorter one"
        )
    if not normalise(name):
        raise InvalidInputError(f"{what} {brief(name)} has no letter and no digit: use a name that has one")
    return name


@dataclass(slots=True)
class NameBook:
    """The locked names and entities, and the changes to write.

    Attributes:
        entities: the entities by key, with the changes.
        created: keys of the entities that did not exist.
        taken: the aliases that were refused.
    """

    entities: dict[str, Entity]
    created: frozenset[str]
    taken: list[Taken] = field(default_factory=list)
    _holders: dict[str, dict[str, bool]] = field(default_factory=dict)
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)
    _changed: dict[str, frozenset[str]] = field(default_factory=dict)
    _links: dict[tuple[str, str], bool | None] = field(default_factory=dict)

    @classmethod
    def read(cls, tenant: str, row: Sequence[Any]) -> NameBook:
        """Return what write/lock_names answered."""
        entities, holders = row
        book = cls({}, frozenset(key for key, created, *_ in entities if created))
        for key, _, name, aliases, labels, merged_into in entities:
            book.entities[key] = entity_from_row(tenant, (key, name, aliases, labels, merged_into))
            book._kinds[key] = frozenset(kinds_of_labels(labels))
        for name, alias, key, labels in holders:
            book._holders.setdefault(name, {})[key] = alias
            book._kinds.setdefault(key, frozenset(kinds_of_labels(labels)))
        return book

    @property
    def writes(self) -> bool:
        """Whether anything has to be written."""
        return bool(self.created or self._changed or self._links)

    def name(self, said: Naming) -> None:
        """Name an entity; aliases that it cannot have are added to `taken`.

        Raises:
            ConflictError: the entity was merged into another, or another entity of a new kind has one of its
                aliases.
        """
        entity = self.entities[said.key]
        if entity.merged_into is not None:
            raise merged_error(entity.key, entity.merged_into)
        self._gain_kinds(said.key, said.kinds)
        if said.name is not None and said.name != entity.name:
            self._rename(said.key, said.name)
        for alias in said.aliases:
            self.add_alias(said.key, alias)

    def _gain_kinds(self, key: str, gained: Iterable[str]) -> None:
        before = self._kinds[key]
        if before.issuperset(gained):
            return
        self._kinds[key] = before.union(gained)
        for alias in self.entities[key].aliases:
            if (holder := self._rival(key, normalise(alias))) is not None:
                raise ConflictError(
                    f"{key} cannot be {' and '.join(map(with_article, gained))}: {holder} has the alias "
                    f"{brief(alias)} too, and an alias names one entity of a kind. Remove one, or merge them"
                )
        self._change(key, kinds=tuple(sorted(self._kinds[key])))

    def _rename(self, key: str, name: str) -> None:
        before = normalise(self.entities[key].name)
        if self._holders.get(before, {}).get(key) is False:
            self._link(before, key, None)
        if key not in self._holders.get(normalise(name), {}):
            self._link(normalise(name), key, False)
        self._change(key, name=name)

    def add_alias(self, key: str, alias: str) -> bool:
        """Give an entity an alias; return whether it has it now. A refused alias is added to `taken`."""
        name = normalise(alias)
        if self._holders.get(name, {}).get(key):
            return True
        if (holder := self._rival(key, name)) is not None:
            self.taken.append(Taken(key, alias, holder))
            return False
        aliases = (*self.entities[key].aliases, alias)
        if len(aliases) > MAX_ALIASES:
            raise InvalidInputError(f"{key} has {MAX_ALIASES} aliases already, the most allowed: remove some")
        self._link(name, key, True)
        self._change(key, aliases=aliases)
        return True

    def remove_alias(self, key: str, alias: str) -> bool:
        """Remove an alias of an entity, but not its name; return whether it had the alias."""
        name = normalise(alias)
        entity = self.entities[key]
        if not self._holders.get(name, {}).get(key):
            return False
        self._link(name, key, False if name == normalise(entity.name) else None)
        self._change(key, aliases=tuple(other for other in entity.aliases if normalise(other) != name))
        return True

    def take_over(self, merged: str, kept: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Give the names, the key and the kinds of a merged entity to the entity that is kept.

        A name that another entity of the kind has as an alias does not become an alias; it still leads to the
        kept entity.

        Returns:
            The aliases and the kinds that the kept entity gained.

        Raises:
            ConflictError: another entity of a new kind has one of its aliases.
        """
        gone, stays = self.entities[merged], self.entities[kept]
        for name in map(normalise, (gone.name, *gone.aliases)):
            if merged in self._holders.get(name, {}):
                self._link(name, merged, None)
        self._change(merged, aliases=())
        self._gain_kinds(kept, gone.kinds)
        gained = [alias for alias in (gone.name, *gone.aliases, gone.key) if self._inherit(kept, alias)]
        return tuple(gained), tuple(sorted(set(gone.kinds) - set(stays.kinds)))

    def _inherit(self, key: str, alias: str) -> bool:
        name = normalise(alias)
        if not name or name == normalise(self.entities[key].name) or self._holders.get(name, {}).get(key):
            return False
        if self.add_alias(key, alias):
            return True
        if key not in self._holders[name]:
            self._link(name, key, False)
        return False

    def give_back(self, merge: Merge, aliases: Iterable[str]) -> None:
        """Give an entity its names back after a merge is undone, and take them from the entity that was kept.

        Args:
            merge: the merge that is undone.
            aliases: the aliases that the merged entity had; one that another entity has now is added to `taken`.
        """
        gone, stays = self.entities[merge.merged], self.entities[merge.kept]
        for alias in merge.aliases:
            self.remove_alias(stays.key, alias)
        for name in map(normalise, (gone.name, gone.key, *aliases)):
            if self._holders.get(name, {}).get(stays.key) is False and name != normalise(stays.name):
                self._link(name, stays.key, None)
        lost = self._kinds[stays.key].intersection(merge.kinds)
        if lost:
            self._kinds[stays.key] -= lost
            self._change(stays.key, lost, kinds=tuple(sorted(self._kinds[stays.key])))
        if gone.name != gone.key:
            self._link(normalise(gone.name), gone.key, False)
        for alias in aliases:
            self.add_alias(gone.key, alias)

    def _rival(self, key: str, name: str) -> str | None:
        """Return the key of the entity whose alias keeps this entity from having it; None: it may have it."""
        ours = self._kinds[key]
        for other, alias in sorted(self._holders.get(name, {}).items()):
            theirs = self._kinds[other]
            if alias and other != key and (not ours or not theirs or ours & theirs):
                return other
        return None

    def _link(self, name: str, key: str, alias: bool | None) -> None:
        self._links[name, key] = alias
        holders = self._holders.setdefault(name, {})
        if alias is None:
            holders.pop(key, None)
        else:
            holders[key] = alias

    def _change(self, key: str, dropped: frozenset[str] = frozenset(), **changes: Any) -> None:
        self.entities[key] = self.entities[key].model_copy(update=changes)
        self._changed[key] = self._changed.get(key, frozenset()) | dropped

    def to_name(self) -> dict[str, Any]:
        """Return the parameters of write/name."""
        changed = [(self.entities[key], dropped) for key, dropped in self._changed.items()]
        return {
            "unlinked": [{"name": n, "key": key} for (n, key), alias in self._links.items() if alias is None],
            "linked": [
                {"name": n, "key": key, "alias": alias}
                for (n, key), alias in self._links.items()
                if alias is not None
            ],
            "entities": [
                {
                    "key": entity.key,
                    "name": entity.name,
                    "aliases": list(entity.aliases),
                    "labels": list(entity.kinds),
                    "dropped": sorted(dropped),
                }
                for entity, dropped in changed
            ],
        }
