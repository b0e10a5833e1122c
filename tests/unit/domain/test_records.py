from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from graph_memory.domain.records import Citation, Episode, Explanation, Fact, Outcome, Outcomes, WriteReport
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
)
from graph_memory.ledger.records import Problem, VerifyReport

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def fact(value: Value | None = "x") -> Fact:
    return Fact(
        id="f1", tenant="acme", subject="mira", attribute="home", value=value, valid_from=NOW,
        asserted_from=NOW, recorded_at=NOW, episode_id="e1", source="user",
    )  # fmt: skip


def cited(quote: str | None, name: str) -> Citation:
    return Citation(
        episode=Episode(id=name, tenant="acme", text="Said.", recorded_at=NOW), quote=quote, recorded_at=NOW
    )


def test_a_record_cannot_be_changed_and_takes_no_unknown_field() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        fact().value = "y"
    with pytest.raises(ValidationError, match="colour"):
        Outcome.model_validate({"row": 1, "colour": "red"})


@pytest.mark.parametrize("value", [True, 1, 1.0, "1", Ref("1"), NOW, NOW.date(), None], ids=repr)
def test_a_fact_keeps_the_type_of_its_value(value: Value | None) -> None:
    assert type(fact(value).value) is type(value)


def test_an_explanation_tells_the_first_episode_from_its_confirmations() -> None:
    explained = Explanation(
        fact=fact(),
        since=NOW,
        citations=(cited("a", "e1"), cited(None, "e2"), cited("b", "e3")),
        citations_total=3,
    )
    assert [episode.id for episode in explained.episodes] == ["e1", "e2", "e3"]
    assert explained.quotes == ("a", "b")
    assert [citation.episode.id for citation in explained.confirmations] == ["e2", "e3"]


def test_outcomes_count_all_and_keep_the_first_thousand() -> None:
    outcomes: Outcomes[int] = Outcomes()
    for number in range(2500):
        outcomes.add(number)
    assert len(outcomes) == 2500
    assert list(outcomes) == list(outcomes.first) == list(range(1000))


def test_a_report_counts_every_row_once() -> None:
    report = WriteReport()
    report.committed.add(Outcome(row=1))
    report.refused.add(Outcome(row=2, reason="no"))
    report.refused.add(Outcome(row=3, reason="no"))
    assert report.total == 3
    assert report.counts()["refused"] == 2
    assert repr(report) == "<WriteReport committed=1, refused=2>"
    assert repr(WriteReport()) == "<WriteReport empty>"


def test_a_verification_is_clean_when_nothing_is_left_to_mend() -> None:
    broken = Problem(tenant="acme", kind="edge missing", detail="d")
    mended = broken.model_copy(update={"repaired": True})
    assert VerifyReport(slots=1, facts=1, edges=1).clean
    assert VerifyReport(slots=1, facts=1, edges=1, problems=(mended,)).clean
    assert not VerifyReport(slots=1, facts=1, edges=1, problems=(mended, broken)).clean


def test_errors_are_of_the_built_in_kind_that_people_catch() -> None:
    assert issubclass(InvalidInputError, ValueError)
    assert issubclass(NotFoundError, LookupError)
    assert all(issubclass(kind, GraphMemoryError) for kind in (InvalidInputError, NotFoundError, ConflictError))


def test_a_conflict_carries_the_facts_that_stand_against() -> None:
    assert ConflictError("no", [fact()]).facts == (fact(),)
    assert ConflictError("no").facts == ()
