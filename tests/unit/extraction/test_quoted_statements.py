"""Statements carry the evidence that stands in the episode, and where it stands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory import Cardinality, Episode, InvalidInputError, Kind, Schema, attribute
from graph_memory.domain.values import Value
from graph_memory.episodes.quotes import find_quote
from graph_memory.extraction.quoted_statements import QuotedStatements
from graph_memory.ledger.terms import Terms

JUNE, JULY = datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)
TEXT = "It is said that Mira lives in Rome and likes tea."


class Person(Kind):
    """A person."""

    home: str = attribute("Where they live")
    likes: list[str] = attribute("What they like")


SCHEMA = Schema("quoted", version=1, kinds=[Person])
QUOTE = find_quote(TEXT, "lives in Rome")


class Declared:
    """The attributes of the schema, as statements take them."""

    def cardinality(self, attribute: str) -> Cardinality:
        return SCHEMA.attribute(attribute).cardinality

    def check(self, attribute: str, value: object) -> Value:
        return SCHEMA.check(attribute, value)

    def terms(self, attribute: str) -> Terms:
        return SCHEMA.terms(attribute)


STATEMENTS = QuotedStatements(Declared(), Episode(id="e1", tenant="acme", text=TEXT, recorded_at=JUNE))


def test_an_assertion_says_by_which_words_of_which_episode() -> None:
    assert QUOTE is not None
    said = STATEMENTS.assertion("mira", SCHEMA.attribute("home"), "Rome", JUNE, JULY, QUOTE)
    assert (said.value, said.valid_from, said.until, said.episode) == ("Rome", JUNE, JULY, "e1")
    assert (said.quote, said.quoted_at) == ("lives in Rome", TEXT.index("lives"))


def test_an_interval_that_ends_before_it_starts_is_refused() -> None:
    assert QUOTE is not None
    with pytest.raises(InvalidInputError, match="not after"):
        STATEMENTS.assertion("mira", SCHEMA.attribute("home"), "Rome", JULY, JUNE, QUOTE)


@pytest.mark.parametrize(("name", "ended"), [("home", None), ("likes", "tea")])
def test_an_end_names_the_value_only_where_there_are_many(name: str, ended: str | None) -> None:
    assert QUOTE is not None
    said = STATEMENTS.end("mira", SCHEMA.attribute(name), "tea", JULY, QUOTE)
    assert (said.value, said.ended_value, said.valid_from) == (None, ended, JULY)
