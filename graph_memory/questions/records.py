"""What a question asks for, and what it was taken to ask for. Instants are UTC."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graph_memory.domain.records import Record


class Intent(StrEnum):
    """What a question asks for.

    CURRENT: what holds now. AS_OF: what held at an instant or in an interval. WHO_SAID: who says so, in which
    words. REPLACED: what a value took the place of, or who had it and has it no longer. REPLACED_BY: what took the
    place of a value. CHANGED: what became of it over time. SINCE: since when it holds.
    """

    CURRENT = "current"
    AS_OF = "as_of"
    WHO_SAID = "who_said"
    REPLACED = "replaced"
    REPLACED_BY = "replaced_by"
    CHANGED = "changed"
    SINCE = "since"


AT_ONCE = (Intent.CURRENT, Intent.AS_OF)
"""The intents that ask what holds at one time."""
REPLACING = (Intent.REPLACED, Intent.REPLACED_BY)
"""The intents that ask for a value's neighbour in time."""


class Router(StrEnum):
    """Who decides what a question is about.

    RULES: its words. MODEL: one call of a chat model, whose answer is checked.
    """

    RULES = "rules"
    MODEL = "model"


class Routing(Record):
    """What a question was taken to ask for.

    Attributes:
        intent: what of it.
        subjects: keys of the entities that it is about.
        values: keys of the entities that it names beside them, as values.
        attributes: those that it is about; empty: all of the subject.
        start: the instant, or the first one of the interval, that it is about; None: now.
        end: the first instant after the interval; None: there is none.
        known_at: by what the ledger knew at this instant; None: by what it knows now.
        by: who decided.
    """

    intent: Intent
    subjects: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    known_at: datetime | None = None
    by: Router = Router.RULES
