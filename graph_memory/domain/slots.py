"""The key of a slot. A slot holds at most one value at each instant.

A slot is (tenant, subject, attribute); for an attribute of cardinality many, the value is part of it too.
"""

from __future__ import annotations

from graph_memory.domain.values import Value, value_digest


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("/", "%2F")


def slot_key(tenant: str, subject: str, attribute: str, value: Value | None = None) -> str:
    """Return the key of a slot; different slots have different keys, whatever characters the names hold.

    Args:
        tenant: a validated tenant.
        subject: a validated entity key.
        attribute: a validated attribute, which holds no slash.
        value: for an attribute of cardinality many, the value; its digest becomes part of the key.
    """
    key = f"{_escape(tenant)}/{_escape(subject)}/{attribute}"
    return key if value is None else f"{key}/{value_digest(value)}"
