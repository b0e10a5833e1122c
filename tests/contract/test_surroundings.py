"""What is around an entity, what differs between two instants, and who had a value."""

from datetime import date

import pytest
from story import Story, day

from graph_memory import Difference, InvalidInputError, NotFoundError, Ref, Value


def pairs(found: list[Difference]) -> list[tuple[str, Value | None, Value | None]]:
    return [(d.attribute, d.before.value if d.before else None, d.after.value if d.after else None) for d in found]


def test_a_neighborhood_has_facts_edges_both_ways_and_the_words_that_say_so(story: Story) -> None:
    episode = story.hear("Mira works at Acme and lives in Porto.")
    job = story.tenant.assert_fact(
        "mira", "employer", Ref("acme"), valid_from=day(1), episode=episode, quote="works at Acme"
    )
    home = story.tenant.assert_fact(
        "mira", "home", "Porto", valid_from=day(1), episode=episode, quote="lives in Porto"
    )
    known = story.say(Ref("mira"), 1, subject="ann", attribute="knows")
    found = story.tenant.neighborhood("mira", at=day(2))
    assert [(node.key, node.depth) for node in found.nodes] == [("mira", 0), ("acme", 1), ("ann", 1)]
    assert [edge.fact_id for edge in found.edges] == [known.id, job.id]
    assert [(fact.attribute, fact.value) for fact in found.facts] == [("home", "Porto")]
    assert found.quotes == {job.id: "works at Acme", home.id: "lives in Porto"}
    assert not found.truncated


def test_a_neighborhood_is_as_of_an_instant_and_as_it_was_known(story: Story) -> None:
    first = story.say("Porto", 1)
    story.say("Braga", 3)
    assert [f.value for f in story.tenant.neighborhood("mira", day(2)).facts] == ["Porto"]
    assert [f.value for f in story.tenant.neighborhood("mira", day(3)).facts] == ["Braga"]
    assert [f.value for f in story.tenant.neighborhood("mira", day(3), first.recorded_at).facts] == ["Porto"]


def test_a_neighborhood_keeps_what_holds_since_latest_where_there_is_too_much(story: Story) -> None:
    for number in range(4):
        story.say(Ref(f"friend-{number}"), number, attribute="knows")
        story.say(f"thing-{number}", number, attribute="likes")
    found = story.tenant.neighborhood("mira", at=day(9), limit=2)
    assert [edge.object for edge in found.edges] == ["friend-2", "friend-3"]
    assert [fact.value for fact in found.facts] == ["thing-2", "thing-3"]
    assert found.truncated


def test_a_neighborhood_needs_an_entity(story: Story) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        story.tenant.neighborhood("nobody")


def test_a_difference_is_what_holds_otherwise(story: Story) -> None:
    story.say("Porto", 1)
    story.say("Braga", 5)
    story.say("baker", 1, attribute="job")
    story.say(Ref("acme"), 5, attribute="employer")
    for value, start in (("tea", 1), ("jazz", 5)):
        story.say(value, start, attribute="likes")
    story.end(5, attribute="likes", value="tea")
    found = story.tenant.diff("mira", day(2), day(6))
    assert pairs(found) == [
        ("employer", None, Ref("acme")),
        ("home", "Porto", "Braga"),
        ("likes", None, "jazz"),
        ("likes", "tea", None),
    ]
    assert found[3].after is not None
    assert found[3].after.ended
    assert story.tenant.diff("mira", day(6), day(7)) == []
    assert pairs(story.tenant.diff("mira", day(6), day(2)))[1] == ("home", "Braga", "Porto")


def test_a_value_of_another_type_is_a_difference_and_one_said_again_is_none(story: Story) -> None:
    story.say(1, 1)
    story.say(1, 3)
    story.say(True, 5)
    assert story.tenant.diff("mira", day(2), day(4)) == []
    assert pairs(story.tenant.diff("mira", day(2), day(6))) == [("home", 1, True)]


def test_a_difference_is_as_it_was_known(story: Story) -> None:
    first = story.say("Porto", 1)
    story.say("Braga", 5)
    assert story.tenant.diff("mira", day(2), day(6), known_at=first.recorded_at) == []


@pytest.mark.parametrize("value", ["gold", 1, 1.0, True, date(2026, 7, 15), Ref("acme")], ids=repr)
def test_those_who_had_a_value_had_it_at_the_instant_and_in_its_type(story: Story, value: Value) -> None:
    others: list[Value] = ["gold", 1, 1.0, True, date(2026, 7, 15), Ref("acme"), "acme", "1"]
    for number, other in enumerate(others):
        story.say(other, 1, subject=f"p{number}", attribute="tier")
    story.say(value, 1, 5, subject="mira", attribute="tier")
    story.say("none", 3, 4, subject="mira", attribute="tier")
    had = [[fact.subject for fact in story.tenant.who_had("tier", value, day(at))] for at in (0, 1, 3, 4, 5)]
    same = next(f"p{n}" for n, other in enumerate(others) if type(other) is type(value) and other == value)
    assert had == [[], ["mira", same], [same], ["mira", same], [same]]


def test_those_who_had_a_value_among_many_are_found_and_limited(story: Story) -> None:
    for subject in ("c", "a", "b"):
        story.say("tea", 1, subject=subject, attribute="likes")
    assert [fact.subject for fact in story.tenant.who_had("likes", "tea", day(1))] == ["a", "b", "c"]
    assert [fact.subject for fact in story.tenant.who_had("likes", "tea", day(1), limit=2)] == ["a", "b"]
    story.end(3, subject="a", attribute="likes", value="tea")
    assert [fact.subject for fact in story.tenant.who_had("likes", "tea", day(3))] == ["b", "c"]


def test_those_who_had_a_value_are_as_it_was_known(story: Story) -> None:
    for value in ("gold", Ref("gold")):
        fact = story.say(value, 1, subject=f"of {value}", attribute="tier")
        story.tenant.retract_fact(fact.id, reason="misheard")
        assert story.tenant.who_had("tier", value, day(1)) == []
        assert [f.id for f in story.tenant.who_had("tier", value, day(1), fact.recorded_at)] == [fact.id]


def test_a_limit_of_nothing_is_refused(story: Story) -> None:
    with pytest.raises(InvalidInputError):
        story.tenant.who_had("tier", "gold", limit=0)
