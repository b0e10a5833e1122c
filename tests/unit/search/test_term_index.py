"""What the text index is asked, and how what it gives is ranked."""

import pytest

from graph_memory.search.index_generations import Generation, Generations
from graph_memory.search.term_index import MAX_TERMS, all_entries, entries, lucene_query, score, tokens_of, weights

INDEX = Generation(1, "passage_text", language="english")


def ranked(texts: list[str], query: str) -> list[int]:
    """Return the places of texts, the best first, ranked by counts over all of them."""
    held = [[part["terms"].split() for part in entries("acme", text, INDEX)] for text in texts]
    asked = tokens_of("acme", query, INDEX)
    passages = [terms for parts in held for terms in parts]
    weighed = weights({one: sum(one in terms for terms in passages) for one in asked}, len(passages))
    best = [max((score(terms, weighed) for terms in parts), default=0.0) for parts in held]
    return sorted((place for place, value in enumerate(best) if value), key=lambda place: -best[place])


def test_a_long_text_that_has_all_words_comes_before_notes_that_have_one() -> None:
    long = f"{'We spoke of this and that. ' * 300}By the way, the code word is heron."
    notes = ["code", "word", "code", "word", "code"]
    others = [f"Note number {n}, and nothing else." for n in range(200)]
    assert ranked([*notes, *others, long], "code word")[0] == len(notes) + len(others)


def test_a_rare_word_weighs_more_and_one_that_nobody_has_nothing() -> None:
    weighed = weights({"rare": 1, "common": 90, "all": 100, "none": 0}, 100)
    assert weighed["rare"] > weighed["common"] > weighed["all"] > 0
    assert "none" not in weighed


@pytest.mark.parametrize(
    "text", ['a" OR b:x', "fox) +dog -cat", r"a\ b:c~2^9", "dog AND NOT cat", "[x TO y]", "x* ?y"]
)
def test_no_text_can_be_an_operator(text: str) -> None:
    asked = tokens_of("acme", text, INDEX)
    assert asked
    parts = lucene_query(weights(dict.fromkeys(asked, 1), 10)).split()
    assert {part.split("^")[0].removesuffix("*") for part in parts} == set(asked)


def test_the_number_of_words_is_bounded() -> None:
    assert len(tokens_of("acme", " ".join(f"w{n}" for n in range(MAX_TERMS + 50)), INDEX)) == MAX_TERMS


def test_an_episode_has_what_the_index_in_use_and_the_one_being_built_hold() -> None:
    new = Generation(2, "passage_text_2", language="german", slot="b")
    [alone] = all_entries("acme", "Die H\u00e4user", Generations(INDEX, None))
    [both] = all_entries("acme", "Die H\u00e4user", Generations(INDEX, new))
    assert alone["terms_b"] is None
    assert both["terms_a"] == alone["terms_a"]
    assert both["terms_b"] == entries("acme", "Die H\u00e4user", new)[0]["terms"]
    assert all_entries("acme", " \n", Generations(INDEX, new)) == []
