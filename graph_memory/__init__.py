"""Temporal knowledge-graph memory for AI agents on Neo4j.

What was true, when, who said so, and what replaced it: facts with a time of their own, from episodes, per tenant.

    from graph_memory import GraphMemory

    with GraphMemory.open() as memory:
        acme = memory.tenant("acme")
        episode = acme.record("Mira's passport deadline is 2026-07-15.")
        acme.assert_fact("mira", "passport_deadline", date(2026, 7, 15), valid_from="2026-06-01", episode=episode)
        acme.as_of("mira", "passport_deadline", "2026-06-02")
"""

from graph_memory._async.memory import AsyncGraphMemory
from graph_memory._async.tenant import AsyncTenant
from graph_memory._sync.memory import GraphMemory
from graph_memory._sync.tenant import Tenant
from graph_memory.attributes import RECORDED, Recorded
from graph_memory.errors import (
    ConflictError,
    ExtractionError,
    GraphMemoryError,
    InvalidInputError,
    LocalServerError,
    NotFoundError,
    SchemaMismatchError,
    UnavailableError,
)
from graph_memory.records import (
    AttributeInfo,
    Cardinality,
    Citation,
    DatabaseInfo,
    Direction,
    Edge,
    Entity,
    Episode,
    Evidence,
    Explanation,
    Fact,
    Node,
    Outcome,
    Outcomes,
    Problem,
    Subgraph,
    VerifyReport,
    WriteReport,
)
from graph_memory.values import Ref, Value

__all__ = [
    "RECORDED",
    "AsyncGraphMemory",
    "AsyncTenant",
    "AttributeInfo",
    "Cardinality",
    "Citation",
    "ConflictError",
    "DatabaseInfo",
    "Direction",
    "Edge",
    "Entity",
    "Episode",
    "Evidence",
    "Explanation",
    "ExtractionError",
    "Fact",
    "GraphMemory",
    "GraphMemoryError",
    "InvalidInputError",
    "LocalServerError",
    "Node",
    "NotFoundError",
    "Outcome",
    "Outcomes",
    "Problem",
    "Recorded",
    "Ref",
    "SchemaMismatchError",
    "Subgraph",
    "Tenant",
    "UnavailableError",
    "Value",
    "VerifyReport",
    "WriteReport",
]
