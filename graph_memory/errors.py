"""The errors that this library raises.

    GraphMemoryError
    ├── InvalidInputError (ValueError)     a value is not allowed; nothing was written
    ├── SchemaMismatchError                an attribute or schema differs from its record in the database,
    │                                      or the database is newer than this library
    ├── NotFoundError (LookupError)        an episode, fact or entity does not exist in this tenant
    ├── ConflictError                      two facts cannot both hold; carries the stored ones
    ├── UnavailableError                   the server is away, not ready, or refuses the credentials
    ├── LocalServerError                   the managed local server could not be fetched, started or stopped
    └── ExtractionError                    a language model's output could not be turned into candidates

A message says what was wrong, with which value, and what to do.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graph_memory.domain.records import Fact


class GraphMemoryError(Exception):
    """Base of every error that this library raises on purpose."""


class InvalidInputError(GraphMemoryError, ValueError):
    """A value is not allowed; the message says which values are. Nothing was written."""


class SchemaMismatchError(GraphMemoryError):
    """An attribute or schema differs from its record in the database, or the database is newer than this code."""


class NotFoundError(GraphMemoryError, LookupError):
    """An episode, fact, entity or other named item does not exist in this tenant."""


class ConflictError(GraphMemoryError):
    """Two facts cannot both hold. Nothing was written.

    Attributes:
        facts: the stored facts that contradict the new one, or the fact that has already replaced the old one.
    """

    def __init__(self, message: str, facts: Sequence[Fact] = ()) -> None:
        super().__init__(message)
        self.facts: tuple[Fact, ...] = tuple(facts)


class UnavailableError(GraphMemoryError):
    """The database does not answer, is not ready, or does not accept the credentials."""


class LocalServerError(GraphMemoryError):
    """The managed local server could not be fetched, started, found or stopped."""


class ExtractionError(GraphMemoryError):
    """A language model's output could not be turned into candidates; the episode is stored.

    Attributes:
        passing: whether a later attempt may succeed.
    """

    def __init__(self, message: str, passing: bool = True) -> None:
        super().__init__(message)
        self.passing = passing


# Python writes no integer of more digits than a limit, which can be set to 640 and not below.
_MAX_BITS = 2048


class _Brief(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() > _MAX_BITS:
            return f"<an integer of {x.bit_length()} bits>"
        return super().repr_int(x, level)


_repr = _Brief()
_repr.maxstring = _repr.maxother = _repr.maxlong = 80


def brief(value: object) -> str:
    """Return a value as messages show it: its repr, cut in the middle where it is longer than 80 characters.

    A value whose repr fails is shown by the name of its type.
    """
    try:
        return _repr.repr(value)
    except Exception:  # a caller's class may raise anything here, and the message is about something else
        return f"<{type(value).__name__}>"


class NoEntityError(NotFoundError):
    """An entity that does not exist in a tenant.

    Attributes:
        key: that was asked for.
    """

    def __init__(self, tenant: str, key: str) -> None:
        super().__init__(
            f"tenant {tenant} has no entity {brief(key)}: keys are case-sensitive, and an entity exists once a "
            "fact or name_entity names it"
        )
        self.key = key

    def hinting(self, keys: Sequence[str]) -> NotFoundError:
        """Return the same with the keys of those who are called so, where there are any."""
        if not keys:
            return self
        more = f" and {len(keys) - 5} more" if len(keys) > 5 else ""
        return NotFoundError(
            f"{self}. {brief(self.key)} is a name of {', '.join(map(repr, keys[:5]))}{more}: give the key"
        )


def merged_error(key: str, kept: str) -> ConflictError:
    """Return the error for a write about an entity that was merged into another."""
    return ConflictError(f"entity {key!r} was merged into {kept!r}: write about {kept!r}, or undo the merge")
