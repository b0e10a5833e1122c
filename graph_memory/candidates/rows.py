"""Candidates as parameters of write/candidates, and from the rows of the templates.

Instants are columns of microseconds since 1970.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.domain.instants import from_micros, from_optional_micros, to_pair
from graph_memory.domain.values import from_property, to_property, value_type
from graph_memory.episodes.quotes import Quote
from graph_memory.ledger.statements import MAX_REASON, Statement


def candidate_row(
    id: str,
    episode: str,
    statement: Statement | None,
    status: CandidateStatus,
    reason: str,
    *,
    quote: Quote | None = None,
    proposal: Any = None,
    attribute: str | None = None,
    change: str | None = None,
    confirmers: Sequence[str] | None = None,
    schema_version: str | None = None,
) -> dict[str, Any]:
    """Return a candidate as a row for write/candidates.

    Args:
        id: the candidate's id.
        episode: id of the episode that it was extracted from.
        statement: the proposed statement; None where the proposal is not valid.
        status: the candidate's state.
        reason: why it was not committed.
        quote: the evidence in the episode.
        proposal: the model's proposal, as JSON values.
        attribute: the attribute's name, where there is no statement.
        change: the kind of change that the model proposed.
        confirmers: the sources that may confirm it; None: any.
        schema_version: the schema that it was checked against, as `name/version`.
    """
    stored = None if statement is None else statement.stored_value
    if statement is not None:
        change = "end" if statement.value is None else change or "new"
    return {
        "id": id,
        "episode": episode,
        "status": str(status),
        "reason": reason[:MAX_REASON],
        "subject": None if statement is None else statement.subject,
        "attribute": attribute if statement is None else statement.attribute,
        "change": change,
        "value": None if stored is None else to_property(stored),
        "value_type": None if stored is None else value_type(stored),
        "valid_from": None if statement is None else to_pair(statement.valid_from),
        "until": None if statement is None or statement.until is None else to_pair(statement.until),
        "quote": None if quote is None else quote.text,
        "start": None if quote is None else quote.start,
        "end": None if quote is None else quote.end,
        "proposal": None if proposal is None else json.dumps(proposal),
        "confirmers": None if confirmers is None else list(confirmers),
        "schema_version": schema_version,
        "named": [],
        "signal": None,
        "lasts": None,
    }


def candidate_from_row(tenant: str, row: Sequence[Any]) -> Candidate:
    """Return a candidate from its columns, in the order of all templates."""
    (id_, status, reason, episode_id, source, quote, start, end, subject, attribute, change) = row[:11]
    (stored, stored_type, valid_from, until, schema_version, confirmers, proposal, recorded_at) = row[11:19]
    expires_at, decided_at, decided_by, decision, fact_id = row[19:]
    return Candidate(
        id=id_,
        tenant=tenant,
        status=status,
        reason=reason,
        episode_id=episode_id,
        source=source,
        quote=quote,
        start=start,
        end=end,
        subject=subject,
        attribute=attribute,
        change=change,
        value=None if stored is None else from_property(stored_type, stored),
        valid_from=from_optional_micros(valid_from),
        until=from_optional_micros(until),
        schema_version=schema_version,
        confirmers=None if confirmers is None else tuple(confirmers),
        proposal=None if proposal is None else json.loads(proposal),
        recorded_at=from_micros(recorded_at),
        expires_at=from_optional_micros(expires_at),
        decided_at=from_optional_micros(decided_at),
        decided_by=decided_by,
        decision=decision,
        fact_id=fact_id,
    )
