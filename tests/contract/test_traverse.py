"""Following references, as of an instant."""

from datetime import timedelta
from typing import Any

import pytest
from story import START, Story, day

from graph_memory import Direction, InvalidInputError, NotFoundError, Ref, Subgraph


def link(story: Story, subject: str, relation: str, obj: str, start: float = 1, until: float | None = None) -> str:
    return story.say(Ref(obj), start, until, subject=subject, attribute=relation).id


def keys(graph: Subgraph) -> list[tuple[str, int]]:
    return [(node.key, node.depth) for node in graph.nodes]


def ends(graph: Subgraph) -> list[tuple[str, str, str]]:
    return [(edge.subject, edge.attribute, edge.object) for edge in graph.edges]


@pytest.fixture
def chain(story: Story) -> Story:
    """Mira - acme - holding - bank, and a friend."""
    link(story, "mira", "employer", "acme")
    link(story, "acme", "owner", "holding")
    link(story, "holding", "owner", "bank")
    link(story, "mira", "knows", "ann")
    return story


def test_it_goes_breadth_first_to_the_depth_asked(chain: Story) -> None:
    graph = chain.tenant.traverse("mira", depth=2, at=day(1))
    assert keys(graph) == [("mira", 0), ("acme", 1), ("ann", 1), ("holding", 2)]
    assert ends(graph) == [
        ("mira", "employer", "acme"),
        ("mira", "knows", "ann"),
        ("acme", "owner", "holding"),
    ]
    assert not graph.truncated


def test_every_edge_carries_its_fact_its_episode_and_its_segment(story: Story) -> None:
    link(story, "mira", "employer", "acme", 1)
    fact_id = link(story, "mira", "employer", "globex", 5, 9)
    (edge,) = story.tenant.traverse("mira", depth=1, at=day(6)).edges
    fact = story.tenant.fact(fact_id)
    assert (edge.fact_id, edge.episode_id) == (fact.id, fact.episode_id)
    assert (edge.valid_from, edge.valid_to) == (day(5), day(9))


def test_it_sees_the_graph_as_of_the_instant(story: Story) -> None:
    link(story, "mira", "employer", "acme", 1)
    link(story, "mira", "employer", "globex", 5)
    story.end(9, attribute="employer")
    found = [keys(story.tenant.traverse("mira", depth=1, at=day(at)))[1:] for at in (0, 1, 5, 9)]
    assert found == [[], [("acme", 1)], [("globex", 1)], []]


def test_it_sees_the_graph_as_it_was_known(story: Story) -> None:
    first = story.tenant.fact(link(story, "mira", "employer", "acme", 1))
    second = link(story, "mira", "employer", "globex", 5)
    link(story, "globex", "owner", "bank", 1)
    at_first = story.tenant.traverse("mira", at=day(6), known_at=first.recorded_at)
    assert ends(at_first) == [("mira", "employer", "acme")]
    assert at_first.edges[0].valid_to is None
    story.tenant.retract_fact(second, reason="misheard")
    before = story.tenant.fact(second).retracted_at
    assert before is not None
    known = story.tenant.traverse("mira", at=day(6), known_at=before - timedelta(microseconds=1))
    assert ends(known) == [("mira", "employer", "globex"), ("globex", "owner", "bank")]
    assert ends(story.tenant.traverse("mira", at=day(6))) == [("mira", "employer", "acme")]


def test_it_follows_only_the_relations_asked_for(chain: Story) -> None:
    graph = chain.tenant.traverse("mira", ["employer", "owner"], depth=3, at=day(1))
    assert keys(graph) == [("mira", 0), ("acme", 1), ("holding", 2), ("bank", 3)]
    link(chain, "zoe", "advises", "bo")
    assert keys(chain.tenant.traverse("mira", ["advises"], at=day(1))) == [("mira", 0)]


def test_it_goes_back_from_an_object_to_its_subjects(chain: Story) -> None:
    graph = chain.tenant.traverse("holding", depth=2, at=day(1), direction="in")
    assert keys(graph) == [("holding", 0), ("acme", 1), ("mira", 2)]
    assert ends(graph) == [("acme", "owner", "holding"), ("mira", "employer", "acme")]


def test_it_goes_both_ways(chain: Story) -> None:
    graph = chain.tenant.traverse("acme", depth=2, at=day(1), direction=Direction.BOTH)
    assert keys(graph) == [("acme", 0), ("holding", 1), ("mira", 1), ("ann", 2), ("bank", 2)]
    assert len(graph.edges) == len({edge.fact_id for edge in graph.edges}) == 4


def test_circles_and_facts_about_oneself_are_followed_once(story: Story) -> None:
    link(story, "a", "next", "b")
    link(story, "b", "next", "c")
    link(story, "c", "next", "a")
    link(story, "a", "knows", "a")
    for direction in Direction:
        graph = story.tenant.traverse("a", depth=9, at=day(1), direction=direction)
        assert {key for key, _ in keys(graph)} == {"a", "b", "c"}
        assert len(graph.edges) == 4


def test_literals_are_not_part_of_the_graph(story: Story) -> None:
    link(story, "mira", "employer", "acme")
    story.say("acme", 1)
    graph = story.tenant.traverse("mira", depth=1, at=day(1))
    assert ends(graph) == [("mira", "employer", "acme")]


def test_the_limit_cuts_it_short_and_says_so(story: Story) -> None:
    for number in range(10):
        link(story, "mira", "knows", f"friend-{number}")
    graph = story.tenant.traverse("mira", depth=1, at=day(1), limit=3)
    assert graph.truncated
    assert len(graph.edges) <= 3
    assert not story.tenant.traverse("mira", depth=1, at=day(1), limit=100).truncated


def test_depth_zero_is_the_start_alone(chain: Story) -> None:
    graph = chain.tenant.traverse("mira", depth=0, at=day(1))
    assert (keys(graph), graph.edges) == ([("mira", 0)], ())


def test_nodes_carry_the_kinds_of_their_entities(story: Story) -> None:
    story.say(Ref("acme", "Company"), 1, attribute="employer")
    node = story.tenant.traverse("mira", depth=1, at=day(1)).nodes[1]
    assert (node.key, node.kinds) == ("acme", ("Company",))
    assert story.tenant.entity("acme").kinds == ("Company",)


def test_it_starts_from_an_entity_that_exists(story: Story) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        story.tenant.traverse("nobody", at=START)


@pytest.mark.parametrize(
    "wrong", [{"depth": -1}, {"limit": 0}, {"direction": "up"}, {"relations": ["Employer"]}], ids=str
)
def test_what_it_cannot_follow_is_refused(story: Story, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        story.tenant.traverse("mira", at=START, **wrong)  # type: ignore[arg-type]


def test_where_there_are_too_many_the_nearer_ones_are_taken_and_then_those_that_hold_since_latest(
    story: Story,
) -> None:
    for number in range(5):
        link(story, "mira", "knows", f"friend-{number}", number)
        link(story, f"friend-{number}", "employer", "acme", 9)
    graph = story.tenant.traverse("mira", at=day(9), limit=3)
    assert [edge.object for edge in graph.edges] == ["friend-2", "friend-3", "friend-4"]
    assert len(story.tenant.traverse("mira", at=day(9), limit=7).edges) == 7
    assert {e.attribute for e in story.tenant.traverse("mira", at=day(9), limit=5).edges} == {"knows"}
    assert story.tenant.traverse("mira", at=day(9), limit=5).truncated


def test_it_goes_only_to_entities_of_the_kinds_asked_for(story: Story) -> None:
    story.say(Ref("acme", "Company"), 1, attribute="employer")
    story.say(Ref("ann", "Person"), 1, attribute="friend")
    story.say(Ref("bank", "Company"), 1, subject="ann", attribute="employer")
    only = story.tenant.traverse("mira", depth=2, at=day(1), kinds=["Company"])
    assert keys(only) == [("mira", 0), ("acme", 1)]
    both = story.tenant.traverse("mira", depth=2, at=day(1), kinds=["Company", "Person"])
    assert keys(both) == [("mira", 0), ("acme", 1), ("ann", 1), ("bank", 2)]
    known_at = story.tenant.fact(both.edges[-1].fact_id).recorded_at
    past = story.tenant.traverse("mira", depth=2, at=day(1), known_at=known_at, kinds=["Company"])
    assert keys(past) == keys(only)


@pytest.fixture
def town(story: Story) -> Story:
    """Mira and a friend, both with an employer; an employer and the friend are in a city."""
    for subject, relation, obj, kind in (
        ("mira", "employer", "acme", "Company"),
        ("mira", "friend", "ann", "Person"),
        ("acme", "located_in", "berlin", "City"),
        ("ann", "employer", "bank", "Company"),
        ("ann", "home", "paris", "City"),
    ):
        story.say(Ref(obj, kind), 1, subject=subject, attribute=relation)
    return story


KINDS_OF_WALKS = [
    ({"to": ["City"]}, ["mira", "acme", "ann", "berlin", "paris"], 4),
    ({"through": ["Company"], "to": ["City"]}, ["mira", "acme", "berlin"], 2),
    ({"through": ["Company"]}, ["mira", "acme", "ann", "berlin"], 3),
    ({"through": []}, ["mira", "acme", "ann"], 2),
    ({"to": ["City", "Company"]}, ["mira", "acme", "ann", "bank", "berlin", "paris"], 5),
    ({"to": ["City"], "depth": 1}, ["mira"], 0),
    ({"to": ["Person"], "direction": "both"}, ["mira", "ann"], 1),
    ({"kinds": ["City"]}, ["mira"], 0),
    ({"through": ["City"], "to": ["City"]}, ["mira"], 0),
]


@pytest.mark.parametrize(("asked", "expected", "edges"), KINDS_OF_WALKS, ids=str)
def test_a_walk_passes_the_kinds_of_through_and_ends_at_those_of_to(
    town: Story, asked: dict[str, Any], expected: list[str], edges: int
) -> None:
    for known_at in (None, town.tenant.history("ann", "home")[0].recorded_at):
        graph = town.tenant.traverse("mira", at=day(1), known_at=known_at, **asked)
        assert [key for key, _ in keys(graph)] == expected
        assert len(graph.edges) == edges
        assert not graph.truncated


def test_the_last_step_reads_only_the_kinds_that_it_may_return(town: Story) -> None:
    graph = town.tenant.traverse("acme", depth=1, at=day(1), direction="both", to=["City"], limit=1)
    assert (keys(graph), graph.truncated) == ([("acme", 0), ("berlin", 1)], False)


@pytest.mark.parametrize("beside", [{"through": ["Company"]}, {"to": ["Company"]}], ids=str)
def test_kinds_stands_for_through_and_to_and_not_beside_them(town: Story, beside: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        town.tenant.traverse("mira", at=day(1), kinds=["Company"], **beside)


def test_facts_without_the_memory_type_are_not_followed(chain: Story) -> None:
    assert keys(chain.tenant.traverse("mira", at=day(1), memory_types=["preference"])) == [("mira", 0)]
