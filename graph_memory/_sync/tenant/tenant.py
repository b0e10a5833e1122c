# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The class that joins all parts of a tenant's memory."""

from __future__ import annotations

from graph_memory._sync.tenant.changes import TenantChanges
from graph_memory._sync.tenant.entities import TenantEntities
from graph_memory._sync.tenant.extraction import TenantExtraction
from graph_memory._sync.tenant.graph import TenantGraph
from graph_memory._sync.tenant.questions import TenantQuestions
from graph_memory._sync.tenant.queue import TenantQueue
from graph_memory._sync.tenant.writes import TenantWrites


class Tenant(
    TenantExtraction,
    TenantWrites,
    TenantQueue,
    TenantEntities,
    TenantQuestions,
    TenantGraph,
    TenantChanges,
):
    """One tenant's memory: its episodes, its ledger of facts, and the graph that the facts make.

    `memory.tenant(name)` makes one. Instants are given as aware datetimes, dates (midnight UTC) or ISO 8601 text
    with an offset or Z, and returned in UTC. Intervals are half-open. docs/time.md explains valid time and
    recorded time (in SQL:2011: application time and system time).

    Attributes:
        name: the tenant's name, normalised to NFC.
    """
