"""A question over a small world, with its words found as the reading of questions finds them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from declared import SCHEMA

from graph_memory.domain.name_forms import normalise
from graph_memory.domain.records import Entity
from graph_memory.entities.normalization import places
from graph_memory.questions.attribute_matching import declared, longest, mentions
from graph_memory.questions.interpretation import kept_apart
from graph_memory.questions.subjects import Words
from graph_memory.questions.time_expressions import dates

NOW = datetime(2026, 8, 1, tzinfo=UTC)
LEXICON = declared(SCHEMA)
ENTITIES = {
    "ana": Entity(tenant="acme", key="ana", name="Ana Silva", kinds=("Person",)),
    "ben": Entity(tenant="acme", key="ben", name="Ben Ode", kinds=("Person",)),
    "ana-2": Entity(tenant="acme", key="ana-2", name="Ana Lima", aliases=("Ana Silva",), kinds=("Person",)),
    "globex": Entity(tenant="acme", key="globex", name="Globex", kinds=("Company",)),
}
KNOWN: Mapping[str, frozenset[str]] = {
    "ana": frozenset({"employer", "home", "likes"}),
    "ben": frozenset({"employer"}),
    "ana-2": frozenset({"age"}),
    "globex": frozenset(),
}


def words(text: str) -> Words:
    """The words of a question about these entities."""
    named: dict[tuple[str, bool], list[str]] = {}
    for key, entity in ENTITIES.items():
        named.setdefault((key, True), []).append(key)
        for name in (entity.name, *entity.aliases):
            named.setdefault((normalise(name), False), []).append(key)
    found = longest(mentions(places(text), named))
    times, names = kept_apart(dates(text, NOW), found)
    return Words(text, times, names, ENTITIES, KNOWN, LEXICON)
