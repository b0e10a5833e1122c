"""Reads of slots as of one state: that before or after each write, never one between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph_memory._async.storage.database import AsyncDatabase
from graph_memory.errors import UnavailableError
from graph_memory.ledger.marks import SlotMark, last_known, settled

# How long a read waits between two looks, in seconds: ever longer, as the server needs longer for a larger commit.
_PAUSES = (0.0, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, *[0.1] * 50)

Found = list[list[Any]]


class AsyncSnapshots:
    """Runs the templates that return marks beside what they found, and reads again where these disagree.

    The second time it reads what the ledger knew at the last write that was done, which no later write can alter.
    """

    def __init__(self, database: AsyncDatabase) -> None:
        self._database = database

    async def of_slots(
        self, name: str, slots: Sequence[str], known_at: datetime | None, **parameters: Any
    ) -> Found:
        """Return what a template, or its twin for what was known at an instant, finds of some slots.

        Raises:
            UnavailableError: the slots are written to without a pause.
        """
        if known_at is None:
            [[found, rows]] = await self._database.read(name, slots=slots, **parameters)
        else:
            twin = f"{name}_known"
            [[found, rows]] = await self._database.read(twin, slots=slots, known=[known_at], **parameters)
        marks = [SlotMark(*row) for row in rows]
        if settled(marks, known_at):
            return [row for row in found if not marks[row[0]].unknown]
        if len(marks) > 1 or marks[0].clock is None:
            marks = await self._settled(slots, known_at)
        known = last_known(marks, known_at)
        [[found, _]] = await self._database.read(f"{name}_known", slots=slots, known=known, **parameters)
        return list(found)

    async def _settled(self, slots: Sequence[str], known_at: datetime | None) -> list[SlotMark]:
        """Return marks of some slots between which no write was done."""
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            [[rows]] = await self._database.read("read/marks", slots=slots)
            marks = [SlotMark(*row) for row in rows]
            if settled(marks, known_at):
                return marks
        if all(mark.clock is None or mark.settled(None) for mark in marks):
            return marks  # A slot that bears no mark, whoever made it: there is nothing to wait for.
        raise UnavailableError(
            f"{len(slots)} slots were written to without a pause while they were read: try again, or ask for fewer"
        )

    async def of_subjects(self, name: str, known_at: datetime | None, **parameters: Any) -> Found | None:
        """Return what a template, or its twin, finds of all slots of some subjects; None: read them one by one."""
        if known_at is None:
            [[found, rows, whole]] = await self._database.read(name, **parameters)
        else:
            [[found, rows, whole]] = await self._database.read(f"{name}_known", known_at=known_at, **parameters)
        marks = [SlotMark(*row) for row in rows]
        if not (whole and settled(marks, known_at)):
            return None
        return [row for row in found if not marks[row[0]].unknown]
