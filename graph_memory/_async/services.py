"""The services that the tenants and workers of one memory share."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory._async.extraction.model_call import AsyncExtractor
from graph_memory._async.questions.llm_reader import AsyncQuestionReader
from graph_memory._async.schema.cardinalities import AsyncCardinalities
from graph_memory._async.search.indexes import AsyncIndexes
from graph_memory._async.search.texts import AsyncTexts
from graph_memory._async.search.vectors import AsyncVectors
from graph_memory._async.storage.database import AsyncDatabase


@dataclass(frozen=True, slots=True)
class AsyncServices:
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

    database: AsyncDatabase
    attributes: AsyncCardinalities
    texts: AsyncTexts
    vectors: AsyncVectors
    indexes: AsyncIndexes
    question_reader: AsyncQuestionReader
    extractor: AsyncExtractor | None = None
