"""The records of an answer to a question: its facts, evidence, notes and trace. Instants are UTC."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graph_memory.domain.records import Fact, Record
from graph_memory.questions.records import Routing
from graph_memory.search.records import Evidence


class Role(StrEnum):
    """The role of a fact in a context.

    ANSWER: it answers. BEFORE, AFTER: it held before or after the fact that answers. RELATED: it says more about
    the subjects of the question.
    """

    ANSWER = "answer"
    BEFORE = "before"
    AFTER = "after"
    RELATED = "related"


class ContextCitation(Record):
    """A source of a line of a context.

    Attributes:
        fact_id: id of the fact that it supports, for evidence the first fact; None: evidence without facts.
        episode_id: id of the episode.
        source: who said it.
        quote: the words that say it; None: none were stored.
        said_at: when it was said: `occurred_at` of the episode, else its recorded time.
    """

    fact_id: str | None
    episode_id: str
    source: str
    quote: str | None
    said_at: datetime


class ContextFact(Record):
    """A fact in a context.

    Attributes:
        fact: the fact, with the segment in which it holds.
        role: its role in the context.
        name: the name of its subject.
        since: the instant since which its value has held without a gap; None: the question does not ask for it.
        citations: its sources: the episode that said it first and, if the question asks who said it, those that
            confirmed it.
    """

    fact: Fact
    role: Role
    name: str
    since: datetime | None = None
    citations: tuple[ContextCitation, ...] = ()


class NoteKind(StrEnum):
    """What a note is about.

    NOTHING_KNOWN: nothing is known of what was asked for. ENDED: it held, and no longer holds. BEGINS: it holds
    later. UNDER_REVIEW: candidates about it wait for a person. AMBIGUOUS: a name means several entities.
    NOT_UNDERSTOOD: the subject, the attribute or the time of the question is unclear.
    LEFT_OUT: not everything was read, or fits the budget.
    """

    NOTHING_KNOWN = "nothing_known"
    ENDED = "ended"
    BEGINS = "begins"
    UNDER_REVIEW = "under_review"
    AMBIGUOUS = "ambiguous"
    NOT_UNDERSTOOD = "not_understood"
    LEFT_OUT = "left_out"


class Note(Record):
    """A remark of an answer beside its facts.

    Attributes:
        kind: what the note is about.
        text: the note, in English.
        fact_id: id of the fact that it is about, such as the end behind `ended`.
        episode_id: id of the episode behind it.
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
        found: what the step found.
        why: why the step was taken, or why this step or the next one was not needed.
    """

    step: str
    found: str
    why: str


class Context(Record):
    """The smallest cited context that answers a question.

    Attributes:
        question: the question.
        tenant: name of the tenant that was asked.
        routing: the reading of the question.
        answered: whether exact state answers it; an end is an answer.
        facts: the facts that answer it; for replaced or changed values, also the facts before or after.
        related: further facts, the most relevant first.
        evidence: the evidence of a search, only if exact state does not answer; it tells which facts hold.
        notes: remarks beside the facts.
        trace: the steps, each with the reason for the next one.
        text: the whole context for a prompt, within the budget.
        tokens: the number of tokens of `text`, as the counter counts them.
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
        """The sources of all lines: of the facts, then of the evidence."""
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
        """Return the text for a prompt: the answer first, one line for each fact and episode, with its source."""
        return self.text
