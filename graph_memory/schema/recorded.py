"""Attributes where no schema is declared: how a program says which have many values, and how many there may be."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory.errors import InvalidInputError

MAX_OF_TENANT = 5_000
"""How many attributes a tenant may be the first to use."""

MAX_OF_DATABASE = 50_000
"""With how many relationship types a database takes no new attribute; Neo4j takes none from about 63,500 on."""


class Recorded:
    """Take the cardinality of attributes as the database has it recorded, instead of declaring it.

    Attributes:
        many: attributes of cardinality many, recorded or not; one that is recorded otherwise is an error to use.
    """

    def __init__(self, *many: str) -> None:
        self.many = many

    def __repr__(self) -> str:
        return f"Recorded({', '.join(map(repr, self.many))})"


RECORDED = Recorded()


def without_room(tenant: str, new: Iterable[str], first_used: int, types: int) -> dict[str, InvalidInputError]:
    """Return why some of a tenant's new attributes are refused; those that come first are taken.

    Args:
        tenant: who uses them first.
        new: the attributes, in the order in which they are used.
        first_used: how many attributes the tenant was the first to use before.
        types: how many relationship types the database has.
    """
    refused: dict[str, InvalidInputError] = {}
    for number, name in enumerate(new, start=1):
        if first_used + number > MAX_OF_TENANT:
            bound = f"tenant {tenant} was the first to use {MAX_OF_TENANT} attributes, and may not add another"
        elif types + number > MAX_OF_DATABASE:
            bound = f"the database has {types} relationship types, which leaves no room for another"
        else:
            continue
        refused[name] = InvalidInputError(
            f"attribute {name!r} is new, and {bound}: use one that there is, and put what varies into the value"
        )
    return refused
