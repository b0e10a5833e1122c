# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Which attributes have one value at a time and which have many, as declared here and recorded there."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.domain.identifiers import attribute_name
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Value, check_value
from graph_memory.errors import InvalidInputError, SchemaMismatchError
from graph_memory.ledger.terms import UNDECLARED, Terms
from graph_memory.schema.recorded import Recorded
from graph_memory.schema.schema import Schema
from graph_memory.storage.records import AttributeInfo


class Attributes:
    """The attributes of a database.

    A cardinality is recorded at the first use of an attribute and never changes, so what was read once is kept.
    """

    def __init__(self, database: Database, many: Iterable[str] | Recorded, schema: Schema | None = None) -> None:
        self.schema = schema
        self._database = database
        self._adopts = isinstance(many, Recorded)
        self._many = frozenset(map(attribute_name, many.many if isinstance(many, Recorded) else many))
        self._terms = {} if schema is None else {name: schema.terms(name) for name in schema.attributes}
        self._recorded: dict[str, Cardinality] = {}

    def look_up(self, names: Iterable[str]) -> None:
        """Read what is recorded of these attributes, where that is not known yet."""
        unknown = sorted(set(names) - self._recorded.keys())
        if unknown:
            self._keep(self._database.read("read/attributes", names=unknown))

    def require(self, names: Iterable[str]) -> None:
        """Raise InvalidInputError where one of some attributes is neither recorded nor declared."""
        wanted = sorted(set(names))
        self.look_up(wanted)
        declared = self._many if self.schema is None else self.schema.attributes.keys()
        for name in wanted:
            if name not in self._recorded and name not in declared:
                raise InvalidInputError(
                    f"there is no attribute {name!r}: nothing has ever been said in it, and it is not declared"
                )

    def all(self) -> list[AttributeInfo]:
        """Return all recorded attributes, in order."""
        rows = self._database.read("read/all_attributes")
        self._keep(rows)
        return [AttributeInfo(name=name, cardinality=Cardinality(text)) for name, text in rows]

    def _keep(self, rows: Iterable[Iterable[str]]) -> None:
        self._recorded.update({name: Cardinality(text) for name, text in rows})

    def cardinality(self, attribute: str) -> Cardinality:
        """Return an attribute's cardinality, once it has been looked up.

        Raises:
            SchemaMismatchError: it is declared otherwise here than the database has it recorded.
        """
        if self.schema is not None:
            return self.schema.attribute(attribute).cardinality
        recorded = self._recorded.get(attribute)
        if self._adopts and recorded is not None and attribute not in self._many:
            return recorded
        declared = Cardinality.MANY if attribute in self._many else Cardinality.ONE
        if recorded not in (None, declared):
            raise SchemaMismatchError(
                f"attribute {attribute!r} is used here with cardinality {declared} and the database has it "
                f"recorded with {recorded}: "
                + (
                    f"open with many=[{attribute!r}, ...]"
                    if recorded is Cardinality.MANY
                    else f"leave {attribute!r} out of many"
                )
            )
        return declared

    def check(self, attribute: str, value: object) -> Value:
        """Return a value that an attribute may have, in its canonical form; raises InvalidInputError."""
        return check_value(value) if self.schema is None else self.schema.check(attribute, value)

    def terms(self, attribute: str) -> Terms:
        """Return on what terms facts of an attribute are written; raises InvalidInputError if not declared."""
        return UNDECLARED if self.schema is None else self._terms[attribute]

    def recorded(self, attribute: str) -> Cardinality:
        """Return the recorded cardinality of an attribute that has been looked up, whatever is declared."""
        return self._recorded.get(attribute, Cardinality.ONE)

    def is_recorded(self, attribute: str) -> bool:
        """Whether the database has an attribute, as far as it has been looked up."""
        return attribute in self._recorded

    def unrecorded(self, names: Iterable[str]) -> dict[str, Cardinality]:
        """Return the cardinality of those attributes that are not known to be recorded, in the order given."""
        return {name: self.cardinality(name) for name in names if name not in self._recorded}

    def register(self, transaction: Transaction, tenant: str, new: dict[str, Cardinality]) -> bool:
        """Record attributes that a tenant is the first to use; return whether each has this cardinality.

        False: another process was first with another cardinality, which is the one to use from now on.

        Raises:
            SchemaMismatchError: the same where the cardinality is declared here.
        """
        rows = [{"name": name, "cardinality": str(cardinality)} for name, cardinality in sorted(new.items())]
        recorded = transaction.run("write/register", tenant=tenant, rows=rows)
        others = [(name, text) for name, text in recorded if Cardinality(text) is not new[name]]
        self._keep(others)
        for name, _ in others:
            self.cardinality(name)
        return not others

    def registered(self, new: dict[str, Cardinality]) -> None:
        """Note that the transaction which recorded these has committed."""
        self._recorded.update(new)
