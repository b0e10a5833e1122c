"""Two clocks: what was believed at an instant never changes afterwards."""

from datetime import datetime, timedelta

from story import START, Story, day, piece

from graph_memory import Clock

TICK = timedelta(microseconds=1)


def test_before_anything_was_recorded_nothing_was_known(story: Story) -> None:
    fact = story.say("A", 1)
    early = fact.recorded_at - TICK
    assert story.holds(2, known_at=early) is None
    assert story.history(known_at=early) == []
    assert story.tenant.state("mira", day(2), known_at=early) == {}
    assert story.tenant.as_of_many([("mira", "home")], day(2), known_at=early) == [None]


def test_a_fact_is_known_from_the_instant_it_was_recorded(story: Story) -> None:
    fact = story.say("A", 1)
    assert story.holds(2, known_at=fact.recorded_at) == "A"


def test_each_write_is_recorded_later_than_the_one_before_on_its_subject(story: Story) -> None:
    recorded = [story.say(number, number).recorded_at for number in range(20)]
    assert recorded == sorted(set(recorded))


def test_a_late_arrival_does_not_change_what_was_known_before_it(story: Story) -> None:
    story.say("A", 1)
    last = story.say("C", 9)
    story.say("B", 5)
    assert story.history(known_at=last.recorded_at) == [piece("A", 1, 9), piece("C", 9)]
    assert story.history() == [piece("A", 1, 5), piece("B", 5, 9), piece("C", 9)]


def test_a_corrected_fact_is_still_what_was_known_until_then(story: Story) -> None:
    wrong = story.say("A", 1)
    right = story.tenant.correct_fact(wrong.id, value="B", episode=story.hear())
    assert story.holds(2, known_at=right.recorded_at - TICK) == "A"
    assert story.holds(2, known_at=right.recorded_at) == "B"


def test_a_retracted_fact_is_still_what_was_known_until_then(story: Story) -> None:
    story.say("A", 1)
    never = story.say("B", 5)
    gone = story.tenant.retract_fact(never.id, reason="misheard").retracted_at
    assert gone is not None
    assert story.history(known_at=gone - TICK) == [piece("A", 1, 5), piece("B", 5)]
    assert story.history(known_at=gone) == [piece("A", 1)]


def test_every_past_answer_stays_as_it_was_when_it_was_given(story: Story) -> None:
    answers: dict[datetime, object] = {}

    def remember(known_at: datetime) -> None:
        answers[known_at] = story.history(known_at=known_at)
        assert answers[known_at] == story.history()

    first = story.say("A", 1)
    remember(first.recorded_at)
    hotel = story.say("hotel", 5, 8)
    remember(hotel.recorded_at)
    end = story.end(9)
    remember(end.recorded_at)
    moved = story.tenant.correct_fact(hotel.id, valid_from=day(4), episode=story.hear())
    remember(moved.recorded_at)
    gone = story.tenant.retract_fact(first.id, reason="misheard").retracted_at
    assert gone is not None
    remember(gone)
    assert {known_at: story.history(known_at=known_at) for known_at in answers} == answers


def test_whole_answers_know_nothing_of_what_came_later(story: Story) -> None:
    tenant = story.tenant
    corrected, retracted = story.say("A", 1), story.say("gym", 2, attribute="likes")
    story.say("Acme", 1, attribute="employer")
    told = story.end(3, attribute="employer")

    def answers(known_at: datetime | None) -> list[object]:
        return [
            tenant.as_of("mira", "home", day(6), known_at=known_at),
            tenant.as_of_many([("mira", "home"), ("mira", "employer")], day(6), known_at=known_at),
            tenant.values("mira", "likes", day(6), known_at=known_at),
            tenant.state("mira", day(6), known_at=known_at),
            tenant.history("mira", "home", known_at=known_at),
            tenant.history("mira", "employer", known_at=known_at, coalesce=True),
            tenant.diff("mira", day(0), day(6), known_at=known_at),
            tenant.who_had("home", "A", day(6), known_at=known_at),
            tenant.traverse("mira", at=day(6), known_at=known_at),
            tenant.neighborhood("mira", day(6), known_at=known_at).facts,
            *(tenant.changes(START, subject="mira", by=by, known_at=known_at) for by in Clock),
            *(tenant.changes(START, by=by, known_at=known_at) for by in Clock),
        ]

    before = answers(None)
    assert answers(told.recorded_at) == before
    story.say("B", 5)
    tenant.correct_fact(corrected.id, value="C", episode=story.hear())
    tenant.retract_fact(retracted.id, reason="misheard")
    story.say("Globex", 2, attribute="employer")
    assert answers(told.recorded_at) == before


def test_state_and_many_keys_are_read_as_they_were_known(story: Story) -> None:
    first = story.say("A", 1)
    story.say("Acme", 1, attribute="employer")
    story.say("B", 2)
    tenant, known_at = story.tenant, first.recorded_at
    state = tenant.state("mira", day(3), known_at=known_at)
    assert set(state) == {"home"}
    keys = [("mira", "employer"), ("mira", "home")]
    found = tenant.as_of_many(keys, day(3), known_at=known_at)
    assert [fact and fact.value for fact in found] == [None, "A"]
    assert found == [tenant.as_of(*key, day(3), known_at=known_at) for key in keys]


def test_known_at_takes_any_form_of_an_instant(story: Story) -> None:
    story.say("A", 1)
    assert story.tenant.as_of("mira", "home", day(2), known_at="1999-01-01") is None
    assert story.tenant.as_of("mira", "home", day(2), known_at="9999-01-01T00:00:00+02:00") is not None
    assert story.tenant.as_of("mira", "home", START) is None
