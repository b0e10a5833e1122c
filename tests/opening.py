"""A schema for tests, in two readings, and a process that opens the database with one of them."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

from graph_memory import GraphMemory, Kind, Ref, Schema, SchemaMismatchError, attribute

TOO_LONG = 120


class Tier(StrEnum):
    """Tiers of an account."""

    FREE = "free"
    GOLD = "gold"


class Firm(Kind):
    """A company that buys."""

    firm_tier: Tier = attribute(
        "What they have booked",
        memory_type="state",
        retention="contract",
        conflict="source_precedence",
    )
    firm_since: date = attribute("Since when they buy")
    firm_contact: Ref[Contact] = attribute("Whom to call", protected=True)
    firm_cases: list[str] = attribute("Numbers of open cases")
    firm_address: str = attribute("Where to write to")


class Contact(Kind):
    """Someone at a firm."""

    contact_phone: str = attribute("Phone number", protected=True, conflict="source_precedence")


def declared(name: str, version: int = 1, sources: tuple[str, ...] = ("crm", "user")) -> Schema:
    """Return a schema of that name."""
    return Schema(name, version=version, kinds=[Firm, Contact], sources=sources)


def open_with(
    uri: str, auth: tuple[str, str], name: str, sources: tuple[str, ...], start: Barrier, done: Queue[str]
) -> None:
    """Open the database with a schema of these sources, at the same moment as others, and tell what came of it."""
    schema = declared(name, sources=sources)
    start.wait(TOO_LONG)
    try:
        with GraphMemory.open(uri, auth, schema=schema):
            done.put("opened")
    except SchemaMismatchError as error:
        done.put(str(error))
