"""What one tenant is answered does not depend on what another one writes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from ledgers import fresh_name

from graph_memory import ConflictError, GraphMemory, Ref, Tenant

pytestmark = pytest.mark.server

START, NOW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)
KEYS = ("ana", "rui", "globex", "employer")
ATTRIBUTES = ("employer", "home_city", "deadline")
QUESTIONS = (
    "Where is Ana employed, who is her employer?",
    "What was Ana's home city on 2026-01-03?",
    "Who said that Ana's employer is Globex?",
    "What changed about Ana's home city since 2026-01-02?",
    "What replaced Lisbon as Ana's home city?",
    "What is Rui's deadline?",
    "Who has the deadline in January?",
    "What do you know about Globex?",
)

_values: st.SearchStrategy[str | Ref[Any]] = st.one_of(
    st.sampled_from(["Lisbon", "Porto", "globex"]), st.sampled_from(KEYS).map(Ref)
)
_writes = st.one_of(
    st.tuples(st.just("fact"), st.sampled_from(KEYS), st.sampled_from(ATTRIBUTES), _values, st.integers(0, 6)),
    st.tuples(st.just("end"), st.sampled_from(KEYS), st.sampled_from(ATTRIBUTES), st.none(), st.integers(0, 6)),
    st.tuples(
        st.just("name"), st.sampled_from(KEYS), st.sampled_from(["Ana", "Rui", "Lisbon"]), st.none(), st.just(0)
    ),
    st.tuples(
        st.just("attribute"), st.just("ana"), st.integers(0, 3).map("employer_of_{}".format), _values, st.just(1)
    ),
)


def tell(tenant: Tenant) -> None:
    tenant.record("Ana lives in Lisbon and works at Globex; her deadline is in January.", "e1", occurred_at=START)
    tenant.record("Ana has moved to Porto.", "e2", occurred_at=START + timedelta(days=2))
    tenant.name_entity("ana", "Ana Silva", aliases=["Ana"])
    tenant.name_entity("rui", "Rui")
    tenant.assert_fact("ana", "employer", Ref("globex"), valid_from=START, episode="e1", quote="works at Globex")
    tenant.assert_fact("ana", "home_city", "Lisbon", valid_from=START, episode="e1")
    tenant.assert_fact("ana", "home_city", "Porto", valid_from=START + timedelta(days=2), episode="e2")
    tenant.assert_fact("rui", "employer", Ref("globex"), valid_from=START, episode="e1")


def write(tenant: Tenant, number: int, kind: str, key: str, what: str, value: Any, day: int) -> None:
    episode = tenant.record(f"{key} {what} {value}: Ana, Lisbon, Globex, deadline {number}", f"b{number}")
    at = START + timedelta(days=day)
    try:
        if kind == "end":
            tenant.end_fact(key, what, at=at, episode=episode)
        elif kind == "name":
            tenant.name_entity(key, what, aliases=[what])
        else:
            tenant.assert_fact(key, what, value, valid_from=at, episode=episode, quote="Lisbon")
    except ConflictError:
        pass


def answers(tenant: Tenant) -> list[Any]:
    """All that is answered, but for the scores of a search, which word statistics of all tenants may move."""
    found = []
    for question in QUESTIONS:
        context = tenant.context(question, now=NOW, router="rules")
        evidence = sorted(item.episode.id for item in context.evidence)
        whole = context.model_dump(exclude={"evidence", "text", "tokens", "trace"} if evidence else {"evidence"})
        found.append((whole, evidence))
    return found


def exact(tenant: Tenant) -> list[Any]:
    """What each exact read and each walk of the graph answers, at two instants, with ids and recorded instants."""
    found: list[Any] = [tenant.entity(key) for key in KEYS[:3]]
    for key in KEYS[:3]:
        found += [tenant.history(key, attribute) for attribute in ATTRIBUTES]
        found += [tenant.diff(key, START, NOW), tenant.changes(START, NOW, subject=key, by="valid")]
        for at in (START, NOW):
            found += [tenant.state(key, at=at), tenant.traverse(key, at=at, direction="both", depth=3)]
            found += [tenant.neighborhood(key, at=at, depth=2)]
    found += [tenant.paths("ana", "rui", at=NOW).paths, tenant.who_had("employer", Ref("globex"), at=NOW)]
    return [*found, tenant.who_had("home_city", "Lisbon", at=START), tenant.changes(START)]


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(writes=st.lists(_writes, min_size=1, max_size=6))
def test_state_history_graph_and_context_are_the_same_whatever_another_tenant_writes(
    memory: GraphMemory, writes: list[tuple[Any, ...]]
) -> None:
    asked, other = memory.tenant(fresh_name()), memory.tenant(fresh_name())
    tell(asked)
    before, read = answers(asked), exact(asked)
    assert sum(whole["answered"] for whole, _ in before) >= 5
    assert sum(bool(one) for one in read if isinstance(one, list)) >= 8
    for number, change in enumerate(writes):
        write(other, number, *change)
    assert answers(asked) == before
    assert exact(asked) == read
