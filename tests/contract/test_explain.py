"""Why a fact is in the ledger, and what became of it."""

from collections.abc import Sequence

import pytest
from story import Story, day


def test_an_explanation_holds_the_fact_with_its_first_segment(story: Story) -> None:
    home = story.say("home", 1)
    story.say("hotel", 5, 8)
    explained = story.tenant.explain(home.id)
    assert explained.fact == story.tenant.fact(home.id)
    assert (explained.fact.valid_from, explained.fact.valid_to) == (day(1), day(5))


def test_citations_are_in_recorded_order_with_their_quotes(story: Story) -> None:
    tenant = story.tenant
    for number in (1, 2, 3):
        tenant.record(f"{number}: Mira lives in Berlin.", id=f"q{number}")
        fact = tenant.assert_fact(
            "mira",
            "home",
            "Berlin",
            valid_from=day(1),
            episode=f"q{number}",
            quote=None if number == 2 else f"{number}: Mira",
        )
    explained = tenant.explain(fact.id)
    assert [episode.id for episode in explained.episodes] == ["q1", "q2", "q3"]
    assert explained.quotes == ("1: Mira", "3: Mira")
    recorded = [citation.recorded_at for citation in explained.citations]
    assert recorded == sorted(set(recorded))
    assert recorded[0] == explained.fact.recorded_at
    assert explained.episodes[0] == tenant.episode("q1")


@pytest.mark.parametrize(("said", "numbers"), [(100, range(100)), (102, [0, *range(3, 102)])])
def test_of_more_than_a_hundred_citations_the_first_and_the_latest_are_explained(
    story: Story, said: int, numbers: Sequence[int]
) -> None:
    tenant = story.tenant
    for number in range(said):
        tenant.record(f"Mira lives in Berlin, {number}.", id=f"q{number}")
        fact = tenant.assert_fact("mira", "home", "Berlin", valid_from=day(1), episode=f"q{number}")
    explained = tenant.explain(fact.id)
    assert [episode.id for episode in explained.episodes] == [f"q{number}" for number in numbers]
    assert (explained.citations_total, explained.truncated) == (said, said > 100)


@pytest.mark.parametrize(
    ("value", "how"), [("B", "change"), ("A", "restatement"), (1, "change")], ids=["other", "same", "type"]
)
def test_a_new_value_says_how_it_replaces_the_old_one(story: Story, value: str, how: str) -> None:
    old = story.say("A", 1)
    new = story.say(value, 5)
    explained = story.tenant.explain(new.id)
    assert explained.replaced_as == how
    assert explained.replaced == story.tenant.fact(old.id)
    assert [fact.id for fact in story.tenant.explain(old.id).replaced_by] == [new.id]


def test_a_correction_says_so(story: Story) -> None:
    wrong = story.say("A", 1)
    right = story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    explained = story.tenant.explain(right.id)
    assert explained.replaced_as == "correction"
    assert explained.replaced == story.tenant.fact(wrong.id)
    gone = story.tenant.explain(wrong.id)
    assert gone.retracted_by == story.tenant.fact(right.id)
    assert [fact.id for fact in gone.replaced_by] == [right.id]
    assert gone.since is None


def test_what_a_fact_replaced_never_changes_later(story: Story) -> None:
    old = story.say("A", 1)
    new = story.say("C", 9)
    story.say("B", 5)
    assert story.tenant.fact(new.id).supersedes == old.id
    story.tenant.retract_fact(old.id, reason="misheard")
    assert story.tenant.fact(new.id).supersedes == old.id


def test_a_fact_replaced_by_several_names_them_in_recorded_order(story: Story) -> None:
    old = story.say("A", 1)
    later = story.say("C", 9)
    between = story.say("B", 5)
    assert [fact.id for fact in story.tenant.explain(old.id).replaced_by] == [later.id, between.id]


def test_a_value_after_an_end_at_one_instant_replaces_the_end(story: Story) -> None:
    story.say("A", 1)
    end = story.end(5)
    value = story.say("B", 5)
    explained = story.tenant.explain(value.id)
    assert (explained.replaced_as, value.supersedes) == ("change", end.id)


def test_since_reaches_back_over_touching_segments_of_the_same_value(story: Story) -> None:
    story.say("A", 1)
    story.say("A", 3)
    last = story.say("A", 5)
    assert story.tenant.explain(last.id).since == day(1)


def test_since_stops_at_a_gap_at_another_value_and_at_another_type(story: Story) -> None:
    for attribute, value, until in (("home", 1, 3), ("office", 2, None), ("shop", 1.0, None)):
        story.say(value, 1, until, attribute=attribute)
        last = story.say(1, 4, attribute=attribute)
        assert story.tenant.explain(last.id).since == day(4)


def test_since_belongs_to_the_first_segment(story: Story) -> None:
    home = story.say("home", 1)
    story.say("hotel", 5, 8)
    assert story.tenant.explain(home.id).since == day(1)


def test_a_fact_that_holds_nowhere_has_no_since(story: Story) -> None:
    fact = story.say("A", 1)
    story.tenant.retract_fact(fact.id, reason="misheard")
    assert story.tenant.explain(fact.id).since is None


def test_an_end_is_explained_like_a_value(story: Story) -> None:
    story.say("A", 1)
    end = story.end(5)
    explained = story.tenant.explain(end.id)
    assert explained.fact == end
    assert explained.since == day(5)
    assert [episode.id for episode in explained.episodes] == [end.episode_id]
