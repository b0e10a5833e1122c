import pytest
from hypothesis import given, strategies as st

from graph_memory.search.analysis import Analyzer
from graph_memory.search.excerpts import LONGEST, excerpt

ENGLISH = Analyzer("english")

FILLER = "Nothing of note was said here. " * 30


def test_a_short_text_is_quoted_whole_without_the_blanks_around_it() -> None:
    quote = excerpt("  Mira moved to Lisbon.\n", "anything", ENGLISH)
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
    quote = excerpt(text, query, ENGLISH)
    assert sentence in quote.text
    assert text[quote.start : quote.end] == quote.text


def test_a_rare_word_counts_more_than_one_that_stands_everywhere() -> None:
    text = f"{'passport control. ' * 40}{FILLER}A passport with visa.{FILLER}"
    assert "visa" in excerpt(text, "passport visa", ENGLISH).text


def test_where_no_word_is_found_it_is_the_beginning_of_the_passage() -> None:
    text = f"{FILLER}The end."
    assert excerpt(text, "zebra", ENGLISH).start == 0
    assert excerpt(text, "zebra", ENGLISH, 31).start == 31
    assert not excerpt(text, "zebra", ENGLISH).text.endswith("Noth")


@given(st.text(max_size=600), st.text(max_size=40), st.integers(0, 200), st.integers(0, 600))
def test_an_excerpt_stands_in_the_text_and_is_not_too_long(text: str, query: str, start: int, length: int) -> None:
    start = min(start, len(text))
    quote = excerpt(text, query, ENGLISH, start, start + length)
    assert quote.text == text[quote.start : quote.end]
    assert len(quote.text) <= LONGEST
    assert start <= quote.start <= quote.end <= max(start, min(len(text), start + length))


@pytest.mark.parametrize(
    ("query", "sentence", "other"),
    [
        ("web34", "The server web34 runs caddy.", "The server web12 runs nginx."),
        ("in 2021", "In 2021 she was in Porto.", "In 2024 she was in Rome."),
        ("version 1.2.345", "It is version 1.2.345 now.", "It was version 1.2.312 then."),
        ("order 77123", "Order 77123 was paid.", "Order 77456 was sent."),
        ("the contract", "The contract was signed.", "The controls were cleaned."),
        ("cafe\u0301", "The caf\u00e9 is open.", "The cafeteria is closed."),
    ],
)
def test_only_the_same_word_is_alike(query: str, sentence: str, other: str) -> None:
    text = f"{other} {FILLER} {sentence} {FILLER}"
    quote = excerpt(text, query, ENGLISH)
    assert sentence in quote.text
    assert other not in quote.text
