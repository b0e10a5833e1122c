"""A bank's memory: customers and their accounts, policies that apply to these, a task that rests on decisions.

    python examples/bank.py

Fills the tenant `bank`, which the queries of docs/graph.md read.
"""

from __future__ import annotations

from typing import Any

from graph_memory import GraphMemory, Ref, Tenant

MANY = ("holds", "applies_to", "rests_on")


def tell(tenant: Tenant) -> None:
    """Record what was said, and what follows from it."""
    for id_, source, text in (
        ("e1", "crm", "Lena Costa opened account A-17 on 5 January and A-42 on 1 March, both in the basic tier."),
        ("e2", "crm", "A-17 was moved to the gold tier on 1 April."),
        ("e3", "crm", "Lena Costa closed A-42 on 1 May."),
        ("e4", "legal", "From 1 February the refund policy covers A-17, and the fast lane all gold accounts."),
        ("e5", "agent", "Task T-9, the refund for A-17, rests on decision D-3, and D-3 rests on D-1."),
        ("e6", "user", "I live in Porto."),
        ("e7", "user", "Sorry, in Braga, I have always lived there."),
        ("e8", "crm", "Rui Melo lives in Braga and opened account A-50 in the gold tier on 1 February."),
    ):
        tenant.record(text, id=id_, source=source)
    rows: list[tuple[str, str, Any, str, str, str | None]] = [
        ("lena", "holds", Ref("A-17", "Account"), "2026-01-05", "e1", "opened account A-17"),
        ("lena", "holds", Ref("A-42", "Account"), "2026-03-01", "e1", None),
        ("A-17", "account_tier", Ref("basic", "Tier"), "2026-01-05", "e1", None),
        ("A-42", "account_tier", Ref("basic", "Tier"), "2026-03-01", "e1", None),
        ("A-17", "account_tier", Ref("gold", "Tier"), "2026-04-01", "e2", "moved to the gold tier"),
        ("refund", "applies_to", Ref("A-17", "Account"), "2026-02-01", "e4", "the refund policy covers A-17"),
        ("fast_lane", "applies_to", Ref("gold", "Tier"), "2026-02-01", "e4", "the fast lane all gold accounts"),
        ("T-9", "rests_on", Ref("D-3", "Decision"), "2026-04-10", "e5", "rests on decision D-3"),
        ("D-3", "rests_on", Ref("D-1", "Decision"), "2026-04-10", "e5", "D-3 rests on D-1"),
        ("lena", "city", "Porto", "2026-01-05", "e6", "I live in Porto"),
        ("rui", "city", "Braga", "2026-02-01", "e8", "lives in Braga"),
        ("rui", "holds", Ref("A-50", "Account"), "2026-02-01", "e8", None),
        ("A-50", "account_tier", Ref("gold", "Tier"), "2026-02-01", "e8", None),
    ]
    report = tenant.assert_facts(
        {
            "subject": subject,
            "attribute": attribute,
            "value": value,
            "valid_from": start,
            "episode": episode,
            "quote": quote,
        }
        for subject, attribute, value, start, episode, quote in rows
    )
    assert not report.refused.first
    tenant.end_fact("lena", "holds", at="2026-05-01", value=Ref("A-42"), episode="e3", quote="closed A-42")
    [porto] = tenant.history("lena", "city")
    tenant.correct_fact(porto.id, value="Braga", episode="e7", quote="Sorry, in Braga")


def main() -> None:
    """Fill the tenant, once."""
    with GraphMemory.open(many=MANY) as memory:
        tell(memory.tenant("bank"))
    print("The tenant bank is filled. docs/graph.md shows how to query it.")


if __name__ == "__main__":
    main()
