"""The records of candidates: proposed statements that wait for a decision or were decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.domain.records import ReadOnly, Record
from graph_memory.domain.values import Value


class CandidateStatus(StrEnum):
    """The state of a candidate.

    PENDING: waits for a person. WEAK: waits until other episodes say the same. REFUSED: did not pass the checks.
    CONFIRMED and REJECTED: a person has decided. PROMOTED: became a fact because enough episodes said it. EXPIRED:
    too few episodes said it in time.
    """

    PENDING = "pending"
    WEAK = "weak"
    REFUSED = "refused"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    PROMOTED = "promoted"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Understood:
    """What was understood of a proposal; each part None where that part was not.

    Attributes:
        subject: key of the entity that it is about.
        attribute: which it is about.
        change: `new`, `update`, `end` or `no_change`.
        value: of an end in an attribute of cardinality many, the one that ends.
        valid_from: first instant that it speaks of (UTC).
        until: first instant that it no longer speaks of (UTC); None also: for ever.
    """

    subject: str | None = None
    attribute: str | None = None
    change: str | None = None
    value: Value | None = None
    valid_from: datetime | None = None
    until: datetime | None = None


NOTHING = Understood()


class Candidate(Record):
    """A proposed statement that was not committed as a fact at first.

    Attributes:
        id: the candidate's id.
        tenant: the tenant that the candidate belongs to.
        status: the candidate's state.
        reason: why it was not committed.
        episode_id: id of the episode that it was extracted from.
        source: the source of that episode.
        quote: the evidence, exactly as in the episode; None where the episode does not contain it.
        start: offset of the quote's first character, in Unicode code points.
        end: offset after the quote's last character.
        subject: key of the entity that it is about; None where the entity is not known.
        attribute: the attribute's name; None where the proposal has no valid one.
        change: `new`, `update`, `end` or `no_change`; None where the proposal has no valid one.
        value: the value; None where the proposal has no valid one, and for an end of an attribute with one value.
        valid_from: first instant of the interval (UTC); None where the proposal has no valid one.
        until: first instant after the interval (UTC); None: for ever.
        schema_version: the schema that it was checked against, as `name/version`.
        confirmers: the sources that may confirm it; None: any.
        proposal: the model's proposal, as JSON values; None where no model proposed it.
        recorded_at: when it was stored (UTC, the database's clock).
        expires_at: when a weak candidate expires (UTC); None for the others.
        decided_at: when it was confirmed, rejected, promoted or expired (UTC).
        decided_by: id of the episode behind that decision.
        decision: why it was rejected.
        fact_id: id of the fact that it became.
    """

    id: str
    tenant: str
    status: CandidateStatus
    reason: str
    episode_id: str
    source: str
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    subject: str | None = None
    attribute: str | None = None
    change: str | None = None
    value: Value | None = None
    valid_from: datetime | None = None
    until: datetime | None = None
    schema_version: str | None = None
    confirmers: tuple[str, ...] | None = None
    proposal: ReadOnly[Any] = None
    recorded_at: datetime
    expires_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    decision: str | None = None
    fact_id: str | None = None
