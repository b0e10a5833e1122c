"""Everything that is read and written, bound to one tenant."""

from __future__ import annotations

from graph_memory._async.tenant.changes import AsyncTenantChanges
from graph_memory._async.tenant.entities import AsyncTenantEntities
from graph_memory._async.tenant.extraction import AsyncTenantMemory
from graph_memory._async.tenant.graph import AsyncTenantGraph
from graph_memory._async.tenant.questions import AsyncTenantContext
from graph_memory._async.tenant.queue import AsyncTenantQueue
from graph_memory._async.tenant.writes import AsyncTenantWrites


class AsyncTenant(
    AsyncTenantMemory,
    AsyncTenantWrites,
    AsyncTenantQueue,
    AsyncTenantEntities,
    AsyncTenantContext,
    AsyncTenantGraph,
    AsyncTenantChanges,
):
    """One tenant's memory: its episodes, its ledger of facts, and the graph they make.

    Made by `tenant()` of a memory. Instants are aware datetimes, dates (midnight UTC) or ISO 8601 text with an
    offset or Z; what is returned is UTC. Intervals are half-open. docs/time.md explains valid time and recorded
    time.

    Attributes:
        name: of the tenant, normalised to NFC.
    """
