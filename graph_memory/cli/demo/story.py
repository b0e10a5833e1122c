"""The demo's story: a corrected deadline, and a note found late; how it is told to a memory and what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from graph_memory import Episode, Explanation, Fact, Tenant

SUBJECT, ATTRIBUTE = "mira", "passport_deadline"


@dataclass(frozen=True)
class Chapter:
    """An episode, and the deadline that it tells."""

    id: str
    text: str
    quote: str
    deadline: date
    since: str


# In the order of arrival: the last one tells of a time before the others.
STORY = (
    Chapter(
        "e1",
        "Mira prefers concise answers. Her passport deadline is 2026-07-15.",
        "Her passport deadline is 2026-07-15.",
        date(2026, 7, 15),
        "2026-06-01T09:00:00Z",
    ),
    Chapter(
        "e2",
        "Mira corrected the deadline. It is now 2026-06-30.",
        "It is now 2026-06-30.",
        date(2026, 6, 30),
        "2026-06-03T10:00:00Z",
    ),
    Chapter(
        "e0",
        "A note from May, found late: Mira's papers are good until 2026-08-01.",
        "Mira's papers are good until 2026-08-01.",
        date(2026, 8, 1),
        "2026-05-30T08:00:00Z",
    ),
)


@dataclass(frozen=True)
class Answer:
    """What one read gave.

    Attributes:
        question: in words.
        call: the same with the library.
        episode: what the read itself found, where it was a search.
        why: of the fact that is the answer; None where nothing is known.
        remark: what to notice, computed from the records.
    """

    question: str
    call: str
    why: Explanation | None
    episode: Episode | None = None
    remark: str | None = None


def tell(tenant: Tenant) -> Iterator[tuple[Chapter, Fact]]:
    """Record each chapter's episode and assert its fact; yields the fact as the ledger has it."""
    for chapter in STORY:
        tenant.record(chapter.text, chapter.id, occurred_at=chapter.since)
        fact = tenant.assert_fact(
            SUBJECT,
            ATTRIBUTE,
            chapter.deadline,
            valid_from=chapter.since,
            episode=chapter.id,
            quote=chapter.quote,
        )
        yield chapter, fact


def ask(tenant: Tenant, arrived: Episode) -> Iterator[Answer]:
    """Read what the story is about, one answer after the other.

    Args:
        tenant: whose memory it is.
        arrived: the episode that came last.
    """
    yield _search(tenant, "passport deadline")
    state = tenant.state(SUBJECT, "2026-06-04").get(ATTRIBUTE)
    assert not isinstance(state, list)
    yield _answer(
        tenant, "What is the state as of 2026-06-04?", f'tenant.state("{SUBJECT}", at="2026-06-04")', state
    )
    for day in ("2026-06-02", "2026-05-31"):
        yield _answer(
            tenant,
            f"What was the deadline on {day}?",
            f'tenant.as_of("{SUBJECT}", "{ATTRIBUTE}", "{day}")',
            tenant.as_of(SUBJECT, ATTRIBUTE, day),
        )
    before = arrived.recorded_at - timedelta(microseconds=1)
    yield _answer(
        tenant,
        f"What was believed about 2026-05-31 before {arrived.id} arrived?",
        f'tenant.as_of("{SUBJECT}", "{ATTRIBUTE}", "2026-05-31", known_at="{format_instant(before)}")',
        tenant.as_of(SUBJECT, ATTRIBUTE, "2026-05-31", before),
    )


def _search(tenant: Tenant, words: str) -> Answer:
    question = f'Which episode matches the words "{words}" best?'
    call = f'tenant.search("{words}")'
    found = tenant.search(words)
    if not found:
        return Answer(question, call, None)
    best = found[0].episode
    said = [fact for fact in tenant.history(SUBJECT, ATTRIBUTE) if fact.episode_id == best.id]
    if not said:
        return Answer(question, call, None, best)
    why = tenant.explain(said[0].id)
    remark = None
    if why.replaced_by:
        last = why.replaced_by[-1]
        remark = (
            f"The best match is stale: {last.episode_id} replaced what it says from "
            f"{format_instant(last.asserted_from)} on. Text is evidence, not the answer."
        )
    return Answer(question, call, why, best, remark)


def _answer(tenant: Tenant, question: str, call: str, fact: Fact | None) -> Answer:
    if fact is None:
        return Answer(question, call, None)
    why = tenant.explain(fact.id)
    remark = None
    if why.replaced is not None:
        remark = f"It supersedes {why.replaced.value} from {why.replaced.episode_id}."
    return Answer(question, call, why.model_copy(update={"fact": fact}), remark=remark)
