"""What was wrong from its start is corrected; what was never so is retracted."""

import pytest
from story import Story, day, piece

from graph_memory import ConflictError, InvalidInputError, NotFoundError


def test_a_corrected_value_holds_from_the_start_of_the_wrong_one(story: Story) -> None:
    wrong = story.say("Berlin", 1)
    right = story.tenant.correct_fact(wrong.id, value="Bern", episode=story.hear())
    assert story.history() == [piece("Bern", 1)]
    assert right.supersedes == wrong.id
    assert story.tenant.fact(wrong.id).retracted_at == right.recorded_at


def test_what_is_left_out_of_a_correction_stays(story: Story) -> None:
    wrong = story.say("Berlin", 1, 9)
    right = story.tenant.correct_fact(wrong.id, value="Bern", episode=story.hear())
    assert (right.valid_from, right.valid_to) == (day(1), day(9))
    moved = story.tenant.correct_fact(right.id, valid_from=day(2), episode=story.hear())
    assert (moved.value, moved.valid_from, moved.valid_to) == ("Bern", day(2), day(9))


def test_a_corrected_start_moves_the_fact_and_gives_back_what_it_had_covered(story: Story) -> None:
    story.say("A", 1)
    wrong = story.say("B", 5)
    story.say("C", 9)
    story.tenant.correct_fact(wrong.id, valid_from=day(7), episode=story.hear())
    assert story.history() == [piece("A", 1, 7), piece("B", 7, 9), piece("C", 9)]


def test_a_fact_may_be_corrected_past_its_neighbours(story: Story) -> None:
    wrong = story.say("A", 1)
    story.say("B", 5)
    story.tenant.correct_fact(wrong.id, valid_from=day(9), episode=story.hear())
    assert story.history() == [piece("B", 5, 9), piece("A", 9)]


def test_a_bounded_fact_is_shortened_and_made_unbounded_by_correcting_its_until(story: Story) -> None:
    fact = story.say("A", 1, 9)
    shorter = story.tenant.correct_fact(fact.id, until=day(5), episode=story.hear())
    assert story.history() == [piece("A", 1, 5)]
    story.tenant.correct_fact(shorter.id, until=None, episode=story.hear())
    assert story.history() == [piece("A", 1)]


def test_a_correction_with_a_value_turns_an_end_into_a_value(story: Story) -> None:
    story.say("A", 1)
    end = story.end(5)
    story.tenant.correct_fact(end.id, value="B", episode=story.hear())
    assert story.history() == [piece("A", 1, 5), piece("B", 5)]


def test_an_end_corrected_without_a_value_stays_an_end(story: Story) -> None:
    story.say("A", 1)
    end = story.end(5)
    story.tenant.correct_fact(end.id, valid_from=day(7), episode=story.hear())
    assert story.history() == [piece("A", 1, 7), piece(None, 7)]


def test_a_correction_cannot_take_a_value_away(story: Story) -> None:
    fact = story.say("A", 1)
    with pytest.raises(InvalidInputError, match="value"):
        story.tenant.correct_fact(fact.id, value=None, episode=story.hear())  # type: ignore[arg-type]
    assert story.history() == [piece("A", 1)]


def test_a_correction_needs_its_until_after_its_start(story: Story) -> None:
    fact = story.say("A", 1, 5)
    with pytest.raises(InvalidInputError, match="until"):
        story.tenant.correct_fact(fact.id, valid_from=day(5), episode=story.hear())
    assert story.history() == [piece("A", 1, 5)]


def test_a_correction_that_changes_nothing_confirms_or_replays(story: Story) -> None:
    fact = story.say("A", 1, episode=story.hear())
    assert story.tenant.correct_fact(fact.id, value="A", episode="e1").id == fact.id
    assert len(story.tenant.explain(fact.id).citations) == 1
    assert story.tenant.correct_fact(fact.id, value="A", episode=story.hear()).id == fact.id
    assert len(story.tenant.explain(fact.id).citations) == 2


def test_repeating_a_correction_is_a_replay_that_returns_the_successor(story: Story) -> None:
    wrong = story.say("A", 1)
    second = story.hear()
    right = story.tenant.correct_fact(wrong.id, value="B", episode=second)
    assert story.tenant.correct_fact(wrong.id, value="B", episode=second) == right
    assert story.history() == [piece("B", 1)]


@pytest.mark.parametrize("value", ["B", "C"], ids=["same-result-other-episode", "other-result"])
def test_correcting_what_is_not_live_is_a_conflict_that_names_its_successor(story: Story, value: str) -> None:
    wrong = story.say("A", 1)
    right = story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    with pytest.raises(ConflictError, match=right.id) as caught:
        story.tenant.correct_fact(wrong.id, value=value, episode=story.hear())
    assert [fact.id for fact in caught.value.facts] == [right.id]
    assert story.history() == [piece("B", 1)]


def test_correcting_what_was_retracted_is_a_conflict(story: Story) -> None:
    fact = story.say("A", 1)
    story.tenant.retract_fact(fact.id, reason="never so")
    with pytest.raises(ConflictError, match=fact.id):
        story.tenant.correct_fact(fact.id, value="B", episode=story.hear())
    assert story.history() == []


def test_a_correction_onto_an_equal_fact_confirms_that_one(story: Story) -> None:
    fact = story.say("A", 5)
    wrong = story.say("A", 1)
    second = story.hear()
    assert story.tenant.correct_fact(wrong.id, valid_from=day(5), episode=second).id == fact.id
    assert story.history() == [piece("A", 5)]
    explained = story.tenant.explain(fact.id)
    assert explained.episodes[-1].id == second
    gone = story.tenant.explain(wrong.id)
    assert gone.retracted_by is not None
    assert gone.retracted_by.id == fact.id


def test_a_correction_onto_another_value_of_that_start_is_a_conflict(story: Story) -> None:
    taken = story.say("B", 5)
    fact = story.say("A", 1)
    with pytest.raises(ConflictError) as caught:
        story.tenant.correct_fact(fact.id, valid_from=day(5), episode=story.hear())
    assert [stands.id for stands in caught.value.facts] == [taken.id]
    assert story.history() == [piece("A", 1, 5), piece("B", 5)]


def test_a_correction_may_be_corrected_back(story: Story) -> None:
    first = story.say("A", 1, episode=story.hear())
    second = story.tenant.correct_fact(first.id, value="B", episode=story.hear())
    third = story.tenant.correct_fact(second.id, value="A", episode="e1")
    assert third.id != first.id
    assert third.supersedes == second.id
    assert story.history() == [piece("A", 1)]


def test_a_statement_that_was_corrected_is_still_a_replay(story: Story) -> None:
    wrong = story.say("A", 1, episode=story.hear())
    story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    assert story.say("A", 1, episode="e1").id == wrong.id
    assert story.history() == [piece("B", 1)]


def test_a_live_entry_is_returned_by_a_replay_before_one_that_is_not(story: Story) -> None:
    first = story.say("A", 1, episode=story.hear())
    second = story.tenant.correct_fact(first.id, value="B", episode=story.hear())
    third = story.tenant.correct_fact(second.id, value="A", episode="e1")
    assert story.say("A", 1, episode="e1").id == third.id


def test_a_corrected_slot_of_cardinality_many_moves_with_its_value(story: Story) -> None:
    wrong = story.say("tee", 1, attribute="likes")
    story.say("rain", 1, attribute="likes")
    right = story.tenant.correct_fact(wrong.id, value="tea", episode=story.hear())
    assert story.likes(2) == ["rain", "tea"]
    assert right.supersedes == wrong.id


def test_a_retraction_gives_back_what_the_fact_had_covered(story: Story) -> None:
    story.say("A", 1)
    never = story.say("B", 5)
    story.say("C", 9)
    story.tenant.retract_fact(never.id, reason="misheard")
    assert story.history() == [piece("A", 1, 9), piece("C", 9)]


def test_a_retracted_fact_holds_nowhere_and_says_when_it_was_taken_back(story: Story) -> None:
    fact = story.say("A", 1)
    gone = story.tenant.retract_fact(fact.id, reason="misheard")
    assert gone.id == fact.id
    assert gone.retracted_at is not None
    assert gone.retracted_at > fact.recorded_at
    assert (gone.valid_from, gone.valid_to) == (day(1), day(1))
    assert story.tenant.fact(fact.id) == gone


def test_retracting_twice_changes_nothing(story: Story) -> None:
    fact = story.say("A", 1)
    gone = story.tenant.retract_fact(fact.id, reason="misheard", episode=story.hear())
    assert story.tenant.retract_fact(fact.id, reason="again", episode=story.hear()) == gone
    assert story.tenant.explain(fact.id).retraction_reason == "misheard"


def test_retracting_what_was_corrected_changes_nothing(story: Story) -> None:
    wrong = story.say("A", 1)
    right = story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    assert story.tenant.retract_fact(wrong.id, reason="again").retracted_at == right.recorded_at
    assert story.history() == [piece("B", 1)]
    explained = story.tenant.explain(wrong.id)
    assert explained.retraction_reason != "again"
    assert explained.retracted_by == right


def test_a_retraction_keeps_its_reason_and_its_episode(story: Story) -> None:
    fact = story.say("A", 1)
    behind = story.hear("She never said that.")
    story.tenant.retract_fact(fact.id, reason="misheard", episode=behind)
    explained = story.tenant.explain(fact.id)
    assert explained.retraction_reason == "misheard"
    assert explained.retraction_episode is not None
    assert explained.retraction_episode.id == behind


def test_a_retraction_without_an_episode_keeps_its_reason(story: Story) -> None:
    fact = story.say("A", 1)
    story.tenant.retract_fact(fact.id, reason="misheard")
    explained = story.tenant.explain(fact.id)
    assert (explained.retraction_reason, explained.retraction_episode) == ("misheard", None)


def test_after_a_retraction_the_start_is_free_again(story: Story) -> None:
    fact = story.say("A", 1)
    story.tenant.retract_fact(fact.id, reason="misheard")
    story.say("B", 1)
    assert story.history() == [piece("B", 1)]


def test_a_retracted_statement_may_be_made_again_from_another_episode(story: Story) -> None:
    fact = story.say("A", 1)
    story.tenant.retract_fact(fact.id, reason="misheard")
    again = story.say("A", 1)
    assert again.id != fact.id
    assert story.history() == [piece("A", 1)]


def test_what_is_unknown_can_be_neither_corrected_nor_retracted(story: Story) -> None:
    with pytest.raises(NotFoundError, match="f-unknown"):
        story.tenant.correct_fact("f-unknown", value="B", episode=story.hear())
    with pytest.raises(NotFoundError, match="f-unknown"):
        story.tenant.retract_fact("f-unknown", reason="misheard")


def test_a_correction_or_retraction_needs_an_episode_that_exists(story: Story) -> None:
    fact = story.say("A", 1)
    with pytest.raises(NotFoundError, match="e-unknown"):
        story.tenant.correct_fact(fact.id, value="B", episode="e-unknown")
    with pytest.raises(NotFoundError, match="e-unknown"):
        story.tenant.retract_fact(fact.id, reason="misheard", episode="e-unknown")
    assert story.history() == [piece("A", 1)]
