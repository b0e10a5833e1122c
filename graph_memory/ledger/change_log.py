"""Changes by recorded and by valid time, and the instant before which a list of them is complete. Pure functions.

By recorded time a change is a write to the ledger. By valid time a change is an instant from which another value
holds than just before (docs/time.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.domain.instants import from_micros
from graph_memory.domain.records import Fact
from graph_memory.domain.values import identity
from graph_memory.ledger.cursors import Place
from graph_memory.ledger.records import ChangeEvent, ChangeKind, Difference
from graph_memory.ledger.timeline import same_value

# The kinds of change that each ledger event can be.
EVENT_KINDS: Mapping[str, frozenset[ChangeKind]] = {
    "recorded": frozenset({ChangeKind.BEGAN, ChangeKind.ENDED, ChangeKind.CONFIRMED}),
    "retracted": frozenset({ChangeKind.CORRECTED, ChangeKind.RETRACTED}),
    "confirmed": frozenset({ChangeKind.CONFIRMED}),
}


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """An event of the ledger: an entry was recorded, retracted or confirmed.

    Attributes:
        how: `recorded`, `retracted` or `confirmed`.
        at: when, in microseconds since 1970 (UTC).
        fact_id: id of the entry.
        episode: id of the confirming episode; None for the other events.
    """

    how: str
    at: int
    fact_id: str
    episode: str | None


def complete(found: Iterable[Sequence[int]], limit: int) -> int | None:
    """Return the instant before which ascending lists, each cut at `limit`, are complete; None: they all are."""
    return min((instants[-1] for instants in found if len(instants) >= limit), default=None)


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a ledger entry, as the columns of read/changes."""

    subject: str
    attribute: str
    has_value: bool
    recorded: bool
    superseded: str | None
    superseded_as: str | None
    successor: str | None
    retraction_episode: str | None
    reason: str | None
    outranked: bool


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """A change by recorded time, before its facts are read."""

    kind: ChangeKind
    change: LedgerEvent
    links: Links

    @property
    def order(self) -> tuple[int, Place]:
        """In the order of time; those of one instant by subject, attribute, kind, fact and episode."""
        return self.change.at, self.place

    @property
    def place(self) -> Place:
        """What orders it among those of one instant."""
        rank = list(ChangeKind).index(self.kind)
        change, links = self.change, self.links
        return links.subject, links.attribute, rank, change.fact_id, change.episode or ""

    @property
    def ids(self) -> list[str]:
        """The ids of the facts that the change names."""
        named = (self.change.fact_id, self._before, self._after)
        return [id_ for id_ in named if id_ is not None]

    @property
    def _before(self) -> str | None:
        if self.change.how == "retracted":
            return self.change.fact_id
        return self.links.superseded if self.change.how == "recorded" else None

    @property
    def _after(self) -> str | None:
        return self.links.successor if self.change.how == "retracted" else self.change.fact_id

    def event(self, facts: Mapping[str, Fact]) -> ChangeEvent:
        """Return the change with its facts, given by id."""
        fact = facts[self.change.fact_id]
        episode: str | None = fact.episode_id
        reason: str | None = None
        if self.change.how == "confirmed":
            episode = self.change.episode
        elif self.change.how == "retracted":
            episode = fact.episode_id if self.links.outranked else self.links.retraction_episode
            reason = self.links.reason
        return ChangeEvent(
            kind=self.kind,
            at=from_micros(self.change.at),
            before=facts.get(self._before or ""),
            after=facts.get(self._after or ""),
            episode_id=episode,
            reason=reason,
        )


def ledger_change(change: LedgerEvent, links: Links) -> LedgerChange | None:
    """Return the change that a ledger event is; None where another event of the same write already reports it."""
    if change.how == "confirmed":
        return LedgerChange(ChangeKind.CONFIRMED, change, links)
    if change.how == "retracted":
        gone = links.successor is None or links.outranked
        return LedgerChange(ChangeKind.RETRACTED if gone else ChangeKind.CORRECTED, change, links)
    if not links.recorded:
        return None
    if not links.has_value:
        return LedgerChange(ChangeKind.ENDED, change, links)
    again = links.superseded_as == "restatement"
    return LedgerChange(ChangeKind.CONFIRMED if again else ChangeKind.BEGAN, change, links)


def slot_change(at: datetime, before: Fact | None, after: Fact | None) -> ChangeEvent | None:
    """Return the change of a slot at an instant; None where the same fact goes on, or nothing was or is known.

    Args:
        at: the instant (UTC).
        before: the fact that holds just before `at`, with its segment.
        after: the fact that holds from `at` on, with its segment.
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
    """Return changes of what holds in the order of time; those of one instant by subject, attribute and value."""
    return sorted(events, key=lambda event: (event.at, place(event)))


def place(event: ChangeEvent) -> Place:
    """Return what orders a change of what holds among those of one instant."""
    return event.fact.subject, event.fact.attribute, *_member(event.fact)


def differences(before: Iterable[Fact], after: Iterable[Fact], many: Iterable[str]) -> list[Difference]:
    """Return the differences between a subject's facts at two instants, by attribute and value.

    Args:
        before: the facts that held at the first instant, ends included.
        after: the facts that held at the second instant, ends included.
        many: the attributes of cardinality many; each of their values is compared by itself.
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
    """Return a sort key of a fact's value, or of the value that ended."""
    value = fact.ended_value if fact.value is None else fact.value
    return ("", "") if value is None else identity(value)
