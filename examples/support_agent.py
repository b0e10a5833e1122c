"""A support agent's memory: accounts, their tiers and cases, and how customers want to be reached.

    python examples/support_agent.py
    graph-memory schema show --schema examples/support_agent.py:schema

Declares what may be remembered, then shows what happens if sources disagree. It needs no language model.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum

from graph_memory import ConflictError, Fact, GraphMemory, Kind, Ref, Schema, attribute


class Tier(StrEnum):
    """What an account has booked."""

    FREE = "free"
    TEAM = "team"
    ENTERPRISE = "enterprise"


class Channel(StrEnum):
    """Ways to reach somebody."""

    EMAIL = "email"
    PHONE = "phone"
    CHAT = "chat"


class Customer(Kind):
    """A person who writes to support."""

    account: Ref[Account] = attribute(
        "The account that the customer belongs to",
        examples=["I am writing for Globex."],
        conflict="source_precedence",
        protected=True,
    )
    preferred_channel: Channel = attribute(
        "How the customer wants to be answered",
        examples=["Please call me instead of writing."],
        memory_type="preference",
        confirms=True,
    )
    reachable: str = attribute(
        "When the customer can be reached, as they say it",
        examples=["You get me on weekdays after four."],
        memory_type="preference",
    )
    avoid: list[str] = attribute(
        "What the customer does not want, once they have shown it more than once",
        examples=["No surveys, please."],
        memory_type="preference",
        recurs=2,
    )
    phone_number: str = attribute(
        "A number that the customer gives to be called", retention="personal", sensitive=True
    )


class Account(Kind):
    """A contract with a company or a person."""

    account_tier: Tier = attribute(
        "What the account has booked",
        examples=["We are on the team plan."],
        memory_type="state",
        retention="contract",
        conflict="source_precedence",
        protected=True,
    )
    open_cases: list[str] = attribute(
        "Numbers of the cases that are open; a case that is closed ends",
        examples=["Case 4711 is still not solved."],
        memory_type="state",
    )
    policy: Ref[Policy] = attribute(
        "The service policy that applies to the account", precedence=["crm"], protected=True
    )


class Policy(Kind):
    """A promise that applies to accounts."""

    response_hours: int = attribute("Within how many hours a case gets its first answer", protected=True)


schema = Schema(
    "support-agent",
    version=1,
    kinds=[Customer, Account, Policy],
    sources=["crm", "user", "agent"],
)

JUNE_1, JUNE_8 = (datetime(2026, 6, day, 9, tzinfo=UTC) for day in (1, 8))


def main() -> None:
    """Tell a story of one account in which the customer and the CRM disagree."""
    with GraphMemory.open(schema=schema) as memory:
        shop = memory.tenant("support-example")
        crm = shop.record("Globex: tier team, policy gold, cases 4711 and 4712.", "crm-1", source="crm")
        said = shop.record("We are on the enterprise plan! And 4711 works again. Call me.", "m-1", source="user")
        policy = shop.record("Gold: first answer within 4 hours.", "crm-2", source="crm")

        for case in ("4711", "4712"):
            shop.assert_fact("globex", "open_cases", case, valid_from=JUNE_1, episode=crm, quote=case)
        shop.assert_fact("globex", "account_tier", Tier.TEAM, valid_from=JUNE_1, episode=crm, quote="tier team")
        shop.assert_fact("globex", "policy", Ref("gold"), valid_from=JUNE_1, episode=crm, quote="policy gold")
        shop.assert_fact("gold", "response_hours", 4, valid_from=JUNE_1, episode=policy, quote="4 hours")
        shop.assert_fact("ines", "account", Ref("globex"), valid_from=JUNE_1, episode=crm)
        shop.assert_fact(
            "ines", "preferred_channel", Channel.PHONE, valid_from=JUNE_8, episode=said, quote="Call me"
        )
        shop.end_fact("globex", "open_cases", value="4711", at=JUNE_8, episode=said, quote="4711 works again")

        tier = ("globex", "account_tier")
        loser = shop.assert_fact(*tier, Tier.ENTERPRISE, valid_from=JUNE_1, episode=said)
        print(
            "same start:", loser.value, "is kept and does not hold; what holds is", value_of(shop.current(*tier))
        )
        try:
            shop.assert_fact(*tier, Tier.ENTERPRISE, valid_from=JUNE_8, episode=said)
        except ConflictError as error:
            print("later start: refused, because", error.facts[0].source, "says", error.facts[0].value)
        print("open cases:", [fact.value for fact in shop.values("globex", "open_cases")])
        print("ines is reached by:", value_of(shop.current("ines", "preferred_channel")))
        reached = shop.traverse("ines", at=JUNE_8).edges
        print("ines leads to:", " ".join(f"{edge.attribute}={edge.object}" for edge in reached))


def value_of(fact: Fact | None) -> object:
    """Return what a fact says."""
    return None if fact is None else fact.value


if __name__ == "__main__":
    main()
