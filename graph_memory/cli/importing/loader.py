"""Writing rows of episodes and facts to a tenant, in batches, with an account of every row."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_memory.cli.importing.row_files import Fields, Row

if TYPE_CHECKING:
    from graph_memory import Outcome, Tenant

# A batch is held in memory and sent in one transaction: bounded by rows and by bytes.
MAX_BATCH_BYTES = 8 * 1024 * 1024
REMEMBERED_EPISODES = 10_000


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row that was not written, and why."""

    line: int
    reason: str
    row: Any


@dataclass
class Tally:
    """How many rows ended in which way.

    Attributes:
        rows: taken in, refused ones included. A fact with its episode inline is one row.
        episodes: recorded, and already there (replayed).
        facts: new (committed), known facts that gained an episode (confirmed), and already there (replayed).
        refused: rows that were not written.
    """

    rows: int = 0
    episodes: dict[str, int] = field(default_factory=lambda: {"recorded": 0, "replayed": 0})
    facts: dict[str, int] = field(default_factory=lambda: {"committed": 0, "confirmed": 0, "replayed": 0})
    refused: int = 0


class Loader:
    """Writes rows to a tenant; in each batch the episodes first, then the facts.

    Args:
        tenant: whose memory it is.
        batch_size: rows in one transaction, at most.
        on_refused: called for each row that is refused.
        undisturbed: a context in which a batch is written.
    """

    def __init__(
        self,
        tenant: Tenant,
        batch_size: int,
        on_refused: Callable[[Refusal], None],
        undisturbed: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.tally = Tally()
        self._tenant = tenant
        self._batch_size = batch_size
        self._on_refused = on_refused
        self._undisturbed = undisturbed
        # A file may repeat an episode on each of its facts; those just written need no second look.
        self._written: OrderedDict[tuple[str, str], None] = OrderedDict()

    def load(self, rows: Iterable[Row], progress: Callable[[Tally], None]) -> None:
        """Write all rows; `progress` is called after each batch."""
        for batch in batches(rows, self._batch_size):
            with self._undisturbed():
                self._write(batch)
            progress(self.tally)

    def _write(self, batch: list[Row]) -> None:
        refused: dict[int, str] = {row.line: row.problem for row in batch if row.problem is not None}
        self._record([row for row in batch if row.episode is not None], refused)
        self._assert([row for row in batch if row.fact is not None and row.line not in refused], refused)
        for row in batch:
            if row.line in refused:
                self._on_refused(Refusal(row.line, refused[row.line], row.data))
        self.tally.rows += len(batch)
        self.tally.refused += len(refused)

    def _record(self, rows: list[Row], refused: dict[int, str]) -> None:
        carriers: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            assert row.episode is not None
            key = _identity(row.episode)
            if row.fact is None or key not in self._written:
                carriers.setdefault(key, []).append(row)
        if not carriers:
            return
        keys = list(carriers)
        reasons: dict[int, str] = {}

        def note(outcome: Outcome) -> None:
            reasons[outcome.row - 1] = outcome.reason or "refused"

        episodes = [carriers[key][0].episode for key in keys]
        report = self._tenant.record_episodes(episodes, batch_size=self._batch_size, on_refused=note)
        self.tally.episodes["recorded"] += len(report.committed)
        self.tally.episodes["replayed"] += len(report.replayed)
        for index, key in enumerate(keys):
            if index in reasons:
                refused.update({row.line: f"episode: {reasons[index]}" for row in carriers[key]})
            else:
                self._remember(key)

    def _assert(self, rows: list[Row], refused: dict[int, str]) -> None:
        if not rows:
            return

        def note(outcome: Outcome) -> None:
            refused[rows[outcome.row - 1].line] = outcome.reason or "refused"

        facts = [row.fact for row in rows]
        report = self._tenant.assert_facts(facts, batch_size=self._batch_size, on_refused=note)
        for name in self.tally.facts:
            self.tally.facts[name] += len(getattr(report, name))

    def _remember(self, key: tuple[str, str]) -> None:
        self._written[key] = None
        self._written.move_to_end(key)
        if len(self._written) > REMEMBERED_EPISODES:
            self._written.popitem(last=False)


def batches(rows: Iterable[Row], batch_size: int) -> Iterator[list[Row]]:
    """Yield the rows in lists of at most so many, and of about `MAX_BATCH_BYTES` at most."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += row.size
        if len(batch) >= batch_size or size >= MAX_BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _identity(episode: Fields) -> tuple[str, str]:
    content = json.dumps(episode, sort_keys=True)
    return episode["id"], hashlib.sha256(content.encode()).hexdigest()
