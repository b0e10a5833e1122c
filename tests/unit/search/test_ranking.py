from graph_memory.search.query import Fusion
from graph_memory.search.ranking import Found, Hit, best_first, fused, ranked, with_neighbours

WORDS = [Hit("a", 4.0, 1), Hit("b", 2.0, 2)]
VECTORS = [Hit("b", 0.9, 2), Hit("c", 0.7, 3)]


def test_hits_are_ordered_by_score_then_by_recording_then_by_id() -> None:
    hits = [Hit("z", 1.0, 1), Hit("b", 1.0, 2), Hit("a", 1.0, 2), Hit("y", 2.0, 9), Hit("z", 3.0, 1)]
    assert [(hit.id, hit.score) for hit in best_first(hits)] == [("z", 3.0), ("y", 2.0), ("a", 1.0), ("b", 1.0)]


def test_weights_are_of_scores_that_are_scaled_so_that_the_best_is_one() -> None:
    parts = fused(WORDS, VECTORS, Fusion.WEIGHTS, (0.7, 0.3))
    assert parts["a"] == {"text": 0.7}
    assert parts["b"] == {"text": 0.35, "vector": 0.3}
    assert round(parts["c"]["vector"], 6) == 0.15


def test_ranks_count_by_their_reciprocals() -> None:
    parts = fused(WORDS, VECTORS, Fusion.RANKS, (1, 1))
    assert parts["a"] == {"text": 0.5}
    assert parts["b"] == {"text": 0.5 * 61 / 62, "vector": 0.5}


def test_what_found_something_alone_has_all_the_weight() -> None:
    assert fused(WORDS, [], Fusion.WEIGHTS, (0.7, 0.3))["a"] == {"text": 1.0}
    assert fused([], VECTORS, Fusion.WEIGHTS, (0.7, 0.3))["b"] == {"vector": 1.0}


def test_a_turn_is_lent_a_share_of_the_scores_beside_it_and_may_be_found_by_that_alone() -> None:
    lent = with_neighbours({"a": {"text": 1.0}, "b": {"text": 0.4}}, {"a": ["b", "c"], "b": ["a"]}, 0.5)
    assert lent == {"a": {"text": 1.0, "session": 0.2}, "b": {"text": 0.4, "session": 0.5}, "c": {"session": 0.5}}
    assert with_neighbours({"a": {"text": 1.0}}, {"a": ["c"]}, 0.0) == {"a": {"text": 1.0}}


def test_equal_scores_rank_by_recording() -> None:
    found = ranked({"x": {"text": 1.0}, "w": {"vector": 1.0}, "v": {"text": 2.0}}, {"x": 1, "w": 2, "v": 3}, 2)
    assert [one.id for one in found] == ["v", "x"]


def test_more_hits_are_asked_for_until_enough_count_or_none_is_left() -> None:
    hits = [Hit("a", 2.0, 1), Hit("b", 1.0, 2)]
    assert Found(hits, returned=2).enough(limit=3, wanted=5)
    assert Found(hits, returned=3).enough(limit=3, wanted=2)
    assert not Found(hits, returned=3).enough(limit=3, wanted=3)
