"""The words of a query: nothing in a text can be an operator, and the tenant is always required."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.errors import InvalidInputError
from graph_memory.search.query import MAX_WORD, MAX_WORDS, lucene_query, search_of, tenant_token


def words_of(text: str) -> str:
    query = lucene_query("acme", text)
    assert query is not None
    required, _, words = query.partition(" +text:")
    assert required == f"+tenant_token:{tenant_token('acme')}^0"
    return words


def test_words_are_taken_once_whatever_their_case() -> None:
    assert words_of("passport deadline, PASSPORT!") == "(passport deadline)"


def test_the_index_decides_what_lower_case_is_but_of_operators() -> None:
    assert words_of("\u0130stanbul AND NOT Izmir or") == "(\u0130stanbul and not Izmir or)"


@pytest.mark.parametrize(
    "text", ['a" OR tenant_token:x', "a) +b -c", r"a\ b:c~2^9", "a AND NOT b", "[a TO b]", "a* ?b"]
)
def test_no_text_can_be_an_operator(text: str) -> None:
    assert set(words_of(text)) <= set("(abcdefghijklmnopqrstuvwxyz_0123456789., )")


@pytest.mark.parametrize("text", ["", "  ", '"?!()', "🙂", "-"])
def test_a_text_without_words_asks_nothing(text: str) -> None:
    assert lucene_query("acme", text) is None


def test_words_of_any_language_count() -> None:
    assert words_of("Straße 東京 дом") == "(Straße 東京 дом)"


def test_the_number_and_length_of_words_are_bounded() -> None:
    many = " ".join(f"w{n}" for n in range(MAX_WORDS + 50))
    assert len(words_of(many).split()) == MAX_WORDS
    assert words_of(f"{'x' * (MAX_WORD + 1)} short") == f"({'x' * MAX_WORD} x short)"
    assert sum(map(len, words_of("東" * 100_000).split())) < 1024


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("acme.com", "(acme.com acme com)"),
        ("1,000 euros", "(1,000 1 000 euros)"),
        ("Mira\u2019s, and don't.", "(Mira\u2019s Mira s and don't don t)"),
        ("किराया", "(किराया)"),
        ("...", None),
    ],
)
def test_a_word_is_asked_for_whole_and_in_its_parts(text: str, words: str | None) -> None:
    assert (lucene_query("acme", text) and words_of(text)) == words


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"mode": "exact"},
        {"fusion": "sum"},
        {"weights": (0, 0)},
        {"weights": (1, -1)},
        {"weights": 1},
        {"neighbours": 2},
        {"kinds": "message"},
        {"between": ("2026-02-01", "2026-01-01")},
        {"between": "2026"},
        {"at": "soon"},
        {"about": ""},
    ],
    ids=str,
)
def test_what_a_search_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    [name] = wrong
    with pytest.raises(InvalidInputError, match="key" if name == "about" else name.removesuffix("s")):
        search_of("words", **{"k": 10, **wrong})


def test_an_instant_of_the_past_bounds_what_may_have_been_said() -> None:
    search = search_of("x", 1, between=("2026-01-01", "2026-03-01"), at="2026-02-01")
    assert search.said_from == datetime(2026, 1, 1, tzinfo=UTC)
    assert search.said_before == datetime(2026, 2, 1, 0, 0, 0, 1, tzinfo=UTC)
    assert search_of("x", 1, at=datetime.max.replace(tzinfo=UTC)).said_before is None


def test_each_tenant_has_a_token_of_its_own() -> None:
    assert len({tenant_token(name) for name in ("acme", "Acme", "acme ", "beta")}) == 4
