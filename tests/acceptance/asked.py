"""Questions generated from what a memory was told, each with the facts that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from graph_memory import Context, Fact, Intent, Ref, Role, Tenant

Answer = frozenset[tuple[str, datetime]]
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Question:
    """A question in words, what it asks for, and the segments that answer it, by fact and start."""

    text: str
    intent: Intent
    expected: Answer


def named(facts: list[Fact]) -> Answer:
    """Return segments as an answer has them."""
    return frozenset((fact.id, fact.valid_from) for fact in facts)


def answered(context: Context) -> Answer:
    """Return the segments that a context gives as the answer."""
    return named([item.fact for item in context.facts if item.role is Role.ANSWER])


def shown(fact: Fact) -> str:
    """Return a value as people write it."""
    return fact.value.key if isinstance(fact.value, Ref) else str(fact.value)


def questions(tenant: Tenant, subject: str, attribute: str, words: str, many: bool) -> Iterator[Question]:
    """Yield what can be asked of one attribute of a subject.

    Args:
        tenant: whose memory it is.
        subject: key, as the question has it.
        attribute: name.
        words: the attribute, as the question has it.
        many: its cardinality.
    """
    segments = tenant.history(subject, attribute)
    now = tenant.values(subject, attribute) if many else [tenant.current(subject, attribute)]
    yield Question(f"What is {subject}'s {words}?", Intent.CURRENT, named([fact for fact in now if fact]))
    yield from _as_of(tenant, subject, attribute, words, many, segments)
    for fact in segments:
        if not fact.ended:
            yield Question(
                f"Who said that the {words} of {subject} is {shown(fact)}?",
                Intent.WHO_SAID,
                named([s for s in tenant.history(subject, attribute, coalesce=True) if s.value == fact.value]),
            )
    runs = tenant.history(subject, attribute, coalesce=True)
    yield Question(
        f"What changed about the {words} of {subject}?",
        Intent.CHANGED,
        named([r for r in runs if not (many and r.ended)]),
    )
    if many:
        return
    for one, other in pairwise(runs):
        # Of a value that came back it is open which time is meant.
        if one.value is not None and sum(run.value == one.value for run in runs) == 1:
            yield Question(
                f"What replaced {shown(one)} as {words} of {subject}?", Intent.REPLACED_BY, named([other])
            )
        if other.value is not None and sum(run.value == other.value for run in runs) == 1:
            text = f"What did {shown(other)} replace as {words} of {subject}?"
            yield Question(text, Intent.REPLACED, named([one]))
        since = other.valid_from
        if since.time() == LONG_AGO.time() and len(runs) > 1:
            text = f"How did the {words} of {subject} change since {since.date()}?"
            yield Question(text, Intent.CHANGED, named([r for r in runs if r.valid_from >= since]))


def _as_of(
    tenant: Tenant, subject: str, attribute: str, words: str, many: bool, segments: list[Fact]
) -> Iterator[Question]:
    instants = {fact.valid_from for fact in segments} | {fact.valid_to for fact in segments if fact.valid_to}
    for at in sorted(instants):
        held = tenant.values(subject, attribute, at) if many else [tenant.as_of(subject, attribute, at)]
        text = f"What was the {words} of {subject} at {at.isoformat().replace('+00:00', 'Z')}?"
        yield Question(text, Intent.AS_OF, named([fact for fact in held if fact]))
        if at == LONG_AGO:
            continue
        before = at - timedelta(microseconds=1)
        held = tenant.values(subject, attribute, before) if many else [tenant.as_of(subject, attribute, before)]
        text = f"What was the {words} of {subject} before {at.isoformat()}?"
        yield Question(text, Intent.AS_OF, named([fact for fact in held if fact]))
    for year in sorted({at.year for at in instants} - {1}):
        start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
        held = [
            fact
            for fact in segments
            if fact.valid_from < end
            and (fact.valid_to is None or fact.valid_to > start)
            and not (many and fact.ended)
        ]
        when = f"in {year}" if year >= 1000 else f"in the year {year}"
        yield Question(f"What was {subject}'s {words} {when}?", Intent.AS_OF, named(held))
