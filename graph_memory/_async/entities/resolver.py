"""Finds the entities of one tenant by their names, and names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory.domain.name_forms import folded_key
from graph_memory.domain.records import Entity
from graph_memory.entities.aliases import NameBook, Naming
from graph_memory.entities.normalization import Form, Found, Mentions, meant, phrase, phrases
from graph_memory.entities.rows import entity_from_row


class AsyncEntities:
    """The entities of one tenant."""

    def __init__(self, database: AsyncDatabase, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    async def mentioned(self, text: str, about: str | None) -> Mentions:
        """Return the entities that a text may mean, in one round trip.

        It looks up the phrases of the text as names, aliases and keys: one to six words, or up to 18 characters of
        scripts without spaces. Of a text of more than 4,000 words, the first 3,000 and the last 1,000 count.

        Args:
            text: a text of any length.
            about: key of the entity that "I" and "my" mean; it comes first. None: it is unknown.
        """
        found = phrases(text)
        ranks = {p.name: (-len(p.name), position) for position, p in enumerate(found)}
        forms = {form: ranks[p.name] for p in reversed(found) for form in p.forms}
        if about is not None:
            forms[about, True] = (-len(text) - 1, -1)
        return Mentions(forms, await self._named(forms))

    async def resolve(self, names: Sequence[str]) -> dict[str, list[Entity]]:
        """Return the entities that each name can mean, in the order of their keys, in one round trip.

        A name that is exactly the key of an entity means that entity alone. Another name means every entity that
        has it as a name, as an alias, or as a key in another case or spelling. A merged entity is replaced by the
        entity that was kept.
        """
        sought = {name: phrase(name) for name in names}
        found = await self._named(form for p in sought.values() for form in p.forms)
        return {name: meant(p, found) for name, p in sought.items()}

    async def _named(self, forms: Iterable[Form]) -> Found:
        keys: dict[str, None] = {}
        names: dict[str, None] = {}
        for form, by_key in forms:
            (keys if by_key else names)[form] = None
        found: Found = {}
        if keys or names:
            for form, by_key, *row in await self._database.read(
                "read/named", tenant=self._tenant, keys=list(keys), names=list(names)
            ):
                entity = entity_from_row(self._tenant, row)
                found.setdefault((form, by_key), {})[entity.key] = entity
        return found

    async def lock(
        self, transaction: AsyncTransaction, said: Sequence[Naming], names: Iterable[str] = ()
    ) -> NameBook:
        """Lock names, then entities, and return which entity has which name."""
        kinds: dict[str, set[str]] = {}
        for one in said:
            kinds.setdefault(one.key, set()).update(one.kinds)
        [row] = await transaction.run(
            "write/lock_names",
            tenant=self._tenant,
            names=sorted({*names, *(name for one in said for name in one.names)}),
            entities=[
                {"key": key, "folded": folded_key(key), "kinds": sorted(kinds[key])} for key in sorted(kinds)
            ],
        )
        return NameBook.read(self._tenant, row)

    async def write(self, transaction: AsyncTransaction, book: NameBook) -> None:
        """Write the changes of a book, if it has any."""
        if book.writes:
            await transaction.run("write/name", tenant=self._tenant, **book.to_name())
