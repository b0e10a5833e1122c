"""What a person is asked about: candidates, which are no facts, or were none at first."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from graph_memory.domain.records import ReadOnly, Record
from graph_memory.domain.values import Value


class CandidateStatus(StrEnum):
    """What has become of a candidate.

    PENDING: waits for a person. WEAK: waits until other episodes say the same. REFUSED: did not pass the checks.
    CONFIRMED and REJECTED: decided by a person. PROMOTED: became a fact as it recurred. EXPIRED: was too weak for
    too long.
    """

    PENDING = "pending"
    WEAK = "weak"
    REFUSED = "refused"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    PROMOTED = "promoted"
    EXPIRED = "expired"


class Candidate(Record):
    """Something that was proposed and is no fact, or was none at first.

    Attributes:
        status: what has become of it.
        reason: why it was not committed.
        episode_id: the episode that it was read from.
        source: that episode's source.
        quote: its evidence, exactly as it stands in the episode; None where it does not.
        start: offset of the quote's first character, in Unicode code points.
        end: offset after its last character.
        subject: key of the entity that it is about; None where that was not understood.
        attribute: None where it was not understood.
        change: `new`, `update`, `end` or `no_change`; None where it was not understood.
        value: None of an end in an attribute of cardinality one, or where it was not understood.
        valid_from: first instant that it speaks of (UTC); None where it was not understood.
        until: first instant that it no longer speaks of; None: for ever.
        schema_version: of the schema it was judged by, as `name/version`.
        confirmers: the sources whose confirmation it waits for; None: any.
        proposal: what the model said, in the form of JSON; None where no model did.
        recorded_at: when it was stored (UTC).
        expires_at: of a weak one, when it stops to count.
        decided_at: when it was confirmed, rejected, promoted or expired.
        decided_by: id of the episode behind that decision.
        decision: why it was rejected.
        fact_id: the fact that it became.
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
