"""By which names a text may mean an entity."""

from __future__ import annotations

import random

import pytest

from graph_memory.domain.identifiers import MAX_KEY
from graph_memory.domain.name_forms import normalise, words
from graph_memory.entities.normalization import (
    MAX_FIRST_WORDS,
    MAX_LAST_WORDS,
    phrase,
    phrases,
    slug,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme,  INC.", "acme inc"),
        ("Mira's", "mira"),
        ("\uff2d\uff29\uff32\uff21", "mira"),
        ("Straße", "STRASSE"),
        ("“Bob”", "bob"),
        ("cafe\u0301", "CAFÉ"),
    ],
)
def test_names_that_people_take_for_one_are_one(one: str, other: str) -> None:
    assert normalise(one) == normalise(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("C#", "C"), ("acme-api", "acme api"), ("a@b.com", "a b com"), ("Miras", "Mira's")],
)
def test_what_stands_inside_a_word_tells_names_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_a_normal_form_is_its_own_normal_form() -> None:
    for name in ("Acme,  INC.", "Mira's dog", "米拉 住在 Berlin", "ﬁnance Team", "ΑΣ"):
        assert normalise(normalise(name)) == normalise(name)


def test_a_name_of_punctuation_alone_has_no_normal_form_and_is_its_own_key() -> None:
    assert (normalise("?!"), slug("?!"), phrase("?!").keys) == ("", "?!", ("?!",))


def test_a_key_is_made_of_the_words_of_a_name() -> None:
    assert [slug(name) for name in ("Mira Chen", " Acme,  Inc.", "米拉")] == ["mira-chen", "acme-inc", "米拉"]


def test_phrases_are_all_runs_of_one_to_six_words_once() -> None:
    found = [p.name for p in phrases("a b c d e f g a b")]
    assert found[:6] == ["a", "a b", "a b c", "a b c d", "a b c d e", "a b c d e f"]
    assert len(found) == len(set(found))
    assert "a b c d e f g" not in found
    assert "g a b" in found


def test_a_phrase_gives_the_keys_that_people_write_for_it() -> None:
    [found] = [p for p in phrases("We met Mira Chen.") if p.name == "mira chen"]
    assert found.keys == (
        *("Mira Chen", "Mira-Chen", "Mira_Chen", "MiraChen"),
        *("mira chen", "mira-chen", "mira_chen", "mirachen"),
    )


def test_a_phrase_of_many_words_gives_the_keys_that_are_usual() -> None:
    found = {p.name: p.keys for p in phrases("The Old Mill Inn")}
    assert found["the old mill inn"] == ("The Old Mill Inn", "the-old-mill-inn", "the_old_mill_inn")
    assert "A-b-C" in {p.name: p.keys for p in phrases("A b C")}["a b c"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("阿里巴巴集团控股有限公司在杭州。", "阿里巴巴集团控股有限公司"),
        ("คุณสมชายใจดีอยู่ที่กรุงเทพ", "สมชายใจดี"),
        ("هل تعمل في Acme؟", "acme"),
        ("वह Acme।", "acme"),
        ("Acme\u0589", "acme"),
        ("አክሜ።", "አክሜ"),
        ("We met St. John today.", "st john"),
        ("The (odd) one", "odd"),
        ("I use C# and C++.", "c#"),
        ("We stay at the old mill inn.", "the old mill inn"),
    ],
)
def test_a_name_is_found_in_any_script_and_before_any_punctuation(text: str, name: str) -> None:
    assert normalise(name) == name
    assert name in {p.name for p in phrases(text)}


def test_the_first_key_of_a_whole_name_is_the_name_as_it_is_written() -> None:
    assert phrase("Mira's").keys[0] == "Mira's"
    assert phrase("one two three four five six seven").name == "one two three four five six seven"


def test_scripts_without_spaces_are_taken_apart_and_put_together_without_any() -> None:
    assert words("米拉住在柏林。アレクサンダー") == ["米", "拉", "住", "在", "柏", "林", "アレクサンダー"]
    assert "米拉" in {p.name for p in phrases("米拉住在柏林")}
    assert "สมชาย" in {p.name for p in phrases("สมชาย")}
    assert max(len(p.name) for p in phrases("米" * 100)) == 18


def test_a_long_text_costs_no_more_than_its_beginning_and_its_end() -> None:
    text = " ".join(f"w{n}" for n in range(200_000))
    found = {p.name for p in phrases(text)}
    assert len(found) <= 6 * (MAX_FIRST_WORDS + MAX_LAST_WORDS)
    assert {"w0", f"w{MAX_FIRST_WORDS - 1}", "w199999", f"w{200_000 - MAX_LAST_WORDS}"} <= found
    assert f"w{MAX_FIRST_WORDS}" not in found


def test_no_phrase_and_no_key_is_longer_than_a_key_may_be() -> None:
    drawn = random.Random(7)
    text = " ".join("x" * drawn.randrange(1, 700) for _ in range(200))
    for found in phrases(text):
        assert all(0 < len(form) <= MAX_KEY for form in (found.name, *found.keys))
