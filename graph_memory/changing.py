"""What a change is, by recorded and by valid time; and where a list of changes is complete. Pure: no database.

By recorded time a change is what was written to the ledger; by valid time it is that something else holds from an
instant on than just before (docs/time.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.graph_records import ChangeEvent, ChangeKind, Difference
from graph_memory.instants import from_micros
from graph_memory.records import Fact
from graph_memory.timeline import same_value
from graph_memory.values import identity

# Which events each way of writing to the ledger can be.
WAYS: Mapping[str, frozenset[ChangeKind]] = {
    "recorded": frozenset({ChangeKind.BEGAN, ChangeKind.ENDED, ChangeKind.CONFIRMED}),
    "retracted": frozenset({ChangeKind.CORRECTED, ChangeKind.RETRACTED}),
    "confirmed": frozenset({ChangeKind.CONFIRMED}),
}


@dataclass(frozen=True, slots=True)
class Written:
    """That an entry was recorded, retracted or confirmed (`how`), in microseconds since 1970."""

    how: str
    at: int
    fact_id: str
    episode: str | None


def complete(found: Iterable[Sequence[int]], limit: int) -> int | None:
    """Return the instant before which ascending lists, each cut at `limit`, are complete; None: wholly."""
    return min((instants[-1] for instants in found if len(instants) >= limit), default=None)


@dataclass(frozen=True, slots=True)
class Links:
    """What the ledger links to an entry, as the columns of read/changes have it."""

    recorded: bool
    superseded: str | None
    superseded_as: str | None
    successor: str | None
    retraction_episode: str | None
    reason: str | None

    @property
    def ids(self) -> Iterable[str]:
        """The facts that it names."""
        return (id_ for id_ in (self.superseded, self.successor) if id_ is not None)


def written(change: Written, links: Links, facts: Mapping[str, Fact]) -> ChangeEvent | None:
    """Return the event that a writing to the ledger is; None where another one tells of it."""
    at, fact = from_micros(change.at), facts[change.fact_id]
    if change.how == "confirmed":
        return ChangeEvent(kind=ChangeKind.CONFIRMED, at=at, after=fact, episode_id=change.episode)
    if change.how == "recorded":
        if not links.recorded:
            return None
        kind = ChangeKind.BEGAN
        if fact.ended:
            kind = ChangeKind.ENDED
        elif links.superseded_as == "restatement":
            kind = ChangeKind.CONFIRMED
        before = facts.get(links.superseded or "")
        return ChangeEvent(kind=kind, at=at, before=before, after=fact, episode_id=fact.episode_id)
    successor = facts.get(links.successor or "")
    outranked = fact.retracted_at == fact.recorded_at
    return ChangeEvent(
        kind=ChangeKind.RETRACTED if successor is None or outranked else ChangeKind.CORRECTED,
        at=at,
        before=fact,
        after=successor,
        episode_id=fact.episode_id if outranked else links.retraction_episode,
        reason=links.reason,
    )


def turned(at: datetime, before: Fact | None, after: Fact | None) -> ChangeEvent | None:
    """Return the event that a slot sees at an instant; None where the same goes on, or nothing has been known.

    Args:
        at: the instant.
        before: what holds just before it, with its segment.
        after: what holds from it on, with its segment.
    """
    if after is not None and after.valid_from != at:
        return None
    kind = ChangeKind.BEGAN
    if before is not None and after is not None and same_value(before.value, after.value):
        kind = ChangeKind.CONFIRMED
    elif after is None or after.ended:
        if after is None and (before is None or before.ended):
            return None
        kind = ChangeKind.ENDED
    return ChangeEvent(
        kind=kind, at=at, before=before, after=after, episode_id=None if after is None else after.episode_id
    )


def in_order(events: Iterable[ChangeEvent]) -> list[ChangeEvent]:
    """Return events in the order of time; those of one instant by subject, attribute, value, kind and fact."""

    def key(event: ChangeEvent) -> tuple[Any, ...]:
        fact = event.fact
        return event.at, fact.subject, fact.attribute, _member(fact), list(ChangeKind).index(event.kind), fact.id

    return sorted(events, key=key)


def differences(before: Iterable[Fact], after: Iterable[Fact], many: Iterable[str]) -> list[Difference]:
    """Return what of a subject is otherwise, by attribute and value.

    Args:
        before: what held at one instant, ends included.
        after: what held at the other.
        many: the attributes of cardinality many, each value of which stands for itself.
    """
    several = set(many)

    def by_slot(facts: Iterable[Fact]) -> dict[tuple[str, tuple[str, str]], Fact]:
        return {(f.attribute, _member(f) if f.attribute in several else ("", "")): f for f in facts}

    first, second = by_slot(before), by_slot(after)
    return [
        Difference(attribute=slot[0], before=first.get(slot), after=second.get(slot))
        for slot in sorted(first.keys() | second.keys())
        if not same_value(_value(first.get(slot)), _value(second.get(slot)))
    ]


def _value(fact: Fact | None) -> Any:
    return None if fact is None else fact.value


def _member(fact: Fact) -> tuple[str, str]:
    """Return an order of the values, or of those that ended."""
    value = fact.ended_value if fact.value is None else fact.value
    return ("", "") if value is None else identity(value)
