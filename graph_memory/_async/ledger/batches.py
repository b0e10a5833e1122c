"""Writing a stream of rows in batches, one transaction for each batch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from graph_memory._async.storage.driver_errors import TooLargeError
from graph_memory.domain.records import Outcome, WriteReport
from graph_memory.errors import GraphMemoryError, InvalidInputError, brief
from graph_memory.ledger.batch_sizes import MAX_BATCH_BYTES, size_of
from graph_memory.ledger.commands import Written

MAX_BATCH = 10_000

Row = TypeVar("Row")
Checked = TypeVar("Checked")
Progress: TypeAlias = Callable[[WriteReport], object]
OnRefused: TypeAlias = Callable[[Outcome], object]


class AsyncBatches:
    """A stream of rows into one tenant, and the report of their results.

    Args:
        batch_size: rows in a transaction, 1 to 10,000.
        progress: called with the report after each batch.
        on_refused: called with the outcome of each refused row, in order, after its batch is written.

    Raises:
        InvalidInputError: an argument is not allowed.
    """

    def __init__(self, batch_size: int, progress: Progress | None, on_refused: OnRefused | None) -> None:
        if type(batch_size) is not int or not 1 <= batch_size <= MAX_BATCH:
            raise InvalidInputError(f"batch_size {brief(batch_size)} must be 1 to {MAX_BATCH}")
        for name, call in (("progress", progress), ("on_refused", on_refused)):
            if call is not None and not callable(call):
                raise InvalidInputError(f"{name} {brief(call)} must be a function or another callable")
        self.report = WriteReport()
        self._batch_size = batch_size
        self._progress = progress
        self._on_refused = on_refused
        self._refused: list[Outcome] = []

    def batches(self, rows: Iterable[Any]) -> Iterator[list[tuple[int, Any]]]:
        """Yield the rows in batches, numbered from 1; batches of large rows are smaller than `batch_size`."""
        if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
            raise InvalidInputError(f"rows {brief(rows)} must be an iterable of rows")
        batch: list[tuple[int, Any]] = []
        size = 0
        for number, row in enumerate(rows, start=1):
            batch.append((number, row))
            size += size_of(row, MAX_BATCH_BYTES)
            if len(batch) == self._batch_size or size >= MAX_BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def check(
        self, batch: Iterable[tuple[int, Any]], check: Callable[[Any], Checked]
    ) -> list[tuple[int, Any, Checked]]:
        """Return the allowed rows with their checked form, and refuse the others."""
        allowed: list[tuple[int, Any, Checked]] = []
        for number, row in batch:
            try:
                allowed.append((number, row, check(row)))
            except GraphMemoryError as error:
                self.refuse(number, row, error)
        return allowed

    async def commit(
        self,
        rows: Sequence[tuple[int, Any, Checked]],
        write: Callable[[Sequence[Checked]], Awaitable[list[Written]]],
    ) -> None:
        """Write rows in one transaction, or in several smaller ones where the server has no memory for one."""
        if not rows:
            return
        try:
            results = await write([checked for _, _, checked in rows])
        except TooLargeError:
            if len(rows) == 1:
                raise
            half = len(rows) // 2
            await self.commit(rows[:half], write)
            await self.commit(rows[half:], write)
            return
        for (number, row, _), result in zip(rows, results, strict=True):
            self._note(number, row, result)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Surround the writing of a batch; afterwards report its refused rows, in order, and the progress."""
        try:
            yield
        finally:
            for outcome in sorted(self._refused, key=lambda outcome: outcome.row):
                self.report.refused.add(outcome)
                if self._on_refused is not None:
                    self._on_refused(outcome)
            self._refused.clear()
        if self._progress is not None:
            self._progress(self.report)

    def refuse(self, number: int, row: Any, error: GraphMemoryError) -> None:
        """Note that a row is refused."""
        self._refused.append(Outcome(row=number, reason=str(error), data=row))

    def _note(self, number: int, row: Any, result: Written) -> None:
        if result.error is not None:
            self.refuse(number, row, result.error)
            return
        getattr(self.report, str(result.status)).add(
            Outcome(row=number, fact_id=result.fact_id, reason=result.reason)
        )
