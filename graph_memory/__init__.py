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
    from graph_memory._async.tenant.tenant import AsyncTenant as AsyncTenant
    from graph_memory._sync.memory import GraphMemory as GraphMemory
    from graph_memory._sync.tenant.tenant import Tenant as Tenant
    from graph_memory.candidates.records import Candidate as Candidate, CandidateStatus as CandidateStatus
    from graph_memory.context.records import (
        Context as Context,
        ContextCitation as ContextCitation,
        ContextFact as ContextFact,
        Note as Note,
        NoteKind as NoteKind,
        Role as Role,
        Step as Step,
    )
    from graph_memory.domain.records import (
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
    from graph_memory.domain.values import Ref as Ref, Value as Value
    from graph_memory.episodes.validation import EpisodeInput as EpisodeInput
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
    from graph_memory.graph.records import Neighborhood as Neighborhood, Path as Path, Paths as Paths
    from graph_memory.ledger.records import (
        ChangeEvent as ChangeEvent,
        ChangeKind as ChangeKind,
        Changes as Changes,
        Clock as Clock,
        Difference as Difference,
        Problem as Problem,
        VerifyReport as VerifyReport,
    )
    from graph_memory.questions.records import Intent as Intent, Router as Router, Routing as Routing
    from graph_memory.queue.jobs import Extraction as Extraction, ExtractionState as ExtractionState
    from graph_memory.queue.progress import WorkerProgress as WorkerProgress
    from graph_memory.schema.kind import Kind as Kind
    from graph_memory.schema.recorded import RECORDED as RECORDED, Recorded as Recorded
    from graph_memory.schema.schema import Schema as Schema, attribute as attribute
    from graph_memory.search.query import Fusion as Fusion, SearchMode as SearchMode
    from graph_memory.search.records import Evidence as Evidence, SupportedFact as SupportedFact
    from graph_memory.storage.records import (
        AttributeInfo as AttributeInfo,
        DatabaseInfo as DatabaseInfo,
        IndexInfo as IndexInfo,
        SchemaInfo as SchemaInfo,
    )
    from graph_memory.worker import Worker as Worker

_HOMES = {
    "_async.memory": "AsyncGraphMemory",
    "_async.tenant.tenant": "AsyncTenant",
    "_sync.memory": "GraphMemory",
    "_sync.tenant.tenant": "Tenant",
    "candidates.records": "CandidateStatus Candidate",
    "context.records": "Context ContextCitation ContextFact Note NoteKind Role Step",
    "domain.records": (
        "Cardinality Citation Direction Edge Entity Episode Explanation Fact Merge Node Outcome Outcomes "
        "Subgraph WriteReport"
    ),
    "domain.values": "Ref Value",
    "episodes.validation": "EpisodeInput",
    "errors": (
        "ConflictError ExtractionError GraphMemoryError InvalidInputError LocalServerError NotFoundError "
        "SchemaMismatchError UnavailableError"
    ),
    "graph.records": "Neighborhood Path Paths",
    "ledger.records": "ChangeEvent ChangeKind Changes Clock Difference Problem VerifyReport",
    "questions.records": "Intent Router Routing",
    "queue.jobs": "Extraction ExtractionState",
    "queue.progress": "WorkerProgress",
    "schema.recorded": "RECORDED Recorded",
    "schema.kind": "Kind",
    "schema.schema": "Schema attribute",
    "search.query": "Fusion SearchMode",
    "search.records": "Evidence SupportedFact",
    "storage.records": "IndexInfo DatabaseInfo AttributeInfo SchemaInfo",
    "worker": "Worker",
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
