"""What a person's confirmation makes of a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.domain import identifiers
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.records import Cardinality, Episode
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import ConflictError, InvalidInputError
from graph_memory.extraction.outcome import Signal
from graph_memory.extraction.validation import confirmers
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Authority, Command
from graph_memory.ledger.statements import Attributes, Statement
from graph_memory.ledger.timeline import same_value
from graph_memory.schema.schema import Schema

OPEN = (CandidateStatus.PENDING, CandidateStatus.WEAK)


def require_open(candidate: Candidate) -> None:
    """Raise ConflictError where nothing is to be decided any more."""
    if candidate.status not in OPEN:
        raise ConflictError(
            f"candidate {candidate.id} is {candidate.status} ({candidate.decision or candidate.reason}), so there "
            "is nothing to decide: assert or correct a fact instead"
        )


def require_confirmer(candidate: Candidate, episode: Episode, schema: Schema | None) -> None:
    """Raise InvalidInputError where an episode's source is none whose confirmation a candidate waits for.

    What the schema declares by now counts too. What an episode says is not confirmed by that episode.
    """
    if episode.id == candidate.episode_id:
        raise InvalidInputError(
            f"candidate {candidate.id} was read from episode {episode.id}, which cannot confirm it: record what "
            "confirms it, and confirm with that episode"
        )
    for sources in (candidate.confirmers, confirmers(schema, candidate.attribute)):
        if sources is not None and episode.source not in sources:
            raise InvalidInputError(
                f"episode {episode.id} is from source {episode.source!r}, and candidate {candidate.id} waits for "
                f"{' or '.join(map(repr, sources))}: record what they said, and confirm with that episode"
            )


def confirming(
    candidate: Candidate,
    said_in: Episode,
    confirmed_in: Episode,
    attributes: Attributes,
    *,
    subject: str | None,
    value: object,
    similar: Sequence[Signal] = (),
    users: Sequence[str] | None = None,
) -> list[Command]:
    """Return what the ledger is to do: say it by the confirming episode, and cite those that said it before.

    Args:
        candidate: one that is open.
        said_in: the episode that it was read from.
        confirmed_in: the episode behind the confirmation.
        attributes: what is known of attributes.
        subject: whom it is about; None: as the candidate has it.
        value: the right value; None: as the candidate has it.
        similar: weak candidates that say the same.
        users: the sources that speak for the user, whose word no guard stands against; None: any.

    Raises:
        InvalidInputError: the candidate leaves something open that is not given.
    """
    if candidate.attribute is None:
        raise InvalidInputError(
            f"candidate {candidate.id} has no attribute that is declared: assert a fact instead"
        )
    key = candidate.subject if subject is None else identifiers.entity_key(subject)
    if key is None:
        raise InvalidInputError(
            f"candidate {candidate.id}: {candidate.reason}; say with subject= which one is meant"
        )
    start, until = _interval(candidate, said_in)
    sightings = tuple(signal.valid_from for signal in similar)
    many = attributes.cardinality(candidate.attribute) is Cardinality.MANY
    ends = candidate.change == "end"
    right = None if ends and not many else _value(candidate, attributes, value)

    def statement(episode: str, quote: str | None) -> Statement:
        assert candidate.attribute is not None
        if ends:
            return statements.end(
                candidate.tenant,
                attributes,
                key,
                candidate.attribute,
                at=start,
                until=until,
                value=right,
                episode=episode,
                quote=quote,
            )
        return statements.assertion(
            candidate.tenant,
            attributes,
            key,
            candidate.attribute,
            right,
            valid_from=start,
            until=until,
            episode=episode,
            quote=quote,
        )

    cited = {signal.episode: signal.quote for signal in similar}
    if candidate.subject in (None, key) and (
        candidate.value is None or right is None or same_value(right, candidate.value)
    ):
        cited[said_in.id] = candidate.quote or ""  # it says what is confirmed, as far as it says anything
    cited.pop(confirmed_in.id, None)
    by_user = users is None or confirmed_in.source in users
    decided = Authority.ANY if by_user else Authority.GUARDED
    return [
        Command(statement(confirmed_in.id, None), decided=decided, sightings=sightings),
        *(
            Command(statement(episode, quote or None), confirms=True, sightings=sightings)
            for episode, quote in cited.items()
        ),
    ]


def _interval(candidate: Candidate, said_in: Episode) -> tuple[datetime, datetime | None]:
    if candidate.valid_from is not None:
        return candidate.valid_from, candidate.until
    said: dict[str, Any] = candidate.proposal if isinstance(candidate.proposal, dict) else {}
    start, until = said.get("valid_from"), said.get("until")
    return (
        said_in.said_at if start is None else parse_instant(start, "valid_from"),
        None if until is None else parse_instant(until, "until"),
    )


def _value(candidate: Candidate, attributes: Attributes, given: object) -> Value:
    assert candidate.attribute is not None
    if given is not None:
        return attributes.check(candidate.attribute, given)
    if candidate.value is not None:
        return candidate.value
    said = candidate.proposal.get("value") if isinstance(candidate.proposal, dict) else None
    try:
        return attributes.check(candidate.attribute, said)
    except InvalidInputError as error:
        raise InvalidInputError(
            f"candidate {candidate.id} leaves the value open ({candidate.reason}; {error}): say with value= which "
            f"one is right, such as {Ref('key') if isinstance(said, str) else 'that of the attribute'}"
        ) from None
