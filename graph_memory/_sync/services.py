# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The services that the tenants and workers of one memory share."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory._sync.extraction.model_call import Extractor
from graph_memory._sync.questions.llm_reader import QuestionReader
from graph_memory._sync.schema.cardinalities import Cardinalities
from graph_memory._sync.search.indexes import Indexes
from graph_memory._sync.search.texts import Texts
from graph_memory._sync.search.vectors import Vectors
from graph_memory._sync.storage.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of an open memory.

    Attributes:
        database: the connection.
        attributes: what is known of attributes: the schema, or what the database has recorded.
        texts: what the text index holds of episodes.
        vectors: the vectors of episodes and queries.
        indexes: the indexes that searches use.
        question_reader: reads questions with the language model, where there is one.
        extractor: extracts facts from texts with the language model; None where the memory has no schema.
    """

    database: Database
    attributes: Cardinalities
    texts: Texts
    vectors: Vectors
    indexes: Indexes
    question_reader: QuestionReader
    extractor: Extractor | None = None
