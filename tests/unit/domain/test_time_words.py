"""The words for times in all languages: a month, a weekday, a unit, and times told from when it is said."""

from __future__ import annotations

import pytest

from graph_memory.domain.time_words import is_short, meanings, time_words, words_of


def test_numbers_words_and_characters_without_spaces_are_told_apart() -> None:
    assert words_of("Am 15. Juli, 2022年7月!") == ["am", "15", "juli", "2022", "年", "7", "月"]


@pytest.mark.parametrize(
    ("kind", "word", "meaning"),
    [
        ("months", "juli", 7),
        ("months", "июле", 7),
        ("months", "marzo", 3),
        ("weekdays", "vendredi", 4),
        ("units", "wochen", "week"),
        ("units", "années", "year"),
        ("relative", "gestern", (-1, "day")),
        ("relative", "last week", (-1, "week")),
        ("relative", "明年", (1, "year")),
        ("numbers", "drei", 3),
    ],
)
def test_a_word_means_a_time_in_its_language(kind: str, word: str, meaning: object) -> None:
    assert meaning in meanings(getattr(time_words(), kind), tuple(words_of(word)))


def test_what_is_no_time_means_none() -> None:
    table = time_words()
    assert not meanings(table.months, ("rome",)) | meanings(table.weekdays, ("rome",))
    assert not meanings(table.units, ("rome",))


def test_a_word_of_two_letters_says_nothing_by_itself_but_a_character_does() -> None:
    assert is_short(("an",))
    assert not is_short(("年",))
    assert not is_short(("year",))
