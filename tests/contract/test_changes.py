"""What changed, by recorded and by valid time."""

from datetime import datetime

import pytest
from story import START, Story, day

from graph_memory import ChangeEvent, InvalidInputError, Value

BEGINNING = day(-10_000)


def told(events: list[ChangeEvent]) -> list[tuple[str, Value | None, Value | None]]:
    return [
        (
            event.kind.value,
            event.before.value if event.before else None,
            event.after.value if event.after else None,
        )
        for event in events
    ]


def recorded(story: Story, since: datetime = BEGINNING) -> list[tuple[str, Value | None, Value | None]]:
    return told(story.tenant.changes(since))


def valid(story: Story, since: float = -10_000, until: float | None = None) -> list[tuple[float, str]]:
    events = story.tenant.changes(day(since), None if until is None else day(until), by="valid")
    return [((event.at - START).days, event.kind.value) for event in events]


def test_by_recorded_time_they_come_in_the_order_in_which_the_ledger_learnt_of_them(story: Story) -> None:
    story.say("B", 5)
    story.say("A", 1)
    story.end(9)
    assert recorded(story) == [("began", None, "B"), ("began", None, "A"), ("ended", "B", None)]
    ended = story.tenant.changes(BEGINNING)[-1]
    assert (ended.fact.ended, ended.episode_id, ended.at) == (True, "e3", ended.fact.recorded_at)


def test_by_valid_time_they_come_in_the_order_in_which_they_are_so(story: Story) -> None:
    story.say("B", 5)
    story.say("A", 1, 3)
    story.end(9)
    assert valid(story) == [(1, "began"), (3, "ended"), (5, "began"), (9, "ended")]
    runs_out = story.tenant.changes(BEGINNING, by="valid")[1]
    assert (runs_out.after, runs_out.episode_id, runs_out.fact.value) == (None, None, "A")


def test_the_interval_is_half_open(story: Story) -> None:
    facts = [story.say("A", 1), story.say("B", 2), story.say("C", 3)]
    assert valid(story, 1, 3) == [(1, "began"), (2, "began")]
    found = story.tenant.changes(facts[1].recorded_at, facts[2].recorded_at)
    assert told(found) == [("began", "A", "B")]


def test_a_value_that_shows_again_when_another_runs_out_begins_again(story: Story) -> None:
    story.say("home", 1)
    story.say("hotel", 5, 7)
    events = story.tenant.changes(BEGINNING, by="valid")
    assert told(events) == [("began", None, "home"), ("began", "home", "hotel"), ("began", "hotel", "home")]
    assert events[2].fact.id == events[0].fact.id


def test_a_correction_is_one_change_with_both_facts(story: Story) -> None:
    wrong = story.say("A", 1)
    right = story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    (event,) = story.tenant.changes(right.recorded_at)
    assert told([event]) == [("corrected", "A", "B")]
    assert (event.episode_id, event.reason, event.at) == ("e2", "corrected", right.recorded_at)
    assert valid(story) == [(1, "began")]


def test_a_retraction_tells_its_reason_and_its_episode(story: Story) -> None:
    fact = story.say("A", 1)
    gone = story.tenant.retract_fact(fact.id, reason="said in jest", episode=story.hear())
    assert gone.retracted_at is not None
    (event,) = story.tenant.changes(gone.retracted_at)
    assert (told([event]), event.reason, event.episode_id) == ([("retracted", "A", None)], "said in jest", "e2")
    assert valid(story) == []


def test_what_is_said_again_is_confirmed(story: Story) -> None:
    first = story.say("A", 1)
    story.say("A", 1)
    story.say("A", 5)
    confirmations = story.tenant.changes(BEGINNING, kinds=["confirmed"])
    assert told(confirmations) == [("confirmed", None, "A"), ("confirmed", "A", "A")]
    assert [event.episode_id for event in confirmations] == ["e2", "e3"]
    assert confirmations[0].fact.id == first.id
    assert valid(story) == [(1, "began"), (5, "confirmed")]


def test_the_values_of_many_change_each_by_itself(story: Story) -> None:
    story.say("tea", 1, attribute="likes")
    story.say("jazz", 2, attribute="likes")
    story.end(3, attribute="likes", value="tea")
    assert valid(story) == [(1, "began"), (2, "began"), (3, "ended")]
    ended = story.tenant.changes(day(3), by="valid")[0]
    assert (ended.before and ended.before.value, ended.fact.ended_value) == ("tea", "tea")


def test_it_can_be_asked_of_one_subject_some_attributes_and_some_kinds(story: Story) -> None:
    story.say("A", 1)
    story.say("B", 1, attribute="job")
    story.say("C", 1, subject="ann")
    story.end(4, subject="ann")
    for by in ("recorded", "valid"):
        of_mira = story.tenant.changes(BEGINNING, subject="mira", by=by)
        assert told(of_mira) == [("began", None, "A"), ("began", None, "B")]
        of_home = story.tenant.changes(BEGINNING, attributes=["home"], by=by)
        assert [event.fact.subject for event in of_home] == (
            ["mira", "ann", "ann"] if by == "recorded" else ["ann", "mira", "ann"]
        )
        ended = story.tenant.changes(BEGINNING, kinds=["ended"], by=by)
        assert told(ended) == [("ended", "C", None)]
        assert story.tenant.changes(BEGINNING, subject="nobody", by=by) == []


def test_it_is_as_it_was_known(story: Story) -> None:
    wrong = story.say("A", 1)
    story.tenant.correct_fact(wrong.id, value="B", valid_from=day(2), episode=story.hear())
    assert valid(story) == [(2, "began")]
    then = story.tenant.changes(BEGINNING, by="valid", known_at=wrong.recorded_at)
    assert [(told([event]), event.at) for event in then] == [([("began", None, "A")], day(1))]
    assert told(story.tenant.changes(BEGINNING, known_at=wrong.recorded_at)) == [("began", None, "A")]


def test_the_limit_takes_the_earliest(story: Story) -> None:
    for number in (3, 1, 2):
        story.say(str(number), number)
    assert [event.fact.value for event in story.tenant.changes(BEGINNING, limit=2)] == ["3", "1"]
    assert [event.fact.value for event in story.tenant.changes(BEGINNING, by="valid", limit=2)] == ["1", "2"]


@pytest.mark.parametrize(
    "wrong", [{"until": BEGINNING}, {"limit": 0}, {"by": "heart"}, {"attributes": ["Home"]}], ids=str
)
def test_what_cannot_be_told_is_refused(story: Story, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        story.tenant.changes(BEGINNING, **wrong)  # type: ignore[arg-type]
