"""What a person's confirmation makes of a candidate."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from declared import SCHEMA

from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.domain.records import Cardinality, Episode
from graph_memory.domain.values import Value
from graph_memory.errors import ConflictError, InvalidInputError
from graph_memory.extraction.confirmation import confirming, require_confirmer, require_open
from graph_memory.extraction.outcome import Signal
from graph_memory.ledger.commands import Authority, Command
from graph_memory.ledger.terms import UNDECLARED, Terms

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
MAY = datetime(2026, 5, 1, tzinfo=UTC)


class Declared:
    def cardinality(self, attribute: str) -> Cardinality:
        return SCHEMA.attributes[attribute].cardinality

    def check(self, attribute: str, value: object) -> Value:
        return SCHEMA.check(attribute, value)

    def terms(self, attribute: str) -> Terms:
        return UNDECLARED


def episode(id_: str, source: str = "user") -> Episode:
    return Episode(id=id_, tenant="acme", text="x", source=source, occurred_at=JUNE, recorded_at=JUNE)


def candidate(**changed: Any) -> Candidate:
    given: dict[str, Any] = {
        "id": "c1",
        "tenant": "acme",
        "status": CandidateStatus.PENDING,
        "reason": "a change of home has to be confirmed",
        "episode_id": "e1",
        "source": "user",
        "quote": "we moved to Bern",
        "subject": "ana",
        "attribute": "home",
        "change": "new",
        "value": "Bern",
        "valid_from": JUNE,
        "recorded_at": JUNE,
    }
    return Candidate(**given | changed)


def confirmed(one: Candidate, **given: Any) -> list[Command]:
    said_in, confirmed_in = episode("e1"), given.pop("by", episode("e2"))
    options: dict[str, Any] = {"subject": None, "value": None} | given
    return confirming(one, said_in, confirmed_in, Declared(), **options)


def test_the_confirming_episode_says_it_and_the_first_one_is_cited() -> None:
    first, second = confirmed(candidate())
    assert first.statement is not None
    assert second.statement is not None
    assert (first.statement.episode, first.statement.value, first.decided) == ("e2", "Bern", Authority.ANY)
    assert (second.statement.episode, second.statement.quote, second.confirms) == ("e1", "we moved to Bern", True)


def test_another_value_or_subject_is_not_what_the_first_episode_said() -> None:
    assert len(confirmed(candidate(), value="Basel")) == 1
    assert len(confirmed(candidate(), subject="ben")) == 1


def test_a_source_that_is_no_user_cannot_pass_the_guard() -> None:
    [first, _] = confirmed(candidate(), by=episode("e2", "crm"), users=["user"])
    assert first.decided is Authority.GUARDED


def test_an_end_is_confirmed_as_an_end() -> None:
    [first, _] = confirmed(candidate(change="end", value=None))
    assert first.statement is not None
    assert (first.statement.value, first.statement.valid_from) == (None, JUNE)


def test_signals_that_say_the_same_are_cited() -> None:
    signal = Signal("c0", "e0", "in Bern", JUNE)
    found = confirmed(candidate(), similar=[signal])
    assert [command.statement and command.statement.episode for command in found] == ["e2", "e0", "e1"]


def test_what_a_candidate_leaves_open_has_to_be_given() -> None:
    with pytest.raises(InvalidInputError, match="subject="):
        confirmed(candidate(subject=None))
    with pytest.raises(InvalidInputError, match="value="):
        confirmed(candidate(attribute="passport_deadline", value=None))
    [first, *_] = confirmed(candidate(attribute="passport_deadline", value=None), value=date(2026, 7, 1))
    assert first.statement is not None
    assert first.statement.value == date(2026, 7, 1)
    with pytest.raises(InvalidInputError, match="attribute"):
        confirmed(candidate(attribute=None))


@pytest.mark.parametrize("status", [CandidateStatus.CONFIRMED, CandidateStatus.REFUSED, CandidateStatus.EXPIRED])
def test_what_is_decided_is_not_decided_again(status: CandidateStatus) -> None:
    with pytest.raises(ConflictError):
        require_open(candidate(status=status))
    require_open(candidate(status=CandidateStatus.WEAK))


def test_an_episode_does_not_confirm_what_it_says_and_a_source_has_to_be_one_that_is_waited_for() -> None:
    with pytest.raises(InvalidInputError, match="e1"):
        require_confirmer(candidate(), episode("e1"), None)
    with pytest.raises(InvalidInputError, match="'crm'"):
        require_confirmer(candidate(confirmers=("user",)), episode("e2", "crm"), None)
    require_confirmer(candidate(confirmers=("user",)), episode("e2"), None)
