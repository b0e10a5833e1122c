"""The class that joins all parts of a tenant's memory."""

from __future__ import annotations

from graph_memory._async.tenant.changes import AsyncTenantChanges
from graph_memory._async.tenant.entities import AsyncTenantEntities
from graph_memory._async.tenant.extraction import AsyncTenantExtraction
from graph_memory._async.tenant.graph import AsyncTenantGraph
from graph_memory._async.tenant.questions import AsyncTenantQuestions
from graph_memory._async.tenant.queue import AsyncTenantQueue
from graph_memory._async.tenant.writes import AsyncTenantWrites


class AsyncTenant(
    AsyncTenantExtraction,
    AsyncTenantWrites,
    AsyncTenantQueue,
    AsyncTenantEntities,
    AsyncTenantQuestions,
    AsyncTenantGraph,
    AsyncTenantChanges,
):
    """One tenant's memory: its episodes, its ledger of facts, and the graph that the facts make.

    `memory.tenant(name)` makes one. Instants are given as aware datetimes, dates (midnight UTC) or ISO 8601 text
    with an offset or Z, and returned in UTC. Intervals are half-open. docs/time.md explains valid time and
    recorded time (in SQL:2011: application time and system time).

    Attributes:
        name: the tenant's name, normalised to NFC.
    """
