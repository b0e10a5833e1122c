# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The entities of one tenant: found by what people call them, and named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.name_forms import folded_key
from graph_memory.domain.records import Entity
from graph_memory.entities.aliases import NameBook, Naming
from graph_memory.entities.normalization import Form, Found, Mentions, meant, phrase, phrases
from graph_memory.entities.rows import entity_from_row


class Entities:
    """The entities of one tenant."""

    def __init__(self, database: Database, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def mentioned(self, text: str, about: str | None) -> Mentions:
        """Return whom a text may mean, in one round trip.

        Looked up are its phrases of one to six words, or of up to 18 characters of scripts without spaces, as
        names, aliases and keys. Of a text of more than 4,000 words, the first 3,000 and the last 1,000 count.

        Args:
            text: of any length.
            about: key of the entity that it is about where it names none; that one comes first.
        """
        found = phrases(text)
        ranks = {p.name: (-len(p.name), position) for position, p in enumerate(found)}
        forms = {form: ranks[p.name] for p in reversed(found) for form in p.forms}
        if about is not None:
            forms[about, True] = (-len(text) - 1, -1)
        return Mentions(forms, self._named(forms))

    def resolve(self, names: Sequence[str]) -> dict[str, list[Entity]]:
        """Return the entities that each name can mean, in order of their keys, in one round trip.

        Where a name is exactly the key of an entity it means that one alone; else those that have it as a name, an
        alias, or a key in another case or in one of the forms in which keys are written. A merged one stands for
        the one kept.
        """
        sought = {name: phrase(name) for name in names}
        found = self._named(form for p in sought.values() for form in p.forms)
        return {name: meant(p, found) for name, p in sought.items()}

    def _named(self, forms: Iterable[Form]) -> Found:
        keys: dict[str, None] = {}
        names: dict[str, None] = {}
        for form, by_key in forms:
            (keys if by_key else names)[form] = None
        found: Found = {}
        if keys or names:
            for form, by_key, *row in self._database.read(
                "read/named", tenant=self._tenant, keys=list(keys), names=list(names)
            ):
                entity = entity_from_row(self._tenant, row)
                found.setdefault((form, by_key), {})[entity.key] = entity
        return found

    def lock(self, transaction: Transaction, said: Sequence[Naming], names: Iterable[str] = ()) -> NameBook:
        """Take the locks on names, then on entities, and return who has what."""
        kinds: dict[str, set[str]] = {}
        for one in said:
            kinds.setdefault(one.key, set()).update(one.kinds)
        [row] = transaction.run(
            "write/lock_names",
            tenant=self._tenant,
            names=sorted({*names, *(name for one in said for name in one.names)}),
            entities=[
                {"key": key, "folded": folded_key(key), "kinds": sorted(kinds[key])} for key in sorted(kinds)
            ],
        )
        return NameBook.read(self._tenant, row)

    def write(self, transaction: Transaction, book: NameBook) -> None:
        """Write what was decided, where anything has to be."""
        if book.writes:
            transaction.run("write/name", tenant=self._tenant, **book.to_name())
