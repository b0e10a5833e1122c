"""The terms on which facts of an attribute are written, as the schema declares them."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.ledger.conflict_policy import Guard, Policy, reject


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one attribute. The defaults apply to an attribute that no schema declares.

    Attributes:
        schema_version: the schema, as `name/version`.
        memory_type: the memory type of the facts.
        retention: the retention class of the facts.
        kind: the subject's kind, where only one kind has the attribute.
        policy: decides which of two values wins when both start at the same instant.
        guard: decides whether a new value may not replace the value that holds; None: it always may.
    """

    schema_version: str | None = None
    memory_type: str | None = None
    retention: str | None = None
    kind: str | None = None
    policy: Policy = reject
    guard: Guard | None = None

    @property
    def ranked(self) -> bool:
        """Whether the sources of a fact matter to the policy or the guard."""
        return self.guard is not None or self.policy is not reject


UNDECLARED = Terms()
