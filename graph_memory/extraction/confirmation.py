"""Turns a candidate that a person confirms into commands for the ledger."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.domain import identifiers
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.records import Cardinality, Entity, Episode
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import ConflictError, InvalidInputError
from graph_memory.extraction.entity_linking import is_named
from graph_memory.extraction.outcome import Signal
from graph_memory.ledger import statements
from graph_memory.ledger.commands import Authority, Command
from graph_memory.ledger.statements import Attributes, Statement
from graph_memory.ledger.timeline import same_value
from graph_memory.schema.attribute_spec import Confirmer
from graph_memory.schema.schema import Schema, confirmers

OPEN = (CandidateStatus.PENDING, CandidateStatus.WEAK)


def require_open(candidate: Candidate) -> None:
    """Raise ConflictError if a candidate has been decided already."""
    if candidate.status not in OPEN:
        raise ConflictError(
            f"candidate {candidate.id} is {candidate.status} already ({candidate.decision or candidate.reason}): "
            "assert or correct a fact instead"
        )


def require_confirmer(candidate: Candidate, episode: Episode, schema: Schema | None) -> None:
    """Raise InvalidInputError if an episode may not confirm a candidate.

    Its source must be one that the candidate waits for, and one that the current schema asks for. The episode that
    the candidate was read from cannot confirm it.
    """
    if episode.id == candidate.episode_id:
        raise InvalidInputError(
            f"candidate {candidate.id} was read from episode {episode.id}, so that episode cannot confirm it: "
            "record the confirmation as an episode, and confirm with that one"
        )
    for sources in (candidate.confirmers, confirmers(schema, candidate.attribute)):
        if sources is not None and episode.source not in sources:
            raise InvalidInputError(
                f"episode {episode.id} is from source {episode.source!r}, but candidate {candidate.id} waits for "
                f"{' or '.join(map(repr, sources))}: record what that source said, and confirm with that episode"
            )


def require_subject(
    candidate: Candidate,
    episode: Episode,
    schema: Schema | None,
    subject: Entity,
    speakers: Collection[str],
) -> None:
    """Raise InvalidInputError if only the subject may confirm a candidate and somebody else does.

    If the schema no longer declares the attribute, only its subject may confirm what waits for the user.

    Args:
        candidate: that is to be confirmed.
        episode: behind the confirmation.
        schema: what is declared.
        subject: the entity that it is about, with the names that it has, if any.
        speakers: keys of the entities that the episode is known to be by, or about where it names none.
    """
    if candidate.confirmers is None and confirmers(schema, candidate.attribute) is None:
        return
    spec = None if schema is None else schema.attributes.get(candidate.attribute or "")
    if spec is not None and spec.options.confirmer is Confirmer.USER:
        return
    if subject.key in speakers or is_named(episode.text, subject):
        return
    raise InvalidInputError(
        f"candidate {candidate.id} is about {subject.key}, who alone may confirm {candidate.attribute}, and "
        f"episode {episode.id} is neither by nor about {subject.key}: say with by= who says so, or declare "
        "confirmed_by='user' for this attribute"
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
    """Return the commands that commit a candidate by the confirming episode and cite the episodes before it.

    Args:
        candidate: an open candidate.
        said_in: the episode that the candidate was read from.
        confirmed_in: the episode that confirms it.
        attributes: the declared or recorded attributes.
        subject: key of the subject; None: the candidate's.
        value: the right value; None: the candidate's.
        similar: weak candidates that say the same.
        users: the sources that speak for the user and overrule protected facts; None: all sources.

    Raises:
        InvalidInputError: the candidate has no subject or value, and none is given.
    """
    if candidate.attribute is None:
        raise InvalidInputError(f"candidate {candidate.id} has no declared attribute: assert a fact instead")
    key = candidate.subject if subject is None else identifiers.entity_key(subject)
    if key is None:
        raise InvalidInputError(
            f"candidate {candidate.id} has no subject ({candidate.reason}): give it with subject="
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
        cited[said_in.id] = candidate.quote or ""  # the episode says what is confirmed
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
            f"candidate {candidate.id} has no usable value ({candidate.reason}; {error}): give it with value=, "
            f"such as {Ref('key') if isinstance(said, str) else 'a value of the attribute'}"
        ) from None
