"""A process that writes batches until it is killed: `python batches.py ADDRESS TENANT`.

The password is in the environment. It prints the number of each batch once the library has reported it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory import GraphMemory, Ref, WriteReport

SIZE = 200
START = datetime(2020, 1, 1, tzinfo=UTC)


def batch(number: int) -> list[dict[str, Any]]:
    """Return the rows of a batch: values, references, late arrivals, and slots that earlier batches used too."""
    rows = []
    for line in range(SIZE):
        start = START + timedelta(days=(number * 7919 + line) % 5000, seconds=number)
        value = Ref(f"c{line % 17}") if line % 2 else f"batch {number}"
        until = start + timedelta(days=3) if line % 5 == 0 else None
        rows.append(
            {
                "subject": f"p{line % 40}",
                "attribute": "home" if line % 2 == 0 else "employer",
                "value": value,
                "valid_from": start + timedelta(seconds=line * 86_400 * 7),
                "until": None if until is None else until + timedelta(seconds=line * 86_400 * 7),
                "episode": f"e{number}",
            }
        )
    return rows


def write(memory: GraphMemory, tenant: str, numbers: Iterator[int] | range) -> WriteReport:
    """Write batches, each from an episode of its own, and print the number of each that is reported."""
    target = memory.tenant(tenant)

    def rows() -> Iterator[dict[str, Any]]:
        for number in numbers:
            target.record(f"Batch {number}.", id=f"e{number}")
            yield from batch(number)

    def progress(report: WriteReport) -> None:
        print(report.total // SIZE - 1, flush=True)

    return target.assert_facts(rows(), batch_size=SIZE, progress=progress)


if __name__ == "__main__":
    import itertools

    uri, tenant = sys.argv[1:]
    with GraphMemory.open(uri, ("neo4j", os.environ["TEST_PASSWORD"])) as opened:
        write(opened, tenant, itertools.count())
