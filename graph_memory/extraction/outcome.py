"""Turns the judgements of an episode into commands, candidates that wait, and a report. Pure.

It takes what one transaction read under its locks, and returns what that transaction writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from graph_memory.candidates.records import CandidateStatus
from graph_memory.candidates.rows import candidate_row
from graph_memory.domain.instants import from_micros
from graph_memory.domain.json_values import is_json
from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import WriteReport
from graph_memory.errors import ConflictError, brief
from graph_memory.extraction.entity_linking import Fate, NewEntity
from graph_memory.extraction.proposals import Malformed
from graph_memory.extraction.validation import Judgement
from graph_memory.ledger.commands import Command, StaleExpectationError, Written
from graph_memory.ledger.statements import Statement
from graph_memory.queue.rows import Settled, report_of
from graph_memory.schema.schema import Schema, confirmers

_MAX_RAW = 5000


@dataclass(frozen=True, slots=True)
class Signal:
    """A stored weak signal: the evidence of one episode for a value.

    Attributes:
        candidate: id of the candidate.
        episode: id of the episode.
        quote: its evidence.
        valid_from: the instant at which the value begins (UTC).
        waits: whether it waits for a person, who then decides all candidates that say the same.
    """

    candidate: str
    episode: str
    quote: str
    valid_from: datetime
    waits: bool = False


def signals(rows: Sequence[Sequence[Any]]) -> dict[str, list[Signal]]:
    """Return the stored weak signals by key, the earliest first, from the rows of write/settle_open."""
    found: dict[str, list[Signal]] = {}
    for key, candidate, episode, quote, valid_from, status in rows:
        waits = status == CandidateStatus.PENDING
        found.setdefault(key, []).append(Signal(candidate, episode, quote, from_micros(valid_from), waits))
    for of_key in found.values():
        of_key.sort(key=lambda signal: (signal.valid_from, signal.candidate))
    return found


@dataclass(slots=True)
class Settling:
    """The candidates of one episode, in the one transaction that settles them.

    Attributes:
        schema: declares the attributes.
        episode: id of the episode.
        judgements: the decisions about the proposals of the model.
        weak: the stored weak signals by key.
        final: whether a stale candidate goes to review; False: the transaction is given up, and judged again.
        new_id: makes the id of a candidate.
        commands: the commands for the ledger.
        candidates: the candidates to store, as write/candidates takes them.
    """

    schema: Schema
    episode: str
    judgements: Sequence[Judgement]
    weak: Mapping[str, Sequence[Signal]]
    final: bool
    new_id: Callable[[], str]
    commands: list[Command] = field(default_factory=list)
    candidates: list[dict[str, Any]] = field(default_factory=list)
    _places: dict[int, int] = field(default_factory=dict)
    _promoted: dict[int, Sequence[Signal]] = field(default_factory=dict)
    _sensitive: set[int] = field(default_factory=set)
    _weighed: set[str] = field(default_factory=set)
    _settled: list[Settled] = field(default_factory=list)
    _named: list[NewEntity] = field(default_factory=list)
    _facts: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for judgement in self.judgements:
            if judgement.fate is Fate.COMMIT:
                assert judgement.statement is not None
                self._command(judgement, judgement.statement)
            elif judgement.fate is Fate.WEAK:
                self._weigh(judgement)

    def _command(
        self,
        judgement: Judgement,
        statement: Statement,
        others: Sequence[Signal] = (),
        sightings: tuple[datetime, ...] = (),
    ) -> None:
        """Add the commands of a statement; other episodes that say the same confirm it."""
        self._places[judgement.number] = len(self.commands)
        new = tuple(named.key for named in judgement.new)
        self.commands.append(Command(statement, expected=judgement.expected, new=new, sightings=sightings))
        said = [replace(statement, episode=s.episode, quote=s.quote, quoted_at=None) for s in others]
        self.commands += [Command(one, confirms=True, sightings=sightings) for one in said]

    def _weigh(self, judgement: Judgement) -> None:
        """Promote a weak signal if enough episodes agree: the fact cites all of them.

        It holds since the first of these instants after which no other value took its place.
        """
        statement, spec = judgement.statement, judgement.spec
        assert statement is not None
        assert spec is not None
        assert judgement.signal is not None
        stored = self.weak.get(judgement.signal, ())
        others = [s for s in stored if s.episode != statement.episode]
        if any(signal.waits for signal in others) or judgement.signal in self._weighed:
            return
        if len({signal.episode for signal in others}) + 1 < spec.options.recurs:
            return
        self._weighed.add(judgement.signal)
        if spec.options.sensitive:
            self._sensitive.add(judgement.number)
            return
        self._promoted[judgement.number] = others
        free = all(expected.value is None for expected in judgement.expected)  # no other value held in between
        self._command(judgement, statement, others, tuple(s.valid_from for s in others) if free else ())

    def settle(self, results: Sequence[Written]) -> None:
        """Record the results of the commands.

        Raises:
            StaleExpectationError: expected values no longer hold, and this is not `final`; it names each.
        """
        stale = [str(result.error) for result in results if _is_stale(result)]
        if stale and not self.final:
            raise StaleExpectationError("; ".join(stale))
        for judgement in self.judgements:
            place = self._places.get(judgement.number)
            if place is not None:
                self._written(judgement, results[place])
            else:
                self._kept(judgement)

    def _written(self, judgement: Judgement, result: Written) -> None:
        if result.error is not None:
            fate = Fate.REVIEW if isinstance(result.error, ConflictError) else Fate.REFUSE
            self._kept(replace(judgement, fate=fate, reason=str(result.error)))
            return
        self._note(judgement, str(result.status), fact=result.fact_id, reason=result.reason)
        self._facts += [
            {"id": signal.candidate, "fact_id": result.fact_id}
            for signal in self._promoted.get(judgement.number, ())
        ]
        self._named += judgement.new

    def _kept(self, judgement: Judgement) -> None:
        match judgement.fate:
            case Fate.UNCHANGED:
                self._note(judgement, "unchanged", reason=judgement.reason)
            case Fate.WEAK if judgement.number in self._sensitive:
                reason = "has recurred and is sensitive: it waits for the user's confirmation"
                self._keep(replace(judgement, reason=reason), CandidateStatus.PENDING, "for_review")
            case Fate.WEAK:
                self._keep(judgement, CandidateStatus.WEAK, "for_review")
            case Fate.REFUSE:
                self._keep(judgement, CandidateStatus.REFUSED, "refused")
            case _:
                self._keep(judgement, CandidateStatus.PENDING, "for_review")

    def _keep(self, judgement: Judgement, status: CandidateStatus, outcome: str) -> None:
        row = candidate_row(
            self.new_id(),
            self.episode,
            judgement.understood,
            status,
            judgement.reason or "",
            quote=judgement.quote,
            proposal=_proposed(judgement),
            confirmers=confirmers(self.schema, None if judgement.spec is None else judgement.spec.name),
            schema_version=self.schema.label,
        )
        row["named"] = _named(judgement.new)
        row["signal"] = judgement.signal
        if status is CandidateStatus.WEAK:
            assert judgement.spec is not None
            row["lasts"] = judgement.spec.options.within // timedelta(milliseconds=1)
        self.candidates.append(row)
        self._note(judgement, outcome, candidate=row["id"], reason=judgement.reason)

    def _note(
        self,
        judgement: Judgement,
        outcome: str,
        *,
        fact: str | None = None,
        candidate: str | None = None,
        reason: str | None = None,
    ) -> None:
        self._settled.append((judgement.number, outcome, fact, candidate, reason, _proposed(judgement)))

    def to_settle(self) -> dict[str, Any]:
        """Return the parameters of write/settle except the tenant."""
        return {
            "episode": self.episode,
            "promoted": self._facts,
            "named": _named(self._named),
            "report": json.dumps({"candidates": self._settled}),
        }

    def report(self) -> WriteReport:
        """Return the report of all candidates."""
        return report_of(self._settled)


def _proposed(judgement: Judgement) -> Any:
    """Return the proposal as JSON can hold it; as text where JSON cannot, or where it is too long."""
    proposal = judgement.proposal
    if not isinstance(proposal, Malformed):
        return asdict(proposal)
    try:
        text = json.dumps(proposal.raw)
    except (TypeError, ValueError, RecursionError):
        return brief(proposal.raw)
    return proposal.raw if len(text) <= _MAX_RAW and is_json(proposal.raw) else text[:_MAX_RAW]


def _named(new: Iterable[NewEntity]) -> list[dict[str, Any]]:
    """Return the names of new entities, as write/settle takes them: in the order of their locks."""
    names = {named.key: named.name for named in new if named.name != named.key}
    rows = [{"key": key, "name": name, "normal": normalise(name)} for key, name in names.items()]
    return sorted(rows, key=itemgetter("normal", "key"))


def _is_stale(result: Written) -> bool:
    """Whether an expected value no longer holds, or an entity was merged; judging again may help in both cases."""
    return isinstance(result.error, StaleExpectationError) or (
        isinstance(result.error, ConflictError) and not result.against
    )
