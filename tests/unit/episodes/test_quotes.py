"""A quote is found exactly, but for the form of its Unicode and of its white space, with offsets of the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from graph_memory.episodes.quotes import Quote, find_quote


def test_exact_words_are_found_where_they_stand_first() -> None:
    assert find_quote("a tea, one tea", "tea") == Quote("tea", 2, 5)


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("He  moved\n to\tRome.", "moved to Rome", "moved\n to\tRome"),
        ("Cafe\u0301 au lait", "Café au lait", "Cafe\u0301 au lait"),
        ("Café au lait", "Cafe\u0301 au lait", "Café au lait"),
        ("um 10\u00a0Uhr", "um 10 Uhr", "um 10\u00a0Uhr"),
        ("ﬁne weather", "fine weather", "ﬁne weather"),
        ("\u1112\u1161\u11ab\uae00", "한글", "\u1112\u1161\u11ab\uae00"),
        ("so  \n  it is", "  it   is ", "it is"),
        ("👩‍👩‍👧 visits", "👩‍👩‍👧 visits", "👩‍👩‍👧 visits"),
    ],
)
def test_forms_of_unicode_and_white_space_do_not_count(text: str, words: str, found: str) -> None:
    quote = find_quote(text, words)
    assert quote is not None
    assert (quote.text, text[quote.start : quote.end]) == (found, found)


@pytest.mark.parametrize("words", ["", " ", "...", "\n", "—"])
def test_what_says_nothing_is_no_evidence(words: str) -> None:
    assert find_quote("Well... — \n yes", words) is None


def test_a_part_of_a_word_is_no_evidence_but_in_scripts_without_spaces() -> None:
    assert find_quote("that is a tea", "a") == Quote("a", 8, 9)
    assert find_quote("私は東京に住んでいます", "東京") == Quote("東京", 2, 4)


@pytest.mark.parametrize("words", ["e", "ome", "He mov", "moved to rome", "moved Rome", "to Rome!", "Rome moved"])
def test_other_words_are_not_found(words: str) -> None:
    assert find_quote("He moved to Rome.", words) is None


@given(st.text(min_size=1, max_size=60), st.data())
def test_every_piece_of_a_text_is_found_in_every_form(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    piece = text[start:end]
    quote = find_quote(text, piece)
    normal = " ".join(unicodedata.normalize("NFKC", piece).split())
    if quote is None:
        cut = any(c.isalnum() for c in (text[start - 1 : start], text[end : end + 1]))
        assert cut or not any(character.isalnum() for character in normal)
        return
    assert text[quote.start : quote.end] == quote.text
    assert normal == " ".join(unicodedata.normalize("NFKC", quote.text).split())
