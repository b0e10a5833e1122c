"""Attributes without a schema: which have many values at a time, and how many attributes there may be."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory.errors import InvalidInputError

MAX_OF_TENANT = 5_000
"""The most attributes that one tenant may be the first to use."""

MAX_OF_DATABASE = 50_000
"""A database with this many relationship types takes no new attribute; Neo4j itself stops at about 63,500."""


class Recorded:
    """Take the cardinality of each attribute from the database's record, instead of declaring it.

    Attributes:
        many: attributes of cardinality many, recorded or not. Using one that is recorded with cardinality one
            raises SchemaMismatchError.
    """

    def __init__(self, *many: str) -> None:
        self.many = many

    def __repr__(self) -> str:
        return f"Recorded({', '.join(map(repr, self.many))})"


RECORDED = Recorded()


def without_room(tenant: str, new: Iterable[str], first_used: int, types: int) -> dict[str, InvalidInputError]:
    """Return an error, by name, for each new attribute that exceeds a limit; earlier ones are accepted first.

    Args:
        tenant: the tenant that uses the attributes first.
        new: the attributes, in the order in which they are used.
        first_used: how many attributes this tenant was the first to use before.
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
            f"attribute {name!r} is new, and {bound}: use an existing one, and put the varying part into the value"
        )
    return refused
