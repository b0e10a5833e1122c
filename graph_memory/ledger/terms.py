"""On what terms facts of an attribute are written: what a schema lays down for them."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.ledger.conflict_policy import Guard, Policy, reject


@dataclass(frozen=True, slots=True)
class Terms:
    """The defaults are the terms of an attribute that no schema declares.

    Attributes:
        schema_version: the schema, as `name/version`.
        memory_type: of the facts.
        retention: of the facts.
        kind: of the subject, where the attribute is about one kind only.
        policy: who wins where two values start together.
        guard: whether what holds is safe from a new value that would replace it; None: it never is.
    """

    schema_version: str | None = None
    memory_type: str | None = None
    retention: str | None = None
    kind: str | None = None
    policy: Policy = reject
    guard: Guard | None = None

    @property
    def ranked(self) -> bool:
        """Whether it counts whose word stands behind a fact."""
        return self.guard is not None or self.policy is not reject


UNDECLARED = Terms()
