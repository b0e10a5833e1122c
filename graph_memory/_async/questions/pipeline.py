"""The five steps from a question to a context. Each tells what it found and why the next one was needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from graph_memory._async.questions.answers import AsyncAnswerReader
from graph_memory._async.questions.support import MAX_RELATED, AsyncSupportReader
from graph_memory.context.records import ContextFact, Note, NoteKind, Role, Step
from graph_memory.context.rendering import Findings
from graph_memory.context.selection import MAX_FACTS, Answers, Pair, Picked
from graph_memory.domain.instants import format_instant
from graph_memory.domain.records import Fact
from graph_memory.domain.wording import counted
from graph_memory.questions.interpretation import Asked
from graph_memory.questions.records import AT_ONCE, Intent, Router
from graph_memory.questions.time_expressions import Period, asked as bounded
from graph_memory.search.records import Evidence

MAX_EVIDENCE = 200
# No line of an episode takes fewer tokens.
_LEAST_LINE = 16
# Of so many episodes all that holds of their matters is told, of the others where something said is out of date.
_LEADING = 5

# Searches episodes. Arguments: the question, how many at most, the instant in valid time, that in recorded time.
Search = Callable[[str, int, datetime | None, datetime | None], Awaitable[list[Evidence]]]


class AsyncContextPipeline:
    """Finds what a context may hold, for one question.

    Args:
        answering: reads the tenant's exact state.
        supporting: reads related facts, sources and candidates under review.
        search: searches the tenant's episodes.
        tenant: name of the tenant.
        asked: the question as it was understood.
        now: the instant that counts as now (UTC); None: the database's clock decides.
        budget: how many tokens the context may take.
    """

    def __init__(
        self,
        answering: AsyncAnswerReader,
        supporting: AsyncSupportReader,
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
        """Take the steps that this question needs, and return what they found."""
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
        """Read a bare day in the question as a time, unless it is a value of what is asked for."""
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
        whom = ", ".join(routing.subjects) or "no known entity"
        what = ", ".join((*routing.attributes, *asked.onward)) or (
            "all that is known" if asked.of_all else "no known attribute"
        )
        unread = (
            f"; not understood: {', '.join(sorted(asked.left))}" if asked.left and not routing.attributes else ""
        )
        self._tell("question", f"{routing.intent}: {what} of {whom}", f"decided by {routing.by}{unread}")
        if asked.failure is not None:
            self._tell("question", "the reading by the model cannot be used, so the rules decided", asked.failure)
        if routing.by is Router.RULES and asked.possible:
            self._tell(
                "question", f"perhaps {', '.join(asked.possible)}", "their descriptions share words with it"
            )
        why = "the question names no time" if self._window is None else "from the question or the caller"
        if asked.time_unread:
            self._tell("time", "not understood", ", ".join(asked.time_unread))
        else:
            self._tell("time", self._when(), why)
        for name in asked.ambiguous:
            text = f"one name means {', '.join((*name.answered, *name.others))}: this answer is about "
            self._note(
                NoteKind.AMBIGUOUS, text + ("each of them" if not name.others else ", ".join(name.answered))
            )
        if set(asked.more) - {key for name in asked.ambiguous for key in name.others}:
            text = f"the question may also be about {', '.join(asked.more)}: this answer is about {whom}"
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
        """Read the facts that answer exactly, and note what is missing, ended or under review."""
        asked, routing = self._asked, self._asked.routing
        if asked.time_unread:
            words = " and ".join(map(repr, asked.time_unread))
            times = "time" if len(asked.time_unread) == 1 else "times"
            return self._unread(f"the {times} {words} cannot be read: write one date, such as 2026-03-01")
        if not routing.subjects or not (routing.attributes or asked.of_all):
            of = f"attribute of {', '.join(routing.subjects)}" if routing.subjects else "entity"
            return self._unread(f"the question names no known {of}")
        if asked.open is not None:
            return self._unread(asked.open)
        found = await self._answering.answer(asked, self._window, self._now)
        if unsure := await self._answering.unsure(asked, found):
            self._note(NoteKind.NOT_UNDERSTOOD, unsure)
            self._tell("exact state", "nothing surely answers", unsure)
            return Answers(related=[Picked(pick.fact, Role.RELATED) for pick in found.picked[-MAX_FACTS:]])
        total = max(len(found.picked), found.total)
        if total > MAX_FACTS:
            text = f"{total} facts answer: only the last {MAX_FACTS} are shown"
            self._note(NoteKind.LEFT_OUT, text)
            found.picked = found.picked[-MAX_FACTS:]
        answers = [pick for pick in found.picked if pick.role is Role.ANSWER]
        self._found.answered = bool(answers)
        for pick in answers:
            if pick.fact.ended:
                self._found.notes.append(_ended(pick.fact))
        self._found.notes += found.notes
        await self._note_missing(found)
        told = f"{len(answers)} facts answer" if len(answers) != 1 else "1 fact answers"
        why = "recorded facts decide, so no text is searched" if answers else "so what was said is searched"
        self._tell("exact state", told if answers else "nothing answers", why)
        return found

    def _unread(self, why: str) -> Answers:
        """Note why exact state is not read."""
        self._note(NoteKind.NOT_UNDERSTOOD, why)
        self._tell("exact state", "nothing was read", why)
        return Answers()

    async def _note_missing(self, found: Answers) -> None:
        asked, routing, picked = self._asked, self._asked.routing, found.picked
        whom, over_time = ", ".join(routing.subjects), routing.intent not in AT_ONCE
        if asked.of_all and not picked:
            nothing = "no change" if routing.intent is Intent.CHANGED else "nothing"
            self._note(NoteKind.NOTHING_KNOWN, f"{nothing} is known of {whom} {self._when()}")
        elif asked.inward:
            if not picked and not found.notes:
                had = "has had" if over_time else "has" if self._window is None else "had"
                had = "used to have" if routing.intent is Intent.REPLACED else had
                when = self._known() if over_time and self._window is None else f" {self._when()}"
                text = f"nobody {had} {whom} as {', '.join(asked.inward)}{when}"
                self._note(NoteKind.NOTHING_KNOWN, text)
        elif missing := self._missing(found):
            window = self._window or Period(self._now or await self._answering.now())
            self._found.notes += await self._supporting.around(missing, asked, window, self._when())
        if picked and not self._found.answered:
            none = {Intent.REPLACED: "no earlier value is known", Intent.REPLACED_BY: "no later value is known"}
            text = none.get(routing.intent, f"no value is known that began {self._when()}")
            self._note(NoteKind.NOTHING_KNOWN, text)

    def _missing(self, found: Answers) -> list[Pair]:
        """Return the pairs without a fact; where one of several attributes may be meant, one fact is enough."""
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
            why = "the answer is exact, so only facts that share words with the question"
        else:
            why = "nothing answers exactly, so all that holds of the subject and of what it refers to"
        self._tell("related facts", counted(len(related), "fact"), why)

    async def _evidence(self) -> list[Evidence]:
        asked, routing = self._asked, self._asked.routing
        unnamed = (asked.name(key) for key in routing.subjects if key not in asked.mentioned)
        words = " ".join([asked.question, *unnamed])
        at = self._now if self._window is None else self._window.last
        found = await self._search(words, self._most, at, routing.known_at)
        if len(found) == MAX_EVIDENCE:
            self._note(NoteKind.LEFT_OUT, f"{MAX_EVIDENCE} episodes or more match: only the best are shown")
        self._tell("evidence", counted(len(found), "episode"), "exact state does not answer")
        return found

    async def _facts_behind(self, evidence: Sequence[Evidence], have: Sequence[Picked]) -> list[Picked]:
        """Return what holds now for the subjects and attributes that the episodes speak of.

        Attributes with an outdated statement come first: search scores decide nothing here, because the texts of
        other tenants can change them. At most MAX_RELATED are returned, and a note tells how many were found.
        Where the question names only unknown subjects, the facts would be about others, so none are returned.
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
            text = f"{total} facts hold about what was said: only {shown} are shown"
            self._note(NoteKind.LEFT_OUT, text)
        return [Picked(fact, Role.RELATED) for fact in new[:MAX_RELATED]]

    async def _keep(
        self, picked: Sequence[Picked], related: Sequence[Picked], evidence: Sequence[Evidence]
    ) -> None:
        """Store what was found, with its sources, in the findings."""
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
