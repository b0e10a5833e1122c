"""A ledger in memory, with the methods of a tenant: every answer is a scan over all entries with the one rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeAlias

from oracle_graph import OracleGraph
from rule import Entry, Said, Segment, SlotKey, coalesced, holder, segments

from graph_memory.domain import identifiers
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.records import Citation, Entity, Episode, Explanation, Fact, Outcome, WriteReport
from graph_memory.domain.values import Ref, Value, check_value, identity
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
)

Instant: TypeAlias = datetime | date | str
Row: TypeAlias = Any

_OMITTED: Any = object()


def ticking_clock() -> Callable[[], datetime]:
    """Return a clock that never gives the same instant twice and never goes back."""
    last = datetime.min.replace(tzinfo=UTC)

    def tick() -> datetime:
        nonlocal last
        last = max(datetime.now(UTC), last + timedelta(microseconds=1))
        return last

    return tick


@dataclass
class OracleMemory:
    """A memory of tenants.

    Attributes:
        many: the attributes of cardinality many.
        clock: asked once by each transaction that writes.
        ranking: sources, the best first, which decides conflicts; None refuses every conflict.
    """

    many: frozenset[str] = frozenset()
    clock: Callable[[], datetime] = field(default_factory=ticking_clock)
    ranking: Sequence[str] | None = None
    _tenants: dict[str, OracleTenant] = field(default_factory=dict)

    def tenant(self, name: str) -> OracleTenant:
        """Return a tenant, always the same one for a name."""
        key = identifiers.tenant_name(name)
        return self._tenants.setdefault(key, OracleTenant(self, key))

    def tenants(self) -> list[str]:
        """Return the tenants that have an episode or an entity."""
        return sorted(name for name, tenant in self._tenants.items() if tenant.episodes or tenant.entities)


class OracleTenant(OracleGraph):
    """The methods of a tenant as docs/sdk.md lists them; a transaction changes `entries` or raises first."""

    def __init__(self, memory: OracleMemory, name: str) -> None:
        self.memory = memory
        self.name = name
        self.entries: list[Entry] = []
        self.episodes: dict[str, Episode] = {}
        self.entities: dict[str, set[str]] = {}
        self._now: datetime | None = None
        self._written: list[Entry] = []
        self._touched: list[Entry] = []

    # -- writing ------------------------------------------------------------------------------------

    def record(
        self,
        text: str,
        id: str | None = None,
        kind: str = "message",
        source: str = "user",
        occurred_at: Instant | None = None,
        session: str | None = None,
        retention: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Episode:
        """Store an episode."""
        key = identifiers.episode_id(id) if id is not None else f"episode-{len(self.episodes) + 1}"
        episode = Episode(
            id=key,
            tenant=self.name,
            text=text,
            kind=kind,
            source=source,
            occurred_at=None if occurred_at is None else parse_instant(occurred_at),
            recorded_at=datetime.now(UTC),
            session=session,
            retention=retention,
            metadata=dict(metadata or {}),
        )
        known = self.episodes.setdefault(key, episode)
        if known.model_copy(update={"recorded_at": episode.recorded_at}) != episode:
            raise ConflictError(f"episode {key!r} has other content")
        return known

    def assert_fact(
        self,
        subject: str,
        attribute: str,
        value: Value,
        *,
        valid_from: Instant,
        until: Instant | None = None,
        episode: str | Episode,
        quote: str | None = None,
    ) -> Fact:
        """Assert a value."""
        checked = check_value(value)
        said = Said(self._slot(subject, attribute, checked), checked, *_span(valid_from, until))
        entry = self.insert(said, self._cite(episode, quote))
        self.commit()
        return self._first(entry)

    def end_fact(
        self,
        subject: str,
        attribute: str,
        *,
        at: Instant,
        episode: str | Episode,
        until: Instant | None = None,
        value: Value | None = None,
        quote: str | None = None,
    ) -> Fact:
        """Assert that nothing holds."""
        if (value is not None) != (attribute in self.memory.many):
            raise InvalidInputError("value is for cardinality many, and required there")
        ended = None if value is None else check_value(value)
        said = Said(self._slot(subject, attribute, ended), None, *_span(at, until), ended)
        entry = self.insert(said, self._cite(episode, quote))
        self.commit()
        return self._first(entry)

    def correct_fact(
        self,
        fact_id: str,
        *,
        episode: str | Episode,
        value: Value = _OMITTED,
        valid_from: Instant = _OMITTED,
        until: Instant | None = _OMITTED,
        quote: str | None = None,
    ) -> Fact:
        """Say that an entry was wrong from its start, and what is right; what is left out stays."""
        old = self._entry(fact_id)
        slot, checked, ended = old.slot, old.value, old.ended_value
        if value is not _OMITTED:
            checked, ended = check_value(value), None
            slot = self._slot(*slot[:2], checked)
        start = old.valid_from if valid_from is _OMITTED else valid_from
        span = _span(start, old.until if until is _OMITTED else until)
        entry = self.replace(old, Said(slot, checked, *span, ended), self._cite(episode, quote))
        self.commit()
        return self._first(entry)

    def retract_fact(self, fact_id: str, *, reason: str, episode: str | Episode | None = None) -> Fact:
        """Say that an entry was never so."""
        old = self._entry(fact_id)
        behind = None if episode is None else self._episode(episode)
        self.withdraw(old, reason, behind)
        self.commit()
        return self._first(old)

    def assert_facts(
        self,
        rows: Iterable[Row],
        batch_size: int = 1000,
        progress: Callable[[WriteReport], object] | None = None,
        on_refused: Callable[[Outcome], object] | None = None,
    ) -> WriteReport:
        """Assert rows in order, one transaction a batch."""
        report = WriteReport()
        numbered = enumerate(rows, start=1)
        while batch := list(itertools.islice(numbered, batch_size)):
            for number, row in batch:
                try:
                    self._assert_row(number, row, report)
                except (GraphMemoryError, KeyError) as error:
                    refusal = Outcome(row=number, reason=str(error), data=row)
                    report.refused.add(refusal)
                    if on_refused is not None:
                        on_refused(refusal)
            self.commit()
            if progress is not None:
                progress(report)
        return report

    def _assert_row(self, number: int, row: Row, report: WriteReport) -> None:
        fields = dict(row) if isinstance(row, Mapping) else vars(row)
        checked = check_value(fields["value"])
        slot = self._slot(fields["subject"], fields["attribute"], checked)
        said = Said(slot, checked, *_span(fields["valid_from"], fields.get("until")))
        written, touched = len(self._written), len(self._touched)
        entry = self.insert(said, self._cite(fields["episode"], fields.get("quote")))
        outcome = Outcome(row=number, fact_id=entry.id)
        if len(self._written) > written:
            report.committed.add(outcome)
        elif len(self._touched) > touched:
            report.confirmed.add(outcome)
        else:
            report.replayed.add(outcome)

    # -- steps of a transaction, which `commit` ends -----------------------------------------------------

    def insert(self, said: Said, citation: Citation) -> Entry:
        """Take an assertion; raises ConflictError when it cannot stand."""
        cited = [
            entry
            for entry in self.entries
            if entry.slot == said.slot and entry.says == said.says and entry.cites(citation.episode)
        ]
        if cited:
            return max(cited, key=lambda entry: (entry.retracted_at is None, entry.recorded_at))
        rival = self._rival(said)
        if rival is None:
            return self._write(said, citation)
        if rival.says == said.says:
            self._confirm(rival, citation)
            return rival
        new_wins = self._decide(citation.episode.source, rival)
        entry = self._write(said, citation)
        winner, loser = (entry, rival) if new_wins else (rival, entry)
        self._retire(loser, winner, "outranked by a better source")
        return entry

    def replace(self, old: Entry, said: Said, citation: Citation) -> Entry:
        """Take a correction; raises ConflictError when it cannot stand."""
        if old.retracted_at is not None:
            heir = old.successor
            if heir is not None and heir.says == said.says and heir.cites(citation.episode):
                return heir
            raise ConflictError(
                f"{old.id} is not live: {heir and heir.id} took its place",
                [self._first(heir)] if heir is not None else [],
            )
        if old.says == said.says:
            self._confirm(old, citation)
            return old
        rival = self._rival(said)
        if rival is None or rival is old:
            heir = self._write(said, citation)
            heir.supersedes = (old, "correction")
        elif rival.says == said.says:
            heir = rival
            self._confirm(heir, citation)
        else:
            raise ConflictError(f"{rival.id} starts there", [self._first(rival)])
        self._retire(old, heir, "corrected")
        return heir

    def withdraw(self, old: Entry, reason: str = "", behind: Episode | None = None) -> None:
        """Take a retraction."""
        if old.retracted_at is None:
            old.retracted_at, old.retraction = self._instant(), (reason, behind)

    def commit(self) -> None:
        """End the transaction: what each new entry replaces is what would hold at its start without it."""
        for entry in self._written:
            if entry.retracted_at is not None:
                entry.supersedes = None
            elif entry.supersedes is None:
                entry.supersedes = self._replaced(entry)
        self._written, self._touched, self._now = [], [], None

    def _replaced(self, entry: Entry) -> tuple[Entry, str] | None:
        others = [
            other
            for other in self._live(entry.slot)
            if other is not entry
            # An end counts as first among what one transaction writes, so that links have no circle.
            and not (entry.value is None and other in self._written and other.valid_from == entry.valid_from)
        ]
        replaced = holder(others, entry.valid_from)
        if replaced is None:
            return None
        same = replaced.sameness == entry.sameness
        return replaced, "end" if entry.value is None else "restatement" if same else "change"

    def _rival(self, said: Said) -> Entry | None:
        """The live entry that cannot stand beside this one."""
        rivals = [e for e in self.entries if e.retracted_at is None and e.place == said.place]
        assert len(rivals) <= 1
        return rivals[0] if rivals else None

    def _decide(self, source: str, rival: Entry) -> bool:
        """Whether the new one wins; raises where nobody decides."""
        if (ranking := self.memory.ranking) is not None:
            behind = {cited.episode.source for cited in rival.citations}
            ours, theirs = (
                min(ranking.index(name) if name in ranking else len(ranking) for name in names)
                for names in ({source}, behind)
            )
            if ours != theirs:
                return ours < theirs
        raise ConflictError(f"{rival.id} starts there", [self._first(rival)])

    def _write(self, said: Said, citation: Citation) -> Entry:
        id_, now = f"{self.name}-{len(self.entries) + 1}", self._instant()
        entry = Entry(**vars(said), id=id_, recorded_at=now)
        entry.citations.append(citation.model_copy(update={"recorded_at": now}))
        self.entries.append(entry)
        self._written.append(entry)
        self.entities.setdefault(said.slot[0], set())
        if isinstance(said.value, Ref):
            self.entities.setdefault(said.value.key, set()).update([said.value.kind] if said.value.kind else [])
        if isinstance(said.ended_value, Ref):
            self.entities.setdefault(said.ended_value.key, set())
        return entry

    def _retire(self, old: Entry, heir: Entry, reason: str) -> None:
        old.retracted_at, old.successor, old.retraction = self._instant(), heir, (reason, None)

    def _confirm(self, entry: Entry, citation: Citation) -> None:
        if not entry.cites(citation.episode):
            entry.citations.append(citation.model_copy(update={"recorded_at": self._instant()}))
            self._touched.append(entry)

    def _instant(self) -> datetime:
        if self._now is None:
            self._now = self.memory.clock()
        return self._now

    # -- reading ------------------------------------------------------------------------------------

    def current(self, subject: str, attribute: str) -> Fact | None:
        """What holds now."""
        return self.as_of(subject, attribute, datetime.now(UTC))

    def as_of(self, subject: str, attribute: str, at: Instant, known_at: Instant | None = None) -> Fact | None:
        """What holds at an instant, as it is or was known."""
        self._require(attribute, many=False)
        return self._holding(self._slot(subject, attribute, None), parse_instant(at), _optional(known_at))

    def as_of_many(
        self, keys: Iterable[tuple[str, str]], at: Instant, known_at: Instant | None = None
    ) -> list[Fact | None]:
        """One answer per key."""
        return [self.as_of(subject, attribute, at, known_at) for subject, attribute in keys]

    def values(
        self, subject: str, attribute: str, at: Instant | None = None, known_at: Instant | None = None
    ) -> list[Fact]:
        """All values that hold."""
        self._require(attribute, many=True)
        when = datetime.now(UTC) if at is None else parse_instant(at)
        facts = [
            self._holding(slot, when, _optional(known_at))
            for slot in self._slots(identifiers.entity_key(subject), attribute)
        ]
        return [fact for fact in facts if fact is not None and not fact.ended]

    def state(
        self, subject: str, at: Instant | None = None, known_at: Instant | None = None
    ) -> dict[str, Fact | list[Fact]]:
        """All that holds of a subject."""
        when = datetime.now(UTC) if at is None else parse_instant(at)
        found: dict[str, Fact | list[Fact]] = {}
        for attribute in sorted({entry.slot[1] for entry in self.entries}):
            if attribute in self.memory.many:
                if facts := self.values(subject, attribute, when, known_at):
                    found[attribute] = facts
            else:
                fact = self.as_of(subject, attribute, when, known_at)
                if fact is not None and not fact.ended:
                    found[attribute] = fact
        return found

    def history(
        self, subject: str, attribute: str, known_at: Instant | None = None, coalesce: bool = False
    ) -> list[Fact]:
        """Every segment in time order, ends included."""
        pieces: list[Segment] = []
        known = _optional(known_at)
        for slot in self._slots(identifiers.entity_key(subject), identifiers.attribute_name(attribute)):
            part = segments(self._live(slot, known))
            pieces += coalesced(part) if coalesce else part
        return [self._fact(piece[2], piece, known) for piece in sorted(pieces, key=lambda piece: piece[0])]

    def fact(self, fact_id: str) -> Fact:
        """A ledger entry with its first segment."""
        return self._first(self._entry(fact_id))

    def explain(self, fact_id: str) -> Explanation:
        """All that is known about an entry."""
        entry = self._entry(fact_id)
        reason, behind = entry.retraction or (None, None)
        pieces = segments(self._live(entry.slot))
        first = next((piece for piece in pieces if piece[2] is entry), None)
        since = [
            start
            for start, stop, _ in coalesced(pieces)
            if first is not None and start <= first[0] and (stop is None or first[0] < stop)
        ]
        return Explanation(
            fact=self._first(entry),
            since=since[0] if since else None,
            citations=(entry.citations[0], *entry.citations[1:][-99:]),
            citations_total=len(entry.citations),
            truncated=len(entry.citations) > 100,
            replaced=self._first(entry.supersedes[0]) if entry.supersedes else None,
            replaced_as=entry.supersedes[1] if entry.supersedes else None,
            replaced_by=tuple(
                self._first(other)
                for other in self.entries
                if other.supersedes is not None and other.supersedes[0] is entry
            ),
            retracted_by=self._first(entry.successor) if entry.successor else None,
            retraction_episode=behind,
            retraction_reason=reason,
        )

    def entity(self, key: str) -> Entity:
        """An entity."""
        if (wanted := identifiers.entity_key(key)) not in self.entities:
            raise NotFoundError(f"no entity {key!r}")
        return Entity(tenant=self.name, key=wanted, name=wanted, kinds=tuple(sorted(self.entities[wanted])))

    def episode(self, id: str) -> Episode:
        """An episode."""
        return self._episode(id)

    # -- parts --------------------------------------------------------------------------------------

    def _require(self, attribute: str, *, many: bool) -> None:
        if (identifiers.attribute_name(attribute) in self.memory.many) != many:
            raise InvalidInputError(f"attribute {attribute!r} has the other cardinality")

    def _slot(self, subject: str, attribute: str, value: Value | None) -> SlotKey:
        name = identifiers.attribute_name(attribute)
        member = identity(value) if value is not None and name in self.memory.many else None
        return identifiers.entity_key(subject), name, member

    def _slots(self, subject: str, attribute: str) -> list[SlotKey]:
        return sorted(
            {entry.slot for entry in self.entries if entry.slot[:2] == (subject, attribute)},
            key=lambda slot: slot[2] or ("", ""),
        )

    def _live(self, slot: SlotKey, known_at: datetime | None = None) -> list[Entry]:
        return [entry for entry in self.entries if entry.slot == slot and entry.known(known_at)]

    def _entry(self, fact_id: str) -> Entry:
        for entry in self.entries:
            if entry.id == fact_id:
                return entry
        raise NotFoundError(f"no fact {fact_id!r}")

    def _episode(self, episode: str | Episode) -> Episode:
        id = episode.id if isinstance(episode, Episode) else identifiers.episode_id(episode)
        if id not in self.episodes:
            raise NotFoundError(f"no episode {id!r}")
        return self.episodes[id]

    def _cite(self, episode: str | Episode, quote: str | None) -> Citation:
        found = self._episode(episode)
        if quote is None:
            return Citation(episode=found, recorded_at=found.recorded_at)
        start = found.text.find(quote)
        if start < 0 or not quote:
            raise InvalidInputError(f"quote {quote!r} does not stand in episode {found.id!r}")
        return Citation(
            episode=found, quote=quote, start=start, end=start + len(quote), recorded_at=found.recorded_at
        )

    def _holding(self, slot: SlotKey, at: datetime, known_at: datetime | None) -> Fact | None:
        for piece in segments(self._live(slot, known_at)):
            if piece[0] <= at and (piece[1] is None or at < piece[1]):
                return self._fact(piece[2], piece, known_at)
        return None

    def _first(self, entry: Entry, known_at: datetime | None = None) -> Fact:
        pieces = segments(self._live(entry.slot, known_at))
        nowhere = (entry.valid_from, entry.valid_from, entry)
        return self._fact(entry, next((piece for piece in pieces if piece[2] is entry), nowhere), known_at)

    def _fact(self, entry: Entry, segment: Segment, known_at: datetime | None) -> Fact:
        first = entry.citations[0].episode
        later = known_at is not None and entry.retracted_at is not None and known_at < entry.retracted_at
        return Fact(
            id=entry.id,
            tenant=self.name,
            subject=entry.slot[0],
            attribute=entry.slot[1],
            value=entry.value,
            valid_from=segment[0],
            valid_to=segment[1],
            asserted_from=entry.valid_from,
            until=entry.until,
            ended=entry.value is None,
            ended_value=entry.ended_value,
            recorded_at=entry.recorded_at,
            retracted_at=None if later else entry.retracted_at,
            episode_id=first.id,
            source=first.source,
            supersedes=entry.supersedes[0].id if entry.supersedes else None,
        )


def _optional(at: Instant | None) -> datetime | None:
    return None if at is None else parse_instant(at)


def _span(valid_from: Instant, until: Instant | None) -> tuple[datetime, datetime | None]:
    start, stop = parse_instant(valid_from, "valid_from"), _optional(until)
    if stop is not None and stop <= start:
        raise InvalidInputError(f"until {stop} is not after valid_from {start}")
    return start, stop
