"""How a program says which attributes have many values at a time, where no schema is declared."""

from __future__ import annotations


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
