"""Candidates as parameters of write/candidates, and from the rows of the templates.

Instants are columns of microseconds since 1970.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graph_memory.candidates.records import NOTHING, Candidate, CandidateStatus, Understood
from graph_memory.domain.instants import from_micros, from_optional_micros, to_pair
from graph_memory.domain.values import from_property, to_property, value_type
from graph_memory.episodes.quotes import Quote
from graph_memory.ledger.statements import MAX_REASON, Statement


def understood(statement: Statement, change: str | None = None) -> Understood:
    """Return what a statement says; `change` is the kind that was proposed, where it is no end."""
    return Understood(
        subject=statement.subject,
        attribute=statement.attribute,
        change="end" if statement.value is None else change or "new",
        value=statement.stored_value,
        valid_from=statement.valid_from,
        until=statement.until,
    )


def candidate_row(
    id: str,
    episode: str,
    what: Understood | None,
    status: CandidateStatus,
    reason: str,
    *,
    quote: Quote | None = None,
    proposal: Any = None,
    confirmers: Sequence[str] | None = None,
    schema_version: str | None = None,
) -> dict[str, Any]:
    """Return a candidate as a row for write/candidates.

    Args:
        id: id of the candidate.
        episode: id of the episode that it was read from.
        what: the parts of it that were understood; None: none was.
        status: its status.
        reason: why it was not committed.
        quote: its evidence in the episode.
        proposal: the proposal of the model, as JSON can hold it.
        confirmers: the sources that may confirm it; None: any.
        schema_version: the schema that judged it, as `name/version`.
    """
    what = NOTHING if what is None else what
    return {
        "id": id,
        "episode": episode,
        "status": str(status),
        "reason": reason[:MAX_REASON],
        "subject": what.subject,
        "attribute": what.attribute,
        "change": what.change,
        "value": None if what.value is None else to_property(what.value),
        "value_type": None if what.value is None else value_type(what.value),
        "valid_from": None if what.valid_from is None else to_pair(what.valid_from),
        "until": None if what.until is None else to_pair(what.until),
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
