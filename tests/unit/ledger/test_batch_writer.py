from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from graph_memory._sync.ledger.batches import MAX_BATCH, Batches
from graph_memory._sync.storage.driver_errors import TooLargeError
from graph_memory.domain.records import Outcome
from graph_memory.errors import ConflictError, InvalidInputError
from graph_memory.ledger.batch_sizes import MAX_BATCH_BYTES, size_of
from graph_memory.ledger.commands import Written
from graph_memory.ledger.planner import Status


def numbered(count: int) -> list[tuple[int, str, str]]:
    return [(number, f"row {number}", f"checked {number}") for number in range(1, count + 1)]


def test_a_batch_too_large_for_the_server_is_halved_until_it_fits_and_every_row_is_written_once() -> None:
    written: list[Sequence[str]] = []

    def write(rows: Sequence[str]) -> list[Written]:
        if len(rows) > 3:
            raise TooLargeError
        written.append(rows)
        return [Written(Status.COMMITTED, row) for row in rows]

    bulk = Batches(100, None, None)
    bulk.commit(numbered(10), write)
    assert [row for rows in written for row in rows] == [f"checked {number}" for number in range(1, 11)]
    assert [outcome.row for outcome in bulk.report.committed] == list(range(1, 11))


def test_a_single_row_too_large_for_the_server_is_an_error_and_not_tried_for_ever() -> None:
    def write(rows: Sequence[str]) -> list[Written]:
        raise TooLargeError

    with pytest.raises(TooLargeError):
        Batches(100, None, None).commit(numbered(4), write)


def test_rows_are_taken_lazily_and_in_batches_of_the_size_asked() -> None:
    taken: list[int] = []

    def rows() -> Iterator[str]:
        for number in range(5):
            taken.append(number)
            yield str(number)

    batches = Batches(2, None, None).batches(rows())
    assert list(next(batches)) == [(1, "0"), (2, "1")]
    assert taken == [0, 1]
    assert [len(batch) for batch in batches] == [2, 1]


@dataclass(slots=True)
class Slotted:
    metadata: object


LARGE = "x" * (MAX_BATCH_BYTES // 4)


@pytest.mark.parametrize(
    "row",
    [
        {"value": LARGE},
        {"metadata": {"nested": [{"deeper": LARGE}]}},
        {"metadata": {LARGE: 1}},
        {"text": "ä" * (MAX_BATCH_BYTES // 8)},
        Slotted({"a": LARGE}),
        SimpleNamespace(metadata=(LARGE,)),
    ],
    ids=["text", "nested", "key", "bytes, not characters", "slots", "object"],
)
def test_large_rows_make_smaller_batches(row: object) -> None:
    assert [len(batch) for batch in Batches(1000, None, None).batches([row] * 6)] == [4, 2]


def test_the_size_of_a_row_that_holds_itself_is_counted_to_the_bound() -> None:
    row: dict[str, object] = {}
    row["self"] = [row, row]
    assert size_of(row, 10_000) == 10_000
    assert size_of({"a": 1}, 10_000) < 100


@pytest.mark.parametrize("size", [0, -1, MAX_BATCH + 1, 1.5, "10"])
def test_a_batch_size_that_is_not_allowed_is_refused(size: int) -> None:
    with pytest.raises(InvalidInputError, match="batch_size"):
        Batches(size, None, None)


def test_a_refused_row_is_counted_told_and_kept_with_its_data() -> None:
    told: list[Outcome] = []
    bulk = Batches(10, None, told.append)
    with bulk.batch():
        bulk.commit(numbered(1), lambda rows: [Written(Status.REFUSED, error=ConflictError("no"))])
    assert told == list(bulk.report.refused) == [Outcome(row=1, reason="no", data="row 1")]
