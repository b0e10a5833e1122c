import pytest
from hypothesis import given, strategies as st

from graph_memory.search.excerpts import LONGEST, excerpt

FILLER = "Nothing of note was said here. " * 30


def test_a_short_text_is_quoted_whole_without_the_blanks_around_it() -> None:
    quote = excerpt("  Mira moved to Lisbon.\n", "anything")
    assert (quote.text, quote.start, quote.end) == ("Mira moved to Lisbon.", 2, 23)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("passport deadlines", "Her passport has a deadline in July."),
        ("moving", "Then Mira moved to Lisbon."),
        ("Stra\u00dfe", "Er wohnt in der Stra\u00dfe am Fluss."),
        ("\u6771\u4eac", "\u79c1\u306f\u6771\u4eac\u306b\u4f4f\u3093\u3067\u3044\u307e\u3059\u3002"),
    ],
)
def test_the_words_around_the_best_match_are_quoted(query: str, sentence: str) -> None:
    text = f"{FILLER}{sentence} {FILLER}"
    quote = excerpt(text, query)
    assert sentence in quote.text
    assert text[quote.start : quote.end] == quote.text


def test_a_rare_word_counts_more_than_one_that_stands_everywhere() -> None:
    text = f"{'passport control. ' * 40}{FILLER}A passport with visa.{FILLER}"
    assert "visa" in excerpt(text, "passport visa").text


def test_where_no_word_is_found_it_is_the_beginning_of_the_passage() -> None:
    text = f"{FILLER}The end."
    assert excerpt(text, "zebra").start == 0
    assert excerpt(text, "zebra", 31).start == 31
    assert not excerpt(text, "zebra").text.endswith("Noth")


@given(st.text(max_size=600), st.text(max_size=40), st.integers(0, 200), st.integers(0, 600))
def test_an_excerpt_stands_in_the_text_and_is_not_too_long(text: str, query: str, start: int, length: int) -> None:
    start = min(start, len(text))
    quote = excerpt(text, query, start, start + length)
    assert quote.text == text[quote.start : quote.end]
    assert len(quote.text) <= LONGEST
    assert start <= quote.start <= quote.end <= max(start, min(len(text), start + length))
