"""The one rule: the entry that starts latest holds, whatever the order of arrival."""

import itertools
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from story import START, Story, day, piece

from graph_memory import ConflictError, InvalidInputError, NotFoundError

TICK = timedelta(microseconds=1)


def test_of_an_unknown_subject_nothing_is_known(story: Story) -> None:
    tenant = story.tenant
    assert tenant.current("nobody", "home") is None
    assert tenant.as_of("nobody", "home", START) is None
    assert tenant.history("nobody", "home") == []
    assert tenant.state("nobody") == {}


def test_a_fact_comes_back_as_it_was_asserted(story: Story) -> None:
    fact = story.say("Berlin", 1, 9, episode=story.hear())
    assert (fact.tenant, fact.subject, fact.attribute, fact.value) == (
        story.tenant.name,
        "mira",
        "home",
        "Berlin",
    )
    assert (fact.valid_from, fact.valid_to, fact.asserted_from, fact.until) == (
        day(1),
        day(9),
        day(1),
        day(9),
    )
    assert (fact.ended, fact.retracted_at, fact.supersedes, fact.episode_id) == (False, None, None, "e1")
    assert story.tenant.fact(fact.id) == fact
    assert story.tenant.as_of("mira", "home", day(5)) == fact


def test_the_later_start_holds_from_there_on(story: Story) -> None:
    story.say("Berlin", 1)
    story.say("Paris", 5)
    assert story.history() == [piece("Berlin", 1, 5), piece("Paris", 5)]


def test_a_segment_holds_at_its_first_instant_and_not_at_its_last(story: Story) -> None:
    story.say("Berlin", 1, 5)
    held = [story.tenant.as_of("mira", "home", at) for at in (day(1) - TICK, day(1), day(5) - TICK, day(5))]
    assert [fact and fact.value for fact in held] == [None, "Berlin", "Berlin", None]


def test_a_late_arrival_before_all_others_ends_where_the_next_starts(story: Story) -> None:
    story.say("Paris", 5)
    late = story.say("Berlin", 1)
    assert story.history() == [piece("Berlin", 1, 5), piece("Paris", 5)]
    assert late.supersedes is None


def test_a_late_arrival_in_the_middle_takes_the_rest_of_the_segment_it_falls_in(story: Story) -> None:
    first = story.say("Berlin", 1)
    last = story.say("Paris", 9)
    late = story.say("Rome", 5)
    assert story.history() == [piece("Berlin", 1, 5), piece("Rome", 5, 9), piece("Paris", 9)]
    assert (late.valid_from, late.valid_to, late.supersedes) == (day(5), day(9), first.id)
    assert story.tenant.fact(last.id).supersedes == first.id


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=lambda o: "".join(map(str, o)))
def test_the_order_of_arrival_does_not_matter(story: Story, order: tuple[int, ...]) -> None:
    said = [("A", 1, None), ("B", 3, 9), ("C", 5, 7), ("D", 6, None)]
    for number in order:
        story.say(*said[number])
    assert story.history() == [piece("A", 1, 3), piece("B", 3, 5), piece("C", 5, 6), piece("D", 6)]


def test_a_bounded_fact_gives_back_what_it_had_covered(story: Story) -> None:
    home = story.say("home", 1)
    hotel = story.say("hotel", 5, 8)
    assert story.history() == [piece("home", 1, 5), piece("hotel", 5, 8), piece("home", 8)]
    assert [fact.id for fact in story.tenant.history("mira", "home")] == [home.id, hotel.id, home.id]


def test_a_read_gives_the_segment_that_holds_and_a_write_the_first(story: Story) -> None:
    home = story.say("home", 1)
    story.say("hotel", 5, 8)
    after = story.tenant.as_of("mira", "home", day(9))
    assert after is not None
    assert (after.id, after.valid_from, after.valid_to) == (home.id, day(8), None)
    first = story.tenant.fact(home.id)
    assert (first.valid_from, first.valid_to) == (day(1), day(5))


def test_an_end_hidden_by_a_value_at_its_start_holds_nowhere(story: Story) -> None:
    story.say("Paris", 5)
    end = story.end(5)
    assert (end.valid_from, end.valid_to, end.asserted_from) == (day(5), day(5), day(5))
    assert story.history() == [piece("Paris", 5)]


def test_the_same_value_again_later_is_an_entry_of_its_own(story: Story) -> None:
    first, second = story.say("A", 1), story.say("A", 5)
    assert first.id != second.id
    late = story.say("B", 3)
    assert story.history() == [piece("A", 1, 3), piece("B", 3, 5), piece("A", 5)]
    assert late.supersedes == first.id


def test_coalescing_joins_touching_segments_of_equal_typed_value(story: Story) -> None:
    first = story.say(1, 1)
    story.say(1, 3)
    story.say(1.0, 5)
    story.say(True, 7)
    assert story.history(coalesce=True) == [piece(1, 1, 5), piece(1.0, 5, 7), piece(True, 7)]
    assert story.tenant.history("mira", "home", coalesce=True)[0].id == first.id


def test_coalescing_leaves_a_gap_between_equal_values(story: Story) -> None:
    story.say("A", 1, 3)
    story.say("A", 4)
    assert story.history(coalesce=True) == story.history() == [piece("A", 1, 3), piece("A", 4)]


def test_current_is_what_holds_now_and_not_what_is_open(story: Story) -> None:
    now = datetime.now(UTC)
    tenant, episode, hour = story.tenant, story.hear(), timedelta(hours=1)
    tenant.assert_fact("mira", "home", "now", valid_from=now - hour, until=now + 24 * hour, episode=episode)
    tenant.assert_fact("mira", "home", "later", valid_from=now + 12 * hour, episode=episode)
    fact = tenant.current("mira", "home")
    assert fact is not None
    assert fact.value == "now"
    assert fact.valid_to == now + 12 * hour
    state = tenant.state("mira")["home"]
    assert state == fact


def test_what_is_only_in_the_future_is_not_current(story: Story) -> None:
    story.tenant.assert_fact(
        "mira", "home", "soon", valid_from=datetime.now(UTC) + timedelta(days=1), episode=story.hear()
    )
    assert story.tenant.current("mira", "home") is None
    assert story.tenant.state("mira") == {}


@pytest.mark.parametrize(
    "start",
    [
        date(2026, 1, 1),
        "2026-01-01",
        "2026-01-01T00:00:00Z",
        "2026-01-01T09:00:00+09:00",
        datetime(2025, 12, 31, 19, tzinfo=timezone(timedelta(hours=-5))),
    ],
    ids=str,
)
def test_one_moment_is_one_instant_however_it_is_written(story: Story, start: datetime | date | str) -> None:
    tenant, episode = story.tenant, story.hear()
    fact = tenant.assert_fact("mira", "home", "A", valid_from=start, episode=episode)
    assert fact.valid_from == START
    assert tenant.assert_fact("mira", "home", "A", valid_from=START, episode=episode).id == fact.id
    assert tenant.as_of("mira", "home", start) == fact


def test_instants_keep_microseconds_from_year_1_to_9999(story: Story) -> None:
    tenant = story.tenant
    first = datetime.min.replace(tzinfo=UTC)
    last = datetime.max.replace(tzinfo=UTC)
    fact = tenant.assert_fact("mira", "home", "A", valid_from=first, until=last, episode=story.hear())
    assert (fact.valid_from, fact.valid_to) == (first, last)
    assert tenant.as_of("mira", "home", first) == tenant.as_of("mira", "home", last - TICK) == fact
    assert tenant.as_of("mira", "home", last) is None


def test_as_of_many_answers_each_key_in_order(story: Story) -> None:
    story.say("Berlin", 1)
    story.say("Acme", 1, attribute="employer")
    story.say("Rome", 3, subject="ann")
    keys = [("ann", "home"), ("mira", "employer"), ("nobody", "home"), ("mira", "home"), ("mira", "home")]
    found = story.tenant.as_of_many(keys, day(2))
    assert [fact and fact.value for fact in found] == [None, "Acme", None, "Berlin", "Berlin"]
    assert found == [story.tenant.as_of(*key, day(2)) for key in keys]
    assert story.tenant.as_of_many([], day(2)) == []


def test_state_is_everything_that_holds_of_a_subject(story: Story) -> None:
    story.say("Berlin", 1)
    story.say("Acme", 1, 3, attribute="employer")
    story.say("tea", 1, attribute="likes")
    story.say("rain", 2, attribute="likes")
    state = story.tenant.state("mira", day(2))
    assert state["home"] == story.tenant.as_of("mira", "home", day(2))
    assert state["employer"] == story.tenant.as_of("mira", "employer", day(2))
    likes = state["likes"]
    assert isinstance(likes, list)
    assert sorted(str(fact.value) for fact in likes) == ["rain", "tea"]
    assert set(story.tenant.state("mira", day(4))) == {"home", "likes"}
    assert story.tenant.state("mira", day(0)) == {}


@pytest.mark.parametrize("until", [1, 0.5], ids=["equal", "before"])
def test_until_must_be_after_the_start(story: Story, until: float) -> None:
    with pytest.raises(InvalidInputError, match="until"):
        story.say("A", 1, until)
    with pytest.raises(InvalidInputError, match="until"):
        story.end(1, until)
    assert story.history() == []


def test_the_same_statement_from_the_same_episode_is_a_replay(story: Story) -> None:
    fact = story.say("A", 1, episode=story.hear())
    assert story.say("A", 1, episode="e1") == fact
    assert len(story.tenant.explain(fact.id).citations) == 1


def test_a_replay_returns_the_entry_even_after_it_was_retracted(story: Story) -> None:
    fact = story.say("A", 1, episode=story.hear())
    story.tenant.retract_fact(fact.id, reason="a slip")
    again = story.say("A", 1, episode="e1")
    assert again.id == fact.id
    assert again.retracted_at is not None
    assert story.history() == []


def test_the_same_statement_from_another_episode_is_a_confirmation(story: Story) -> None:
    fact = story.say("A", 1)
    second = story.hear()
    assert story.say("A", 1, episode=second) == fact
    explained = story.tenant.explain(fact.id)
    assert [episode.id for episode in explained.episodes] == [fact.episode_id, second]
    assert len(story.history()) == 1


def test_repeating_a_confirmation_is_a_replay(story: Story) -> None:
    fact = story.say("A", 1)
    second = story.hear()
    for _ in range(3):
        story.say("A", 1, episode=second)
    assert len(story.tenant.explain(fact.id).confirmations) == 1


@pytest.mark.parametrize(("value", "until"), [("B", None), ("A", 9), (1, None)], ids=str)
def test_another_value_or_until_at_one_start_is_a_conflict(story: Story, value: str, until: float | None) -> None:
    fact = story.say("A", 1)
    with pytest.raises(ConflictError) as caught:
        story.say(value, 1, until)
    assert [stands.id for stands in caught.value.facts] == [fact.id]
    assert story.history() == [piece("A", 1)]
    assert story.tenant.fact(fact.id) == fact


def test_values_of_different_types_never_count_as_the_same(story: Story) -> None:
    story.say(True, 1)
    for value in (1, 1.0, "1", "True"):
        with pytest.raises(ConflictError):
            story.say(value, 1)
    assert story.holds(1) is True


def test_an_unknown_fact_is_not_found(story: Story) -> None:
    with pytest.raises(NotFoundError, match="f-unknown"):
        story.tenant.fact("f-unknown")
    with pytest.raises(NotFoundError, match="f-unknown"):
        story.tenant.explain("f-unknown")
