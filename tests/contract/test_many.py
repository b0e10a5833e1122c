"""Cardinality many: each value has a slot and a history of its own."""

from datetime import timedelta

import pytest
from story import Story, day, piece

from graph_memory import InvalidInputError, Ref


def test_several_values_hold_at_once(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("rain", 3, attribute="likes")
    assert [story.likes(number) for number in (0, 2, 4)] == [[], ["tea"], ["rain", "tea"]]


def test_values_of_different_types_are_different_members(story: Story) -> None:
    for value in (1, True, 1.0, "1", Ref("1")):
        story.say(value, 1, attribute="likes")
    found = [fact.value for fact in story.tenant.values("mira", "likes", day(1))]
    assert sorted(type(value).__name__ for value in found) == ["Ref", "bool", "float", "int", "str"]


def test_one_value_ends_and_the_others_stay(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("rain", 1, attribute="likes")
    end = story.end(5, attribute="likes", value="tea")
    assert (end.value, end.ended, end.ended_value) == (None, True, "tea")
    assert story.likes(4) == ["rain", "tea"]
    assert story.likes(5) == ["rain"]


def test_an_end_of_cardinality_many_names_its_value(story: Story) -> None:
    with pytest.raises(InvalidInputError, match="value"):
        story.end(1, attribute="likes")


def test_a_value_that_ends_may_come_back(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.end(5, attribute="likes", value="tea")
    story.say("tea", 9, attribute="likes")
    assert [story.likes(number) for number in (4, 6, 9)] == [["tea"], [], ["tea"]]


def test_history_covers_all_values_in_time_order(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("rain", 3, 9, attribute="likes")
    story.end(5, attribute="likes", value="tea")
    assert story.history("likes") == [piece("tea", 1, 5), piece("rain", 3, 9), piece(None, 5)]


def test_a_value_asserted_again_at_another_start_is_coalesced_in_its_own_slot(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("rain", 2, attribute="likes")
    story.say("tea", 3, attribute="likes")
    assert story.history("likes", coalesce=True) == [piece("tea", 1), piece("rain", 2)]


def test_reads_of_one_value_and_of_many_refuse_each_others_attributes(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("Berlin", 1)
    tenant = story.tenant
    with pytest.raises(InvalidInputError, match="likes"):
        tenant.current("mira", "likes")
    with pytest.raises(InvalidInputError, match="likes"):
        tenant.as_of("mira", "likes", day(1))
    with pytest.raises(InvalidInputError, match="likes"):
        tenant.as_of_many([("mira", "home"), ("mira", "likes")], day(1))
    with pytest.raises(InvalidInputError, match="home"):
        tenant.values("mira", "home", day(1))


def test_values_can_be_read_as_they_were_known(story: Story) -> None:
    first = story.say("tea", 1, attribute="likes")
    second = story.say("rain", 1, attribute="likes")
    before = second.recorded_at - timedelta(microseconds=1)
    assert [f.id for f in story.tenant.values("mira", "likes", day(2), known_at=before)] == [first.id]
    state = story.tenant.state("mira", day(2), known_at=before)
    assert [f.id for f in state["likes"]] == [first.id]  # type: ignore[union-attr]
