"""Reads what supports an exact answer: related facts, past facts, sources, and candidates under review."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph_memory._async.ledger.reader import AsyncReader
from graph_memory._async.questions.answers import AsyncAnswerReader, by_attribute, named_by, referred
from graph_memory._async.schema.cardinalities import AsyncCardinalities
from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.context.records import ContextCitation, Note, NoteKind, Role
from graph_memory.context.selection import Pair, Picked, referring
from graph_memory.domain.instants import format_instant, from_micros
from graph_memory.domain.records import Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.wording import counted
from graph_memory.questions.attribute_matching import overlap
from graph_memory.questions.interpretation import Asked
from graph_memory.questions.records import AT_ONCE
from graph_memory.questions.time_expressions import Period

MAX_RELATED = 20
MAX_CITED = 10
MAX_PAST = 1000


class AsyncSupportReader:
    """Reads what supports the answers of one tenant."""

    def __init__(
        self,
        database: AsyncDatabase,
        attributes: AsyncCardinalities,
        reader: AsyncReader,
        answering: AsyncAnswerReader,
        tenant: str,
    ) -> None:
        self._database = database
        self._attributes = attributes
        self._reader = reader
        self._answering = answering
        self._tenant = tenant

    async def holding(
        self, pairs: Sequence[Pair], at: datetime | None, known_at: datetime | None
    ) -> tuple[list[Fact], int]:
        """Return the facts of some subjects and attributes that hold at an instant, and how many hold.

        Ends are left out. Of an attribute of cardinality many only the latest MAX_RELATED are returned. The order
        is by subject and attribute, so the writes of other tenants cannot change it.

        Args:
            pairs: of a subject's key and an attribute's name.
            at: the instant (UTC); None: now.
            known_at: by what the ledger knew at this instant (UTC); None: now.
        """
        await self._attributes.look_up(attribute for _, attribute in pairs)
        slots = [slot_key(self._tenant, s, a) for s, a in pairs if self._answering.is_one(a)]
        held = [fact for fact in await self._reader.holding(slots, at, known_at) if fact is not None]
        held = [fact for fact in held if not fact.ended]
        total = len(held)
        many = [(s, a) for s, a in pairs if not self._answering.is_one(a)]
        if many:
            subjects, attributes = sorted({s for s, _ in many}), sorted({a for _, a in many})
            latest, totals = await self._reader.latest(subjects, attributes, at, known_at, MAX_RELATED)
            held += [fact for fact in latest if (fact.subject, fact.attribute) in many]
            total += sum(number for pair, number in totals.items() if pair in many)
        return sorted(held, key=by_attribute), total

    async def past(self, asked: Asked, found: Sequence[Picked]) -> list[Picked]:
        """Return facts that held once, where a question names a value or asks who has it, and none holds now."""
        routing = asked.routing
        if asked.inward and not found:
            slots = await self._reader.referring_slots(routing.subjects, list(asked.inward))
            runs = await self._reader.history(slots[:MAX_PAST], routing.known_at, joined=True)
            return [Picked(run, Role.RELATED) for run in referring(runs, routing.subjects)[-MAX_RELATED:]]
        if routing.intent not in AT_ONCE or not asked.names_value:
            return []
        facts = [pick.fact for pick in found]
        if named_by(asked, facts):
            return []
        past: list[Picked] = []
        for subject in routing.subjects:
            for attribute in routing.attributes:
                runs = await self._answering.history(asked, subject, attribute)
                named = named_by(asked, runs)
                past += [Picked(run, Role.RELATED) for run in named if run.id not in {fact.id for fact in facts}]
        return past

    async def related(
        self, asked: Asked, found: Sequence[Picked], window: Period | None, now: datetime | None, answered: bool
    ) -> list[Picked]:
        """Return more facts that hold; those that share words with the question come first.

        Where the question is answered: facts of the entities that the answers refer to, if they share words with
        the question. Where it is not: all of the subjects' state, and that of the entities that they refer to.
        """
        at = window.last if window is not None else now
        known_at = asked.routing.known_at
        state: list[Fact] = []
        if not answered and asked.routing.subjects:
            state, _ = await self._reader.latest(asked.routing.subjects, None, at, known_at, MAX_RELATED)
        keys = referred([*(pick.fact for pick in found), *state])
        if keys and (asked.left or not answered):
            state += (await self._reader.latest(keys, None, at, known_at, MAX_RELATED))[0]
        about = (*asked.possible, *(name for name in asked.routing.attributes if not answered))
        words = asked.left | {word for name in about for word in asked.lexicon.names.get(name, ())}
        have = {pick.fact.id for pick in found}
        ranked = sorted(
            (
                (-overlap(words, asked.lexicon, fact.attribute), fact.subject in keys, *by_attribute(fact), fact)
                for fact in state
                if not fact.ended and fact.id not in have
            ),
            key=lambda row: row[:-1],
        )
        return [Picked(row[-1], Role.RELATED) for row in ranked if row[0] or not answered][:MAX_RELATED]

    async def around(self, pairs: Iterable[Pair], asked: Asked, window: Period, what: str) -> list[Note]:
        """Return notes that attributes have no value in a window, and which value came before or comes after."""
        notes = []
        for subject, attribute in pairs:
            runs = [run for run in await self._answering.history(asked, subject, attribute) if not run.ended]
            of = f"{attribute} of {subject}"
            before = [run for run in runs if run.valid_to is not None and run.valid_to <= window.start]
            after = [run for run in runs if run.valid_from > window.last]
            if before:
                last = before[-1]
                assert last.valid_to is not None
                until = format_instant(last.valid_to)
                text = f"nothing is known of {of} {what}: the last value held until {until}"
                notes.append(Note(kind=NoteKind.ENDED, text=text, fact_id=last.id, episode_id=last.episode_id))
            elif not after:
                notes.append(Note(kind=NoteKind.NOTHING_KNOWN, text=f"nothing is known of {of} {what}"))
            if after:
                begins = format_instant(after[0].valid_from)
                text = f"nothing is known of {of} {what}: the next value begins at {begins}"
                kind, next_ = NoteKind.BEGINS, after[0]
                notes.append(Note(kind=kind, text=text, fact_id=next_.id, episode_id=next_.episode_id))
        return notes

    async def support(
        self, facts: Sequence[Fact], asked: Asked, every: bool, reviewed: bool
    ) -> tuple[dict[str, list[ContextCitation]], list[Note]]:
        """Return the sources of facts, by fact id, and notes about candidates that wait for a person.

        Args:
            facts: ledger entries.
            asked: the question; what was learnt after its `known_at` does not count.
            every: whether to return the episodes that confirmed a fact, beside the one that said it first.
            reviewed: whether to look for candidates that wait.
        """
        routing = asked.routing
        by_id = {fact.id: fact for fact in facts}
        subjects = list(routing.subjects) if reviewed else []
        attributes = list(routing.attributes) if reviewed else []
        if not by_id and not (subjects and attributes):
            return {}, []
        rows = await self._database.read(
            "read/support",
            tenant=self._tenant,
            ids=sorted(by_id),
            all=every,
            subjects=subjects,
            attributes=attributes,
        )
        cited: dict[str, list[tuple[int, ContextCitation]]] = {}
        waiting: dict[Pair, list[tuple[int, str, str, str]]] = {}
        for fact, subject, attribute, episode, source, words, said_at, learnt_at, candidate in rows:
            if routing.known_at is not None and from_micros(learnt_at) > routing.known_at:
                continue
            if candidate is not None:
                waiting.setdefault((subject, attribute), []).append((learnt_at, candidate, episode, words))
                continue
            citation = ContextCitation(
                fact_id=fact, episode_id=episode, source=source, quote=words, said_at=from_micros(said_at)
            )
            cited.setdefault(fact, []).append((learnt_at, citation))
        notes = [_under_review(pair, sorted(waiting[pair])) for pair in sorted(waiting)]
        return {id_: _in_order(by_id[id_], found) for id_, found in cited.items()}, notes


def _in_order(fact: Fact, found: Sequence[tuple[int, ContextCitation]]) -> list[ContextCitation]:
    """Return the sources of a fact: the episode that said it first, then those that confirmed it."""
    ordered = sorted(found, key=lambda row: (row[1].episode_id != fact.episode_id, row[0], row[1].episode_id))
    return [citation for _, citation in ordered[:MAX_CITED]]


def _under_review(pair: Pair, waiting: Sequence[tuple[int, str, str, str]]) -> Note:
    subject, attribute = pair
    _, _, episode, reason = waiting[-1]
    what = f"{counted(len(waiting), 'candidate')} {'waits' if len(waiting) == 1 else 'wait'}"
    return Note(
        kind=NoteKind.UNDER_REVIEW,
        text=f"{attribute} of {subject} is under review: {what} for a person: {reason}",
        episode_id=episode,
        candidates=tuple(id_ for _, id_, _, _ in waiting),
    )
