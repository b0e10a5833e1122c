"""A worker's progress and speed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import ClassVar

from graph_memory.domain.records import Record


class WorkerProgress(Record):
    """The work of a worker so far.

    Attributes:
        done: the episodes that were extracted.
        committed: the new facts from these episodes.
        for_review: the candidates that wait for a person's review.
        refused: the candidates that did not pass the checks.
        retried: the failed attempts that will be repeated later.
        failed: the episodes that were given up; they are listed as failed and can be queued again.
        lost: the episodes that another worker took over, because a lease was not renewed in time.
        running: the episodes in work now.
        queued: the episodes in the queue, those in work included; None while the number is not known.
        rate: episodes done per second, over the last minute.
        seconds: seconds since the worker began.
        away: the database does not answer, and the worker waits for it.
    """

    done: int = 0
    committed: int = 0
    for_review: int = 0
    refused: int = 0
    retried: int = 0
    failed: int = 0
    lost: int = 0
    running: int = 0
    queued: int | None = None
    rate: float = 0.0
    seconds: float = 0.0
    away: bool = False


class Meter:
    """Counts the work of a worker.

    Args:
        started: when the worker began, in seconds of a monotonic clock; all later instants are of the same clock.
    """

    WINDOW: ClassVar[float] = 60.0
    _OF_A_REPORT: ClassVar[tuple[str, ...]] = ("committed", "for_review", "refused")

    def __init__(self, started: float) -> None:
        self._started = started
        self._counts: Counter[str] = Counter()
        self._recent: deque[float] = deque()

    def done(self, at: float, counts: Mapping[str, int]) -> None:
        """Count an episode that was extracted, with the counts of its report."""
        self._counts["done"] += 1
        self._counts.update({name: counts.get(name, 0) for name in self._OF_A_REPORT})
        self._recent.append(at)

    def count(self, what: str, number: int = 1) -> None:
        """Count `number` outcomes of another kind: `retried`, `failed` or `lost`."""
        self._counts[what] += number

    def progress(self, at: float, *, running: int, queued: int | None, away: bool) -> WorkerProgress:
        """Return the progress at an instant."""
        seconds = max(at - self._started, 1e-9)
        while self._recent and self._recent[0] <= at - self.WINDOW:
            self._recent.popleft()
        rate = len(self._recent) / min(seconds, self.WINDOW)
        return WorkerProgress(
            **self._counts, running=running, queued=queued, rate=rate, seconds=seconds, away=away
        )
