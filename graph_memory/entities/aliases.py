"""Who has which name: what naming entities changes, decided from what is locked and read.

An alias names one entity of a kind. Entities of different kinds may share one; an entity without a kind shares
none, as it may be of any. Names of entities are looked up like aliases and may be shared by anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_memory.domain import identifiers
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity, Merge
from graph_memory.entities.rows import entity_from_row, kinds_of_labels
from graph_memory.errors import ConflictError, InvalidInputError, brief, merged_error

MAX_ALIASES = 1000


@dataclass(frozen=True, slots=True)
class Naming:
    """What an entity is to be called; what is left out stays.

    Attributes:
        key: of the entity, which is created where it does not exist.
        name: for people; takes the place of the one it has.
        aliases: other names, beside those that it has.
        kinds: what it is, beside what it is already.
    """

    key: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def names(self) -> Iterable[str]:
        """The normal forms of what it says."""
        yield from map(normalise, (*self.aliases, *(() if self.name is None else (self.name,))))


@dataclass(frozen=True, slots=True)
class Taken:
    """An alias that an entity cannot have, because another of its kind, or that may be, has it."""

    key: str
    alias: str
    holder: str

    def error(self) -> ConflictError:
        """Return the error for somebody who has to have it."""
        return ConflictError(
            f"{self.key} cannot have the alias {brief(self.alias)}: {self.holder} has it, and an alias names one "
            "entity of a kind. Give both a kind where they differ, remove the alias there, or merge them"
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
            f"{what} {brief(name)} has {len(normalise(name))} characters once it is normalised, and at most "
            f"{identifiers.MAX_KEY} can be looked up: use a shorter one"
        )
    if not normalise(name):
        raise InvalidInputError(f"{what} {brief(name)} has no letter and no digit: nobody would find it")
    return name


@dataclass(slots=True)
class NameBook:
    """The names and entities that are locked, and what is to become of them.

    Attributes:
        entities: by key, as they are to be.
        created: keys of those that did not exist.
        taken: aliases that were left out.
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
        """Name an entity; aliases that it cannot have are left out and noted as taken.

        Raises:
            ConflictError: it was merged into another, or a kind that it gains has one of its aliases already.
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
                    f"{key} cannot be a {' and '.join(gained)}: {holder} has the alias {brief(alias)} too, and an "
                    "alias names one entity of a kind. Remove it from one of them, or merge them"
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
        """Give an entity an alias, and say whether it has it now; one that another has is noted as taken."""
        name = normalise(alias)
        if self._holders.get(name, {}).get(key):
            return True
        if (holder := self._rival(key, name)) is not None:
            self.taken.append(Taken(key, alias, holder))
            return False
        aliases = (*self.entities[key].aliases, alias)
        if len(aliases) > MAX_ALIASES:
            raise InvalidInputError(f"{key} has {MAX_ALIASES} aliases, and no entity may have more: remove some")
        self._link(name, key, True)
        self._change(key, aliases=aliases)
        return True

    def remove_alias(self, key: str, alias: str) -> bool:
        """Take an alias from an entity; its name stays. Whether it had it."""
        name = normalise(alias)
        entity = self.entities[key]
        if not self._holders.get(name, {}).get(key):
            return False
        self._link(name, key, False if name == normalise(entity.name) else None)
        self._change(key, aliases=tuple(other for other in entity.aliases if normalise(other) != name))
        return True

    def take_over(self, merged: str, kept: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Give the names, the key and the kinds of an entity to the one that it is merged into.

        A name that others of the kind have as an alias leads to the entity without being an alias of it.

        Returns:
            The aliases and the kinds that the one kept gained.

        Raises:
            ConflictError: a kind that it gains has one of its aliases already.
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
        """Give an entity that is no longer merged its names back, and take from the other what it had gained.

        Args:
            merge: that is undone.
            aliases: those that the entity merged had; one that somebody else has by now is noted as taken.
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
        """Return who has a name as an alias, so that this entity cannot."""
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
