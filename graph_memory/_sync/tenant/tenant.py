# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Everything that is read and written, bound to one tenant."""

from __future__ import annotations

from graph_memory._sync.tenant.changes import TenantChanges
from graph_memory._sync.tenant.entities import TenantEntities
from graph_memory._sync.tenant.extraction import TenantMemory
from graph_memory._sync.tenant.graph import TenantGraph
from graph_memory._sync.tenant.questions import TenantContext
from graph_memory._sync.tenant.queue import TenantQueue
from graph_memory._sync.tenant.writes import TenantWrites


class Tenant(
    TenantMemory,
    TenantWrites,
    TenantQueue,
    TenantEntities,
    TenantContext,
    TenantGraph,
    TenantChanges,
):
    """One tenant's memory: its episodes, its ledger of facts, and the graph they make.

    Made by `tenant()` of a memory. Instants are aware datetimes, dates (midnight UTC) or ISO 8601 text with an
    offset or Z; what is returned is UTC. Intervals are half-open. docs/time.md explains valid time and recorded
    time.

    Attributes:
        name: of the tenant, normalised to NFC.
    """
