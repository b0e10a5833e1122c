"""What the tenants and the workers of one memory share."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory._async.extraction.model_call import AsyncExtractor
from graph_memory._async.questions.llm_reader import AsyncQuestionReader
from graph_memory._async.schema.cardinalities import AsyncAttributes
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
        indexes: the indexes of searches.
        question_reader: the model that reads questions, if any.
        extractor: the model that reads texts; None where no schema says what may be remembered.
    """

    database: AsyncDatabase
    attributes: AsyncAttributes
    texts: AsyncTexts
    vectors: AsyncVectors
    indexes: AsyncIndexes
    question_reader: AsyncQuestionReader
    extractor: AsyncExtractor | None = None
