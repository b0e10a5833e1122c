"""What is said with nobody named is about the one who speaks, and what names somebody is not."""

from __future__ import annotations

import pytest

from graph_memory.episodes.quotes import find_quote
from graph_memory.extraction.spoken_of import another_named


@pytest.mark.parametrize(
    ("text", "evidence", "name"),
    [
        ("Jack is sad", "Jack is sad", "Jack"),
        ("Jack is sad", "is sad", "Jack"),
        ("Nice day. Jack Miller moved to Oslo.", "moved to Oslo", "Jack Miller"),
        ("Jack ist traurig", "ist traurig", "Jack"),
        ("Jack está triste", "está triste", "Jack"),
        ("Джек живёт в Осло", "живёт в Осло", "Джек"),
        ("James likes tea", "James likes tea", "James"),
        ("my brother bob lives in Oslo", "bob lives in Oslo", "bob"),
        ("ボブは悲しい", "ボブは悲しい", "ボブ"),
        ("So bob says that he lives in Oslo", "he lives in Oslo", "bob"),
    ],
)
def test_whoever_is_named_may_be_meant(text: str, evidence: str, name: str) -> None:
    quote = find_quote(text, evidence)
    assert quote is not None
    assert another_named(text, quote, {"bob", "ボブ"}, "tea", "likes") == name


@pytest.mark.parametrize(
    ("text", "evidence", "value"),
    [
        ("I live in Oslo.", "I live in Oslo", "Oslo"),
        ("I'm sad", "I'm sad", "sad"),
        ("I work with bob at Acme", "I work with bob at Acme", "Acme"),
        ("Works with bob at Acme", "Works with bob at Acme", "Acme"),
        ("Moved to Oslo last week.", "Moved to Oslo", "Oslo"),
        ("A tea, please.", "tea, please", "Tea"),
        ("Tea, please!", "Tea, please", "tea"),
        ("Likes tea a lot", "Likes tea", "tea"),
        ("Now lives in Oslo", "lives in Oslo", "Oslo"),
        ("Yesterday moved to Oslo", "moved to Oslo", "Oslo"),
        ("Speaks Portuguese.", "Speaks Portuguese", "Portuguese"),
        ("sad today", "sad today", "sad"),
        ("Ich wohne in Oslo", "Ich wohne in Oslo", "Oslo"),
        ("Wohnt in Oslo", "Wohnt in Oslo", "Oslo"),
        ("Vive en Oslo", "Vive en Oslo", "Oslo"),
        ("わたしは悲しい", "悲しい", "悲しい"),
        ("My home is Oslo.", "My home is Oslo", "Oslo"),
        ("Home is Oslo.", "Home is Oslo", "Oslo"),
    ],
)
def test_what_names_nobody_is_about_the_one_who_speaks(text: str, evidence: str, value: str) -> None:
    quote = find_quote(text, evidence)
    assert quote is not None
    assert another_named(text, quote, {"bob"}, value, "home") is None
