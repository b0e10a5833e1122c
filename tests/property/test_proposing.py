"""Whatever a model proposes, in whatever order: the ledger keeps its properties, and only what passed is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from ledgers import fresh_name
from rule import Entry, segments
from servers import TestServer
from snapshot import Snapshot, check_acyclic

from graph_memory import GraphMemory, GraphMemoryError, Kind, Ref, Schema, Tenant, attribute
from graph_memory.domain.values import from_property
from graph_memory.extraction.proposals import as_shown


class Company(Kind):
    """A company."""

    site: str = attribute("Its home page", confirms=True)


class Person(Kind):
    """A person."""

    home: str = attribute("Where they live")
    employer: Ref[Company] = attribute("Where they work", conflict="source_precedence", protected=True)
    passport: date = attribute("When it ends", sensitive=True)
    likes: list[str] = attribute("What they like", recurs=2)
    speaks: list[str] = attribute("Languages")


SCHEMA = Schema("property", version=1, kinds=[Person, Company], sources=["crm", "user", "agent"])
SOURCES = ("crm", "user", "agent", "stranger")
START = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE, COMPANIES = ("Ann", "Bob"), ("Acme", "Globex")
WORDS = (
    *PEOPLE,
    *COMPANIES,
    "Rome",
    "Lima",
    "tea",
    "rain",
    "acme.example",
    "en",
    "de",
    "2027-01-01",
    "2027-02-02",
)


def seldom(one: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The second of two strategies in one case of four."""
    return st.integers(0, 3).flatmap(lambda chance: other if chance == 3 else one)


STORED = "<what is stored>"

values = st.sampled_from([*WORDS, "Tea", "2027-02-30", "", 7, True, None])
updates = st.fixed_dictionaries(
    {
        "evidence": st.sampled_from([*WORDS, "nobody said so", " "]),
        "subject": st.sampled_from([*PEOPLE, "ann", "Acme", "acme", "Nobody", "I"]),
        "fact": st.fixed_dictionaries(
            {
                "attribute": st.sampled_from([*SCHEMA.attributes, "height"]),
                "current_value": values,
                "change": st.sampled_from(["new", "update", "end", "no_change", "perhaps"]),
                "value": values,
            }
        ),
        "valid_from": st.sampled_from([None, None, "2026-01-02", "2026-01-04", "2026-02-30", "soon"]),
        "until": st.sampled_from([None, None, None, "2026-01-05", "2026-01-01"]),
    }
)
likely = st.builds(
    lambda subject, said, change, current: {
        "evidence": str(said[1]),
        "subject": subject,
        "fact": {"attribute": said[0], "current_value": current, "change": change, "value": said[1]},
        "valid_from": None,
        "until": None,
    },
    st.sampled_from(PEOPLE),
    st.sampled_from(
        [
            *(("home", "Rome"), ("home", "Lima"), ("employer", "Acme"), ("employer", "Globex")),
            *(("passport", "2027-01-01"), ("likes", "tea"), ("likes", "rain"), ("speaks", "en"), ("speaks", "de")),
        ]
    ),
    st.sampled_from(["new", "update", "end", "no_change"]),
    st.sampled_from([STORED, STORED, STORED, STORED, "Rome"]),
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["fact", "attribute", "change", "subject", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
remembered = st.tuples(
    st.just("remember"),
    st.integers(0, 3),
    st.sampled_from(SOURCES),
    st.integers(0, 6),
    st.lists(seldom(likely, updates | anything), min_size=1, max_size=4),
)
decided = st.tuples(st.sampled_from(["confirm", "reject"]), st.integers(0, 3))
steps = st.lists(seldom(remembered, decided), min_size=3, max_size=10)


@dataclass
class Reading:
    """A chat model of LangChain's kind that reads what it is told to, whatever it is shown."""

    updates: Sequence[Any] = ()

    def with_structured_output(self, model: Any, **options: Any) -> Reading:
        self.model = model
        return self

    def invoke(self, messages: Any, *args: Any, **options: Any) -> Any:
        return self.model.model_validate({"updates": self.updates})


@pytest.fixture(scope="module")
def reading() -> Reading:
    return Reading()


@pytest.fixture(scope="module")
def memory(server: TestServer, reading: Reading) -> Iterator[GraphMemory]:
    with GraphMemory.open(server.uri, server.auth, schema=SCHEMA, llm=reading) as opened:
        yield opened


@pytest.fixture(scope="module")
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=steps)
def test_any_candidates_keep_the_properties_of_the_ledger(
    memory: GraphMemory, reading: Reading, driver: neo4j.Driver, plan: list[tuple[Any, ...]]
) -> None:
    tenant = memory.tenant(fresh_name())
    tenant.record("I decide.", id="yes", source="user")
    known: set[tuple[int, str, int]] = set()
    for step in plan:
        if step[0] == "remember":
            _, number, source, day, proposed = step
            reading.updates = [told(tenant, update, START + timedelta(days=day)) for update in proposed]
            report = tenant.remember(
                f"{number}: {' and '.join(WORDS)}.",
                id=f"e{number}-{source}-{day}",
                source=source,
                occurred_at=START + timedelta(days=day),
            )
            if (sent := (number, source, day)) not in known:
                assert report.total == len(proposed)
                known.add(sent)
            again = tenant.extract(f"e{number}-{source}-{day}")
            assert again.total == report.total
        else:
            decide(tenant, *step)
    check(tenant, memory, driver)


def told(tenant: Tenant, update: Any, at: datetime) -> Any:
    """Return an update with what is stored in place of STORED, as a good model would have it."""
    if not isinstance(update, dict) or STORED not in repr(update):
        return update
    held = tenant.state(update["subject"].lower(), at).get(update["fact"]["attribute"], [])
    facts = held if isinstance(held, list) else [held]
    shown = [as_shown(fact.value) for fact in facts if fact.value is not None]
    if isinstance(held, list):
        shown = [value for value in shown if value == update["fact"]["value"]]
    return update | {"fact": update["fact"] | {"current_value": shown[0] if shown else None}}


def decide(tenant: Tenant, decision: str, number: int) -> None:
    """Confirm or reject one of those that wait."""
    waiting = tenant.review() + tenant.review(status="weak")
    if number < len(waiting):
        with suppress(GraphMemoryError):  # such as a subject that is left open
            if decision == "confirm":
                tenant.confirm(waiting[number].id, episode="yes", by=waiting[number].subject)
            else:
                tenant.reject(waiting[number].id, reason="no")


def check(tenant: Tenant, memory: GraphMemory, driver: neo4j.Driver) -> None:
    """Compare the tenant's part of the database with the rule, and its facts with what they may be."""
    assert memory.verify(tenant.name).problems == ()
    snapshot = Snapshot.read(driver, tenant.name)
    slots: dict[str, list[Entry]] = {}
    for id_, row in snapshot.entries.items():
        fact = row["fact"]
        value = from_property(fact["value_type"], fact["value"]) if fact["has_value"] else None
        if value is not None:
            assert SCHEMA.check(fact["attribute"], value) == value
        assert (fact["tenant"], fact["schema_version"]) == (tenant.name, "property/1")
        spec = SCHEMA.attribute(fact["attribute"])
        cited = {episode for _, episode, *_ in row["episodes"]}
        assert {name for name, *_ in row["episodes"]} == {tenant.name}
        assert fact["source"] == tenant.episode(fact["episode_id"]).source
        if spec.options.sensitive:
            assert "yes" in cited
        if spec.options.recurs > 1 and fact["has_value"]:
            assert "yes" in cited or len(cited) >= spec.options.recurs
        if fact.get("retracted_at") is None:
            start, until = fact["valid_from"].to_native(), fact.get("until")
            entry = Entry(
                (fact["slot"], "", None),
                value,
                start,
                None if until is None else until.to_native(),
                id=id_,
                recorded_at=fact["recorded_at"].to_native(),
            )
            slots.setdefault(fact["slot"], []).append(entry)
    expected = {
        (entry.id, start, stop)
        for live in slots.values()
        for start, stop, entry in segments(live)
        if entry.value is not None
    }
    edges = [row["edge"] for row in snapshot.edges]
    found = {
        (e["fact_id"], e["valid_from"].to_native(), e["valid_to"].to_native() if e.get("valid_to") else None)
        for e in edges
    }
    assert found == expected
    check_acyclic({id_: [old for old, _ in row["supersedes"]] for id_, row in snapshot.entries.items()})
