"""A value comes back exactly as it was asserted, with its type."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from story import Story, day

from graph_memory import InvalidInputError, Ref, Value

VALUES: list[Value] = [
    True, False, 0, 1, -(2**63), 2**63 - 1, 0.0, 1.0, 0.1, -1.5e-300, 1.7976931348623157e308,
    "", "1", "true", "[x]", "`a` $b {c: 1} // \\ '\"", "line\nline\ttab", "\u0000zero", "\U0001f98a e\u0301",
    date(1, 1, 1), date(2024, 2, 29), date(9999, 12, 31), "2026-06-01",
    datetime(2026, 6, 1, 12, 0, 0, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), Ref("acme"), Ref("1"),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_survives_every_way_of_reading_it(story: Story, value: Value) -> None:
    tenant = story.tenant
    written = story.say(value, 1)
    read = [
        written.value,
        story.holds(1),
        tenant.fact(written.id).value,
        tenant.history("mira", "home")[0].value,
        tenant.as_of_many([("mira", "home")], day(1))[0].value,  # type: ignore[union-attr]
        tenant.state("mira", day(1))["home"].value,  # type: ignore[union-attr]
        story.holds(1, known_at=written.recorded_at),
        tenant.explain(written.id).fact.value,
    ]
    assert [(type(found), found) for found in read] == [(type(value), value)] * len(read)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_of_cardinality_many_survives_too(story: Story, value: Value) -> None:
    story.say(value, 1, attribute="likes")
    (fact,) = story.tenant.values("mira", "likes", day(1))
    assert (type(fact.value), fact.value) == (type(value), value)


def test_a_long_text_is_kept_whole(story: Story) -> None:
    text = "word " * 13_000
    story.say(text, 1)
    assert story.holds(1) == text


def test_a_datetime_is_kept_in_utc(story: Story) -> None:
    local = datetime(2026, 6, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    story.say(local, 1)
    value = story.holds(1)
    assert isinstance(value, datetime)
    assert (value, value.utcoffset()) == (local, timedelta(0))


def test_a_reference_keeps_the_kind_it_was_given(story: Story) -> None:
    fact = story.say(Ref("acme", "Company"), 1)
    assert isinstance(fact.value, Ref)
    assert fact.value.kind == "Company"


def test_a_reference_given_another_kind_is_the_same_value(story: Story) -> None:
    fact = story.say(Ref("acme", "Company"), 1)
    assert story.say(Ref("acme"), 1).id == fact.id


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), float("inf"), 2**63, "bad \ud800", datetime(2026, 1, 1), b"x", ["x"], "x" * 65_537],
    ids=lambda value: repr(value)[:20],
)
def test_a_value_that_is_not_allowed_is_refused_before_anything_is_written(story: Story, value: Value) -> None:
    episode = story.hear()
    with pytest.raises(InvalidInputError, match="value"):
        story.say(value, 1, episode=episode)
    assert story.history() == []


@pytest.mark.parametrize("attribute", ["", "Home", "a-b", "x" * 65, "supersedes", "home` {x"])
def test_an_attribute_that_is_not_allowed_is_refused_by_reads_and_writes(story: Story, attribute: str) -> None:
    episode = story.hear()
    with pytest.raises(InvalidInputError, match="attribute"):
        story.say("A", 1, attribute=attribute, episode=episode)
    with pytest.raises(InvalidInputError, match="attribute"):
        story.tenant.as_of("mira", attribute, day(1))
    with pytest.raises(InvalidInputError, match="attribute"):
        story.tenant.history("mira", attribute)
