# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The entities of one tenant: found by what people call them, and named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graph_memory import rows
from graph_memory._sync.database import Database, Transaction
from graph_memory.mentions import Phrase, phrase, phrases
from graph_memory.naming import NameBook, Naming, Taken, naming
from graph_memory.records import Entity

MAX_MENTIONED = 50


class Entities:
    """The entities of one tenant."""

    def __init__(self, database: Database, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def mentioned(self, text: str, about: str | None) -> list[Entity]:
        """Return the entities that a text may mean, in one round trip.

        Looked up are its phrases of one to six words, as names and aliases, and of one to three words, as keys. Of
        a text of more than 4,000 words, the first 3,000 and the last 1,000 count.

        Args:
            text: of any length.
            about: key of the entity that it is about where it names none; that one comes first.

        Returns:
            At most 50: those that the longest phrases name before the others, at equal length those that are named
            earlier, then by key. One that was merged stands for the one that was kept.
        """
        found = phrases(text)
        ranks = {p.name: (-len(p.name), position) for position, p in enumerate(found)}
        forms = {(form, by_key): ranks[p.name] for p in reversed(found) for form, by_key in _forms(p)}
        first = (-len(text) - 1, -1)
        if about is not None:
            forms[about, True] = first
        best: dict[str, tuple[tuple[int, int], Entity]] = {}
        for form, by_key, entity in self._named(forms):
            rank = forms[form, by_key]
            if entity.key not in best or rank < best[entity.key][0]:
                best[entity.key] = rank, entity
        ordered = sorted(best.values(), key=lambda pair: (pair[0], pair[1].key))
        return [entity for _, entity in ordered[:MAX_MENTIONED]]

    def resolve(self, names: Sequence[str]) -> dict[str, list[Entity]]:
        """Return the entities that each name can mean, in order of their keys, in one round trip.

        Where a name is the key of an entity it means that one alone; else those that have it as a name or an
        alias, or as a key in one of the forms in which keys are written. A merged one stands for the one kept.
        """
        sought = {name: phrase(name) for name in names}
        found: dict[tuple[str, bool], dict[str, Entity]] = {}
        for form, by_key, entity in self._named(form for p in sought.values() for form in _forms(p)):
            found.setdefault((form, by_key), {})[entity.key] = entity
        return {name: _meant(p, found) for name, p in sought.items()}

    def _named(self, forms: Iterable[tuple[str, bool]]) -> list[tuple[str, bool, Entity]]:
        keys: dict[str, None] = {}
        names: dict[str, None] = {}
        for form, by_key in forms:
            (keys if by_key else names)[form] = None
        if not keys and not names:
            return []
        found = self._database.read("read/named", tenant=self._tenant, keys=list(keys), names=list(names))
        return [(form, by_key, rows.entity(self._tenant, row)) for form, by_key, *row in found]

    def name_in(self, transaction: Transaction, said: Sequence[Mapping[str, Any]]) -> list[Taken]:
        """Name entities that became known in a running transaction; those missing are created.

        One that has a name keeps it, and an alias that another entity of the kind has is left out.

        Args:
            transaction: the running one.
            said: rows of {key, name, aliases, kinds}.

        Returns:
            The aliases that were left out.

        Raises:
            ConflictError: one was merged into another, or gains a kind in which its aliases are taken.
        """
        namings = [naming(**row) for row in said]
        book = self.lock(transaction, namings)
        for one in namings:
            book.introduce(one)
        self.write(transaction, book)
        return book.taken

    def lock(self, transaction: Transaction, said: Sequence[Naming], names: Iterable[str] = ()) -> NameBook:
        """Take the locks on names, then on entities, and return who has what."""
        kinds: dict[str, set[str]] = {}
        for one in said:
            kinds.setdefault(one.key, set()).update(one.kinds)
        [row] = transaction.run(
            "write/lock_names",
            tenant=self._tenant,
            names=sorted({*names, *(name for one in said for name in one.names)}),
            entities=[{"key": key, "kinds": sorted(kinds[key])} for key in sorted(kinds)],
        )
        return NameBook.read(self._tenant, row)

    def write(self, transaction: Transaction, book: NameBook) -> None:
        """Write what was decided, where anything has to be."""
        if book.writes:
            transaction.run("write/name", tenant=self._tenant, **book.to_name())


def _forms(p: Phrase) -> Iterable[tuple[str, bool]]:
    if p.name:
        yield p.name, False
    for key in p.keys:
        yield key, True


def _meant(p: Phrase, found: Mapping[tuple[str, bool], dict[str, Entity]]) -> list[Entity]:
    exact: dict[str, Entity] = found.get((p.keys[0], True), {}) if p.keys else {}
    if exact:
        return list(exact.values())
    meant: dict[str, Any] = {}
    for form in _forms(p):
        meant |= found.get(form, {})
    return [meant[key] for key in sorted(meant)]
