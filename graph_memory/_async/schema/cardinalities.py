"""The cardinality of attributes: one value at a time or many, as declared here and as recorded in the database."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory.domain.identifiers import attribute_name
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Value, check_value
from graph_memory.errors import InvalidInputError, SchemaMismatchError
from graph_memory.ledger.terms import UNDECLARED, Terms
from graph_memory.schema.recorded import Recorded
from graph_memory.schema.schema import Schema
from graph_memory.storage.records import AttributeInfo


class AsyncCardinalities:
    """The attributes of a database.

    A cardinality is recorded when an attribute is first used and never changes, so it is read only once.
    """

    def __init__(
        self, database: AsyncDatabase, many: Iterable[str] | Recorded, schema: Schema | None = None
    ) -> None:
        self.schema = schema
        self._database = database
        self._adopts = isinstance(many, Recorded)
        self._many = frozenset(map(attribute_name, many.many if isinstance(many, Recorded) else many))
        self._terms = {} if schema is None else {name: schema.terms(name) for name in schema.attributes}
        self._recorded: dict[str, Cardinality] = {}

    async def look_up(self, names: Iterable[str]) -> None:
        """Read the recorded cardinality of these attributes, unless it is known already."""
        unknown = sorted(set(names) - self._recorded.keys())
        if unknown:
            self._keep(await self._database.read("read/attributes", names=unknown))

    async def require(self, names: Iterable[str]) -> None:
        """Raise InvalidInputError where one of some attributes is neither recorded nor declared."""
        wanted = sorted(set(names))
        await self.look_up(wanted)
        declared = self._many if self.schema is None else self.schema.attributes.keys()
        for name in wanted:
            if name not in self._recorded and name not in declared:
                raise InvalidInputError(
                    f"there is no attribute {name!r}: nothing has ever been said in it, and it is not declared"
                )

    async def all(self) -> list[AttributeInfo]:
        """Return all recorded attributes, in order."""
        rows = await self._database.read("read/all_attributes")
        self._keep(rows)
        return [AttributeInfo(name=name, cardinality=Cardinality(text)) for name, text in rows]

    def _keep(self, rows: Iterable[Iterable[str]]) -> None:
        self._recorded.update({name: Cardinality(text) for name, text in rows})

    def cardinality(self, attribute: str) -> Cardinality:
        """Return an attribute's cardinality, once it has been looked up.

        Raises:
            SchemaMismatchError: the declared cardinality differs from the recorded one.
        """
        if self.schema is not None:
            return self.schema.attribute(attribute).cardinality
        recorded = self._recorded.get(attribute)
        if self._adopts and recorded is not None and attribute not in self._many:
            return recorded
        declared = Cardinality.MANY if attribute in self._many else Cardinality.ONE
        if recorded not in (None, declared):
            raise SchemaMismatchError(
                f"attribute {attribute!r} is used here with cardinality {declared} and recorded in the database "
                f"with cardinality {recorded}: "
                + (
                    f"open with many=[{attribute!r}, ...]"
                    if recorded is Cardinality.MANY
                    else f"leave {attribute!r} out of many"
                )
            )
        return declared

    def check(self, attribute: str, value: object) -> Value:
        """Return a value in its canonical form; raises InvalidInputError where the attribute cannot have it."""
        return check_value(value) if self.schema is None else self.schema.check(attribute, value)

    def terms(self, attribute: str) -> Terms:
        """Return the terms on which facts of a declared attribute are written."""
        return UNDECLARED if self.schema is None else self._terms[attribute]

    def recorded(self, attribute: str) -> Cardinality:
        """Return the recorded cardinality of an attribute that has been looked up; the declared one is ignored."""
        return self._recorded.get(attribute, Cardinality.ONE)

    def is_recorded(self, attribute: str) -> bool:
        """Whether an attribute is recorded in the database; False where it has not been looked up."""
        return attribute in self._recorded

    def unrecorded(self, names: Iterable[str]) -> dict[str, Cardinality]:
        """Return the cardinality of each attribute that is not known to be recorded, in the order given."""
        return {name: self.cardinality(name) for name in names if name not in self._recorded}

    async def register(self, transaction: AsyncTransaction, tenant: str, new: dict[str, Cardinality]) -> bool:
        """Record attributes that a tenant is the first to use; return whether each has this cardinality.

        False: another process has just recorded one with another cardinality; use that one from now on.

        Raises:
            SchemaMismatchError: another process has recorded one with another cardinality than is declared here.
        """
        rows = [{"name": name, "cardinality": str(cardinality)} for name, cardinality in sorted(new.items())]
        recorded = await transaction.run("write/register", tenant=tenant, rows=rows)
        others = [(name, text) for name, text in recorded if Cardinality(text) is not new[name]]
        self._keep(others)
        for name, _ in others:
            self.cardinality(name)
        return not others

    def registered(self, new: dict[str, Cardinality]) -> None:
        """Note these attributes as recorded, after the transaction that recorded them has committed."""
        self._recorded.update(new)
