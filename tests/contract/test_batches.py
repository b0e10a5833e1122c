"""Many rows at once: in order, a transaction a batch, each row accounted for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from story import Story, day, piece

from graph_memory import Outcome, Value, WriteReport


def row(value: Any, start: float, until: float | None = None, **other: Any) -> dict[str, Any]:
    """A row about Mira's home, from episode e1 unless told otherwise."""
    stop = None if until is None else day(until)
    told = {"subject": "mira", "attribute": "home", "value": value, "valid_from": day(start), "until": stop}
    return told | {"episode": "e1"} | other


@dataclass
class Line:
    subject: str
    attribute: str
    value: Value
    valid_from: str
    episode: str


@pytest.mark.parametrize("size", [1, 2, 100])
def test_rows_for_one_slot_give_the_same_history_in_batches_of_any_size(story: Story, size: int) -> None:
    story.hear()
    rows = [row("C", 9), row("A", 1), row("hotel", 5, 8), row("B", 3)]
    report = story.tenant.assert_facts(rows, batch_size=size)
    assert report.counts()["committed"] == report.total == 4
    assert story.history() == [
        piece("A", 1, 3), piece("B", 3, 5), piece("hotel", 5, 8), piece("B", 8, 9), piece("C", 9),
    ]  # fmt: skip


def test_a_batch_is_one_transaction_with_one_recorded_instant(story: Story) -> None:
    story.hear()
    story.tenant.assert_facts([row("A", 1), row("B", 3), row("x", 1, subject="ann")])
    story.tenant.assert_facts([row("C", 5)])
    recorded = [fact.recorded_at for fact in story.tenant.history("mira", "home")]
    assert recorded[0] == recorded[1] < recorded[2]


def test_rows_in_one_batch_are_linked_as_they_stand_when_it_is_done(story: Story) -> None:
    story.hear()
    story.tenant.assert_facts([row("C", 9), row("B", 5), row("A", 1)])
    first, second, third = story.tenant.history("mira", "home")
    assert (first.supersedes, second.supersedes, third.supersedes) == (None, first.id, second.id)


def test_each_row_is_reported_with_its_number_and_fact(story: Story) -> None:
    story.hear()
    story.hear()
    rows = [row("A", 1), row("A", 1), row("A", 1, episode="e2"), row("B", 1), row("B", 5)]
    report = story.tenant.assert_facts(rows)
    fact = story.tenant.history("mira", "home")[0]
    assert [(outcome.row, outcome.fact_id) for outcome in report.replayed] == [(2, fact.id)]
    assert [(outcome.row, outcome.fact_id) for outcome in report.confirmed] == [(3, fact.id)]
    assert [outcome.row for outcome in report.refused] == [4]
    assert [outcome.row for outcome in report.committed] == [1, 5]


def test_loading_again_changes_nothing_and_every_row_is_a_replay(story: Story) -> None:
    story.hear()
    rows = [row(number, number) for number in range(7)]
    story.tenant.assert_facts(rows, batch_size=3)
    before = story.tenant.history("mira", "home")
    report = story.tenant.assert_facts(rows, batch_size=2)
    assert report.counts() | {"replayed": 0} == dict.fromkeys(report.counts(), 0)
    assert len(report.replayed) == 7
    assert story.tenant.history("mira", "home") == before


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"episode": "e-unknown"}, "e-unknown"),
        ({"subject": ""}, "empty"),
        ({"attribute": "Home"}, "Home"),
        ({"value": None}, "value"),
        ({"value": float("nan")}, "nan"),
        ({"valid_from": "soon"}, "soon"),
        ({"until": "1999-01-01"}, "until"),
        ({"quote": "not there"}, "not there"),
    ],
    ids=lambda wrong: next(iter(wrong)) if isinstance(wrong, dict) else "",
)
def test_a_row_that_is_not_allowed_is_refused_with_its_reason_and_the_others_stand(
    story: Story, wrong: dict[str, Any], says: str
) -> None:
    story.hear()
    bad = row("B", 3) | wrong
    report = story.tenant.assert_facts([row("A", 1), bad, row("C", 5)])
    (refused,) = report.refused
    assert refused.row == 2
    assert refused.data == bad
    assert refused.reason is not None
    assert says in refused.reason
    assert story.history() == [piece("A", 1, 5), piece("C", 5)]


@pytest.mark.parametrize("missing", ["subject", "attribute", "value", "valid_from", "episode"])
def test_a_row_that_lacks_a_part_is_refused_and_the_reason_names_it(story: Story, missing: str) -> None:
    story.hear()
    bad = {name: part for name, part in row("B", 3).items() if name != missing}
    report = story.tenant.assert_facts([bad, row("A", 1)])
    (refused,) = report.refused
    assert missing in str(refused.reason)
    assert story.history() == [piece("A", 1)]


def test_a_row_in_conflict_is_refused_and_says_with_what(story: Story) -> None:
    fact = story.say("A", 1, episode=story.hear())
    report = story.tenant.assert_facts([row("B", 1), row("C", 5)])
    (refused,) = report.refused
    assert fact.id in str(refused.reason)
    assert story.history() == [piece("A", 1, 5), piece("C", 5)]


def test_rows_may_be_objects_and_come_from_a_generator(story: Story) -> None:
    story.hear()

    def lines() -> Iterator[Line]:
        for number in range(5):
            yield Line("mira", "home", number, f"2026-01-0{number + 1}", "e1")

    report = story.tenant.assert_facts(lines(), batch_size=2)
    assert len(report.committed) == 5
    assert [value for value, _, _ in story.history()] == [0, 1, 2, 3, 4]


def test_progress_is_told_after_each_batch_and_refusals_as_they_come(story: Story) -> None:
    story.hear()
    totals: list[int] = []
    refused: list[Outcome] = []

    def progress(report: WriteReport) -> None:
        totals.append(report.total)

    rows = [row("A", 1), row("B", 1), row("C", 3), row("D", 3), row("E", 5)]
    story.tenant.assert_facts(rows, batch_size=2, progress=progress, on_refused=refused.append)
    assert totals == [2, 4, 5]
    assert [outcome.row for outcome in refused] == [2, 4]


def test_no_rows_are_no_work(story: Story) -> None:
    assert story.tenant.assert_facts([]).total == 0


def test_a_quote_in_a_row_is_cited(story: Story) -> None:
    story.hear("Mira lives in Berlin.")
    story.tenant.assert_facts([row("Berlin", 1, quote="in Berlin")])
    fact = story.tenant.history("mira", "home")[0]
    assert story.tenant.explain(fact.id).quotes == ("in Berlin",)


@pytest.mark.parametrize("attribute", ["\ud800", "x" * 100_000, "Home", None, ["home"]])
def test_an_attribute_that_cannot_be_one_refuses_its_row_alone(story: Story, attribute: Any) -> None:
    story.hear()
    report = story.tenant.assert_facts([row("A", 1), row("B", 2, attribute=attribute), row("C", 3)])
    assert [outcome.row for outcome in report.refused] == [2]
    assert len(report.committed) == 2
