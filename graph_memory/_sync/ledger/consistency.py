# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Verify and repair: recompute edges and labels from the ledger, subject by subject, and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from graph_memory._sync.storage.database import Database, Rows, Transaction
from graph_memory.domain.name_forms import folded_key
from graph_memory.domain.records import Cardinality
from graph_memory.ledger.consistency import SubjectCheck, examine
from graph_memory.ledger.records import Problem, VerifyReport

_PAGE = 100

Progress: TypeAlias = Callable[[VerifyReport], object]


class Verification:
    """One pass over the subjects of one tenant or of all tenants."""

    def __init__(self, database: Database, repair: bool, progress: Progress | None) -> None:
        self._database = database
        self._repair = repair
        self._progress = progress
        self._slots = self._facts = self._edges = 0
        self._problems: list[Problem] = []
        self._recorded: dict[str, Cardinality] = {}

    def run(self, tenants: list[str], everything: bool) -> VerifyReport:
        """Check every subject of some tenants; with `everything`, also that each entry belongs to a subject."""
        # Count first: entries written during the pass can only add to those that the pages find.
        [[facts]] = self._database.read("admin/count_facts")
        self._recorded = _cardinalities(self._database.read("read/all_attributes"))
        for tenant in tenants:
            for keys in self._pages(tenant):
                self._check(tenant, keys)
        if everything and self._facts < facts:
            detail = f"{facts} ledger entries exist, but only {self._facts} belong to a slot of a subject"
            self._problems.append(Problem(tenant="", kind="stray entries", detail=detail))
        return self._report()

    def _report(self) -> VerifyReport:
        return VerifyReport(
            slots=self._slots, facts=self._facts, edges=self._edges, problems=tuple(self._problems)
        )

    def _pages(self, tenant: str) -> Iterator[list[str]]:
        last = ""
        while True:
            found = self._database.read("verify/subjects", tenant=tenant, key=last, limit=_PAGE)
            if not found:
                return
            last = found[-1][0]
            yield [key for [key] in found]

    def _check(self, tenant: str, keys: list[str]) -> None:
        for key, slots, entries, edges in self._database.read("verify/ledger", tenant=tenant, keys=keys):
            self._slots += len(slots)
            self._facts += len(entries)
            self._edges += len(edges)
            problems = examine(tenant, key, slots, entries, edges, self._recorded).problems
            if problems:
                # A write may have committed during that read: read again under the lock.
                problems = self._settle(tenant, key)
            self._problems += problems
        if self._progress is not None:
            self._progress(self._report())

    def _settle(self, tenant: str, key: str) -> list[Problem]:
        def work(transaction: Transaction) -> list[Problem]:
            transaction.run(
                "write/lock",
                tenant=tenant,
                entities=[{"key": key, "folded": folded_key(key), "subject": False}],
                episodes=[],
                windows=[],
            )
            [[_, slots, entries, edges]] = transaction.run("verify/ledger", tenant=tenant, keys=[key])
            # It may be of an attribute that was recorded meanwhile.
            self._recorded = _cardinalities(transaction.run("read/all_attributes"))
            findings = examine(tenant, key, slots, entries, edges, self._recorded)
            if not (self._repair and findings.problems):
                return findings.problems
            transaction.run("verify/repair", tenant=tenant, subject=key, **findings.repairs)
            return self._repaired(transaction, tenant, key, findings)

        return self._database.write(work)

    def _repaired(self, transaction: Transaction, tenant: str, key: str, before: SubjectCheck) -> list[Problem]:
        [[_, slots, entries, edges]] = transaction.run("verify/ledger", tenant=tenant, keys=[key])
        after = examine(tenant, key, slots, entries, edges, self._recorded)
        left: list[Any] = [(p.slot, p.kind, p.detail) for p in after.problems]
        return [
            problem.model_copy(update={"repaired": (problem.slot, problem.kind, problem.detail) not in left})
            for problem in before.problems
        ]


def _cardinalities(rows: Rows) -> dict[str, Cardinality]:
    return {name: Cardinality(text) for name, text in rows}
