"""Statements: checks of a caller's assertions, ends and corrections, made before anything goes to the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol, TypedDict

from graph_memory.domain import identifiers
from graph_memory.domain.arguments import fields_of
from graph_memory.domain.instants import Instant, format_instant, parse_instant
from graph_memory.domain.records import Cardinality, Episode, Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Value, check_encodable
from graph_memory.errors import InvalidInputError, brief
from graph_memory.ledger.terms import UNDECLARED, Terms

MAX_REASON = 1000
REQUIRED_FIELDS = ("subject", "attribute", "value", "valid_from", "episode")
OPTIONAL_FIELDS = ("until", "quote")


class StatementSource(TypedDict):
    """The arguments that assertions and ends share."""

    until: Instant | None
    episode: Episode | str
    quote: str | None


class Attributes(Protocol):
    """The known attributes: their cardinality, allowed values and terms."""

    def cardinality(self, attribute: str) -> Cardinality:
        """Return how many values of an attribute a subject can have at one instant."""

    def check(self, attribute: str, value: object) -> Value:
        """Return a value in its canonical form; raises InvalidInputError where the attribute cannot have it."""

    def terms(self, attribute: str) -> Terms:
        """Return the terms on which facts of an attribute are written."""


class Keep:
    """The type of KEEP."""

    def __repr__(self) -> str:
        return "..."


KEEP = Keep()
"""The argument of a correction for each part of the fact that stays as it is."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A checked assertion, or end, of a value over an interval.

    Attributes:
        subject: key of the entity that the statement is about.
        attribute: a validated attribute.
        slot: key of the slot.
        value: the value; None for an end.
        ended_value: for an end in an attribute of cardinality many, the value that ends.
        valid_from: first instant of the interval (UTC).
        until: first instant after the interval (UTC); None: for ever.
        episode: id of the episode that makes the statement.
        quote: the words of the episode that make the statement.
        terms: the terms on which the statement is written.
        quoted_at: offset of the quote in the episode's text, in Unicode code points; None where not known yet.
    """

    subject: str
    attribute: str
    slot: str
    value: Value | None
    ended_value: Value | None
    valid_from: datetime
    until: datetime | None
    episode: str
    quote: str | None
    terms: Terms = UNDECLARED
    quoted_at: int | None = None

    @property
    def stored_value(self) -> Value | None:
        """The value to store in the ledger entry; for an end, the value that ends."""
        return self.ended_value if self.value is None else self.value


def interval(valid_from: Instant, until: Instant | None, start: str) -> tuple[datetime, datetime | None]:
    """Return a checked half-open interval (UTC); `start` is the first bound's name in error messages."""
    first = parse_instant(valid_from, start)
    last = None if until is None else parse_instant(until, "until")
    if last is not None and last <= first:
        raise InvalidInputError(
            f"until {format_instant(last)} is not after {start} {format_instant(first)}: give a later until "
            "(intervals are half-open)"
        )
    return first, last


def episode_of(tenant: str, episode: Episode | str) -> str:
    """Return the id of an episode of a tenant; the episode may be given as a record or as an id.

    Raises:
        InvalidInputError: the id is not allowed, or the episode belongs to another tenant.
    """
    if not isinstance(episode, Episode):
        return identifiers.episode_id(episode)
    if episode.tenant != tenant:
        raise InvalidInputError(
            f"episode {episode.id} does not belong to tenant {tenant}: give an episode of this tenant"
        )
    return episode.id


def quote_of(quote: str | None) -> str | None:
    """Return a quote as plain text; raises InvalidInputError where it is empty or not text."""
    if quote is None:
        return None
    if not isinstance(quote, str) or not quote:
        raise InvalidInputError(f"quote {brief(quote)} must be words of the episode, or be left out")
    check_encodable(quote, "quote")
    return identifiers.plain_text(quote)


def reason_of(reason: str) -> str:
    """Return a reason as plain text; raises InvalidInputError where it is empty or too long."""
    if not isinstance(reason, str) or not reason.strip() or len(reason) > MAX_REASON:
        raise InvalidInputError(
            f"reason {brief(reason)} must be text of 1 to {MAX_REASON} characters that says why the fact was wrong"
        )
    check_encodable(reason, "reason")
    return identifiers.plain_text(reason)


def assertion(
    tenant: str,
    attributes: Attributes,
    subject: str,
    attribute: str,
    value: object,
    *,
    valid_from: Instant,
    until: Instant | None,
    episode: Episode | str,
    quote: str | None,
) -> Statement:
    """Return the statement that a subject has a value over an interval.

    Raises:
        InvalidInputError: an argument is not allowed.
    """
    key, attribute = identifiers.entity_key(subject), identifiers.attribute_name(attribute)
    many = attributes.cardinality(attribute) is Cardinality.MANY
    checked = attributes.check(attribute, value)
    first, last = interval(valid_from, until, "valid_from")
    return Statement(
        subject=key,
        attribute=attribute,
        slot=slot_key(tenant, key, attribute, checked if many else None),
        value=checked,
        ended_value=None,
        valid_from=first,
        until=last,
        episode=episode_of(tenant, episode),
        quote=quote_of(quote),
        terms=attributes.terms(attribute),
    )


def end(
    tenant: str,
    attributes: Attributes,
    subject: str,
    attribute: str,
    *,
    at: Instant,
    until: Instant | None,
    value: object,
    episode: Episode | str,
    quote: str | None,
) -> Statement:
    """Return the statement that nothing holds, or that one of many values no longer does.

    Raises:
        InvalidInputError: an argument is not allowed, or `value` is missing for an attribute of cardinality many.
    """
    key, attribute = identifiers.entity_key(subject), identifiers.attribute_name(attribute)
    many = attributes.cardinality(attribute) is Cardinality.MANY
    if many and value is None:
        raise _which_ends(attribute)
    if not many and value is not None:
        raise InvalidInputError(f"{attribute} has only one value at a time, and that one ends: leave value= out")
    ended = attributes.check(attribute, value) if many else None
    first, last = interval(at, until, "at")
    return Statement(
        subject=key,
        attribute=attribute,
        slot=slot_key(tenant, key, attribute, ended),
        value=None,
        ended_value=ended,
        valid_from=first,
        until=last,
        episode=episode_of(tenant, episode),
        quote=quote_of(quote),
        terms=attributes.terms(attribute),
    )


def placed(tenant: str, statement: Statement, cardinality: Cardinality) -> Statement:
    """Return a statement with the slot that it has under another cardinality of its attribute.

    Raises:
        InvalidInputError: the statement is an end that names no value, and the attribute has cardinality many.
    """
    value = statement.stored_value
    if cardinality is Cardinality.MANY and value is None:
        raise _which_ends(statement.attribute)
    many = value if cardinality is Cardinality.MANY else None
    return replace(statement, slot=slot_key(tenant, statement.subject, statement.attribute, many))


def _which_ends(attribute: str) -> InvalidInputError:
    return InvalidInputError(f"{attribute} can have many values at a time: say with value= which one ends")


def correction(
    tenant: str,
    attributes: Attributes,
    old: Fact,
    *,
    value: object,
    valid_from: Instant | Keep,
    until: Instant | None | Keep,
    episode: Episode | str,
    quote: str | None,
) -> Statement:
    """Return the statement that replaces a fact; each part given as KEEP stays. Raises InvalidInputError."""
    if value is None:
        raise InvalidInputError("value None is not allowed: to say that nothing holds, use end_fact")
    start = old.asserted_from if isinstance(valid_from, Keep) else valid_from
    last = old.until if isinstance(until, Keep) else until
    said = StatementSource(until=last, episode=episode, quote=quote)
    if old.ended and isinstance(value, Keep):
        return end(tenant, attributes, old.subject, old.attribute, at=start, value=old.ended_value, **said)
    right = old.value if isinstance(value, Keep) else value
    return assertion(tenant, attributes, old.subject, old.attribute, right, valid_from=start, **said)


def assertion_row(tenant: str, attributes: Attributes, row: Any) -> Statement:
    """Return the statement of a row: a mapping, or an object, with the names of `assertion`'s parameters.

    Raises:
        InvalidInputError: a field is missing, unknown or not allowed.
    """
    given: dict[str, Any] = dict.fromkeys(OPTIONAL_FIELDS)
    given |= fields_of(row, REQUIRED_FIELDS, OPTIONAL_FIELDS, "a row")
    return assertion(tenant, attributes, **given)


def attributes_of(rows: Iterable[Any]) -> set[str]:
    """Return the attributes that rows name, without names that are not allowed."""
    return {attribute for attribute in map(_attribute_of, rows) if identifiers.is_attribute(attribute)}


def _attribute_of(row: Any) -> object:
    try:
        return row.get("attribute") if isinstance(row, Mapping) else getattr(row, "attribute", None)
    except Exception:  # such a row is refused when it is checked
        return None
