"""An embedding model for tests: the words of a text, hashed, with what a failing one does on request."""

from __future__ import annotations

import hashlib
import math
import re


class ToyEmbeddings:
    """Vectors that are near where texts share words, the same for the same text and name.

    Attributes:
        model: its name; another one has other vectors.
        broken: whether every call fails.
        poison: a text that holds this makes a call fail.
        texts: how many were embedded.
    """

    def __init__(self, model: str = "toy", dimension: int = 64) -> None:
        self.model = model
        self.dimension = dimension
        self.broken = False
        self.poison = "\0"
        self.texts = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts."""
        if self.broken or any(self.poison in text for text in texts):
            raise ConnectionError("the model is away")
        self.texts += len(texts)
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self.embed_documents([text])[0]

    def _vector(self, text: str) -> list[float]:
        vector = [0.001] * self.dimension
        for word in re.findall(r"\w+", text.lower()):
            digest = hashlib.sha256(f"{self.model} {word}".encode()).digest()
            for place, sign in zip(digest[:4], digest[4:8], strict=True):
                vector[place % self.dimension] += 1 if sign % 2 else -1
        length = math.sqrt(sum(value * value for value in vector))
        return [value / length for value in vector]
