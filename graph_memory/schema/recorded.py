"""The argument by which a program without a schema takes attributes' cardinalities from the database."""

from __future__ import annotations


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
