"""A tenant in memory, for what hands rows to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from graph_memory.domain.records import Outcome, WriteReport

OnRefused = Callable[[Outcome], None]


class FakeTenant:
    """Keeps episodes and facts in memory; refuses what the ledger would."""

    def __init__(self) -> None:
        self.episodes: dict[str, dict[str, Any]] = {}
        self.facts: list[dict[str, Any]] = []
        self.calls: list[tuple[str, int]] = []

    def record_episodes(
        self, rows: Iterable[Mapping[str, Any]], batch_size: int = 1000, *, on_refused: OnRefused
    ) -> WriteReport:
        report = WriteReport()
        taken = list(rows)
        self.calls.append(("episodes", len(taken)))
        for number, row in enumerate(taken, start=1):
            if row["id"] not in self.episodes:
                self.episodes[row["id"]] = dict(row)
                report.committed.add(Outcome(row=number))
            elif self.episodes[row["id"]] == row:
                report.replayed.add(Outcome(row=number))
            else:
                outcome = Outcome(row=number, reason="other content")
                report.refused.add(outcome)
                on_refused(outcome)
        return report

    def assert_facts(
        self, rows: Iterable[Mapping[str, Any]], batch_size: int = 1000, *, on_refused: OnRefused
    ) -> WriteReport:
        report = WriteReport()
        taken = list(rows)
        self.calls.append(("facts", len(taken)))
        for number, row in enumerate(taken, start=1):
            if row["episode"] not in self.episodes:
                outcome = Outcome(row=number, reason="unknown episode")
                report.refused.add(outcome)
                on_refused(outcome)
            elif row in self.facts:
                report.replayed.add(Outcome(row=number))
            else:
                self.facts.append(dict(row))
                report.committed.add(Outcome(row=number))
        return report
