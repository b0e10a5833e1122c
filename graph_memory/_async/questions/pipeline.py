"""The five steps from a question to a context, each with what it found and why the next one was needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from graph_memory._async.questions.answers import AsyncAnswering
from graph_memory._async.questions.support import MAX_RELATED, AsyncSupporting
from graph_memory.context.records import ContextFact, Note, NoteKind, Role, Step
from graph_memory.context.rendering import Findings
from graph_memory.context.selection import MAX_FACTS, Answers, Pair, Picked
from graph_memory.domain.instants import format_instant
from graph_memory.domain.records import Fact
from graph_memory.questions.interpretation import Asked
from graph_memory.questions.records import AT_ONCE, Intent, Router
from graph_memory.questions.time_expressions import Period, asked as bounded
from graph_memory.search.records import Evidence

MAX_EVIDENCE = 200
# No line of an episode takes fewer tokens.
_LEAST_LINE = 16
# Of so many episodes all that holds of their matters is told, of the others where something said is out of date.
_LEADING = 5

# Searches episodes: what was asked, how many at the most, the instant of valid time, by what was known when.
Search = Callable[[str, int, datetime | None, datetime | None], Awaitable[list[Evidence]]]


class AsyncContexts:
    """Finds what a context may hold, for one question.

    Args:
        answering: reads the tenant's exact state.
        supporting: reads what stands beside it.
        search: of the tenant's episodes.
        tenant: its name.
        asked: the question as it was understood.
        now: what stands for now; None: the database's clock.
        budget: how many tokens there are for what is found.
    """

    def __init__(
        self,
        answering: AsyncAnswering,
        supporting: AsyncSupporting,
        search: Search,
        tenant: str,
        asked: Asked,
        now: datetime | None,
        budget: int,
    ) -> None:
        self._most = min(budget // _LEAST_LINE, MAX_EVIDENCE)
        self._answering = answering
        self._supporting = supporting
        self._search = search
        self._asked = asked
        self._now = now
        routing = asked.routing
        self._window = None if routing.start is None else Period(routing.start, routing.end)
        self._found = Findings(asked.question, tenant, routing)

    async def find(self) -> Findings:
        """Take the steps, as far as they are needed."""
        await self._settle_bare_days()
        self._tell_question()
        found = await self._exact()
        picked, answered = found.picked, self._found.answered
        leading = [*picked, *found.related]
        related = [*found.related, *await self._supporting.past(self._asked, picked)]
        related += await self._supporting.related(self._asked, leading, self._window, self._now, answered)
        self._tell_related(related)
        evidence = [] if answered else await self._evidence()
        related += await self._facts_behind(evidence, [*picked, *related])
        await self._keep(picked, related, evidence)
        return self._found

    async def _settle_bare_days(self) -> None:
        """Take a day that is named without more for a time, unless it is a value of what is asked for."""
        asked = self._asked
        if (
            not asked.bare
            or asked.time_unread
            or self._window is not None
            or await self._answering.is_value(asked)
        ):
            return
        time = bounded(asked.bare, self._now or asked.bare[-1].window.last)
        unread = tuple(date.words for date in time.left)
        self._window = None if unread else time.window
        if self._window is None:
            self._asked = asked.about(asked.routing, unread)
            return
        intent = Intent.AS_OF if asked.routing.intent is Intent.CURRENT else asked.routing.intent
        times = {"start": self._window.start, "end": self._window.end, "intent": intent}
        self._found.routing = asked.routing.model_copy(update=times)
        self._asked = asked.about(self._found.routing)

    def _tell_question(self) -> None:
        asked, routing = self._asked, self._asked.routing
        whom = ", ".join(routing.subjects) or "nobody that is known"
        what = ", ".join((*routing.attributes, *asked.onward)) or (
            "all that is known" if asked.of_all else "no attribute"
        )
        unread = (
            f"; not understood: {', '.join(sorted(asked.left))}" if asked.left and not routing.attributes else ""
        )
        self._tell("question", f"{routing.intent} of {what}, of {whom}", f"decided by {routing.by}{unread}")
        if asked.failure is not None:
            self._tell(
                "question", "the model gave no reading that can be used, so the rules decided", asked.failure
            )
        if routing.by is Router.RULES and asked.possible:
            self._tell(
                "question", f"perhaps {', '.join(asked.possible)}", "some of its words are in their descriptions"
            )
        why = "no time is named" if self._window is None else "from the question, or given"
        if asked.time_unread:
            self._tell("time", "not understood", ", ".join(asked.time_unread))
        else:
            self._tell("time", self._when(), why)
        for name in asked.ambiguous:
            text = f"one name means {', '.join((*name.answered, *name.others))}: what follows is of "
            self._note(
                NoteKind.AMBIGUOUS, text + ("each of them" if not name.others else ", ".join(name.answered))
            )
        if set(asked.more) - {key for name in asked.ambiguous for key in name.others}:
            text = f"it may be about {', '.join(asked.more)} as well: what follows is of {whom}"
            self._note(NoteKind.LEFT_OUT, text)

    def _note(self, kind: NoteKind, text: str) -> None:
        self._found.notes.append(Note(kind=kind, text=text))

    def _when(self) -> str:
        if self._window is None:
            return f"now{self._known()}"
        if self._window.end is None:
            return f"at {format_instant(self._window.start)}{self._known()}"
        return f"in [{format_instant(self._window.start)}, {format_instant(self._window.end)}){self._known()}"

    def _known(self) -> str:
        known_at = self._asked.routing.known_at
        return "" if known_at is None else f", as known at {format_instant(known_at)}"

    def _tell(self, step: str, found: str, why: str) -> None:
        self._found.trace.append(Step(step=step, found=found, why=why))

    async def _exact(self) -> Answers:
        """Read what answers exactly, and say what is missing, ended or under review."""
        asked, routing = self._asked, self._asked.routing
        if asked.time_unread:
            words = " and ".join(map(repr, asked.time_unread))
            return self._unread(f"which time is meant by {words} is not understood: give it as a date, or as at")
        if not routing.subjects or not (routing.attributes or asked.of_all):
            of = f"attribute of {', '.join(routing.subjects)}" if routing.subjects else "entity"
            return self._unread(f"the question names no {of} that is known")
        if asked.open is not None:
            return self._unread(asked.open)
        found = await self._answering.answer(asked, self._window, self._now)
        if unsure := await self._answering.unsure(asked, found):
            self._note(NoteKind.NOT_UNDERSTOOD, unsure)
            self._tell("exact state", "nothing answers for sure", unsure)
            return Answers(related=[Picked(pick.fact, Role.RELATED) for pick in found.picked[-MAX_FACTS:]])
        total = max(len(found.picked), found.total)
        if total > MAX_FACTS:
            text = f"{total} facts answer, and these are the last {MAX_FACTS} of them"
            self._note(NoteKind.LEFT_OUT, text)
            found.picked = found.picked[-MAX_FACTS:]
        answers = [pick for pick in found.picked if pick.role is Role.ANSWER]
        self._found.answered = bool(answers)
        for pick in answers:
            if pick.fact.ended:
                self._found.notes.append(_ended(pick.fact))
        self._found.notes += found.notes
        await self._note_missing(found)
        told = f"{len(answers)} facts answer" if len(answers) != 1 else "one fact answers"
        why = "what is recorded decides: text is not asked" if answers else "so what was said is searched"
        self._tell("exact state", told if answers else "nothing answers", why)
        return found

    def _unread(self, why: str) -> Answers:
        """Note why exact state is not even read."""
        self._note(NoteKind.NOT_UNDERSTOOD, why)
        self._tell("exact state", "nothing was read", why)
        return Answers()

    async def _note_missing(self, found: Answers) -> None:
        asked, routing, picked = self._asked, self._asked.routing, found.picked
        whom, over_time = ", ".join(routing.subjects), routing.intent not in AT_ONCE
        if asked.of_all and not picked:
            changed = "that changed " if routing.intent is Intent.CHANGED else ""
            self._note(NoteKind.NOTHING_KNOWN, f"nothing is known {changed}of {whom} {self._when()}")
        elif asked.inward:
            if not picked and not found.notes:
                having = "have had" if over_time else "have"
                when = self._known() if over_time and self._window is None else f" {self._when()}"
                gone = ", and no longer to have it" if routing.intent is Intent.REPLACED else ""
                text = f"nothing is known to {having} {whom} as {', '.join(asked.inward)}{when}{gone}"
                self._note(NoteKind.NOTHING_KNOWN, text)
        elif missing := self._missing(found):
            window = self._window or Period(self._now or await self._answering.now())
            self._found.notes += await self._supporting.around(missing, asked, window, self._when())
        if picked and not self._found.answered:
            came = {Intent.REPLACED: "came before", Intent.REPLACED_BY: "came after"}
            text = f"nothing is known that {came.get(routing.intent, f'began {self._when()}')}"
            self._note(NoteKind.NOTHING_KNOWN, text)

    def _missing(self, found: Answers) -> list[Pair]:
        """Return of what nothing was found; of several attributes that may be meant, one is enough."""
        routing = self._asked.routing
        have = {(pick.fact.subject, pick.fact.attribute) for pick in (*found.picked, *found.related)}
        missing = list(found.missing)
        for subject in routing.subjects:
            pairs = [(subject, attribute) for attribute in routing.attributes]
            lacking = [pair for pair in pairs if pair not in have]
            if len(lacking) in (1, len(pairs)):
                missing += [pair for pair in lacking if pair not in found.unsaid]
        return missing

    def _tell_related(self, related: Sequence[Picked]) -> None:
        if self._found.answered:
            why = "only what the question has words for: the answer is exact"
        else:
            why = "all that holds of the subject and one step on, as nothing answers exactly"
        self._tell("related facts", f"{len(related)} facts", why)

    async def _evidence(self) -> list[Evidence]:
        asked, routing = self._asked, self._asked.routing
        unnamed = (asked.name(key) for key in routing.subjects if key not in asked.mentioned)
        words = " ".join([asked.question, *unnamed])
        at = self._now if self._window is None else self._window.last
        found = await self._search(words, self._most, at, routing.known_at)
        if len(found) == MAX_EVIDENCE:
            text = f"more than {MAX_EVIDENCE} episodes may match, and the best of them follow"
            self._note(NoteKind.LEFT_OUT, text)
        self._tell("evidence", f"{len(found)} episodes", "exact state does not answer")
        return found

    async def _facts_behind(self, evidence: Sequence[Evidence], have: Sequence[Picked]) -> list[Picked]:
        """Return what holds of the matters that episodes speak of: a stale one leads to what is so.

        Matters of which something said is out of date come first, whatever the scores, which what other tenants
        write may move; the answer is bounded, and what is cut is told. Of a subject that is not known they would
        be facts of others.
        """
        subjects = self._asked.routing.subjects
        if subjects and not any(key in self._asked.entities for key in subjects):
            return []
        spoken = [fact for found in evidence[:_LEADING] for fact in found.facts]
        spoken += [fact for found in evidence[_LEADING:] for fact in found.facts if not fact.holds]
        pairs = {(one.fact.subject, one.fact.attribute) for one in spoken}
        stale = {(one.fact.subject, one.fact.attribute) for one in spoken if not one.holds}
        at = self._window.last if self._window is not None else self._now
        known = {pick.fact.id for pick in have}
        held, total = await self._supporting.holding(sorted(pairs), at, self._asked.routing.known_at)
        new = [fact for fact in held if fact.id not in known]
        total -= len(held) - len(new)
        new.sort(key=lambda fact: (fact.subject, fact.attribute) not in stale)
        shown = min(len(new), MAX_RELATED)
        if total > shown:
            text = f"{total - shown} more facts hold of what was said than are shown"
            self._note(NoteKind.LEFT_OUT, text)
        return [Picked(fact, Role.RELATED) for fact in new[:MAX_RELATED]]

    async def _keep(
        self, picked: Sequence[Picked], related: Sequence[Picked], evidence: Sequence[Evidence]
    ) -> None:
        """Keep what was found, with its sources."""
        every = self._asked.routing.intent is Intent.WHO_SAID
        facts = [pick.fact for pick in (*picked, *related)]
        cited, notes = await self._supporting.support(facts, self._asked, every, reviewed=True)
        self._found.notes += notes
        keep = [
            ContextFact(
                fact=pick.fact,
                role=pick.role,
                name=self._asked.name(pick.fact.subject),
                since=pick.since,
                citations=tuple(cited.get(pick.fact.id, ())),
            )
            for pick in (*picked, *related)
        ]
        self._found.facts, self._found.related = keep[: len(picked)], keep[len(picked) :]
        quoted = {(citation.episode_id, citation.quote) for fact in keep for citation in fact.citations}
        self._found.evidence = [item for item in evidence if (item.episode.id, item.episode.text) not in quoted]


def _ended(fact: Fact) -> Note:
    text = (
        f"{fact.attribute} of {fact.subject} ended at {format_instant(fact.asserted_from)}, because of episode "
        f"{fact.episode_id}"
    )
    return Note(kind=NoteKind.ENDED, text=text, fact_id=fact.id, episode_id=fact.episode_id)
