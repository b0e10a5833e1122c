"""The exact state that answers a question, and what has to be said where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph_memory._async.attributes import AsyncAttributes
from graph_memory._async.database import AsyncDatabase
from graph_memory._async.reads import AsyncReader
from graph_memory.answers import Picked, changed, naming, of_timeline, overlapping
from graph_memory.context_records import ContextCitation, Intent, Note, NoteKind, Role
from graph_memory.dates import Window
from graph_memory.instants import format_instant, from_micros
from graph_memory.questions import overlap
from graph_memory.records import Cardinality, Fact
from graph_memory.routing import Asked
from graph_memory.slots import slot_key
from graph_memory.values import Ref, identity

Pair = tuple[str, str]
_AT_ONCE = (Intent.CURRENT, Intent.AS_OF)
MAX_REFERRED = 20
MAX_RELATED = 20
MAX_CITED = 10
MAX_REFERRING = 1000


class AsyncAnswering:
    """Reads the ledger of one tenant for questions."""

    def __init__(
        self, database: AsyncDatabase, attributes: AsyncAttributes, reader: AsyncReader, tenant: str
    ) -> None:
        self._database = database
        self._attributes = attributes
        self._reader = reader
        self._tenant = tenant

    async def is_value(self, asked: Asked) -> bool:
        """Whether a day that a question names, without calling it a time, is a value of what it asks for."""
        words = " ".join(day.words for day in asked.bare)
        for subject in asked.routing.subjects:
            for attribute in asked.routing.attributes:
                if naming(words, await self.history(asked, subject, attribute), (), asked.bare):
                    return True
        return False

    async def answer(self, asked: Asked, window: Window | None, now: datetime | None) -> list[Picked]:
        """Return the facts that answer: of the attributes that were decided, else all of the subject's state.

        Args:
            asked: the question as it was understood.
            window: the time that it is about; None: now.
            now: what the caller says is now; None: the database's clock.
        """
        routing = asked.routing
        if not routing.attributes:
            return await self._whole(asked, window, now)
        await self._attributes.look_up((*routing.attributes, *asked.onward))
        if asked.inward:
            return await self._inward(asked, window, now)
        one = [(s, a) for s in routing.subjects for a in routing.attributes if self._is_one(a)]
        many = [a for a in routing.attributes if not self._is_one(a)]
        found: list[Picked] = []
        if routing.intent in _AT_ONCE or (routing.intent is Intent.WHO_SAID and not self._names_value(asked)):
            held = await self._held(one, list(routing.subjects), many, window, now, routing.known_at)
            found = [Picked(fact, Role.ANSWER) for fact in held]
        else:
            instant = now or await self.now()
            for subject, attribute in one:
                found += await self._of_timeline(asked, subject, attribute, window, instant)
            for subject in routing.subjects:
                for attribute in many:
                    found += await self._of_many(asked, subject, attribute, window, instant)
        if asked.onward and found:
            found += await self._onward(asked, found, window, now)
        return found

    async def _whole(self, asked: Asked, window: Window | None, now: datetime | None) -> list[Picked]:
        if asked.routing.intent is Intent.CHANGED:
            found = [await self._reader.slots([subject], None) for subject in asked.routing.subjects]
            slots = [slot for of_subject in found for slot, _ in of_subject]
            runs = await self._reader.history(slots, asked.routing.known_at, joined=True)
            return changed(sorted(runs, key=_by_start), window)
        at = window.last if window is not None else now
        state = await self._reader.state(asked.routing.subjects, None, at, asked.routing.known_at)
        return [Picked(fact, Role.ANSWER) for fact in sorted(state, key=_by_attribute) if not fact.ended]

    async def now(self) -> datetime:
        """Return now by the database's clock."""
        [[micros]] = await self._database.read("read/now")
        return from_micros(micros)

    def _is_one(self, attribute: str) -> bool:
        schema = self._attributes.schema
        if schema is not None and attribute in schema.attributes:
            return schema.attributes[attribute].cardinality is Cardinality.ONE
        return self._attributes.recorded(attribute) is Cardinality.ONE

    @staticmethod
    def _names_value(asked: Asked) -> bool:
        return bool(asked.bare or asked.routing.values or asked.left)

    async def _held(
        self,
        one: Sequence[Pair],
        subjects: list[str],
        many: list[str],
        window: Window | None,
        now: datetime | None,
        known_at: datetime | None,
    ) -> list[Fact]:
        """Return what holds at an instant, or at any one of an interval."""
        slots = [slot_key(self._tenant, subject, attribute) for subject, attribute in one]
        at = now if window is None else window.last
        held = [fact for fact in await self._reader.holding(slots, at, known_at) if fact is not None]
        if window is None or window.end is None:
            state = await self._reader.state(subjects, many, at, known_at) if many else []
            return [*held, *sorted((fact for fact in state if not fact.ended), key=_by_attribute)]
        if not many and len(held) == len(slots) and all(fact.valid_from <= window.start for fact in held):
            return held
        for subject in subjects:
            slots += [slot for slot, _ in (await self._reader.slots([subject], many) if many else [])]
        history = await self._reader.history(slots, known_at, joined=False)
        found = [fact for fact in overlapping(history, window) if not fact.ended or self._is_one(fact.attribute)]
        return sorted(found, key=_by_start)

    async def history(self, asked: Asked, subject: str, attribute: str, joined: bool = True) -> list[Fact]:
        """Return the segments of an attribute in time order; `joined`: touching ones of equal value as one."""
        if self._is_one(attribute):
            slots = [slot_key(self._tenant, subject, attribute)]
        else:
            slots = [slot for slot, _ in await self._reader.slots([subject], [attribute])]
        return await self._reader.history(slots, asked.routing.known_at, joined)

    async def _of_timeline(
        self, asked: Asked, subject: str, attribute: str, window: Window | None, now: datetime
    ) -> list[Picked]:
        runs = await self.history(asked, subject, attribute)
        named = naming(asked.said, runs, asked.routing.values, asked.bare)
        return of_timeline(runs, named, asked.routing.intent, window, now)

    async def _of_many(
        self, asked: Asked, subject: str, attribute: str, window: Window | None, now: datetime
    ) -> list[Picked]:
        """Return the facts of values that come and go side by side; none takes the place of another."""
        runs = await self.history(asked, subject, attribute)
        values = sorted((run for run in runs if not run.ended), key=_by_start)
        named = naming(asked.said, values, asked.routing.values, asked.bare)
        if named and asked.routing.intent in (Intent.WHO_SAID, Intent.SINCE):
            return [Picked(run, Role.ANSWER, since=run.valid_from) for run in named]
        if asked.routing.intent in (Intent.WHO_SAID, Intent.SINCE):
            return [
                Picked(run, Role.ANSWER, since=run.valid_from)
                for run in overlapping(values, window or Window(now))
            ]
        return changed(values, window)

    async def _inward(self, asked: Asked, window: Window | None, now: datetime | None) -> list[Picked]:
        """Return the facts of which the subjects are the value."""
        keys = asked.routing.subjects
        slots = await self._reader.referring_slots(keys, list(asked.inward))
        at = window.last if window is not None else now
        held = await self._reader.holding(slots[:MAX_REFERRING], at, asked.routing.known_at)
        facts = [
            fact for fact in held if fact is not None and isinstance(fact.value, Ref) and fact.value.key in keys
        ]
        return [Picked(fact, Role.ANSWER) for fact in sorted(facts, key=_by_attribute)]

    async def _onward(
        self, asked: Asked, found: Sequence[Picked], window: Window | None, now: datetime | None
    ) -> list[Picked]:
        """Return what is asked of the entities that the answers refer to."""
        keys = referred(pick.fact for pick in found)
        at = window.last if window is not None else now
        state = await self._reader.state(keys, list(asked.onward), at, asked.routing.known_at) if keys else []
        return [Picked(fact, Role.ANSWER) for fact in sorted(state, key=_by_attribute)]

    async def holding(self, pairs: Sequence[Pair], at: datetime | None, known_at: datetime | None) -> list[Fact]:
        """Return what holds of pairs of a subject and an attribute at an instant; None: now. Ends are left out.

        In the order of subject and attribute, which what other tenants write cannot move.
        """
        await self._attributes.look_up(attribute for _, attribute in pairs)
        slots = [slot_key(self._tenant, s, a) for s, a in pairs if self._is_one(a)]
        held = [fact for fact in await self._reader.holding(slots, at, known_at) if fact is not None]
        many = [(s, a) for s, a in pairs if not self._is_one(a)]
        if many:
            state = await self._reader.state(
                list(dict.fromkeys(s for s, _ in many)), list(dict.fromkeys(a for _, a in many)), at, known_at
            )
            held += [fact for fact in state if (fact.subject, fact.attribute) in many]
        return sorted((fact for fact in held if not fact.ended), key=_by_attribute)

    async def past(self, asked: Asked, found: Sequence[Picked]) -> list[Picked]:
        """Return what held once, where a question names a value that is none of the answers."""
        routing = asked.routing
        if routing.intent not in _AT_ONCE or not (asked.left or routing.values or asked.bare):
            return []
        facts = [pick.fact for pick in found]
        if naming(asked.said, facts, routing.values, asked.bare):
            return []
        past: list[Picked] = []
        for subject in routing.subjects:
            for attribute in routing.attributes:
                runs = await self.history(asked, subject, attribute)
                named = naming(asked.said, runs, routing.values, asked.bare)
                past += [Picked(run, Role.RELATED) for run in named if run.id not in {fact.id for fact in facts}]
        return past

    async def related(
        self, asked: Asked, found: Sequence[Picked], window: Window | None, now: datetime | None, answered: bool
    ) -> list[Picked]:
        """Return more facts that hold, those with words of the question first.

        Where the question is answered: of what the answers refer to, only what the question has words for. Where
        it is not: all of the subjects' state, and what holds one step along their references.
        """
        at = window.last if window is not None else now
        known_at = asked.routing.known_at
        state: list[Fact] = []
        if not answered and asked.routing.subjects:
            state += await self._reader.state(asked.routing.subjects, None, at, known_at)
        keys = referred([*(pick.fact for pick in found), *state])
        if keys and (asked.left or not answered):
            state += await self._reader.state(keys, None, at, known_at)
        words = asked.left | {word for name in asked.possible for word in asked.lexicon.names[name]}
        have = {pick.fact.id for pick in found}
        ranked = sorted(
            (
                (-overlap(words, asked.lexicon, fact.attribute), fact.subject in keys, *_by_attribute(fact), fact)
                for fact in state
                if not fact.ended and fact.id not in have
            ),
            key=lambda row: row[:-1],
        )
        return [Picked(row[-1], Role.RELATED) for row in ranked if row[0] or not answered][:MAX_RELATED]

    async def around(self, pairs: Iterable[Pair], asked: Asked, window: Window, what: str) -> list[Note]:
        """Return that nothing is known of some attributes, or what held before or will hold after."""
        notes = []
        for subject, attribute in pairs:
            runs = [run for run in await self.history(asked, subject, attribute) if not run.ended]
            of = f"{attribute} of {subject}"
            before = [run for run in runs if run.valid_to is not None and run.valid_to <= window.start]
            after = [run for run in runs if run.valid_from > window.last]
            if before:
                last = before[-1]
                assert last.valid_to is not None
                text = f"nothing is known of {of} {what}: it ran out at {format_instant(last.valid_to)}"
                notes.append(Note(kind=NoteKind.ENDED, text=text, fact_id=last.id, episode_id=last.episode_id))
            elif not after:
                notes.append(Note(kind=NoteKind.NOTHING_KNOWN, text=f"nothing is known of {of} {what}"))
            if after:
                text = f"nothing is known of {of} {what}: it begins at {format_instant(after[0].valid_from)}"
                kind, next_ = NoteKind.BEGINS, after[0]
                notes.append(Note(kind=kind, text=text, fact_id=next_.id, episode_id=next_.episode_id))
        return notes

    async def support(
        self, facts: Sequence[Fact], asked: Asked, every: bool, reviewed: bool
    ) -> tuple[dict[str, list[ContextCitation]], list[Note]]:
        """Return who says some facts, by fact id, and what about what is asked waits for a person.

        Args:
            facts: ledger entries.
            asked: the question; what was learnt after its `known_at` does not count.
            every: whether those that confirmed a fact count, beside the episode that said it first.
            reviewed: whether what waits is asked for.
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


def referred(facts: Iterable[Fact]) -> list[str]:
    """Return the keys of the entities that are values of some facts, in their order."""
    keys = dict.fromkeys(fact.value.key for fact in facts if isinstance(fact.value, Ref))
    return list(keys)[:MAX_REFERRED]


def _by_attribute(fact: Fact) -> tuple[str, str, datetime, tuple[str, str]]:
    return fact.subject, fact.attribute, fact.valid_from, ("", "") if fact.value is None else identity(fact.value)


def _in_order(fact: Fact, found: Sequence[tuple[int, ContextCitation]]) -> list[ContextCitation]:
    """Return the sources of a fact: the one that said it first, then those that confirmed it."""
    ordered = sorted(found, key=lambda row: (row[1].episode_id != fact.episode_id, row[0], row[1].episode_id))
    return [citation for _, citation in ordered[:MAX_CITED]]


def _by_start(fact: Fact) -> tuple[datetime, tuple[str, str, datetime, tuple[str, str]]]:
    return fact.valid_from, _by_attribute(fact)


def _under_review(pair: Pair, waiting: Sequence[tuple[int, str, str, str]]) -> Note:
    subject, attribute = pair
    _, _, episode, reason = waiting[-1]
    what = "a candidate waits" if len(waiting) == 1 else f"{len(waiting)} candidates wait"
    return Note(
        kind=NoteKind.UNDER_REVIEW,
        text=f"{attribute} of {subject} is under review: {what} for a person; {reason}",
        episode_id=episode,
        candidates=tuple(id_ for _, id_, _, _ in waiting),
    )
