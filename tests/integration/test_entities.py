"""Entities in the database: what they are called, and that two of them are one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any, cast

import neo4j
import pytest
from ledgers import MANY, Awaited, fresh_name, open_awaited
from servers import TestServer

from graph_memory import (
    ConflictError,
    Fact,
    GraphMemory,
    GraphMemoryError,
    InvalidInputError,
    NotFoundError,
    Ref,
    Tenant,
)
from graph_memory._sync.entities.resolver import Entities
from graph_memory.entities.normalization import MAX_MENTIONED

pytestmark = pytest.mark.server


@pytest.fixture(params=["sync", "async"])
def acme(request: pytest.FixtureRequest, server: TestServer, memory: GraphMemory) -> Iterator[Tenant]:
    """A tenant of this test alone, of either face of the library."""
    if request.param == "sync":
        yield memory.tenant(fresh_name())
        return
    with asyncio.Runner() as runner:
        opened = open_awaited(server, MANY, runner)
        yield opened.tenant(fresh_name())
        opened.close()


@pytest.fixture
def driver(server: TestServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as opened:
        yield opened


def now(driver: neo4j.Driver) -> datetime:
    return driver.execute_query("RETURN datetime.realtime('UTC')").records[0][0].to_native()  # type: ignore[no-any-return]


def values(acme: Tenant, subject: str) -> dict[str, Any]:
    """What holds of a subject now: values alone."""
    return {
        name: sorted(map(repr, (f.value for f in held))) if isinstance(held, list) else held.value
        for name, held in acme.state(subject).items()
    }


def entities(acme: Tenant) -> Entities:
    """What the write path asks for whom a name may mean."""
    return cast(Entities, Awaited(acme._entities, acme._runner) if isinstance(acme, Awaited) else acme._entities)


def found(acme: Tenant, *names: str) -> list[list[str]]:
    meant = entities(acme).resolve(names)
    return [[entity.key for entity in meant[name]] for name in names]


# -- names ----------------------------------------------------------------------------------------------------


def test_an_entity_is_found_by_key_name_alias_and_the_forms_in_which_keys_are_written(acme: Tenant) -> None:
    acme.name_entity("mira-chen", "Dr. Mira Chen", ["Mimi"])
    names = ("mira-chen", "Mira Chen", "dr mira CHEN", "mimi's", "Mira_Chen", "nobody")
    assert found(acme, *names) == [["mira-chen"]] * 4 + [[], []]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("阿里巴巴集团控股", "他在阿里巴巴集团控股工作。"),
        ("สมชายใจดี", "คุณสมชายใจดีอยู่ที่นี่"),
        ("St. John", "We met St. John there."),
        ("(odd)", "Is (odd) one of them?"),
        ("The Old Mill Inn", "They stay at the old mill inn."),
        ("the-old-mill-inn", "They stay at The Old Mill Inn."),
        ("Acme", "Where is acme?"),
        ("McDonald", "MCDONALD is here."),
        ("Acme", "هل تعمل في acme؟"),
        ("Acme", "वह acme।"),
    ],
)
def test_a_key_is_found_in_a_text_however_it_is_written(acme: Tenant, key: str, text: str) -> None:
    acme.record("Said.", id="e1")
    acme.assert_fact(key, "home", "Oslo", valid_from="2026-01-01", episode="e1")
    assert [entity.key for entity in entities(acme).mentioned(text, None).entities] == [key]


def test_a_key_in_another_case_is_meant_only_where_no_other_fits(acme: Tenant) -> None:
    for key in ("Acme", "u1", "U1"):
        acme.name_entity(key)
    assert found(acme, "acme", "ACME", "Acme") == [["Acme"]] * 3
    assert found(acme, "u1", "U1") == [["u1"], ["U1"]]
    assert found(acme, "\uff551") == [["U1", "u1"]]


def test_a_name_where_a_key_is_wanted_is_told_with_the_keys_of_those_who_have_it(acme: Tenant) -> None:
    acme.record("Said.", id="e1")
    acme.name_entity("u1", "Mira", ["Mimi"])
    acme.name_entity("u2", "Mira")
    for call in (
        lambda: acme.entity("Mira"),
        lambda: acme.traverse("Mira"),
        lambda: acme.paths("Mira", "u1"),
        lambda: acme.neighborhood("Mira"),
        lambda: acme.merge_entities("u1", "Mira", episode="e1"),
        lambda: acme.remove_alias("Mira", "Mimi"),
    ):
        with pytest.raises(NotFoundError, match=r"has no entity 'Mira'.* is a name of 'u1', 'u2': give the key"):
            call()
    with pytest.raises(NotFoundError, match="'U1' is a name of 'u1': give the key"):
        acme.entity("U1")
    with pytest.raises(NotFoundError, match=r"names it$"):
        acme.entity("Nobody")
    assert acme.entity("u1").name == "Mira"


def test_the_exact_key_means_that_entity_alone(acme: Tenant) -> None:
    acme.name_entity("mira", kind="Person")
    acme.name_entity("boat", "Mira", kind="Ship")
    acme.name_entity("cat", aliases=["mira"], kind="Animal")
    assert found(acme, "mira", "Mira", "MIRA") == [["mira"], ["boat", "cat", "mira"], ["boat", "cat", "mira"]]


def test_what_is_named_is_stored_and_what_is_left_out_stays(acme: Tenant) -> None:
    acme.name_entity("mira", "Mira Chen", ["Mimi", "mimi", "M. Chen"], "Person")
    entity = acme.name_entity("mira", aliases=["Em"], kind="Customer")
    assert entity == acme.entity("mira")
    assert (entity.name, entity.aliases, entity.kinds) == (
        "Mira Chen",
        ("Mimi", "M. Chen", "Em"),
        ("Customer", "Person"),
    )
    assert acme.remove_alias("mira", "MIMI").aliases == ("M. Chen", "Em")
    assert found(acme, "Mimi", "m chen") == [[], ["mira"]]


def test_an_alias_that_another_of_the_kind_has_is_refused_and_nothing_is_written(acme: Tenant) -> None:
    acme.name_entity("mira", aliases=["Mimi"], kind="Person")
    with pytest.raises(ConflictError, match="mira has it"):
        acme.name_entity("bob", "Bob", ["Rob", "mimi"], "Person")
    with pytest.raises(NotFoundError):
        acme.entity("bob")
    assert found(acme, "Rob") == [[]]


def test_another_tenant_has_names_of_its_own(memory: GraphMemory, acme: Tenant) -> None:
    other = memory.tenant(fresh_name())
    other.name_entity("m", "Mira", ["Mimi"], "Person")
    acme.name_entity("mira", aliases=["Mimi"], kind="Person")
    assert found(acme, "Mimi", "Mira") == [["mira"], ["mira"]]
    with pytest.raises(NotFoundError):
        acme.remove_alias("m", "Mimi")


def test_a_text_mentions_whom_it_is_about_first_then_the_longest_name(acme: Tenant) -> None:
    acme.name_entity("york", "York")
    acme.name_entity("new-york", "New York")
    acme.name_entity("mira", "Mira Chen-Ito")
    acme.name_entity("user:42", "Sam")
    acme.name_entity("米拉")
    text = "I moved to New York with Mira Chen-Ito's dog, and 米拉住在柏林。"
    mentioned = [entity.key for entity in entities(acme).mentioned(text, "user:42").entities]
    assert mentioned == ["user:42", "mira", "new-york", "york", "米拉"]
    assert [entity.key for entity in entities(acme).mentioned(text, "nobody").entities] == mentioned[1:]


def test_a_text_that_names_a_thousand_entities_mentions_fifty_always_the_same(acme: Tenant) -> None:
    episode = acme.record("All of it.")
    acme.assert_facts(
        {"subject": f"e{n}", "attribute": "home", "value": n, "valid_from": "2026-01-01", "episode": episode}
        for n in range(1000)
    )
    text = "; ".join(f"E{n}" for n in range(1000)) + " and so on" * 20_000
    mentioned = [entity.key for entity in entities(acme).mentioned(text, None).entities]
    assert mentioned == [f"e{n}" for n in range(100, 100 + MAX_MENTIONED)]


@pytest.mark.slow
def test_of_many_who_want_one_alias_at_once_one_gets_it(memory: GraphMemory) -> None:
    acme = memory.tenant(fresh_name())
    outcomes: list[object] = []

    def claim(number: int) -> None:
        try:
            outcomes.append(acme.name_entity(f"p{number}", aliases=["The One", f"n{number}"], kind="Person").key)
        except ConflictError as error:
            outcomes.append(error)

    at_once([partial(claim, number) for number in range(8)])
    winners = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(outcomes) == 8
    assert found(acme, "the one") == [winners]
    assert len(winners) == 1


def at_once(calls: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# -- merges ---------------------------------------------------------------------------------------------------


@pytest.fixture
def two(acme: Tenant) -> Tenant:
    """Bob and Rob, who may be one."""
    acme.record("Rob lives in Rome. He likes tea.", id="r1", source="user")
    acme.record("Rob does live in Rome.", id="r2", source="crm")
    acme.record("Bob is 30 and lives in Oslo.", id="b1")
    acme.record("Rob is Bob.", id="m")
    acme.record("No, he is not.", id="u")
    acme.name_entity("bob", "Bob", ["Bobby"], "Person")
    acme.name_entity("rob", "Rob", ["Robbie"], "Person")
    acme.assert_fact("rob", "home", "Rome", valid_from="2024-01-01", episode="r1", quote="lives in Rome")
    acme.assert_fact("rob", "home", "Rome", valid_from="2024-01-01", episode="r2", quote="live in Rome")
    acme.assert_fact("rob", "likes", "tea", valid_from="2024-01-01", episode="r1")
    acme.assert_fact("rob", "knows", Ref("rob"), valid_from="2024-01-01", episode="r1")
    acme.assert_fact("bob", "home", "Oslo", valid_from="2023-01-01", episode="b1")
    acme.assert_fact("bob", "age", 30, valid_from="2023-01-01", episode="b1")
    acme.assert_fact("eve", "boss", Ref("rob", "Person"), valid_from="2024-01-01", episode="r1")
    acme.assert_fact("eve", "knows", Ref("rob"), valid_from="2024-01-01", episode="r1")
    acme.end_fact("eve", "knows", value=Ref("rob"), at="2025-01-01", episode="r2")
    return acme


def held(acme: Tenant, subject: str, attribute: str) -> Fact:
    fact = acme.current(subject, attribute)
    assert fact is not None
    return fact


def test_a_merge_moves_facts_with_their_interval_and_all_of_their_episodes(
    two: Tenant, memory: GraphMemory
) -> None:
    old = held(two, "rob", "home")
    merge = two.merge_entities("bob", "rob", episode="m")
    assert (merge.kept, merge.merged, merge.episode_id, merge.moved, merge.conflicts) == ("bob", "rob", "m", 6, ())
    assert values(two, "bob") == {
        "home": "Rome",
        "age": 30,
        "likes": ["'tea'"],
        "knows": ["Ref(key='bob', kind=None)"],
    }
    assert two.state("rob") == two.state("bob")
    home = held(two, "bob", "home")
    assert (home.valid_from, home.episode_id, home.source) == (old.valid_from, "r1", "user")
    assert [(c.episode.id, c.quote, c.start) for c in two.citations(home.id)] == [
        ("r1", "lives in Rome", 4),
        ("r2", "live in Rome", 9),
    ]
    was = two.explain(old.id)
    assert (was.retracted_by, was.retraction_reason) == (home, "merged")
    assert home.supersedes == old.id
    assert [fact.value for fact in two.history("bob", "home")] == ["Oslo", "Rome"]
    assert memory.verify(tenant=two.name).problems == ()


def test_a_merge_moves_references_and_the_ends_of_values_too(two: Tenant) -> None:
    two.merge_entities("bob", "rob", episode="m")
    assert held(two, "eve", "boss").value == Ref("bob")
    assert [(fact.value, fact.ended_value) for fact in two.history("eve", "knows")] == [
        (Ref("bob"), None),
        (None, Ref("bob")),
    ]
    assert [edge.object for edge in two.traverse("eve", ["boss"]).edges] == ["bob"]


def test_answers_as_known_before_a_merge_are_those_of_before(two: Tenant, driver: neo4j.Driver) -> None:
    before = two.state("rob"), two.history("eve", "knows"), now(driver)
    two.merge_entities("bob", "rob", episode="m")
    known = before[2]
    assert values_of(two.state("rob", known_at=known)) == values_of(before[0])
    assert [f.value for f in two.history("eve", "knows", known_at=known)] == [f.value for f in before[1]]
    assert held(two, "bob", "home").value == "Rome"
    was = two.as_of("bob", "home", "2026-01-01", known_at=known)
    assert was is not None
    assert was.value == "Oslo"


def values_of(state: dict[str, Any]) -> dict[str, Any]:
    return {name: [f.value for f in (h if isinstance(h, list) else [h])] for name, h in state.items()}


def test_the_one_kept_is_found_by_every_name_of_the_one_merged(two: Tenant) -> None:
    merge = two.merge_entities("bob", "rob", episode="m")
    assert merge.aliases == ("Rob", "Robbie")
    assert two.entity("bob").aliases == ("Bobby", "Rob", "Robbie")
    assert (two.entity("rob").merged_into, two.entity("rob").aliases) == ("bob", ())
    assert found(two, "rob", "Rob", "ROBBIE", "bob") == [["bob"]] * 4
    assert [entity.key for entity in entities(two).mentioned("Robbie and rob.", "rob").entities] == ["bob"]


def test_writes_that_name_the_one_merged_are_refused_and_say_who_is_meant(two: Tenant) -> None:
    old = held(two, "rob", "home")
    two.merge_entities("bob", "rob", episode="m")
    for write in (
        lambda: two.assert_fact("rob", "home", "Bern", valid_from="2025-01-01", episode="r1"),
        lambda: two.assert_fact("eve", "boss", Ref("rob"), valid_from="2025-01-01", episode="r1"),
        lambda: two.end_fact("rob", "home", at="2025-01-01", episode="r1"),
        lambda: two.end_fact("eve", "knows", value=Ref("rob"), at="2025-06-01", episode="r1"),
        lambda: two.name_entity("rob", "Robert"),
        lambda: two.remove_alias("rob", "Robbie"),
        lambda: two.merge_entities("eve", "rob", episode="m"),
        lambda: two.merge_entities("rob", "eve", episode="m"),
    ):
        with pytest.raises(ConflictError, match="'rob' was merged into 'bob': write about 'bob'"):
            write()
    with pytest.raises(ConflictError) as moved:
        two.correct_fact(old.id, value="Bern", episode="r1")
    assert moved.value.facts == (held(two, "bob", "home"),)
    refused = two.assert_facts(
        [{"subject": "rob", "attribute": "age", "value": 1, "valid_from": "2025-01-01", "episode": "r1"}]
    ).refused
    assert "merged into 'bob'" in str(refused.first[0].reason)


def test_a_fact_that_stands_against_one_of_the_one_kept_waits_for_review(two: Tenant, memory: GraphMemory) -> None:
    fact = two.assert_fact(
        "rob", "age", 31, valid_from="2023-01-01", until="2027-01-01", episode="r1", quote="Rob"
    )
    merge = two.merge_entities("bob", "rob", episode="m")
    assert held(two, "bob", "age").value == 30
    [candidate] = two.review()
    assert (candidate.id,) == merge.conflicts
    assert (candidate.subject, candidate.attribute, candidate.value) == ("bob", "age", 31)
    assert (candidate.valid_from, candidate.until) == (fact.asserted_from, fact.until)
    assert (candidate.episode_id, candidate.quote, candidate.start) == ("r1", "Rob", 0)
    assert held(two, "bob", "age").id in candidate.reason
    assert two.explain(fact.id).retraction_episode == two.episode("m")
    assert memory.verify(tenant=two.name).problems == ()

    two.undo_merge(merge.id, episode="u")
    assert (two.review(), held(two, "rob", "age").value) == ([], 31)


def test_what_both_had_gains_the_episodes_of_both_and_loses_them_again(two: Tenant) -> None:
    same = two.assert_fact("bob", "home", "Rome", valid_from="2024-01-01", episode="b1", quote="lives in")
    merge = two.merge_entities("bob", "rob", episode="m")
    assert [c.episode.id for c in two.citations(same.id)] == ["b1", "r1", "r2"]
    two.undo_merge(merge.id, episode="u")
    for subject, episodes in (("bob", ["b1"]), ("rob", ["r1", "r2"])):
        home = held(two, subject, "home")
        assert (home.value, [c.episode.id for c in two.citations(home.id)]) == ("Rome", episodes)


def test_undoing_a_merge_gives_back_facts_and_names(two: Tenant, memory: GraphMemory) -> None:
    before = values(two, "rob"), values(two, "bob"), values(two, "eve"), two.entity("rob"), two.entity("bob")
    merge = two.merge_entities("bob", "rob", episode="m")
    undone = two.undo_merge(merge.id, episode="u")
    assert (undone.undone_by, undone.stayed) == ("u", ())
    assert undone.undone_at is not None
    assert (
        values(two, "rob"),
        values(two, "bob"),
        values(two, "eve"),
        two.entity("rob"),
        two.entity("bob"),
    ) == before
    home = held(two, "rob", "home")
    assert [(c.episode.id, c.quote) for c in two.citations(home.id)] == [
        ("r1", "lives in Rome"),
        ("r2", "live in Rome"),
    ]
    assert found(two, "rob", "Robbie", "Bobby") == [["rob"], ["rob"], ["bob"]]
    two.assert_fact("rob", "home", "Bern", valid_from="2025-01-01", episode="r1")
    assert memory.verify(tenant=two.name).problems == ()


def test_what_was_said_of_the_one_kept_since_stays_with_it(two: Tenant) -> None:
    merge = two.merge_entities("bob", "rob", episode="m")
    two.assert_fact("bob", "home", "Bern", valid_from="2025-01-01", episode="b1")
    two.assert_fact("bob", "likes", "tea", valid_from="2024-01-01", episode="b1")  # confirms what was moved
    assert two.undo_merge(merge.id, episode="u").stayed == ()
    assert values(two, "bob") == {"home": "Bern", "age": 30, "likes": ["'tea'"]}
    assert values(two, "rob")["likes"] == ["'tea'"]
    [tea] = two.values("bob", "likes")
    assert [c.episode.id for c in two.citations(tea.id)] == ["b1"]


def test_what_was_changed_since_stays_and_is_reported(two: Tenant) -> None:
    old = held(two, "rob", "home")
    merge = two.merge_entities("bob", "rob", episode="m")
    two.correct_fact(held(two, "bob", "home").id, value="Bern", episode="b1")
    undone = two.undo_merge(merge.id, episode="u")
    assert undone.stayed == (old.id,)
    assert held(two, "bob", "home").value == "Bern"
    assert two.current("rob", "home") is None
    assert two.merges() == [undone]


def test_doing_a_merge_or_its_undoing_again_changes_nothing(two: Tenant, driver: neo4j.Driver) -> None:
    merge = two.merge_entities("bob", "rob", episode="m")
    assert two.merge_entities("bob", "rob", episode="m") == merge
    with pytest.raises(ConflictError, match=f"already, by merge {merge.id}"):
        two.merge_entities("bob", "rob", episode="b1")
    undone = two.undo_merge(merge.id, episode="u")
    assert two.undo_merge(merge.id, episode="b1") == undone
    again = two.merge_entities("bob", "rob", episode="m")
    assert two.merges() == [undone, again]
    assert values(two, "bob")["home"] == "Rome"


def test_merges_of_merges_are_undone_from_the_last_to_the_first(two: Tenant, memory: GraphMemory) -> None:
    before = [values(two, key) for key in ("rob", "bob", "eve")]
    first = two.merge_entities("bob", "rob", episode="m")
    second = two.merge_entities("eve", "bob", episode="m")
    assert found(two, "Robbie", "rob", "bob") == [["eve"]] * 3
    assert values(two, "eve")["home"] == "Rome"
    with pytest.raises(ConflictError, match="'bob' was merged into 'eve' later"):
        two.undo_merge(first.id, episode="u")
    two.undo_merge(second.id, episode="u")
    assert found(two, "Robbie") == [["bob"]]
    assert two.undo_merge(first.id, episode="u").stayed == ()
    assert [values(two, key) for key in ("rob", "bob", "eve")] == before
    assert memory.verify(tenant=two.name).problems == ()


def test_a_chain_of_any_number_of_merges_leads_to_the_one_kept_last(two: Tenant) -> None:
    two.record("All of these are one.", id="all")
    keys = [f"unit{number:02}" for number in range(41)]
    for key in keys:
        two.name_entity(key, f"Unit {key[4:]}")
    two.assert_fact(keys[0], "city", "Oslo", valid_from="2026-01-01", episode="all")
    for merged, kept in pairwise(keys):
        two.merge_entities(kept, merged, episode="all")
    assert (held(two, keys[0], "city").subject, held(two, keys[0], "city").value) == (keys[-1], "Oslo")
    assert found(two, keys[0]) == [[keys[-1]]]
    assert "Oslo" in two.context("What is the city of unit00?").text


def test_two_merges_into_one_entity_are_undone_in_any_order(two: Tenant) -> None:
    two.assert_fact("robert", "home", "Rome", valid_from="2024-01-01", episode="b1")
    before = [values(two, key) for key in ("rob", "robert", "bob")]
    first = two.merge_entities("bob", "rob", episode="m")
    second = two.merge_entities("bob", "robert", episode="m")
    two.undo_merge(first.id, episode="u")
    assert [c.episode.id for c in two.citations(held(two, "bob", "home").id)] == ["b1"]
    two.undo_merge(second.id, episode="u")
    assert [values(two, key) for key in ("rob", "robert", "bob")] == before


def test_a_merge_that_moved_on_what_another_had_moved_is_to_be_undone_first(two: Tenant) -> None:
    first = two.merge_entities("bob", "rob", episode="m")
    two.assert_fact("bob", "boss", Ref("eve"), valid_from="2024-01-01", episode="r1")
    second = two.merge_entities("ada" if two.name_entity("ada") else "", "eve", episode="m")
    with pytest.raises(ConflictError, match=f"merge {second.id} moved facts"):
        two.undo_merge(first.id, episode="u")
    two.undo_merge(second.id, episode="u")
    assert two.undo_merge(first.id, episode="u").stayed == ()


def test_what_cannot_be_merged_is_refused(two: Tenant, memory: GraphMemory) -> None:
    two.name_entity("acme", kind="Company")
    memory.tenant(fresh_name()).name_entity("theirs")
    refusals: list[tuple[tuple[str, str, str], type[GraphMemoryError], str]] = [
        (("bob", "bob", "m"), InvalidInputError, "into itself"),
        (("bob", "nobody", "m"), NotFoundError, "no entity 'nobody'"),
        (("nobody", "bob", "m"), NotFoundError, "no entity 'nobody'"),
        (("bob", "theirs", "m"), NotFoundError, "no entity 'theirs'"),
        (("bob", "rob", "nothing"), NotFoundError, "no episode 'nothing'"),
        (("bob", "acme", "m"), ConflictError, "bob is a Person and acme is a Company"),
    ]
    for (a, b, episode), error, words in refusals:
        with pytest.raises(error, match=words):
            two.merge_entities(a, b, episode=episode)
    with pytest.raises(NotFoundError, match="no merge 'nothing'"):
        two.undo_merge("nothing", episode="u")
    for key in ("nobody", "theirs"):
        with pytest.raises(NotFoundError):
            two.entity(key)
    assert two.merges() == []


def test_another_tenant_does_not_see_or_undo_a_merge(two: Tenant, memory: GraphMemory) -> None:
    merge = two.merge_entities("bob", "rob", episode="m")
    other = memory.tenant(fresh_name())
    other.record("Mine.", id="u")
    assert other.merges() == []
    with pytest.raises(NotFoundError, match="no merge"):
        other.undo_merge(merge.id, episode="u")


@pytest.mark.slow
def test_writers_beside_a_merge_lose_nothing_and_leave_nothing_behind(memory: GraphMemory) -> None:
    acme = memory.tenant(fresh_name())
    acme.record("All of it.", id="e")
    for key in ("bob", "rob"):
        acme.name_entity(key)
    written: list[int] = []

    def write(number: int) -> None:
        for step in range(10):
            value = 100 * number + step
            row = {"attribute": "likes", "value": value, "valid_from": "2024-01-01", "episode": "e"}
            try:
                acme.assert_fact("rob", "likes", value, valid_from="2024-01-01", episode="e")
            except ConflictError:
                acme.assert_fact("bob", "likes", row["value"], valid_from="2024-01-01", episode="e")
            written.append(value)

    at_once([*(partial(write, number) for number in range(4)), lambda: merge_late(acme)])
    values = [value for fact in acme.values("bob", "likes") if isinstance(value := fact.value, int)]
    assert sorted(values) == sorted(written)
    assert len(written) == 40
    assert {fact.subject for fact in acme.values("rob", "likes")} == {"bob"}
    assert memory.verify(tenant=acme.name).problems == ()


def merge_late(acme: Tenant) -> None:
    while len(acme.values("rob", "likes")) < 8:
        pass
    acme.merge_entities("bob", "rob", episode="e")


@pytest.mark.slow
def test_an_entity_of_too_many_facts_is_not_merged(two: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    for face in ("_async", "_sync"):
        monkeypatch.setattr(f"graph_memory.{face}.entities.merges.MAX_MOVED", 3)
    with pytest.raises(InvalidInputError, match="more than 3 live facts"):
        two.merge_entities("bob", "rob", episode="m")
    assert values(two, "rob")["home"] == "Rome"


@pytest.mark.parametrize("acme", ["sync"], indirect=True)
def test_a_merge_of_too_many_facts_is_refused_before_it_waits_for_a_neighbour(
    two: Tenant, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph_memory._sync.entities.merges.MAX_MOVED", 3)
    two.assert_fact("rob", "friend", Ref("ada"), valid_from="2024-01-01", episode="m")
    with ThreadPoolExecutor() as pool, driver.session() as session, session.begin_transaction() as holding:
        lock = "MATCH (e:Entity {tenant: $tenant, key: 'ada'}) SET e.held = true"
        holding.run(lock, tenant=two.name).consume()
        merging = pool.submit(two.merge_entities, "bob", "rob", episode="m")
        with pytest.raises(InvalidInputError, match="more than 3 live facts"):
            merging.result(timeout=20)
