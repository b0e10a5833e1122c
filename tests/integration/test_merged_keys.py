"""The key of an entity that was merged leads to the one kept, as far as the merge was known."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from ledgers import fresh_name

from graph_memory import GraphMemory, Merge, NotFoundError, Ref, Tenant

pytestmark = pytest.mark.server

TICK = timedelta(microseconds=1)
DAY = "2026-06-01"
Read = Callable[[Tenant, str, Any], Any]


@pytest.fixture(scope="module")
def merged(memory: GraphMemory) -> tuple[Tenant, Merge]:
    """Rob and Robbie are Bob, and the firm of one of them knows the others."""
    tenant = memory.tenant(fresh_name())
    for id_ in ("e1", "e2", "e3"):
        tenant.record(f"The {id_} about the fox.", id_)
    told = [
        ("bob", "home", "Oslo", "e1"),
        ("rob", "likes", "chess", "e2"),
        ("rob", "employer", Ref("acme"), "e2"),
        ("acme", "owner", Ref("rob"), "e2"),
        ("robbie", "likes", "tea", "e3"),
        ("eve", "likes", "tea", "e1"),
    ]
    for subject, attribute, value, episode in told:
        tenant.assert_fact(subject, attribute, value, valid_from="2026-01-01", episode=episode)
    tenant.merge_entities("rob", "robbie", episode="e3")
    return tenant, tenant.merge_entities("bob", "rob", episode="e3")


READS: dict[str, Read] = {
    "as_of": lambda t, key, known: t.as_of(key, "home", DAY, known_at=known),
    "as_of_many": lambda t, key, known: t.as_of_many([(key, "home"), ("eve", "home")], DAY, known_at=known),
    "values": lambda t, key, known: t.values(key, "likes", known_at=known),
    "state": lambda t, key, known: t.state(key, known_at=known),
    "history": lambda t, key, known: t.history(key, "home", known_at=known),
    "history of many": lambda t, key, known: t.history(key, "likes", known_at=known),
    "traverse": lambda t, key, known: t.traverse(key, known_at=known),
    "traverse nowhere": lambda t, key, known: t.traverse(key, depth=0, known_at=known),
    "paths": lambda t, key, known: t.paths(key, "acme", known_at=known),
    "paths back": lambda t, key, known: t.paths("acme", key, known_at=known),
    "neighborhood": lambda t, key, known: t.neighborhood(key, known_at=known),
    "changes by recorded time": lambda t, key, known: t.changes("2020-01-01", subject=key, known_at=known),
    "changes by valid time": lambda t, key, known: t.changes(
        "2020-01-01", subject=key, by="valid", known_at=known
    ),
    "diff": lambda t, key, known: t.diff(key, "2025-01-01", DAY, known_at=known),
    "who_had": lambda t, key, known: t.who_had("owner", Ref(key), known_at=known),
    "search": lambda t, key, known: t.search("fox", about=key, known_at=known),
}


@pytest.mark.parametrize("key", ["rob", "robbie"])
@pytest.mark.parametrize("read", READS)
def test_a_read_of_the_merged_one_is_one_of_the_one_kept(
    merged: tuple[Tenant, Merge], read: str, key: str
) -> None:
    tenant, merge = merged
    answer = READS[read](tenant, "bob", None)
    assert answer
    assert READS[read](tenant, key, None) == answer
    assert READS[read](tenant, key, merge.recorded_at) == READS[read](tenant, "bob", merge.recorded_at)


def test_before_the_merge_was_known_they_are_two(merged: tuple[Tenant, Merge]) -> None:
    tenant, merge = merged
    before = merge.recorded_at - TICK
    assert tenant.as_of("rob", "home", DAY, known_at=before) is None
    assert [fact.subject for fact in tenant.values("rob", "likes", known_at=before)] == ["rob", "rob"]
    assert [fact.subject for fact in tenant.values("robbie", "likes", known_at=before)] == ["rob", "rob"]
    assert [fact.value for fact in tenant.who_had("owner", Ref("rob"), known_at=before)] == [Ref("rob")]
    assert {found.episode.id for found in tenant.search("fox", about="bob", known_at=before)} == {"e1"}


def test_a_merge_that_was_undone_leads_nowhere_but_while_it_was_known(memory: GraphMemory) -> None:
    tenant = memory.tenant(fresh_name())
    tenant.record("Two.", "e")
    tenant.assert_fact("bob", "home", "Oslo", valid_from="2026-01-01", episode="e")
    tenant.assert_fact("rob", "likes", "tea", valid_from="2026-01-01", episode="e")
    merge = tenant.merge_entities("bob", "rob", episode="e")
    tenant.undo_merge(merge.id, episode="e")
    assert tenant.current("rob", "home") is None
    then = tenant.as_of("rob", "home", DAY, known_at=merge.recorded_at)
    assert then is not None
    assert then.subject == "bob"


def test_what_was_never_merged_has_nothing_of_another(merged: tuple[Tenant, Merge]) -> None:
    tenant, _ = merged
    assert tenant.current("eve", "home") is None
    assert tenant.state("nobody") == {}
    assert tenant.entity("rob").merged_into == "bob"
    with pytest.raises(NotFoundError):
        tenant.traverse("nobody")
