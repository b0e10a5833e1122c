"""Questions generated from what a memory was told, each with the facts that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise

from graph_memory import Context, Fact, Intent, Ref, Role, Tenant
from graph_memory.questions.time_expressions import dates

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
        when = f"in {year}" if year >= 1000 else f"in the year {year}"
        yield Question(
            f"What was {subject}'s {words} {when}?", Intent.AS_OF, named(_in_year(segments, year, many))
        )


def since(tenant: Tenant, subject: str, attribute: str, words: str, many: bool) -> Iterator[Question]:
    """Yield since when an attribute of a subject has had each of its values."""
    runs = tenant.history(subject, attribute, coalesce=True)
    for value in {run.value: None for run in runs if run.value is not None and not (many and run.ended)}:
        theirs = [run for run in runs if run.value == value and not run.ended]
        text = f"Since when has the {words} of {subject} been {shown(theirs[0])}?"
        yield Question(text, Intent.SINCE, named(theirs))


def never(tenant: Tenant, subject: str, attribute: str, words: str, values: Iterable[Fact]) -> Iterator[Question]:
    """Yield what can be asked of a value that the attribute of a subject never had: nothing answers it."""
    had = {shown(run).casefold() for run in tenant.history(subject, attribute) if run.value is not None}
    for other in values:
        value = shown(other)
        if any(value.casefold() in one or one in value.casefold() for one in had):
            continue
        yield Question(f"Who said that the {words} of {subject} is {value}?", Intent.WHO_SAID, frozenset())
        yield Question(f"Since when is the {words} of {subject} {value}?", Intent.SINCE, frozenset())
        yield Question(f"What replaced {value} as {words} of {subject}?", Intent.REPLACED_BY, frozenset())
        yield Question(f"What did {value} replace as {words} of {subject}?", Intent.REPLACED, frozenset())
        if not dates(value, datetime.now(UTC)):  # "before" a date asks for a time
            yield Question(f"What was the {words} of {subject} before {value}?", Intent.REPLACED, frozenset())


def of_two(tenant: Tenant, subjects: Iterable[str], attribute: str, words: str, many: bool) -> Iterator[Question]:
    """Yield what the attribute of two subjects is now, and was in each year in which one of them changed."""
    for pair in combinations(subjects, 2):
        segments = [fact for subject in pair for fact in tenant.history(subject, attribute)]
        now = [
            fact
            for subject in pair
            for fact in (tenant.values(subject, attribute) if many else [tenant.current(subject, attribute)])
            if fact
        ]
        yield Question(f"What is the {words} of {pair[0]} and {pair[1]}?", Intent.CURRENT, named(now))
        for year in sorted({fact.valid_from.year for fact in segments if fact.valid_from.year >= 1000}):
            text = f"What was {pair[0]}'s and {pair[1]}'s {words} in {year}?"
            yield Question(text, Intent.AS_OF, named(_in_year(segments, year, many)))


def who_has(
    segments: Iterable[Fact], runs: Iterable[Fact], value: str, words: str, now: datetime
) -> Iterator[Question]:
    """Yield who has an entity as the value of an attribute: now, in each year, ever, formerly, and since when.

    Args:
        segments: all of that attribute, of whatever subject and value.
        runs: the same, touching ones of equal value as one.
        value: key of the entity.
        words: the attribute, as the question has it.
        now: the instant that stands for now.
    """
    held, once = _of(segments, value), _of(runs, value)
    yield Question(f"Who has {value} as {words}?", Intent.CURRENT, named(_at(held, now)))
    text = f"Since when does who has it have {value} as {words}?"
    yield Question(text, Intent.SINCE, named(_at(once, now)))
    yield Question(f"Who has ever had {value} as {words}?", Intent.CHANGED, named(once))
    over = [run for run in once if run.valid_to is not None and run.valid_to <= now]
    yield Question(f"Who used to have {value} as {words}?", Intent.REPLACED, named(over))
    years = {at.year for f in held for at in (f.valid_from, f.valid_to) if at is not None and at.year >= 1000}
    for year in sorted(years):
        text = f"Who had {value} as {words} in {year}?"
        yield Question(text, Intent.AS_OF, named(_in_year(held, year, True)))


def _of(facts: Iterable[Fact], value: str) -> list[Fact]:
    return [fact for fact in facts if isinstance(fact.value, Ref) and fact.value.key == value]


def _at(facts: Iterable[Fact], at: datetime) -> list[Fact]:
    return [fact for fact in facts if fact.valid_from <= at and (fact.valid_to is None or fact.valid_to > at)]


def _in_year(segments: Iterable[Fact], year: int, many: bool) -> list[Fact]:
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return [
        fact
        for fact in segments
        if fact.valid_from < end and (fact.valid_to is None or fact.valid_to > start) and not (many and fact.ended)
    ]
