"""The words of texts and queries as searches compare them."""

import sys
import threading

import pytest
from hypothesis import given, strategies as st

from graph_memory.errors import InvalidInputError
from graph_memory.search.analysis import LANGUAGES, Analyzer, analyzer, stem, token

ENGLISH = Analyzer("english")


def terms(text: str, language: str = "english") -> list[str]:
    return [term.text for term in Analyzer(language).terms(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The passports' deadlines were moved.", ["passport", "deadlin", "were", "move"]),
        ("control contract", ["control", "contract"]),
        ("web12 web34 v2 order_77", ["web12", "web34", "v2", "order_77"]),
        ("1,000.50 in 2021", ["1,000.50", "2021"]),
        ("acme.com", ["acme.com", "acm", "com"]),
        ("Mira\u2019s Mira's", ["mira", "mira"]),
        ("Stra\u00dfe STRASSE", ["strass", "strass"]),
        ("caf\u00e9 cafe\u0301 \uff43\uff41\uff46\u00e9", ["caf\u00e9"] * 3),
        ("AND NOT", []),
        ('"?!() \U0001f98a -', []),
    ],
)
def test_a_text_has_the_terms_of_its_words(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_a_text_without_spaces_has_its_characters_and_its_pairs() -> None:
    assert terms("\u6771\u4eac\u306b") == ["\u6771", "\u6771\u4eac", "\u4eac", "\u4eac\u306b", "\u306b"]
    assert ENGLISH.asked("\u6771\u4eac\u306b") == ["\u6771\u4eac", "\u4eac\u306b"]
    assert ENGLISH.asked("\u6771") == ["\u6771"]


def test_languages_differ_in_their_stems_and_folding_in_its_marks() -> None:
    assert terms("H\u00e4user Haus", "german")[0] == terms("Haus", "german")[0]
    assert terms("caf\u00e9s", "standard") == ["caf\u00e9s"]
    assert terms("caf\u00e9", "standard-folding") == ["cafe"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_that_is_offered_works(language: str) -> None:
    assert list(analyzer(language).terms("Paris 2024"))[-1].text == "2024"


@pytest.mark.parametrize("language", ["klingon", "keyword", "thai", "English", ""])
def test_another_language_is_refused_by_what_there_is(language: str) -> None:
    with pytest.raises(InvalidInputError, match="english"):
        analyzer(language)


@given(st.text(max_size=300))
def test_a_text_asks_for_nothing_that_it_does_not_have(text: str) -> None:
    found = list(ENGLISH.terms(text))
    assert set(ENGLISH.asked(text)) <= {term.text for term in found}
    assert all(0 <= term.start < term.end <= len(text) for term in found)


@given(st.text(max_size=50), st.text(max_size=50))
def test_a_token_is_a_word_of_its_tenant_alone(one: str, other: str) -> None:
    assert token(one, other).isalnum()
    assert token(one, other).isascii()
    assert (token(one, "fox") == token(other, "fox")) == (one == other)


def test_threads_do_not_disturb_each_others_stems() -> None:
    words = [f"{'ab' * (n % 20)}running{'c' * (n % 7)}ing" for n in range(3000)]
    stem.cache_clear()
    alone = [stem("english", word) for word in words]
    found: list[list[str]] = []

    def work() -> None:
        found.append([stem.__wrapped__("english", word) for word in words])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert found == [alone] * 4
