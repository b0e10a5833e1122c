"""Statements of an episode with the evidence that stands in it: how a proposal goes to the ledger. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.records import Cardinality, Episode
from graph_memory.domain.values import Value
from graph_memory.episodes.quotes import Quote
from graph_memory.ledger import statements
from graph_memory.ledger.statements import Attributes, Statement
from graph_memory.schema.attribute_spec import AttributeSpec


@dataclass(frozen=True, slots=True)
class QuotedStatements:
    """Makes the statements of one episode.

    Attributes:
        attributes: what may be said, as statements take it.
        episode: that says so; tenant and source are its own.
    """

    attributes: Attributes
    episode: Episode

    def assertion(
        self,
        subject: str,
        spec: AttributeSpec,
        value: Value,
        start: datetime,
        until: datetime | None,
        quote: Quote,
    ) -> Statement:
        """Return the statement that a value holds over [start, until), UTC; raises InvalidInputError."""
        said = statements.assertion(
            self.episode.tenant,
            self.attributes,
            subject,
            spec.name,
            value,
            valid_from=start,
            until=until,
            episode=self.episode,
            quote=quote.text,
        )
        return replace(said, quoted_at=quote.start)

    def end(self, subject: str, spec: AttributeSpec, value: Value | None, at: datetime, quote: Quote) -> Statement:
        """Return the statement that nothing, or of many values this one no longer, holds from an instant on."""
        said = statements.end(
            self.episode.tenant,
            self.attributes,
            subject,
            spec.name,
            at=at,
            until=None,
            value=value if spec.cardinality is Cardinality.MANY else None,
            episode=self.episode,
            quote=quote.text,
        )
        return replace(said, quoted_at=quote.start)
