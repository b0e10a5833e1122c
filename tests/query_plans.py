"""What a query plan of Neo4j may not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# All that walks more than it has to: Top and Sort read everything before the first row, scans ignore the index.
FORBIDDEN = re.compile(r"Sort|^Top|PartialTop|Scan|CartesianProduct")


def operators(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the names of a plan's operators, each before those below it."""
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)
