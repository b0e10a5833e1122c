"""A schema on a real database: registered once, the same for all programs, and behind every fact."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from ledgers import fresh_name
from opening import TOO_LONG, Firm, Tier, declared, open_with
from servers import TestServer

from graph_memory import (
    AsyncGraphMemory,
    ConflictError,
    Fact,
    GraphMemory,
    InvalidInputError,
    Kind,
    Recorded,
    Ref,
    Schema,
    SchemaMismatchError,
    Tenant,
    attribute,
)

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Midnight of a numbered day."""
    return START + timedelta(days=number)


@pytest.fixture
def opened(server: TestServer) -> Callable[[Schema], GraphMemory]:
    """Open a memory with a schema."""

    def open_(schema: Schema) -> GraphMemory:
        return GraphMemory.open(server.uri, server.auth, schema=schema)

    return open_


@pytest.fixture
def name() -> str:
    """The name of a schema of this test alone."""
    return fresh_name()


@pytest.fixture
def firm(opened: Callable[[Schema], GraphMemory], name: str) -> Iterator[Tenant]:
    """A tenant of this test alone, under a schema, with an episode of each source."""
    with opened(declared(name)) as memory:
        tenant = memory.tenant(fresh_name())
        for source in ("crm", "user", "rumour"):
            tenant.record(f"Said by the {source}.", id=source, source=source)
        yield tenant


def said(tenant: Tenant, source: str, attribute: str, value: Any, start: int = 0, **given: Any) -> Fact:
    """Let a source say something of the firm."""
    return tenant.assert_fact("acme", attribute, value, valid_from=day(start), episode=source, **given)


# The registry


def test_opening_stores_the_declaration_and_the_cardinalities_once(
    opened: Callable[[Schema], GraphMemory], name: str
) -> None:
    with opened(declared(name)) as memory:
        first = [info for info in memory.schemas() if info.name == name]
        assert {info.name: str(info.cardinality) for info in memory.attributes()}.items() >= {
            "firm_tier": "one",
            "firm_cases": "many",
        }.items()
    with opened(declared(name)) as memory:
        assert [info for info in memory.schemas() if info.name == name] == first
    [info] = first
    assert (info.version, info.declaration) == (1, declared(name).registered())


def test_versions_stand_beside_each_other_in_order(opened: Callable[[Schema], GraphMemory], name: str) -> None:
    for version in (10, 2):
        opened(declared(name, version, sources=(f"source {version}",))).close()
    with opened(declared(name, 10, sources=("source 10",))) as memory:
        assert [info.version for info in memory.schemas() if info.name == name] == [2, 10]


def test_another_declaration_of_a_version_is_refused_with_the_difference_and_stores_nothing(
    opened: Callable[[Schema], GraphMemory], name: str
) -> None:
    class Extra(Kind):
        extra_that_was_never_stored: str = attribute("New")

    opened(declared(name)).close()
    other = Schema(name, version=1, kinds=[*declared(name).kinds.values(), Extra], sources=["user", "crm"])
    with pytest.raises(SchemaMismatchError) as raised:
        opened(other)
    message = str(raised.value)
    assert f"another declaration of schema {name}/1 (stored -> declared here)" in message
    assert 'sources: ["crm", "user"] -> ["user", "crm"]' in message
    assert "kinds.Extra: not there -> declared" in message
    with opened(declared(name)) as memory:
        assert "extra_that_was_never_stored" not in {info.name for info in memory.attributes()}


@pytest.mark.slow
def test_of_two_declarations_that_come_at_once_one_is_stored_and_the_other_processes_are_refused(
    server: TestServer, name: str
) -> None:
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(6), context.Queue()
    orders = [("crm", "user"), ("user", "crm")] * 3
    processes = [
        context.Process(target=open_with, args=(server.uri, server.auth, name, sources, start, done))
        for sources in orders
    ]
    for process in processes:
        process.start()
    results = [done.get(timeout=TOO_LONG) for _ in processes]
    for process in processes:
        process.join(TOO_LONG)
    refused = [result for result in results if result != "opened"]
    assert len(refused) == 3
    assert all('sources: ["' in message for message in refused)
    with GraphMemory.open(server.uri, server.auth) as memory:
        assert [info.version for info in memory.schemas() if info.name == name] == [1]


def test_a_cardinality_that_the_database_has_otherwise_is_refused_and_stores_nothing(
    memory: GraphMemory, tenant: Tenant, opened: Callable[[Schema], GraphMemory], name: str
) -> None:
    used = f"used_{name.replace('-', '_')}"
    tenant.record("Used.", id="e1")
    tenant.assert_fact("mira", used, "x", valid_from=day(0), episode="e1")
    kind = type("Used", (Kind,), {"__annotations__": {used: list[str], f"{used}_too": str}})
    with pytest.raises(SchemaMismatchError, match=f"{used} is recorded with cardinality one and"):
        opened(Schema(name, version=1, kinds=[kind]))
    assert name not in {info.name for info in memory.schemas()}
    assert f"{used}_too" not in {info.name for info in memory.attributes()}


@pytest.mark.parametrize("many", [["likes"], Recorded("likes"), Recorded()])
def test_many_is_for_memories_without_a_schema(server: TestServer, name: str, many: Any) -> None:
    with pytest.raises(InvalidInputError, match="a schema, which declares it: leave many out"):
        GraphMemory.open(server.uri, server.auth, schema=declared(name), many=many)


def test_the_asynchronous_memory_registers_and_lists_them_too(server: TestServer, name: str) -> None:
    async def names() -> list[str]:
        async with await AsyncGraphMemory.open(server.uri, server.auth, schema=declared(name)) as memory:
            return [info.name for info in await memory.schemas()]

    assert name in asyncio.run(names())


# What facts get of it


def test_a_fact_carries_its_schema_version_memory_type_and_retention(firm: Tenant, name: str) -> None:
    written = said(firm, "crm", "firm_tier", Tier.GOLD)
    assert (written.schema_version, written.memory_type, written.retention) == (f"{name}/1", "state", "contract")
    assert firm.fact(written.id) == written
    other = said(firm, "crm", "firm_address", "1 High St")
    assert (other.schema_version, other.memory_type, other.retention) == (f"{name}/1", "semantic", None)


def test_a_fact_keeps_the_version_that_it_was_written_under(
    firm: Tenant, name: str, opened: Callable[[Schema], GraphMemory]
) -> None:
    old = said(firm, "crm", "firm_tier", "free")
    with opened(declared(name, 2)) as memory:
        newer = memory.tenant(firm.name)
        new = said(newer, "crm", "firm_tier", "gold", 5)
        assert newer.fact(old.id).schema_version == f"{name}/1"
        corrected = newer.correct_fact(old.id, valid_from=day(1), episode="crm")
    assert (new.schema_version, corrected.schema_version) == (f"{name}/2", f"{name}/2")


def test_subject_and_object_get_the_labels_of_their_declared_kinds(firm: Tenant) -> None:
    said(firm, "crm", "firm_contact", Ref("mira"))
    assert firm.entity("acme").kinds == ("Firm",)
    assert firm.entity("mira").kinds == ("Contact",)
    node = next(node for node in firm.traverse("acme", at=day(1)).nodes if node.key == "mira")
    assert node.kinds == ("Contact",)


def test_an_end_and_a_batch_carry_the_terms_too(firm: Tenant, name: str) -> None:
    report = firm.assert_facts(
        {"subject": "acme", "attribute": "firm_tier", "value": tier, "valid_from": day(start), "episode": "crm"}
        for start, tier in enumerate(Tier)
    )
    facts = [firm.fact(outcome.fact_id) for outcome in report.committed if outcome.fact_id]
    ended = firm.end_fact("acme", "firm_tier", at=day(9), episode="crm")
    assert [(fact.schema_version, fact.memory_type, fact.retention) for fact in [*facts, ended]] == [
        (f"{name}/1", "state", "contract")
    ] * 3


# Values


def test_a_value_is_stored_in_its_declared_type(firm: Tenant) -> None:
    assert said(firm, "crm", "firm_since", "2020-02-29").value == date(2020, 2, 29)
    assert said(firm, "crm", "firm_tier", "gold").value == "gold"
    contact = said(firm, "crm", "firm_contact", Ref("mira")).value
    assert isinstance(contact, Ref)
    assert (contact.key, contact.kind) == ("mira", "Contact")


def test_what_is_not_declared_is_refused_in_every_way_to_write_and_nothing_is_written(firm: Tenant) -> None:
    fact = said(firm, "crm", "firm_tier", "free")
    with pytest.raises(InvalidInputError, match="it takes one of 'free', 'gold'"):
        said(firm, "crm", "firm_tier", "silver", 1)
    with pytest.raises(InvalidInputError, match="it takes one of 'free', 'gold'"):
        firm.correct_fact(fact.id, value="silver", episode="crm")
    with pytest.raises(InvalidInputError, match="it takes a value of type str"):
        firm.end_fact("acme", "firm_cases", value=7, at=day(1), episode="crm")
    writes: tuple[Callable[[], object], ...] = (
        lambda: said(firm, "crm", "salary", 1),
        lambda: firm.end_fact("acme", "salary", at=day(1), episode="crm"),
        lambda: firm.current("acme", "salary"),
    )
    for write in writes:
        with pytest.raises(InvalidInputError, match="'salary' is not declared by schema"):
            write()
    assert [held.value for held in firm.history("acme", "firm_tier")] == ["free"]
    assert firm.state("acme").keys() == {"firm_tier"}


def test_a_row_that_does_not_fit_the_schema_is_refused_and_the_others_are_written(firm: Tenant) -> None:
    rows = [
        ("firm_tier", "gold"),
        ("firm_tier", 5),
        ("salary", 1),
        ("firm_cases", "c1"),
        ("firm_since", "2020-13-01"),
    ]
    report = firm.assert_facts(
        {"subject": "acme", "attribute": attribute, "value": value, "valid_from": day(0), "episode": "crm"}
        for attribute, value in rows
    )
    assert [outcome.row for outcome in report.committed] == [1, 4]
    refused = {outcome.row: outcome.reason or "" for outcome in report.refused}
    assert refused.keys() == {2, 3, 5}
    assert "5 (int) is not allowed" in refused[2]
    assert "not declared" in refused[3]
    assert "not a date of the calendar" in refused[5]


def test_declared_lists_hold_many_values(firm: Tenant) -> None:
    for case in ("c1", "c2"):
        said(firm, "crm", "firm_cases", case)
    firm.end_fact("acme", "firm_cases", value="c1", at=day(3), episode="crm")
    assert [fact.value for fact in firm.values("acme", "firm_cases", day(4))] == ["c2"]


# Conflicts


@pytest.mark.parametrize(("first", "second"), [("user", "crm"), ("crm", "user")])
def test_the_better_source_wins_and_the_loser_is_kept_and_not_live(firm: Tenant, first: str, second: str) -> None:
    facts = {source: said(firm, source, "firm_tier", tier) for source, tier in ((first, "free"), (second, "gold"))}
    winner, loser = facts["crm"], facts["user"]
    current = firm.current("acme", "firm_tier")
    assert current is not None
    assert current.id == winner.id
    kept = firm.explain(loser.id)
    assert kept.fact.retracted_at is not None
    assert kept.fact.valid_from == kept.fact.valid_to
    assert kept.retracted_by is not None
    assert kept.retracted_by.id == winner.id
    assert kept.citations[0].episode.id == "user"
    if first == "crm":
        assert kept.fact.retracted_at == kept.fact.recorded_at


def test_a_tie_of_sources_is_refused_with_the_stored_fact(firm: Tenant) -> None:
    stored = said(firm, "user", "firm_tier", "free")
    firm.record("Said otherwise.", id="user2", source="user")
    with pytest.raises(ConflictError) as raised:
        said(firm, "user2", "firm_tier", "gold")
    assert [fact.id for fact in raised.value.facts] == [stored.id]
    firm.record("Hearsay.", id="hearsay", source="hearsay")
    said(firm, "rumour", "firm_tier", "free", 2)
    with pytest.raises(ConflictError):
        said(firm, "hearsay", "firm_tier", "gold", 2)


def test_an_attribute_without_precedence_refuses_a_better_source_too(firm: Tenant) -> None:
    said(firm, "user", "firm_address", "1 High St")
    with pytest.raises(ConflictError):
        said(firm, "crm", "firm_address", "2 Low St")


def test_a_protected_fact_is_not_replaced_by_a_worse_source(firm: Tenant) -> None:
    stored = said(firm, "crm", "firm_contact", Ref("mira"))
    late_writes: tuple[tuple[int, Callable[[], object]], ...] = (
        (3, lambda: said(firm, "user", "firm_contact", Ref("noor"), 3)),
        (3, lambda: firm.end_fact("acme", "firm_contact", at=day(3), episode="user")),
    )
    for start, write in late_writes:
        with pytest.raises(ConflictError) as raised:
            write()
        assert [fact.id for fact in raised.value.facts] == [stored.id]
        assert "firm_contact is protected" in str(raised.value)
        assert stored.id in str(raised.value)
        assert firm.as_of("acme", "firm_contact", day(start)) == firm.as_of("acme", "firm_contact", day(0))
    report = firm.assert_facts(
        [
            {
                "subject": "acme",
                "attribute": "firm_contact",
                "value": Ref("noor"),
                "valid_from": day(3),
                "episode": "rumour",
            }
        ]
    )
    assert ["protected" in (outcome.reason or "") for outcome in report.refused] == [True]
    replaced = said(firm, "crm", "firm_contact", Ref("noor"), 3)
    assert replaced.supersedes == stored.id


def test_a_worse_source_may_say_what_a_better_one_has_not(firm: Tenant) -> None:
    said(firm, "crm", "firm_contact", Ref("mira"), 5, until=day(9))
    before = said(firm, "user", "firm_contact", Ref("noor"), 0)
    assert (before.valid_from, before.valid_to) == (day(0), day(5))
    after = said(firm, "user", "firm_contact", Ref("lee"), 9)
    assert (after.valid_from, after.valid_to) == (day(9), None)


def test_what_is_protected_beyond_the_window_of_a_write_does_not_count(firm: Tenant) -> None:
    said(firm, "user", "firm_contact", Ref("mira"), 8, until=day(9))
    said(firm, "user", "firm_contact", Ref("lee"), 4)
    said(firm, "crm", "firm_contact", Ref("noor"), 9)
    with pytest.raises(ConflictError, match="protected"):
        firm.end_fact("acme", "firm_contact", at=day(7), episode="rumour")
    hidden = firm.end_fact("acme", "firm_contact", at=day(8), episode="rumour")
    assert hidden.valid_from == hidden.valid_to


def test_the_winner_of_a_conflict_may_not_replace_what_the_loser_left_alone(firm: Tenant) -> None:
    kept = firm.assert_fact("mira", "contact_phone", "1", valid_from=day(4), until=day(5), episode="rumour")
    better = firm.assert_fact("mira", "contact_phone", "2", valid_from=day(0), episode="crm")
    with pytest.raises(ConflictError) as raised:
        firm.assert_fact("mira", "contact_phone", "3", valid_from=day(4), episode="user")
    assert [fact.id for fact in raised.value.facts] == [better.id]
    won = firm.assert_fact("mira", "contact_phone", "3", valid_from=day(4), until=day(5), episode="user")
    assert firm.explain(kept.id).retracted_by == won


def test_a_ledger_written_under_a_schema_is_sound(firm: Tenant, memory: GraphMemory) -> None:
    for number, source in enumerate(("user", "crm", "rumour", "crm")):
        said(firm, source, "firm_tier", "gold" if number % 2 else "free", number // 2)
    said(firm, "crm", "firm_contact", Ref("mira"))
    assert memory.verify(firm.name).problems == ()
    assert firm.entity("acme").kinds == (Firm.__name__,)
