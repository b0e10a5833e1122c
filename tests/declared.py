"""A schema with every type of value, and a passage to read with it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Literal

from graph_memory.domain.records import Episode
from graph_memory.domain.values import Ref
from graph_memory.extraction.prompts import ExtractionRequest, KnownEntity
from graph_memory.schema.kind import Kind
from graph_memory.schema.schema import Schema, attribute

SAID_AT = datetime(2026, 7, 15, 9, tzinfo=UTC)


class Tier(StrEnum):
    """Of an account."""

    GOLD = "gold"
    SILVER = "silver"


class Company(Kind):
    """A firm."""


class Person(Kind):
    """Someone the assistant works for."""

    employer: Ref[Company] = attribute("Where they work", examples=["I started at Globex on Monday"])
    likes: list[str] = attribute("Lasting preferences")
    friend: list[Ref] = attribute("Whom they are friends with")
    home: str = attribute("The city they live in")
    age: int = attribute("Age in years")
    height: float = attribute("Height in metres")
    vegetarian: bool = attribute("Whether they eat no meat")
    passport_deadline: date = attribute("When the passport must be renewed")
    flight: datetime = attribute("When the next flight leaves")
    tier: Tier = attribute("Tier of the account")
    floor: Literal[1, 2, 3] = attribute("The floor they sit on")


SCHEMA = Schema("assistant", version=1, kinds=[Person, Company], sources=["user", "crm", "agent"])

ANA = KnownEntity(
    "ana",
    "Ana Silva",
    ("Person",),
    ("Anita",),
    (
        ("employer", Ref("acme", "Company")),
        ("likes", "tea"),
        ("likes", "jazz"),
        ("age", 41),
        ("vegetarian", True),
        ("passport_deadline", date(2026, 7, 15)),
        ("flight", datetime(2026, 7, 20, 6, 30, tzinfo=UTC)),
    ),
)


def episode(text: str, **fields: object) -> Episode:
    """An episode of this text, said on 2026-07-15 at 9:00 UTC, recorded a month later."""
    given = {
        "id": "e1",
        "tenant": "acme",
        "occurred_at": SAID_AT,
        "recorded_at": datetime(2026, 8, 15, tzinfo=UTC),
    }
    return Episode.model_validate({**given, "text": text, **fields})


def passage(
    text: str = "I joined Globex in March.",
    *,
    about: str | None = "ana",
    entities: tuple[KnownEntity, ...] = (ANA,),
    objections: tuple[str, ...] = (),
    **fields: object,
) -> ExtractionRequest:
    """A passage about Ana."""
    return ExtractionRequest(episode(text, **fields), SAID_AT, about, entities, objections)
