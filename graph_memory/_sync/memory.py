# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The entry point: opens a database and gives access to its tenants."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graph_memory._sync.extraction.model_call import Extractor
from graph_memory._sync.ledger.consistency import Progress, Verification
from graph_memory._sync.questions.llm_reader import QuestionReader
from graph_memory._sync.schema.cardinalities import Attributes
from graph_memory._sync.schema.registry import Schemas
from graph_memory._sync.search.indexes import Indexes, IndexProgress
from graph_memory._sync.search.texts import Texts, put_into_text_index
from graph_memory._sync.search.vectors import Vectors
from graph_memory._sync.services import Services
from graph_memory._sync.storage.database import Database, Transaction
from graph_memory._sync.storage.migrations import applied_migrations, migrate, require_version
from graph_memory._sync.tenant.tenant import Tenant
from graph_memory.domain.arguments import listed, within
from graph_memory.domain.identifiers import tenant_name
from graph_memory.errors import InvalidInputError
from graph_memory.ledger.records import VerifyReport
from graph_memory.local.default import started
from graph_memory.providers.embeddings import embedder_of
from graph_memory.schema.recorded import Recorded
from graph_memory.schema.schema import Schema, cardinalities
from graph_memory.storage.address import Address
from graph_memory.storage.records import AttributeInfo, DatabaseInfo, IndexInfo, SchemaInfo

_EXPIRED_AT_ONCE = 1000


class GraphMemory:
    """A temporal knowledge-graph memory on one Neo4j database; a context manager.

    `open` makes one. All facts and episodes are read and written through a tenant.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        """The services that tenants and workers share; not for applications."""

    @classmethod
    def open(
        cls,
        uri: str | None = None,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        *,
        schema: Schema | None = None,
        llm: Any = None,
        embeddings: Any = None,
        many: Iterable[str] | Recorded = (),
        home: Path | str | None = None,
    ) -> Self:
        """Connect to a database, and bring its constraints and indexes up to date.

        Args:
            uri: such as `neo4j://127.0.0.1:7687`; None: NEO4J_URI. Where that is not set, the managed local server
                is used, and started if it does not run.
            auth: user name and password; None: NEO4J_USERNAME and NEO4J_PASSWORD.
            database: the database's name; None: NEO4J_DATABASE, else the server's default database.
            schema: the declared kinds and attributes; None: any attribute is allowed, with values of any type.
            llm: the LangChain chat model that `remember` and workers extract with, and that reads questions for
                `context`; None: the model that GRAPH_MEMORY_MODEL names, loaded when it is needed.
            embeddings: the LangChain Embeddings for searching by meaning, besides searching by words; None: those
                that GRAPH_MEMORY_EMBEDDINGS names, else none.
            many: without a schema, the attributes of cardinality many; `RECORDED`: use each attribute's recorded
                cardinality.
            home: use the managed local server of this folder, even where NEO4J_URI is set; None:
                GRAPH_MEMORY_HOME, else the user's data directory.

        Raises:
            InvalidInputError: an argument is not allowed.
            UnavailableError: the server does not answer, or refuses the credentials.
            LocalServerError: the managed local server cannot be fetched or started.
            SchemaMismatchError: the database has another declaration of this schema and version, or another
                cardinality of an attribute; or a newer version has migrated it; or the server is too old.
        """
        if schema is not None and (isinstance(many, Recorded) or many):
            raise InvalidInputError("many was given beside a schema, which declares it: leave many out")
        if not isinstance(many, Recorded):
            many = listed("many", many)
        embedder = embedder_of(embeddings)
        if uri is not None and home is not None:
            raise InvalidInputError("uri and home were both given, and each names a server: give one of them")
        if uri is None and home is None:
            uri = os.environ.get("NEO4J_URI") or None
        if uri is None:
            if auth is not None:
                raise InvalidInputError("auth was given without a uri: give the uri too, or set NEO4J_URI")
            uri, auth = started(home)
        elif auth is None and "NEO4J_PASSWORD" in os.environ:
            auth = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ["NEO4J_PASSWORD"]
        opened = Database(Address(uri, auth, database or os.environ.get("NEO4J_DATABASE") or None))
        try:
            texts = Texts(opened)
            vectors = Vectors(opened, embedder)
            attributes = Attributes(opened, many, schema)
            memory = cls(
                Services(
                    database=opened,
                    attributes=attributes,
                    texts=texts,
                    vectors=vectors,
                    indexes=Indexes(opened, texts, vectors),
                    question_reader=QuestionReader(llm),
                    extractor=None if schema is None else Extractor(schema, llm),
                )
            )
            opened.verify()
            require_version(opened)
            migrate(opened, {"0006_passages": put_into_text_index})
            if schema is not None:
                Schemas(opened).register(schema)
                attributes.registered(cardinalities(schema))
        except BaseException:
            opened.close()
            raise
        return memory

    @property
    def embedder(self) -> str | None:
        """The name of the vectors of the memory's embeddings; None where it has no embeddings."""
        return None if self.services.vectors.embedder is None else self.services.vectors.embedder.name

    def close(self) -> None:
        """Close the connections; a managed local server goes on running."""
        self.services.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def tenant(self, name: str) -> Tenant:
        """Return a tenant's memory. The tenant need not exist yet.

        Raises:
            InvalidInputError: the name is not allowed.
        """
        return Tenant(self.services, name)

    def tenants(self) -> list[str]:
        """Return the names of the tenants that have an episode, in order."""
        found: list[str] = []
        while rows := self.services.database.read("read/next_tenant", after=found[-1] if found else ""):
            found.append(rows[0][0])
        return found

    def attributes(self) -> list[AttributeInfo]:
        """Return the attributes that are recorded in the database, in order."""
        return self.services.attributes.all()

    def schemas(self) -> list[SchemaInfo]:
        """Return the schemas that are stored in the database, in order of name and version."""
        return Schemas(self.services.database).all()

    def expire_candidates(self) -> int:
        """Expire the weak candidates of all tenants that are too old to count; return how many there were."""

        def work(transaction: Transaction) -> int:
            [[expired]] = transaction.run("write/expire_candidates", limit=_EXPIRED_AT_ONCE)
            return int(expired)

        total = 0
        while expired := self.services.database.write(work):
            total += expired
        return total

    def indexes(self) -> list[IndexInfo]:
        """Return the indexes that searches use, with the number of episodes missing in them."""
        return self.services.indexes.all()

    def index_missing(self, limit: int | None = None) -> int:
        """Make the vectors of episodes that have none yet, and return the number of these episodes.

        Vectors are made when an episode is recorded. An episode has none where that failed, or where a program
        without embeddings recorded it. Workers call this method now and then.

        Args:
            limit: the most episodes to do, from 1; None: all.

        Raises:
            InvalidInputError: the memory was opened without embeddings.
            SchemaMismatchError: the database's vectors are from another model.
            UnavailableError: the model does not answer.
        """
        return self.services.indexes.index_missing(None if limit is None else within("limit", limit, 1, 2**31 - 1))

    def rebuild_text_index(self, language: str = "english", progress: IndexProgress | None = None) -> None:
        """Rebuild the text index with the analyzer of a language; the old index serves searches until then.

        Args:
            language: an analyzer: a language such as `english` or `german`; `standard` or `standard-folding`
                (without accents) for any with spaces between words; `cjk` for scripts without.
            progress: called with how far it is, and with how far it has to go.

        Raises:
            InvalidInputError: there is no such analyzer.
            ConflictError: another rebuild has begun since.
            UnavailableError: the server cannot build it; the old one stays.
        """
        self.services.indexes.rebuild_text(language, progress)

    def rebuild_vector_index(self, progress: IndexProgress | None = None) -> int:
        """Make the vectors of all episodes anew with the memory's embeddings; the old ones serve until then.

        An interrupted rebuild with the same embeddings continues where it stopped.

        Args:
            progress: called with the number of episodes done and the number of all episodes.

        Returns:
            The number of episodes for which no vector could be made; the log says why.

        Raises:
            InvalidInputError: the memory was opened without embeddings.
            ConflictError: another rebuild has begun meanwhile.
            UnavailableError: the model does not answer.
        """
        return self.services.indexes.rebuild_vectors(progress)

    def verify(
        self, tenant: str | None = None, repair: bool = False, progress: Progress | None = None
    ) -> VerifyReport:
        """Recompute the edges, labels and marks from the ledger, and compare them with the stored ones.

        Args:
            tenant: check this tenant; None: all tenants.
            repair: rebuild the edges, labels and marks that differ.
            progress: called with the report so far, after every hundred subjects.
        """
        tenants = self.tenants() if tenant is None else [tenant_name(tenant)]
        return Verification(self.services.database, repair, progress).run(tenants, tenant is None)

    def info(self) -> DatabaseInfo:
        """Return the address, the server's version and edition, its migrations, and the indexes of searches."""
        [[version, edition]] = self.services.database.read("admin/server")
        return DatabaseInfo(
            address=self.services.database.address,
            version=version,
            edition=edition,
            migrations=tuple(applied_migrations(self.services.database)),
            indexes=tuple(self.indexes()),
        )
