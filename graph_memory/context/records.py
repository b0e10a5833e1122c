"""The records of an answer to a question: its facts, evidence, notes and trace. Instants are UTC."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graph_memory.domain.records import Fact, Record
from graph_memory.questions.records import Routing
from graph_memory.search.records import Evidence


class Role(StrEnum):
    """Why a fact is in a context.

    ANSWER: it answers. BEFORE, AFTER: it held before, or after, the one that answers. RELATED: it says more of
    what the question is about.
    """

    ANSWER = "answer"
    BEFORE = "before"
    AFTER = "after"
    RELATED = "related"


class ContextCitation(Record):
    """A source of a line of a context.

    Attributes:
        fact_id: the fact that it supports, of evidence the first one; None of evidence that supports none.
        episode_id: the episode.
        source: who said it.
        quote: the words that say it, where they were kept.
        said_at: when it was said: `occurred_at` of the episode, else when it was recorded.
    """

    fact_id: str | None
    episode_id: str
    source: str
    quote: str | None
    said_at: datetime


class ContextFact(Record):
    """A fact in a context.

    Attributes:
        fact: with the segment in which it holds.
        role: why it is here.
        name: what its subject is called.
        since: since when its value has held without a gap, where that was asked.
        citations: who says so: the episode that said it first, and where that was asked, those that confirmed it.
    """

    fact: Fact
    role: Role
    name: str
    since: datetime | None = None
    citations: tuple[ContextCitation, ...] = ()


class NoteKind(StrEnum):
    """What a note says.

    NOTHING_KNOWN: of what was asked for. ENDED: it held, and does no longer. BEGINS: it holds later.
    UNDER_REVIEW: candidates about it wait for a person. AMBIGUOUS: a name means several entities.
    NOT_UNDERSTOOD: the question leaves open whom or what it is about, or of which time.
    LEFT_OUT: not all was read, or had room.
    """

    NOTHING_KNOWN = "nothing_known"
    ENDED = "ended"
    BEGINS = "begins"
    UNDER_REVIEW = "under_review"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"
    LEFT_OUT = "left_out"


class Note(Record):
    """Something that an answer has to say beside its facts.

    Attributes:
        kind: what about.
        text: in words.
        fact_id: the fact that it is about, such as the end behind `ended`.
        episode_id: the episode behind it.
        candidates: ids of the candidates that wait.
    """

    kind: NoteKind
    text: str
    fact_id: str | None = None
    episode_id: str | None = None
    candidates: tuple[str, ...] = ()


class Step(Record):
    """One step on the way to an answer.

    Attributes:
        step: `question`, `time`, `exact state`, `related facts`, `evidence` or `budget`.
        found: what it found.
        why: why it was taken, or why it, or the next one, was not needed.
    """

    step: str
    found: str
    why: str


class Context(Record):
    """The smallest cited context that answers a question.

    Attributes:
        question: as it was asked.
        tenant: whose memory was asked.
        routing: what the question was taken to ask for.
        answered: whether exact state answers it; that something ended is an answer.
        facts: those that answer it, and where it asks what was replaced or changed also those before or after.
        related: facts beside them, those that matter most first.
        evidence: what a search found, only where exact state does not answer; which of its facts hold is said.
        notes: what has to be said besides.
        trace: the steps, and why the next one was or was not needed.
        text: all of it for a prompt, within the budget.
        tokens: how many tokens that takes, as far as it was counted.
    """

    question: str
    tenant: str
    routing: Routing
    answered: bool
    facts: tuple[ContextFact, ...] = ()
    related: tuple[ContextFact, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[Note, ...] = ()
    trace: tuple[Step, ...] = ()
    text: str = ""
    tokens: int = 0

    @property
    def citations(self) -> tuple[ContextCitation, ...]:
        """The sources of all lines: those of the facts, then those of the evidence."""
        of_facts = [citation for fact in (*self.facts, *self.related) for citation in fact.citations]
        of_evidence = [
            ContextCitation(
                fact_id=found.facts[0].fact.id if found.facts else None,
                episode_id=found.episode.id,
                source=found.episode.source,
                quote=found.quote,
                said_at=found.episode.said_at,
            )
            for found in self.evidence
        ]
        return (*of_facts, *of_evidence)

    def render(self) -> str:
        """Return it for a prompt: the answer first, a line for each fact and episode, with its source."""
        return self.text
