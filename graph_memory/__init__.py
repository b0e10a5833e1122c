"""Temporal knowledge-graph memory for AI agents on Neo4j.

What was true, when, who said so, and what replaced it: facts with a time of their own, from episodes, per tenant.

    from datetime import date
    from graph_memory import GraphMemory

    with GraphMemory.open() as memory:
        acme = memory.tenant("acme")
        episode = acme.record("Mira's passport deadline is 2026-07-15.")
        acme.assert_fact("mira", "passport_deadline", date(2026, 7, 15), valid_from="2026-06-01", episode=episode)
        acme.as_of("mira", "passport_deadline", "2026-06-02")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph_memory._async.memory import AsyncGraphMemory as AsyncGraphMemory
    from graph_memory._async.tenant import AsyncTenant as AsyncTenant
    from graph_memory._sync.memory import GraphMemory as GraphMemory
    from graph_memory._sync.tenant import Tenant as Tenant
    from graph_memory.attributes import RECORDED as RECORDED, Recorded as Recorded
    from graph_memory.candidate_records import Candidate as Candidate, CandidateStatus as CandidateStatus
    from graph_memory.context_records import (
        Context as Context,
        ContextCitation as ContextCitation,
        ContextFact as ContextFact,
        Intent as Intent,
        Note as Note,
        NoteKind as NoteKind,
        Role as Role,
        Router as Router,
        Routing as Routing,
        Step as Step,
    )
    from graph_memory.database_records import (
        AttributeInfo as AttributeInfo,
        DatabaseInfo as DatabaseInfo,
        IndexInfo as IndexInfo,
        Problem as Problem,
        SchemaInfo as SchemaInfo,
        VerifyReport as VerifyReport,
    )
    from graph_memory.errors import (
        ConflictError as ConflictError,
        ExtractionError as ExtractionError,
        GraphMemoryError as GraphMemoryError,
        InvalidInputError as InvalidInputError,
        LocalServerError as LocalServerError,
        NotFoundError as NotFoundError,
        SchemaMismatchError as SchemaMismatchError,
        UnavailableError as UnavailableError,
    )
    from graph_memory.evidence import Fusion as Fusion, SearchMode as SearchMode
    from graph_memory.evidence_records import Evidence as Evidence, SupportedFact as SupportedFact
    from graph_memory.extractions import Extraction as Extraction, ExtractionState as ExtractionState
    from graph_memory.graph_records import (
        ChangeEvent as ChangeEvent,
        ChangeKind as ChangeKind,
        Clock as Clock,
        Difference as Difference,
        Neighborhood as Neighborhood,
        Path as Path,
        Paths as Paths,
    )
    from graph_memory.records import (
        Cardinality as Cardinality,
        Citation as Citation,
        Direction as Direction,
        Edge as Edge,
        Entity as Entity,
        Episode as Episode,
        Explanation as Explanation,
        Fact as Fact,
        Merge as Merge,
        Node as Node,
        Outcome as Outcome,
        Outcomes as Outcomes,
        Subgraph as Subgraph,
        WriteReport as WriteReport,
    )
    from graph_memory.schema import Kind as Kind, Schema as Schema, attribute as attribute
    from graph_memory.values import Ref as Ref, Value as Value
    from graph_memory.worker import Worker as Worker
    from graph_memory.worker_progress import WorkerProgress as WorkerProgress

_HOMES = {
    "_async.memory": "AsyncGraphMemory",
    "_async.tenant": "AsyncTenant",
    "_sync.memory": "GraphMemory",
    "_sync.tenant": "Tenant",
    "attributes": "RECORDED Recorded",
    "candidate_records": "CandidateStatus Candidate",
    "database_records": "IndexInfo DatabaseInfo AttributeInfo SchemaInfo Problem VerifyReport",
    "context_records": "Context ContextCitation ContextFact Intent Note NoteKind Role Router Routing Step",
    "errors": (
        "ConflictError ExtractionError GraphMemoryError InvalidInputError LocalServerError NotFoundError "
        "SchemaMismatchError UnavailableError"
    ),
    "evidence": "Fusion SearchMode",
    "evidence_records": "Evidence SupportedFact",
    "extractions": "Extraction ExtractionState",
    "graph_records": "ChangeEvent ChangeKind Clock Difference Neighborhood Path Paths",
    "records": (
        "Cardinality Citation Direction Edge Entity Episode Explanation Fact Merge Node Outcome Outcomes "
        "Subgraph WriteReport"
    ),
    "schema": "Kind Schema attribute",
    "values": "Ref Value",
    "worker": "Worker",
    "worker_progress": "WorkerProgress",
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name at its first use: the command line starts without the driver."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"graph_memory.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
