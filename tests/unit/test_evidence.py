"""The words of a query: nothing in a text can be an operator, and the tenant is always required."""

import pytest

from graph_memory.evidence import MAX_WORD, MAX_WORDS, lucene_query, tenant_token


def words_of(text: str) -> str:
    query = lucene_query("acme", text)
    assert query is not None
    required, _, words = query.partition(" +text:")
    assert required == f"+tenant_token:{tenant_token('acme')}^0"
    return words


def test_words_are_taken_once_in_lower_case() -> None:
    assert words_of("Passport deadline, PASSPORT!") == "(passport deadline)"


@pytest.mark.parametrize(
    "text", ['a" OR tenant_token:x', "a) +b -c", r"a\ b:c~2^9", "a AND NOT b", "[a TO b]", "a* ?b"]
)
def test_no_text_can_be_an_operator(text: str) -> None:
    assert set(words_of(text)) <= set("(abcdefghijklmnopqrstuvwxyz_0123456789 )")


@pytest.mark.parametrize("text", ["", "  ", '"?!()', "🙂", "-"])
def test_a_text_without_words_asks_nothing(text: str) -> None:
    assert lucene_query("acme", text) is None


def test_words_of_any_language_count() -> None:
    assert words_of("Straße 東京 дом") == "(straße 東京 дом)"


def test_the_number_and_length_of_words_are_bounded() -> None:
    many = " ".join(f"w{n}" for n in range(MAX_WORDS + 50))
    assert len(words_of(many).split()) == MAX_WORDS
    assert words_of(f"{'x' * (MAX_WORD + 1)} short") == "(short)"


def test_each_tenant_has_a_token_of_its_own() -> None:
    assert len({tenant_token(name) for name in ("acme", "Acme", "acme ", "beta")}) == 4
