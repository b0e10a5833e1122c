"""What a caller says, checked and in one form."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.domain.records import Cardinality, Episode, Fact
from graph_memory.domain.values import Ref, Value, check_value
from graph_memory.errors import InvalidInputError
from graph_memory.ledger import statements
from graph_memory.ledger.statements import KEEP, MAX_REASON, assertion_row, attributes_of
from graph_memory.ledger.terms import UNDECLARED, Terms

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
JULY = datetime(2026, 7, 1, tzinfo=UTC)


class Known:
    """Attributes of which `likes` has many values at a time."""

    def cardinality(self, attribute: str) -> Cardinality:
        return Cardinality.MANY if attribute == "likes" else Cardinality.ONE

    def check(self, attribute: str, value: object) -> Value:
        return check_value(value)

    def terms(self, attribute: str) -> Terms:
        return UNDECLARED


def says(**changed: Any) -> statements.Statement:
    given: dict[str, Any] = {
        "subject": "mira",
        "attribute": "home",
        "value": "Bern",
        "valid_from": "2026-06-01",
        "until": None,
        "episode": "e1",
        "quote": None,
    }
    return statements.assertion("acme", Known(), **given | changed)


def ends(**changed: Any) -> statements.Statement:
    given: dict[str, Any] = {"at": "2026-06-01", "until": None, "value": None, "episode": "e1", "quote": None}
    attribute = changed.pop("attribute", "home")
    return statements.end("acme", Known(), "mira", attribute, **given | changed)


def stored(value: Value | None, **more: Any) -> Fact:
    return Fact(
        id="f1",
        tenant="acme",
        subject="mira",
        attribute=more.pop("attribute", "home"),
        value=value,
        valid_from=JUNE,
        asserted_from=JUNE,
        recorded_at=JUNE,
        episode_id="e1",
        source="user",
        ended=value is None,
        **more,
    )


def test_instants_are_utc_and_the_slot_follows_from_tenant_subject_and_attribute() -> None:
    one, other = says(), says(valid_from="2026-06-01T02:00:00+02:00", value="Basel")
    assert one.valid_from == other.valid_from == JUNE
    assert one.slot == other.slot
    assert one.slot != says(subject="tom").slot


def test_each_value_of_many_has_a_slot_of_its_own() -> None:
    assert says(attribute="likes", value="tea").slot != says(attribute="likes", value="jazz").slot


@pytest.mark.parametrize("until", ["2026-06-01", "2026-05-31T23:59:59Z"])
def test_an_interval_that_does_not_end_after_its_start_is_refused(until: str) -> None:
    with pytest.raises(InvalidInputError, match="half-open"):
        says(until=until)


def test_an_end_has_no_value_and_of_many_names_the_one_that_ends() -> None:
    assert (ends().value, ends().ended_value) == (None, None)
    end = ends(attribute="likes", value="tea")
    assert (end.value, end.ended_value, end.stored_value) == (None, "tea", "tea")
    assert end.slot == says(attribute="likes", value="tea").slot
    with pytest.raises(InvalidInputError, match="value="):
        ends(attribute="likes")
    with pytest.raises(InvalidInputError, match="value="):
        ends(value="Bern")


def test_a_correction_keeps_what_is_left_out() -> None:
    old = stored("Bern", until=JULY)
    kept: dict[str, Any] = {"value": KEEP, "valid_from": KEEP, "until": KEEP, "episode": "e2", "quote": None}
    same = statements.correction("acme", Known(), old, **kept)
    assert (same.value, same.valid_from, same.until, same.episode) == ("Bern", JUNE, JULY, "e2")
    longer = statements.correction("acme", Known(), old, **kept | {"until": None, "value": "Basel"})
    assert (longer.value, longer.until) == ("Basel", None)


def test_a_corrected_end_stays_an_end_unless_a_value_is_given() -> None:
    kept: dict[str, Any] = {"value": KEEP, "valid_from": JULY, "until": KEEP, "episode": "e2", "quote": None}
    moved = statements.correction("acme", Known(), stored(None), **kept)
    assert (moved.value, moved.valid_from) == (None, JULY)
    of_many = stored(None, attribute="likes", ended_value="tea")
    assert statements.correction("acme", Known(), of_many, **kept).ended_value == "tea"
    assert statements.correction("acme", Known(), stored(None), **kept | {"value": "Bern"}).value == "Bern"
    with pytest.raises(InvalidInputError, match="end_fact"):
        statements.correction("acme", Known(), stored("Bern"), **kept | {"value": None})


def test_an_episode_of_another_tenant_is_refused() -> None:
    episode = Episode(id="e1", tenant="globex", text="x", recorded_at=JUNE)
    with pytest.raises(InvalidInputError, match="tenant acme"):
        statements.episode_of("acme", episode)
    assert statements.episode_of("globex", episode) == "e1"


@pytest.mark.parametrize("quote", ["", 3, "\ud800"])
def test_a_quote_that_cannot_be_looked_for_is_refused(quote: Any) -> None:
    with pytest.raises(InvalidInputError):
        statements.quote_of(quote)


@pytest.mark.parametrize("reason", ["", "  ", "x" * (MAX_REASON + 1), None, "\ud800"])
def test_a_reason_that_says_nothing_or_too_much_is_refused(reason: Any) -> None:
    with pytest.raises(InvalidInputError):
        statements.reason_of(reason)


def test_a_row_is_a_mapping_or_an_object_and_says_what_it_lacks() -> None:
    row = {"subject": "mira", "attribute": "boss", "value": Ref("tom"), "valid_from": JUNE, "episode": "e1"}
    found = assertion_row("acme", Known(), row)
    assert found == assertion_row("acme", Known(), type("Row", (), row)())
    with pytest.raises(InvalidInputError, match="episode is missing"):
        assertion_row("acme", Known(), {name: row[name] for name in row if name != "episode"})
    with pytest.raises(InvalidInputError, match="colour"):
        assertion_row("acme", Known(), row | {"colour": "red"})


def test_the_attributes_of_rows_are_those_that_can_be_attributes() -> None:
    assert attributes_of([{"attribute": "home"}, {"attribute": "No"}, {}, {"attribute": 3}]) == {"home"}
