"""The intent of a question, and the reading of a question: its routing. Instants are UTC."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graph_memory.domain.records import Record


class Intent(StrEnum):
    """The intent of a question.

    CURRENT: what holds now. AS_OF: what held at an instant or in an interval. WHO_SAID: who says so, in which
    words. REPLACED: which value came before, or who had a value and no longer has it. REPLACED_BY: which value
    came after. CHANGED: how the value changed over time. SINCE: since when the value holds.
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
"""The intents that ask for the value before or after another one."""


class Router(StrEnum):
    """What reads a question.

    RULES: rules on its words. MODEL: one call of a chat model, whose answer is checked.
    """

    RULES = "rules"
    MODEL = "model"


class Routing(Record):
    """The reading of a question.

    Attributes:
        intent: what it asks for.
        subjects: keys of the entities that it is about.
        values: keys of the entities that it names as values.
        attributes: the attributes that it asks for; empty: all attributes of the subjects.
        start: the instant that it is about, or the first instant of the interval; None: now.
        end: the first instant after the interval; None: `start` is a single instant.
        known_at: the instant in recorded time; None: now.
        by: what read the question.
    """

    intent: Intent
    subjects: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    known_at: datetime | None = None
    by: Router = Router.RULES
