"""The end of a value is an assertion too."""

import pytest
from story import Story, day, piece

from graph_memory import ConflictError, InvalidInputError


def test_an_end_empties_the_slot_from_there_on(story: Story) -> None:
    story.say("Acme", 1)
    story.end(5)
    assert story.history() == [piece("Acme", 1, 5), piece(None, 5)]


def test_a_read_after_an_end_returns_the_end_with_its_episode(story: Story) -> None:
    story.say("Acme", 1)
    end = story.end(5, episode=story.hear())
    found = story.tenant.as_of("mira", "home", day(6))
    assert found == end
    assert (end.value, end.ended, end.valid_from, end.valid_to) == (None, True, day(5), None)
    assert end.episode_id == "e2"


def test_state_leaves_an_ended_value_out(story: Story) -> None:
    story.say("Acme", 1)
    story.end(5)
    assert set(story.tenant.state("mira", day(4))) == {"home"}
    assert story.tenant.state("mira", day(6)) == {}


def test_a_bounded_end_is_a_gap_after_which_the_value_holds_again(story: Story) -> None:
    story.say("Acme", 1)
    story.end(5, 7)
    assert story.history() == [piece("Acme", 1, 5), piece(None, 5, 7), piece("Acme", 7)]


def test_an_end_before_anything_else_says_that_nothing_held(story: Story) -> None:
    end = story.end(1)
    assert story.history() == [piece(None, 1)]
    assert end.supersedes is None


def test_leaving_and_joining_at_one_instant_leaves_the_value_in_whatever_order(story: Story) -> None:
    for attribute, steps in (("home", "end say"), ("office", "say end")):
        story.say("Acme", 1, attribute=attribute)
        for step in steps.split():
            if step == "end":
                story.end(5, attribute=attribute)
            else:
                story.say("Globex", 5, attribute=attribute)
        assert story.history(attribute) == [piece("Acme", 1, 5), piece("Globex", 5)]


def test_a_bounded_value_at_the_instant_of_an_end_leaves_the_end_after_it(story: Story) -> None:
    story.end(5)
    story.say("Globex", 5, 7)
    assert story.history() == [piece("Globex", 5, 7), piece(None, 7)]
    after = story.tenant.as_of("mira", "home", day(8))
    assert after is not None
    assert (after.ended, after.asserted_from, after.valid_from) == (True, day(5), day(7))


def test_a_value_may_start_again_after_an_end(story: Story) -> None:
    story.say("Acme", 1)
    end = story.end(5)
    again = story.say("Acme", 9)
    assert story.history() == [piece("Acme", 1, 5), piece(None, 5, 9), piece("Acme", 9)]
    assert again.supersedes == end.id
    assert story.history(coalesce=True) == story.history()


def test_ends_are_replayed_and_confirmed_like_values(story: Story) -> None:
    end = story.end(5, episode=story.hear())
    assert story.end(5, episode="e1") == end
    story.end(5, episode=story.hear())
    assert [episode.id for episode in story.tenant.explain(end.id).episodes] == ["e1", "e2"]


def test_two_ends_of_one_start_and_different_until_are_a_conflict(story: Story) -> None:
    end = story.end(5)
    with pytest.raises(ConflictError) as caught:
        story.end(5, 9)
    assert [fact.id for fact in caught.value.facts] == [end.id]


def test_an_end_supersedes_what_it_ends(story: Story) -> None:
    value = story.say("Acme", 1)
    end = story.end(5)
    explained = story.tenant.explain(end.id)
    assert end.supersedes == value.id
    assert (explained.replaced_as, explained.replaced and explained.replaced.id) == ("end", value.id)


def test_touching_ends_are_one_when_coalesced(story: Story) -> None:
    story.end(1)
    story.end(5)
    assert story.history(coalesce=True) == [piece(None, 1)]


def test_an_end_of_cardinality_one_takes_no_value(story: Story) -> None:
    with pytest.raises(InvalidInputError, match="value"):
        story.end(1, value="Acme")
    assert story.history() == []


def test_an_end_may_be_retracted(story: Story) -> None:
    story.say("Acme", 1)
    end = story.end(5)
    story.tenant.retract_fact(end.id, reason="she stayed")
    assert story.history() == [piece("Acme", 1)]
