"""A support desk with customers, accounts, policies, tickets and staff: one year of corrections and late notes."""

from __future__ import annotations

import json
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from graph_memory import Kind, Ref, Schema, Tenant, attribute

WORLD = Path(__file__).parent / "data" / "desk.json"


class Plan(StrEnum):
    """What an account may book."""

    FREE = "free"
    TEAM = "team"
    BUSINESS = "business"
    ENTERPRISE = "enterprise"


class Channel(StrEnum):
    """How a customer is reached."""

    EMAIL = "email"
    PHONE = "phone"
    CHAT = "chat"


class Status(StrEnum):
    """How far a ticket is."""

    OPEN = "open"
    WAITING = "waiting"
    ESCALATED = "escalated"
    RESOLVED = "resolved"


class Customer(Kind):
    """A person who contacts support."""

    account: Ref[Account] = attribute("The account the customer belongs to")
    preferred_channel: Channel = attribute("How the customer wants to be contacted")
    email: str = attribute("E-mail address")
    phone: str = attribute("Phone number")
    city: str = attribute("City where the customer lives")
    language: Literal["English", "German", "Portuguese", "French"] = attribute(
        "Language the customer wants to be served in"
    )
    birthday: date = attribute("Date of birth")
    likes: list[str] = attribute("Lasting preferences of the customer")
    tickets: list[Ref[Ticket]] = attribute("Tickets that the customer has opened")
    job_title: str = attribute("Job title at the company")


class Account(Kind):
    """A contract with a company."""

    plan: Plan = attribute("Subscription plan that is booked")
    policy: Ref[Policy] = attribute("Support policy that applies to the account")
    seats: int = attribute("Number of licensed seats")
    monthly_price: float = attribute("Price per month in EUR")
    renewal_date: date = attribute("When the contract renews")
    manager: Ref[Employee] = attribute("Account manager responsible for the account")
    integrations: list[str] = attribute("Third-party products connected to the account")


class Policy(Kind):
    """A promise that applies to accounts."""

    response_hours: int = attribute("Hours until the first response")
    refund_days: int = attribute("Days within which a refund is possible")


class Ticket(Kind):
    """A support case."""

    status: Status = attribute("Status of the ticket")
    assignee: Ref[Employee] = attribute("Employee who works on the ticket")
    priority: Literal["low", "normal", "high", "urgent"] = attribute("Priority of the ticket")
    topic: str = attribute("What the ticket is about")
    due: date = attribute("When the ticket must be solved")


class Employee(Kind):
    """Somebody who works at the support desk."""

    boss: Ref[Employee] = attribute("Their manager")
    team: str = attribute("Team the employee is in")


SCHEMA = Schema(
    "support-desk",
    version=1,
    kinds=[Customer, Account, Policy, Ticket, Employee],
    sources=["crm", "legal", "user", "agent"],
)


def tell(tenant: Tenant) -> None:
    """Record the world: its entities, its episodes in the order of arrival, and what each of them says."""
    world: dict[str, list[list[Any]]] = json.loads(WORLD.read_text())
    for key, kind, name, *aliases in world["entities"]:
        tenant.name_entity(key, name, aliases=aliases, kind=kind)
    for id_, said_at, source, text in world["episodes"]:
        tenant.record(text, id=id_, source=source, occurred_at=said_at)
    for subject, name, value, start, until, episode, quote in world["facts"]:
        said = {"episode": episode, "quote": quote}
        match value:
            case {"end": ended}:
                tenant.end_fact(subject, name, at=start, value=ended, **said)
            case {"ref": key}:
                tenant.assert_fact(subject, name, Ref(key), valid_from=start, until=until, **said)
            case {"date": day}:
                tenant.assert_fact(subject, name, date.fromisoformat(day), valid_from=start, until=until, **said)
            case _:
                tenant.assert_fact(subject, name, value, valid_from=start, until=until, **said)
