"""Verify and repair: recompute edges, labels and marks from the ledger, piece by piece, and compare."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction, Rows
from graph_memory.domain.name_forms import folded_key
from graph_memory.domain.records import Cardinality
from graph_memory.ledger.consistency import SubjectCheck, SubjectRow, examine, pieces
from graph_memory.ledger.records import Problem, VerifyReport

_PAGE = 100
# Of a large subject so many slots are listed at once, and so many entries are read at once. A slot that has more
# is a piece of its own.
_SLOTS = 5000
_READ = 20_000

Progress: TypeAlias = Callable[[VerifyReport], object]


class AsyncVerification:
    """One pass over the subjects of one tenant or of all tenants."""

    def __init__(self, database: AsyncDatabase, repair: bool, progress: Progress | None) -> None:
        self._database = database
        self._repair = repair
        self._progress = progress
        self._slots = self._facts = self._edges = 0
        self._problems: list[Problem] = []
        self._recorded: dict[str, Cardinality] = {}

    async def run(self, tenants: list[str], everything: bool) -> VerifyReport:
        """Check every subject of some tenants; with `everything`, also that each entry belongs to a subject."""
        # Count first: entries written during the pass can only add to those that the pages find.
        [[facts]] = await self._database.read("admin/count_facts")
        self._recorded = _cardinalities(await self._database.read("read/all_attributes"))
        for tenant in tenants:
            async for sizes in self._pages(tenant):
                for keys in pieces([one for one in sizes if one[1] <= _READ], _READ):
                    await self._check_all(tenant, keys)
                for key, size in sizes:
                    if size > _READ:
                        await self._check_large(tenant, key)
        if everything and self._facts < facts:
            detail = f"{facts} ledger entries exist, but only {self._facts} belong to a slot of a subject"
            self._problems.append(Problem(tenant="", kind="stray entries", detail=detail))
        return self._report()

    def _report(self) -> VerifyReport:
        return VerifyReport(
            slots=self._slots, facts=self._facts, edges=self._edges, problems=tuple(self._problems)
        )

    async def _pages(self, tenant: str) -> AsyncIterator[list[tuple[str, int]]]:
        last = ""
        while found := await self._database.read("verify/subjects", tenant=tenant, key=last, limit=_PAGE):
            last = found[-1][0]
            yield [(key, size) for key, size in found]

    async def _check_all(self, tenant: str, keys: list[str]) -> None:
        """Check some small subjects."""
        for row in await self._database.read("verify/ledger", tenant=tenant, keys=keys):
            await self._check(tenant, SubjectRow(*row), "verify/ledger", keys=row[:1])
        self._tell()

    async def _check_large(self, tenant: str, key: str) -> None:
        """Check a subject by some slots at a time, then the edges that are of no slot."""
        last = ""
        while found := await self._database.read("verify/slots", tenant=tenant, key=key, slot=last, limit=_SLOTS):
            last = found[-1][0]
            for slots in pieces([(slot, entries) for slot, entries in found], _READ):
                await self._check_piece(tenant, key, slots)
        await self._check_piece(tenant, key, [])

    async def _check_piece(self, tenant: str, key: str, slots: list[str]) -> None:
        for row in await self._database.read("verify/piece", tenant=tenant, key=key, slots=slots):
            await self._check(tenant, SubjectRow(*row), "verify/piece", key=key, slots=slots)
        self._tell()

    async def _check(self, tenant: str, subject: SubjectRow, template: str, **parameters: Any) -> None:
        """Check what a template returned of a subject; the template and its parameters return it again."""
        self._slots += len(subject.slots)
        self._facts += len(subject.entries)
        self._edges += len(subject.edges)
        problems = examine(tenant, subject, self._recorded).problems
        if problems:
            # A write may have committed during that read: read again under the lock.
            problems = await self._settle(tenant, subject.key, template, parameters)
        self._problems += problems

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._report())

    async def _settle(self, tenant: str, key: str, template: str, parameters: Mapping[str, Any]) -> list[Problem]:
        async def examined(transaction: AsyncTransaction) -> SubjectCheck:
            [row] = await transaction.run(template, tenant=tenant, **parameters)
            return examine(tenant, SubjectRow(*row), self._recorded)

        async def work(transaction: AsyncTransaction) -> list[Problem]:
            await transaction.run(
                "write/lock",
                tenant=tenant,
                entities=[{"key": key, "folded": folded_key(key), "subject": False}],
                episodes=[],
                windows=[],
            )
            # It may be of an attribute that was recorded meanwhile.
            self._recorded = _cardinalities(await transaction.run("read/all_attributes"))
            before = await examined(transaction)
            if not (self._repair and before.problems):
                return before.problems
            await transaction.run("verify/repair", tenant=tenant, subject=key, **before.repairs)
            left = {(p.slot, p.kind, p.detail) for p in (await examined(transaction)).problems}
            return [
                problem.model_copy(update={"repaired": (problem.slot, problem.kind, problem.detail) not in left})
                for problem in before.problems
            ]

        return await self._database.write(work)


def _cardinalities(rows: Rows) -> dict[str, Cardinality]:
    return {name: Cardinality(text) for name, text in rows}
