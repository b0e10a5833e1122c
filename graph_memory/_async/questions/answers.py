"""Reads the exact state that answers a question, and notes why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from graph_memory._async.ledger.reader import AsyncReader
from graph_memory._async.schema.cardinalities import AsyncCardinalities
from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.context.records import Note, NoteKind, Role
from graph_memory.context.selection import (
    MAX_FACTS,
    Answers,
    Pair,
    Picked,
    changed_of_all,
    facts_with_value,
    hold_at_once,
    naming,
    of_many,
    of_timeline,
    overlapping,
    referring,
)
from graph_memory.domain.instants import from_micros
from graph_memory.domain.records import Cardinality, Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value, identity
from graph_memory.questions.attribute_matching import shares_word, words_of
from graph_memory.questions.interpretation import Asked
from graph_memory.questions.records import AT_ONCE, REPLACING, Intent
from graph_memory.questions.time_expressions import Period

MAX_REFERRED = 20
# At most this many slots are read to find who has a value, 1000 at a time: that takes a second or two.
MAX_REFERRING = 10_000
_AT_ONCE = 1000


class AsyncAnswerReader:
    """Reads the ledger of one tenant for questions."""

    def __init__(
        self, database: AsyncDatabase, attributes: AsyncCardinalities, reader: AsyncReader, tenant: str
    ) -> None:
        self._database = database
        self._attributes = attributes
        self._reader = reader
        self._tenant = tenant

    async def is_value(self, asked: Asked) -> bool:
        """Whether a bare day in a question may be a value of what it asks for.

        It is one where the question asks about one value (who said it, what replaced it, since when), and where
        an attribute that is asked for has days as values or has this day as a part of a value.
        """
        if asked.routing.intent not in (*AT_ONCE, Intent.CHANGED):
            return True
        words = " ".join(day.words for day in asked.bare)
        for pair in asked.pairs:
            runs = await self.history(asked, *pair)
            if any(isinstance(run.value, date) for run in runs) or naming(words, runs, (), asked.bare):
                return True
        return False

    async def answer(self, asked: Asked, window: Period | None, now: datetime | None) -> Answers:
        """Return the facts that answer: the attributes that are asked for, else all of the subject's state.

        Args:
            asked: the question as it was understood.
            window: the time that it is about (UTC); None: now.
            now: the instant that counts as now (UTC); None: the database's clock decides.
        """
        if asked.until_now:
            window = Period(now or await self.now())
        if not asked.routing.attributes:
            return await self._whole(asked, window, now)
        await self._attributes.look_up((*asked.routing.attributes, *asked.onward))
        if asked.inward:
            return await self._inward(asked, window, now)
        if not asked.onward:
            return await self._outward(asked, window, now)
        # "Since when is the seat of her firm ...": which firm is asked of now, and only the seat since when.
        way = await self._outward(asked.at_once(window), window, now)
        if asked.routing.intent in REPLACING:
            which = "previous" if asked.routing.intent is Intent.REPLACED else "next"
            what = " or ".join(f"the {which} {name}" for name in (*asked.routing.attributes, *asked.onward))
            note = Note(kind=NoteKind.NOT_UNDERSTOOD, text=f"unclear: {what}?")
            return Answers(related=[Picked(pick.fact, Role.RELATED) for pick in way.picked], notes=[note])
        return await self._onward(asked, way, window, now)

    async def unsure(self, asked: Asked, found: Answers) -> str | None:
        """Return why the facts found may not answer the question; None: they answer it."""
        if asked.strange:
            said = {word for run in await self._named(asked) for word in words_of(shown(run.value))}
            if strange := [word for word in asked.strange if word.casefold() not in said]:
                words, are = ", ".join(map(repr, strange)), "is" if len(strange) == 1 else "are"
                names = ", ".join(asked.routing.attributes)
                return f"{words} {are} not understood, so the question may ask for something other than {names}"
        if asked.several and asked.routing.attributes and asked.routing.intent in AT_ONCE:
            for fact in (pick.fact for pick in found.picked if not pick.fact.ended):
                if self.is_one(fact.attribute) and not isinstance(fact.value, int | float):
                    return f"{fact.attribute} has one value at a time: ask which values it has ever had"
        return None

    async def _named(self, asked: Asked) -> list[Fact]:
        """Return the facts, past and present, of what is asked for whose value the question names."""
        found: list[Fact] = []
        for pair in asked.pairs:
            found += named_by(asked, await self.history(asked, *pair))
        return found

    async def _outward(self, asked: Asked, window: Period | None, now: datetime | None) -> Answers:
        """Return the facts that answer about the subjects' own attributes."""
        routing = asked.routing
        one = [(s, a) for s in routing.subjects for a in routing.attributes if self.is_one(a)]
        many = [a for a in routing.attributes if not self.is_one(a)]
        if routing.intent in AT_ONCE or (routing.intent is Intent.WHO_SAID and not asked.names_value):
            held, total = await self._held(one, list(routing.subjects), many, window, now, routing.known_at)
            return Answers([Picked(fact, Role.ANSWER) for fact in held], total=total)
        instant = now or await self.now()
        found = Answers()
        for pair in (*one, *((s, a) for s in routing.subjects for a in many)):
            await self._of_timeline(found, asked, pair, window, instant)
        return found

    async def _whole(self, asked: Asked, window: Period | None, now: datetime | None) -> Answers:
        routing = asked.routing
        since = routing.intent is Intent.SINCE
        if routing.intent is Intent.CHANGED or since or (window is not None and window.end is not None):
            slots = [slot for slot, _ in await self._reader.slots(routing.subjects, None)]
            runs = await self._reader.history(slots, routing.known_at, joined=routing.intent not in AT_ONCE)
            if routing.intent is Intent.CHANGED:
                return Answers(changed_of_all(sorted(runs, key=by_start), window))
            found = overlapping(runs, window or Period(now or await self.now()))
            found.sort(key=by_attribute)
        else:
            at = window.start if window is not None else now
            found, totals = await self._reader.latest(routing.subjects, None, at, routing.known_at, MAX_FACTS)
            held = sorted(found, key=by_attribute)
            return Answers([Picked(fact, Role.ANSWER) for fact in held], total=sum(totals.values()))
        held = [fact for fact in found if not fact.ended]
        return Answers([Picked(f, Role.ANSWER, since=f.valid_from if since else None) for f in held])

    async def now(self) -> datetime:
        """Return now by the database's clock."""
        [[micros]] = await self._database.read("read/now")
        return from_micros(micros)

    def is_one(self, attribute: str) -> bool:
        schema = self._attributes.schema
        if schema is not None and attribute in schema.attributes:
            return schema.attributes[attribute].cardinality is Cardinality.ONE
        return self._attributes.recorded(attribute) is Cardinality.ONE

    async def _held(
        self,
        one: Sequence[Pair],
        subjects: list[str],
        many: list[str],
        window: Period | None,
        now: datetime | None,
        known_at: datetime | None,
    ) -> tuple[list[Fact], int]:
        """Return what holds at an instant, or at some instant of an interval, and how many facts that are.

        Of an attribute of cardinality many only the latest are returned, where there are more than can be shown.
        """
        slots = [slot_key(self._tenant, subject, attribute) for subject, attribute in one]
        at = now if window is None else window.last
        held = [fact for fact in await self._reader.holding(slots, at, known_at) if fact is not None]
        if window is None or window.end is None:
            if not many:
                return held, len(held)
            latest, totals = await self._reader.latest(subjects, many, at, known_at, MAX_FACTS)
            return [*held, *sorted(latest, key=by_attribute)], len(held) + sum(totals.values())
        if not many and len(held) == len(slots) and all(fact.valid_from <= window.start for fact in held):
            return held, len(held)
        for subject in subjects:
            slots += [slot for slot, _ in (await self._reader.slots([subject], many) if many else [])]
        history = await self._reader.history(slots, known_at, joined=False)
        found = [fact for fact in overlapping(history, window) if not fact.ended or self.is_one(fact.attribute)]
        return sorted(found, key=by_start), len(found)

    async def history(self, asked: Asked, subject: str, attribute: str, joined: bool = True) -> list[Fact]:
        """Return the segments of an attribute in time order; `joined` merges touching segments of equal value."""
        known_at = asked.routing.known_at
        if self.is_one(attribute):
            return await self._reader.history([slot_key(self._tenant, subject, attribute)], known_at, joined)
        return await self._reader.history_of(subject, attribute, known_at, joined)

    async def _of_timeline(
        self, found: Answers, asked: Asked, pair: Pair, window: Period | None, now: datetime
    ) -> None:
        """Add the facts of one attribute that answer over time, or note that it never had the value named."""
        intent, one = asked.routing.intent, self.is_one(pair[1])
        runs = await self.history(asked, *pair)
        runs = runs if one else sorted((run for run in runs if not run.ended), key=by_start)
        named = named_by(asked, runs)
        if runs and not named and asked.names_value and intent is not Intent.CHANGED:
            none = " nor ".join(f"{words!r}" for words in asked.unread_words)
            either = "neither " if len(asked.unread_words) > 1 else ""
            not_ = "is" if either else "is not"
            found.say(pair, f"{either}{none} {not_} a known {pair[1]} of {pair[0]}")
        elif one:
            found.picked += of_timeline(runs, named, intent, window, now)
        elif intent is Intent.REPLACED_BY or (intent is Intent.REPLACED and (named or not asked.former)):
            found.say(pair, f"{pair[0]} can have several values of {pair[1]} at a time: none replaces another")
        else:
            found.picked += of_many(runs, named, intent, window, now)

    async def _inward(self, asked: Asked, window: Period | None, now: datetime | None) -> Answers:
        """Return the facts of which the subjects are, or were, the value."""
        found, instant = Answers(), now or await self.now()
        slots = await self._reader.referring_slots(asked.routing.subjects, list(asked.inward))
        for start in range(0, min(len(slots), MAX_REFERRING), _AT_ONCE):
            some = slots[start : min(start + _AT_ONCE, MAX_REFERRING)]
            found.picked += await self._having(asked, some, window, instant)
        if len(slots) > MAX_REFERRING:
            whom = ", ".join(asked.routing.subjects)
            text = f"{len(slots)} slots refer or once referred to {whom}: only {MAX_REFERRING} of them were read"
            found.notes.append(Note(kind=NoteKind.LEFT_OUT, text=text))
        found.picked.sort(key=lambda pick: by_attribute(pick.fact))
        return found

    async def _having(
        self, asked: Asked, slots: Sequence[str], window: Period | None, now: datetime
    ) -> list[Picked]:
        routing = asked.routing
        at_once = routing.intent in (*AT_ONCE, Intent.WHO_SAID)
        if at_once and (window is None or window.end is None):
            at = now if window is None else window.start
            held = await self._reader.holding(slots, at, routing.known_at)
            runs = [fact for fact in held if fact is not None]
        else:
            runs = await self._reader.history(slots, routing.known_at, joined=not at_once)
        if routing.intent not in REPLACING or asked.former:
            return facts_with_value(runs, routing.subjects, routing.intent, window, now)
        timelines: dict[Pair, list[Fact]] = {}
        for run in runs:
            if self.is_one(run.attribute):
                timelines.setdefault((run.subject, run.attribute), []).append(run)
        found: list[Picked] = []
        for timeline in timelines.values():
            if theirs := referring(timeline, routing.subjects):
                found += of_timeline(timeline, theirs, routing.intent, window, now)
        return found

    async def _onward(self, asked: Asked, way: Answers, window: Period | None, now: datetime | None) -> Answers:
        """Return what is asked of the entities that the facts found so far refer to.

        The facts on the way to these entities are no answer by themselves.
        """
        keys = referred(pick.fact for pick in way.picked)
        there = asked.about_them(keys)
        found = await self._outward(there, window, now) if keys else Answers()
        if window is not None and window.end is not None and asked.routing.intent in AT_ONCE:
            # A fact of a referenced entity counts only while the reference holds.
            spans = [(pick.fact, pick.fact.value.key) for pick in way.picked if isinstance(pick.fact.value, Ref)]
            found.picked = [
                pick
                for pick in found.picked
                if any(key == pick.fact.subject and hold_at_once(fact, pick.fact) for fact, key in spans)
            ]
        have = {(pick.fact.subject, pick.fact.attribute) for pick in found.picked}
        found.missing = [pair for pair in there.pairs if pair not in have | found.unsaid]
        if not any(pick.role is Role.ANSWER for pick in found.picked):
            refer = [pick for pick in way.picked if isinstance(pick.fact.value, Ref)]
            found.related = [Picked(pick.fact, Role.RELATED) for pick in refer]
            way.picked = [pick for pick in way.picked if pick not in refer]
        found.picked = [*way.picked, *found.picked]
        return found


def named_by(asked: Asked, facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts whose value a question names; the value may contain the words of a time."""
    found = naming(asked.said, facts, asked.routing.values, asked.bare)
    if found or asked.timed == asked.said:
        return found
    return [fact for fact in naming(asked.timed, facts, (), ()) if shares_word(asked.said, str(fact.value))]


def shown(value: Value | None) -> str:
    """Return a value as people write it."""
    return value.key if isinstance(value, Ref) else str(value)


def referred(facts: Iterable[Fact]) -> list[str]:
    """Return the keys of the entities that are values of the facts, in their order."""
    keys = dict.fromkeys(fact.value.key for fact in facts if isinstance(fact.value, Ref))
    return list(keys)[:MAX_REFERRED]


def by_attribute(fact: Fact) -> tuple[str, str, datetime, tuple[str, str]]:
    return fact.subject, fact.attribute, fact.valid_from, ("", "") if fact.value is None else identity(fact.value)


def by_start(fact: Fact) -> tuple[datetime, tuple[str, str, datetime, tuple[str, str]]]:
    return fact.valid_from, by_attribute(fact)
