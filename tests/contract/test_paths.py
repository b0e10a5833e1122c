"""The ways between two entities, as of an instant."""

from datetime import timedelta

import pytest
from story import START, Story, day

from graph_memory import InvalidInputError, NotFoundError, Paths, Ref


def link(story: Story, subject: str, relation: str, obj: str, start: float = 1, until: float | None = None) -> str:
    return story.say(Ref(obj), start, until, subject=subject, attribute=relation).id


def ways(found: Paths) -> list[str]:
    return [" ".join(node.key for node in path.nodes) for path in found.paths]


@pytest.fixture
def square(story: Story) -> Story:
    """Two ways from a to d, one over b and one over c, and one over both."""
    for subject, obj in (("a", "b"), ("b", "d"), ("a", "c"), ("c", "d"), ("b", "c")):
        link(story, subject, "knows", obj)
    return story


def test_the_shortest_come_first_and_those_of_one_length_in_a_fixed_order(square: Story) -> None:
    found = square.tenant.paths("a", "d", at=day(1))
    assert ways(found) == ["a b d", "a c d", "a b c d", "a c b d"]
    assert [path.length for path in found.paths] == [2, 2, 3, 3]
    assert not found.truncated


def test_each_step_is_a_fact_that_can_be_cited(square: Story) -> None:
    path = square.tenant.paths("a", "d", at=day(1)).paths[3]
    assert [(edge.subject, edge.object) for edge in path.edges] == [("a", "c"), ("b", "c"), ("b", "d")]
    assert [node.depth for node in path.nodes] == [0, 1, 2, 3]
    for edge in path.edges:
        fact = square.tenant.fact(edge.fact_id)
        assert (fact.value, fact.episode_id) == (Ref(edge.object), edge.episode_id)


def test_the_direction_is_that_of_every_step(square: Story) -> None:
    assert ways(square.tenant.paths("a", "d", at=day(1), direction="out")) == ["a b d", "a c d", "a b c d"]
    assert ways(square.tenant.paths("d", "a", at=day(1), direction="in")) == ["d b a", "d c a", "d c b a"]
    assert ways(square.tenant.paths("d", "a", at=day(1), direction="out")) == []


def test_no_way_is_longer_than_the_depth_and_the_limit_is_told(square: Story) -> None:
    assert ways(square.tenant.paths("a", "d", depth=2, at=day(1))) == ["a b d", "a c d"]
    assert ways(square.tenant.paths("a", "d", depth=1, at=day(1))) == []
    cut = square.tenant.paths("a", "d", at=day(1), limit=3)
    assert (ways(cut), cut.truncated) == (["a b d", "a c d", "a b c d"], True)
    assert not square.tenant.paths("a", "d", at=day(1), limit=4).truncated


def test_a_way_holds_as_a_whole_at_the_instant(story: Story) -> None:
    link(story, "a", "employer", "b", 1, 5)
    link(story, "b", "owner", "c", 3)
    assert [ways(story.tenant.paths("a", "c", at=day(at))) for at in (2, 3, 4.9, 5)] == [
        [],
        ["a b c"],
        ["a b c"],
        [],
    ]


def test_it_is_as_it_was_known(story: Story) -> None:
    link(story, "a", "employer", "b")
    second = story.tenant.fact(link(story, "b", "owner", "c"))
    story.tenant.retract_fact(second.id, reason="misheard")
    assert ways(story.tenant.paths("a", "c", at=day(1))) == []
    assert ways(story.tenant.paths("a", "c", at=day(1), known_at=second.recorded_at)) == ["a b c"]
    before = second.recorded_at - timedelta(microseconds=1)
    assert ways(story.tenant.paths("a", "b", at=day(1), known_at=before)) == ["a b"]


def test_two_facts_between_the_same_entities_are_two_ways(story: Story) -> None:
    link(story, "a", "employer", "b")
    link(story, "a", "founder", "b")
    link(story, "b", "owner", "a")
    found = story.tenant.paths("a", "b", at=day(1))
    assert [path.edges[0].attribute for path in found.paths] == ["employer", "founder", "owner"]


def test_relations_and_kinds_say_over_what_it_may_go(story: Story) -> None:
    story.say(Ref("acme", "Company"), 1, subject="a", attribute="employer")
    story.say(Ref("acme", "Company"), 1, subject="b", attribute="employer")
    story.say(Ref("ann", "Person"), 1, subject="a", attribute="knows")
    story.say(Ref("ann", "Person"), 1, subject="b", attribute="knows")
    assert ways(story.tenant.paths("a", "b", at=day(1))) == ["a acme b", "a ann b"]
    assert ways(story.tenant.paths("a", "b", ["knows"], at=day(1))) == ["a ann b"]
    assert ways(story.tenant.paths("a", "b", at=day(1), kinds=["Company"])) == ["a acme b"]
    assert ways(story.tenant.paths("a", "acme", at=day(1), kinds=["Person"])) == ["a acme"]


def test_from_an_entity_to_itself_there_is_the_way_of_no_step(square: Story) -> None:
    found = square.tenant.paths("a", "a", at=day(1))
    assert (ways(found), found.paths[0].edges, found.truncated) == (["a"], (), False)


@pytest.mark.parametrize(("a", "b"), [("a", "nobody"), ("nobody", "a"), ("nobody", "nobody")])
def test_both_ends_have_to_exist(square: Story, a: str, b: str) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        square.tenant.paths(a, b, at=START)


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"limit": 0}, {"direction": "up"}, {"relations": ["Knows"]}], ids=str
)
def test_what_cannot_be_searched_is_refused(square: Story, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        square.tenant.paths("a", "d", at=START, **wrong)  # type: ignore[arg-type]
