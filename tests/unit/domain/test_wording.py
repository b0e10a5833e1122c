"""Numbers and articles in messages."""

from __future__ import annotations

import pytest

from graph_memory.domain.wording import counted, plural, with_article


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "fact", "0 facts"),
        (1, "fact", "1 fact"),
        (2, "entity", "2 entities"),
        (1, "entity", "1 entity"),
        (3_000, "day", "3,000 days"),
        (2, "match", "2 matches"),
    ],
)
def test_a_number_has_its_noun_in_the_singular_or_plural(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said


def test_a_plural_follows_the_ending() -> None:
    assert [plural(noun) for noun in ("slot", "alias", "box", "history")] == [
        "slots",
        "aliases",
        "boxes",
        "histories",
    ]


@pytest.mark.parametrize(
    ("noun", "said"), [("Account", "an Account"), ("Ticket", "a Ticket"), ("item", "an item")]
)
def test_an_article_goes_by_the_first_letter(noun: str, said: str) -> None:
    assert with_article(noun) == said
