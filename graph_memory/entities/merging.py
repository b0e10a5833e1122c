"""Decides which ledger entries a merge of two entities moves, and which go back when it is undone.

No stored entry changes. The entries about one entity are retracted and, at the same instant, asserted about the
other, with the same interval, value, terms and episodes. So answers as known before the merge stay as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph_memory.candidates.records import CandidateStatus
from graph_memory.candidates.rows import candidate_row, understood
from graph_memory.domain.instants import from_micros
from graph_memory.domain.records import Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value
from graph_memory.episodes.quotes import Quote
from graph_memory.ledger.commands import Command, Stored
from graph_memory.ledger.mutations import Mutation
from graph_memory.ledger.planner import Status
from graph_memory.ledger.rows import fact_from_row
from graph_memory.ledger.statements import Statement
from graph_memory.ledger.terms import Terms

MAX_MOVED = 10_000
MERGED = "merged"
UNDONE = "the merge was undone"


@dataclass(frozen=True, slots=True)
class Cited:
    """An episode that says an entry: its id, the words, and where they start."""

    episode: str
    quote: str | None
    start: int | None

    def as_quote(self) -> Quote | None:
        """Return the words with their offsets, where there are any."""
        if self.quote is None or self.start is None:
            return None
        return Quote(self.quote, self.start, self.start + len(self.quote))


@dataclass(frozen=True, slots=True)
class CitedEntry:
    """A ledger entry and the episodes that say it, the first one first."""

    slot: str
    fact: Fact
    cited: tuple[Cited, ...]

    @classmethod
    def read(cls, tenant: str, row: Sequence[Any]) -> CitedEntry:
        """Return an entry from the columns of read/entries."""
        slot, citations, *entry = row
        start = from_micros(entry[6])
        fact = fact_from_row(tenant, start, None, entry)
        ordered = sorted(citations, key=lambda c: (c[0] != fact.episode_id, c[3], c[0]))
        return cls(slot, fact, tuple(Cited(*citation[:3]) for citation in ordered))

    @property
    def stored(self) -> Stored:
        """The entry in the form in which a command corrects or retracts it."""
        fact = self.fact
        return Stored(fact.id, fact.subject, fact.attribute, self.slot, fact.value, fact.asserted_from)

    def statement(self, cited: Cited, merged: str | None = None, kept: str = "") -> Statement:
        """Return its statement with one of its episodes, with the entity `merged` replaced by `kept`."""
        fact = self.fact
        subject = kept if fact.subject == merged else fact.subject
        value, ended = _renamed(fact.value, merged, kept), _renamed(fact.ended_value, merged, kept)
        one = slot_key(fact.tenant, fact.subject, fact.attribute)
        member = None if self.slot == one else value if ended is None else ended
        return Statement(
            subject=subject,
            attribute=fact.attribute,
            slot=slot_key(fact.tenant, subject, fact.attribute, member),
            value=value,
            ended_value=ended,
            valid_from=fact.asserted_from,
            until=fact.until,
            episode=cited.episode,
            quote=cited.quote,
            terms=Terms(fact.schema_version, fact.memory_type, fact.retention),
            quoted_at=cited.start,
        )


def _renamed(value: Value | None, merged: str | None, kept: str) -> Value | None:
    return Ref(kept, value.kind) if isinstance(value, Ref) and value.key == merged else value


@dataclass(slots=True)
class Moving:
    """The entries that one transaction moves: for each a correction, then the confirmations by its other episodes.

    Attributes:
        commands: the commands for the ledger, in order.
    """

    commands: list[Command] = field(default_factory=list)
    _places: dict[str, range] = field(default_factory=dict)

    def say(self, statements: Iterable[Statement], old: CitedEntry, reason: str) -> None:
        """Replace an old entry by the first statement, and confirm it by the other statements."""
        first, *others = statements
        begin = len(self.commands)
        self.commands.append(Command(first, old=old.stored, reason=reason, moved=True))
        self.commands += [Command(other, confirms=True) for other in others]
        self._places[old.fact.id] = range(begin, len(self.commands))

    def withdraw(self, old: CitedEntry, reason: str, episode: str) -> None:
        """Retract an entry because of an episode."""
        self.commands.append(Command(old=old.stored, reason=reason, episode=episode))

    def refused(self, decided: Mutation) -> dict[str, tuple[str, ...]]:
        """Return the ids of the old entries that could not move, each with the ids of the facts that conflict."""
        results = decided.results()
        first = {id_: results[place[0]] for id_, place in self._places.items()}
        return {id_: result.against for id_, result in first.items() if result.status is Status.REFUSED}

    def moved(self, decided: Mutation, candidates: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the result for each old entry, as write/merge takes it.

        Args:
            decided: the results of the commands.
            candidates: by id of an entry that was only withdrawn, the id of its candidate.
        """
        results = decided.results()
        created = {entry.id for entry in decided.plan.created}
        confirmed = set(decided.plan.confirmed)
        found: list[dict[str, Any]] = [
            {"id": id_, "to": None, "added": [], "candidate": candidate} for id_, candidate in candidates.items()
        ]
        for id_, place in self._places.items():
            begin = place[0]
            to = results[begin].fact_id
            is_new = results[begin].status is Status.COMMITTED and to in created
            gained = [n for n in place if (to, n) in confirmed or (n == begin and is_new)]
            found.append({"id": id_, "to": to, "added": list(map(self._episode, gained)), "candidate": None})
        return found

    def _episode(self, number: int) -> str:
        statement = self.commands[number].statement
        assert statement is not None
        return statement.episode


def merging(
    entries: Sequence[CitedEntry], merged: str, kept: str, episode: str, refused: Iterable[str] = ()
) -> Moving:
    """Return the commands that move the entries about a merged entity.

    Args:
        entries: the entries about it, or with it as value, in any order.
        merged: key of the entity that is merged.
        kept: key of the entity that is kept.
        episode: id of the episode behind the merge.
        refused: ids of the entries that conflict with facts about the kept entity; they are only retracted.
    """
    refused = set(refused)
    moving = Moving()
    for said in sorted(entries, key=_order):
        if said.fact.id in refused:
            moving.withdraw(
                said, f"{MERGED}; waits for review, since {kept} has another value with this start", episode
            )
        else:
            moving.say([said.statement(cited, merged, kept) for cited in said.cited], said, MERGED)
    return moving


def conflict(
    id: str, said: CitedEntry, merged: str, kept: str, against: Sequence[str], confirmers: Sequence[str] | None
) -> dict[str, Any]:
    """Return the candidate for an entry that conflicts with a fact about the kept entity."""
    first = said.cited[0]
    return candidate_row(
        id,
        first.episode,
        understood(said.statement(first, merged, kept)),
        CandidateStatus.PENDING,
        f"said of {merged}, which was merged into {kept}; it conflicts with fact {', '.join(against)} of {kept}",
        quote=first.as_quote(),
        confirmers=confirmers,
        schema_version=said.fact.schema_version,
    )


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry that a merge moved.

    Attributes:
        old: the entry that was moved.
        now: the live entry that replaced it; None: there is none.
        added: ids of the episodes that the live entry gained by the merge.
        pending: id of its candidate that still waits; None: there is none.
    """

    old: CitedEntry
    now: CitedEntry | None
    added: frozenset[str]
    pending: str | None


def unmerging(moved: Sequence[Moved], episode: str) -> tuple[Moving, list[str]]:
    """Return the commands that undo a merge, and the ids of the entries that do not go back.

    Each moved entry is asserted again about the entity that it was about. The entry that replaced it is retracted;
    if further episodes say it, it is asserted again without the episodes that it gained by the merge.
    """
    gained: dict[str, set[str]] = {}
    for one in moved:
        if one.now is not None:
            gained.setdefault(one.now.fact.id, set()).update(one.added)
    moving, done, stayed = Moving(), set(), []
    for one in sorted(moved, key=lambda one: _order(one.old)):
        now = one.now
        own = () if now is None else tuple(c for c in now.cited if c.episode not in gained[now.fact.id])
        if not (one.pending or now) or (now is not None and own and now.slot == one.old.slot):
            stayed.append(one.old.fact.id)
            continue
        if now is not None and now.fact.id not in done:
            done.add(now.fact.id)
            if not own:
                moving.withdraw(now, UNDONE, episode)
            elif len(own) < len(now.cited):
                moving.say([now.statement(cited) for cited in own], now, UNDONE)
        moving.say([one.old.statement(cited) for cited in one.old.cited], one.old, UNDONE)
    return moving, stayed


def _order(said: CitedEntry) -> tuple[str, datetime, bool]:
    return said.slot, said.fact.asserted_from, not said.fact.ended
