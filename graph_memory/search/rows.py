"""The facts that an episode supports, from the rows of the templates.

Instants are columns of microseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graph_memory.domain.instants import from_micros, from_optional_micros
from graph_memory.ledger.rows import fact_from_row
from graph_memory.search.records import SupportedFact


def supported_from_rows(tenant: str, facts: Iterable[Sequence[Any]]) -> tuple[SupportedFact, ...]:
    """Return the facts of an episode, each a list of whether it holds and the columns of its entry, in order."""
    found = []
    for holds, *entry in facts:
        asserted = fact_from_row(tenant, from_micros(entry[6]), from_optional_micros(entry[7]), entry)
        found.append(SupportedFact.model_construct(fact=asserted, holds=holds))
    return tuple(sorted(found, key=lambda one: (one.fact.recorded_at, one.fact.id)))
