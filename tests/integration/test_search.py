"""Searching by words: what counts, what does not, and in which order."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from ledgers import fresh_name
from servers import TestServer

from graph_memory import ConflictError, Evidence, GraphMemory, Ref, Tenant, UnavailableError
from graph_memory.search.ranking import POOL
from graph_memory.search.term_index import MOST_COUNTED

pytestmark = pytest.mark.server

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return NEW_YEAR + timedelta(days=number)


def ids(found: Sequence[Evidence]) -> list[str]:
    return [evidence.episode.id for evidence in found]


def test_words_are_found_in_other_forms_of_theirs(tenant: Tenant) -> None:
    tenant.record("The passports' deadlines were moved.", id="e1")
    tenant.record("Nothing of the kind.", id="e2")
    assert ids(tenant.search("passport deadline moving")) == ["e1"]


@pytest.mark.parametrize("query", ["the", "and or not to", "", " \n", '?!"', "\U0001f98a", "*", "-", "~^"])
def test_a_query_without_a_word_that_counts_finds_nothing(tenant: Tenant, query: str) -> None:
    tenant.record("The fox and the dog.", id="e1")
    assert tenant.search(query) == []


@pytest.mark.parametrize(
    "query",
    [
        'fox" OR tenant_token:*',
        "fox) +dog -cat",
        r"fox\ /dog.*/ [a TO z] {a TO z}",
        "fox && dog || !cat AND NOT NOT",
        "fox:dog~0.8^9 fo? *ox",
        "fox " + "\u6771\u4eac" * 20_000,
        "fox " + "w" * 100_000,
        "fox " + " ".join(f"w{number}" for number in range(20_000)),
        "fox \ud800 \x00 \u202e \u200d",
        "fox \u0915\u093f\u0930\u093e\u092f\u093e \u0e44\u0e17\u0e22 \u05d0\u05d1 \U0001f98a",
        "fox. fox, fox' fox\u2019s",
    ],
    ids=range(11),
)
def test_any_text_is_a_query(tenant: Tenant, query: str) -> None:
    tenant.record("The fox was seen.", id="e1")
    assert ids(tenant.search(query)) == ["e1"]


@pytest.mark.parametrize(
    "text",
    [
        "\u6771\u4eac\u306b\u4f4f\u3080",
        "\u0915\u093f\u0930\u093e\u092f\u093e",
        "acme.com",
        "3.5 kg",
        "Stra\u00dfe",
    ],
)
def test_a_text_of_any_language_is_found_by_itself(tenant: Tenant, text: str) -> None:
    tenant.record(f"{text} was said.", id="e1")
    found = tenant.search(text)
    assert ids(found) == ["e1"]
    assert text in found[0].quote


def test_only_episodes_of_some_kinds_sources_and_of_a_session_count(tenant: Tenant) -> None:
    tenant.record("A fox.", id="user", session="s1")
    tenant.record("A fox.", id="crm", source="crm")
    tenant.record("A fox.", id="tool", kind="tool_result", session="s2")
    assert ids(tenant.search("fox", kinds=["message"])) == ["user", "crm"]
    assert ids(tenant.search("fox", sources=["crm", "agent"])) == ["crm"]
    assert ids(tenant.search("fox", session="s2")) == ["tool"]
    assert ids(tenant.search("fox", session="s2", kinds=["message"])) == []


def test_an_episode_counts_by_when_it_was_said_and_else_by_when_it_was_recorded(tenant: Tenant) -> None:
    for number in (3, 1, 2):
        tenant.record("A fox.", id=f"d{number}", occurred_at=day(number))
    today = tenant.record("A fox.", id="now")
    assert ids(tenant.search("fox", between=(day(1), day(3)))) == ["d1", "d2"]
    assert ids(tenant.search("fox", between=(day(3), None))) == ["d3", "now"]
    assert ids(tenant.search("fox", at=day(2))) == ["d1", "d2"]
    assert ids(tenant.search("fox", between=(None, today.recorded_at))) == ["d3", "d1", "d2"]


def test_what_was_recorded_later_does_not_leak_into_the_past(tenant: Tenant) -> None:
    first = tenant.record("A fox.", id="e1")
    tenant.record("A fox, a fox, a fox.", id="e2")
    assert ids(tenant.search("fox", known_at=first.recorded_at)) == ["e1"]
    assert ids(tenant.search("fox", known_at=first.recorded_at - timedelta(microseconds=1))) == []


def test_facts_are_judged_at_the_instant_and_by_what_was_known(tenant: Tenant) -> None:
    tenant.record("Mira moved to Porto.", id="e1", occurred_at=day(0))
    tenant.record("Mira moved to Lisbon.", id="e2", occurred_at=day(10))
    porto = tenant.assert_fact("mira", "home", "Porto", valid_from=day(0), episode="e1")
    tenant.assert_fact("mira", "home", "Lisbon", valid_from=day(10), episode="e2")

    def supported(**when: Any) -> dict[str, list[tuple[Any, bool]]]:
        found = tenant.search("Mira moved", **when)
        return {one.episode.id: [(fact.fact.value, fact.holds) for fact in one.facts] for one in found}

    assert supported() == {"e1": [("Porto", False)], "e2": [("Lisbon", True)]}
    assert supported(at=day(5)) == {"e1": [("Porto", True)]}
    assert supported(known_at=porto.recorded_at) == {"e1": [("Porto", True)], "e2": []}


def test_a_fact_of_the_past_does_not_know_that_it_was_taken_back(tenant: Tenant) -> None:
    tenant.record("Mira moved to Porto.", id="e1", occurred_at=day(0))
    porto = tenant.assert_fact("mira", "home", "Porto", valid_from=day(0), episode="e1")
    before = tenant.search("Mira moved", known_at=porto.recorded_at)
    gone = tenant.retract_fact(porto.id, reason="misheard").retracted_at
    assert tenant.search("Mira moved", known_at=porto.recorded_at) == before
    [after] = tenant.search("Mira moved", known_at=gone)
    assert [fact.fact.retracted_at for fact in after.facts] == [gone]


def test_of_many_facts_those_that_hold_no_longer_are_not_left_out(tenant: Tenant) -> None:
    tenant.record("The import of all customers.", id="import")
    rows = [
        {"subject": f"c{n:03}", "attribute": "city", "value": "Rome", "valid_from": day(0), "episode": "import"}
        for n in range(250)
    ]
    assert not tenant.assert_facts(rows).refused
    later = tenant.record("Some have moved.", id="later")
    for number in (0, 120, 249):
        moved = tenant.assert_fact(f"c{number:03}", "city", "Oslo", valid_from=day(5), episode=later)
    for known_at in (None, moved.recorded_at):
        [found] = [one for one in tenant.search("import", known_at=known_at) if one.episode.id == "import"]
        assert len(found.facts) == 100
        assert {fact.fact.subject for fact in found.facts if not fact.holds} == {"c000", "c120", "c249"}


def test_a_value_that_another_entry_says_again_still_holds(tenant: Tenant) -> None:
    for number, value in enumerate(["Porto", "Porto"]):
        episode = tenant.record(f"Mira lives in {value}.", id=f"e{number}")
        tenant.assert_fact("mira", "home", value, valid_from=day(number), episode=episode)
    assert [one.facts[0].holds for one in tenant.search("Mira lives")] == [True, True]


def test_an_episode_about_an_entity_supports_a_fact_of_it_or_with_it(tenant: Tenant) -> None:
    for id_ in ("of", "with", "other", "none"):
        tenant.record("The fox.", id=id_)
    tenant.assert_fact("mira", "home", "Porto", valid_from=day(0), episode="of")
    known = tenant.assert_fact("acme", "owner", Ref("mira"), valid_from=day(0), episode="with")
    tenant.assert_fact("jonas", "home", "Porto", valid_from=day(0), episode="other")
    assert ids(tenant.search("fox", about="mira")) == ["of", "with"]
    before = known.recorded_at - timedelta(microseconds=1)
    assert ids(tenant.search("fox", about="mira", known_at=before)) == ["of"]
    assert tenant.search("fox", about="nobody") == []


def test_a_small_tenant_among_many_gets_all_of_its_own_and_nothing_else(memory: GraphMemory) -> None:
    small, large = memory.tenant(fresh_name()), memory.tenant(fresh_name())
    large.record_episodes({"text": "A fox, a fox, a fox."} for _ in range(2000))
    small.record_episodes({"text": f"A fox, and much more was said. {'Words. ' * 40}"} for _ in range(10))
    found = small.search("fox", k=10)
    assert {one.episode.tenant for one in found} == {small.name}
    assert len(found) == 10
    assert len(large.search("fox", k=500)) == 500


def test_a_few_that_count_among_many_that_do_not_are_found(tenant: Tenant) -> None:
    tenant.record_episodes({"text": "A fox, a fox.", "source": "agent"} for _ in range(1500))
    tenant.record_episodes({"text": f"Once more a fox {'and so on ' * 30}", "id": f"e{n}"} for n in range(3))
    assert ids(tenant.search("fox", sources=["user"])) == ["e0", "e1", "e2"]


def test_equals_are_in_the_order_of_recording_and_the_same_each_time(tenant: Tenant) -> None:
    tenant.record_episodes({"text": "A fox.", "id": f"few{number:03}"} for number in range(60))
    assert ids(tenant.search("fox", k=5)) == [f"few{number:03}" for number in range(5)]
    tenant.record_episodes({"text": "A dog.", "id": f"many{number:03}"} for number in range(300))
    found = ids(tenant.search("dog", k=5))
    assert found == sorted(found)
    assert all(ids(tenant.search("dog", k=5)) == found for _ in range(3))


def test_equals_stay_the_same_whatever_another_tenant_writes(memory: GraphMemory) -> None:
    ours, theirs = memory.tenant(fresh_name()), memory.tenant(fresh_name())
    for place in range(0, 300, 50):
        ours.record_episodes({"text": "Ok, thanks.", "id": f"e{n:03}"} for n in range(place, place + 50))
        ours.record("Ok, thanks, and thanks again.", id=f"best{place}")
    before = ids(ours.search("thanks", k=20))
    for number in range(30):
        theirs.record_episodes({"text": f"Ok, thanks {number}."} for _ in range(50))
        assert ids(ours.search("thanks", k=20)) == before


def test_neither_order_nor_scores_depend_on_what_other_tenants_say(memory: GraphMemory) -> None:
    ours, theirs = memory.tenant(fresh_name()), memory.tenant(fresh_name())
    chance = random.Random(11)
    words = [f"word{number}" for number in range(40)]
    common = [min(39, int(chance.paretovariate(0.7))) for _ in range(4000)]
    texts = [" ".join(words[one] for one in chance.sample(common, chance.randint(2, 30))) for _ in range(150)]
    ours.record_episodes({"text": text, "id": f"e{number}"} for number, text in enumerate(texts))
    queries = [" ".join(chance.sample(words, 3)) for _ in range(20)]

    def answers() -> list[list[tuple[str, float]]]:
        return [[(one.episode.id, one.score) for one in ours.search(query, k=20)] for query in queries]

    alone = answers()
    assert sum(bool(found) for found in alone) == 20
    # What is rare here is common there, and the other way round; their texts are long.
    theirs.record_episodes(
        {"text": " ".join(words[39 - one] for one in chance.sample(common, 120))} for _ in range(300)
    )
    assert answers() == alone


def test_a_long_text_is_found_by_what_stands_at_its_end(tenant: Tenant) -> None:
    tenant.record_episodes({"text": f"A short note on lunch, number {number}."} for number in range(200))
    tenant.record_episodes({"text": word} for word in ["code", "word", "code", "word", "code"])
    filler = "We talked of many things in the meeting. " * 400
    tenant.record(f"{filler}By the way, the code word is heron.", id="long")
    [best, *_] = tenant.search("the code word is", k=5)
    assert best.episode.id == "long"
    assert best.quote.endswith("the code word is heron.")
    assert ids(tenant.search("heron", k=1)) == ["long"]


def test_an_excerpt_shows_what_was_asked_for_and_nothing_alike(tenant: Tenant) -> None:
    filler = "Nothing of note was said here. " * 10
    tenant.record(f"The server web12 runs nginx. {filler}The server web34 runs caddy.", id="e1")
    [found] = tenant.search("web34", k=1)
    assert "web34 runs caddy" in found.quote
    assert "web12" not in found.quote


def test_texts_are_found_however_their_letters_are_composed(tenant: Tenant) -> None:
    tenant.record("The caf\u00e9 is open.", id="composed")
    tenant.record("A cafe\u0301 by the river.", id="decomposed")
    assert ids(tenant.search("caf\u00e9")) == ids(tenant.search("cafe\u0301")) == ["composed", "decomposed"]


def test_a_search_among_many_equals_reads_no_more_of_them_than_it_ranks(
    memory: GraphMemory, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant.record_episodes({"text": "Ok, thanks.", "session": f"s{number // 20}"} for number in range(1000))
    read, asked = type(memory.services.database).read, []

    def spied(self: Any, name: str, /, **parameters: Any) -> Any:
        asked.append((name, parameters.get("limit")))
        return read(self, name, **parameters)

    monkeypatch.setattr(type(memory.services.database), "read", spied)
    assert len(tenant.search("thanks")) == 10
    assert asked == [
        ("evidence/statistics", MOST_COUNTED),
        ("evidence/words", 4 * POOL),
        ("evidence/beside", None),
        ("evidence/found", None),
    ]


def test_a_turn_is_found_by_what_the_turns_beside_it_lend(tenant: Tenant) -> None:
    for number, text in enumerate(["Hello.", "When is your passport due?", "In July.", "Noted.", "Bye."]):
        tenant.record(text, id=f"t{number}", session="s1", occurred_at=day(number))
    tenant.record("In July.", id="alone")
    found = tenant.search("passport")
    assert ids(found) == ["t1", "t0", "t2"]
    assert found[0].parts == {"text": 1.0}
    assert found[2].parts == {"session": 0.5}
    assert ids(tenant.search("passport", neighbours=0)) == ["t1"]
    assert ids(tenant.search("passport", at=day(1))) == ["t1", "t0"]
    assert ids(tenant.search("passport", between=(day(1), None))) == ["t1", "t2"]
    assert sum(found[1].parts.values()) == found[1].score


def test_a_turn_that_arrives_late_takes_its_place_in_the_session(tenant: Tenant) -> None:
    first = tenant.record("When is your passport due?", id="t1", session="s1", occurred_at=day(1))
    tenant.record("Bye.", id="t3", session="s1", occurred_at=day(3))
    known_at = tenant.record("Hello.", id="t0", session="s1", occurred_at=day(0)).recorded_at
    tenant.record("In July.", id="t2", session="s1", occurred_at=day(2))
    assert ids(tenant.search("passport")) == ["t1", "t0", "t2"]
    assert ids(tenant.search("passport", known_at=known_at)) == ["t1", "t3", "t0"]
    assert ids(tenant.search("passport", known_at=first.recorded_at)) == ["t1"]


def test_turns_follow_each_other_in_time_whatever_the_order_of_arrival(memory: GraphMemory) -> None:
    tenant = memory.tenant(fresh_name())
    turns = [(f"t{number:02}", day(number // 2)) for number in range(24)]
    shuffled = random.Random(7).sample(turns, len(turns))
    for place in range(0, len(turns), 5):
        tenant.record_episodes(
            {"id": id_, "text": "Said.", "occurred_at": at, "session": f"s{n % 2}"}
            for n, (id_, at) in enumerate(shuffled[place : place + 5], start=place)
        )
    tenant.record_episodes({"id": id_, "text": "Said.", "session": "s0"} for id_ in ("x", "y", "z"))
    links = memory.services.database.run_alone(
        "MATCH (e:Episode {tenant: $tenant})-[:NEXT]->(n) RETURN e.id, n.id", tenant=tenant.name
    )
    wanted = set()
    for name in ("s0", "s1"):
        found = memory.services.database.run_alone(
            "MATCH (e:Episode {tenant: $tenant, session: $name}) RETURN e.id ORDER BY e.said_at, e.recorded_at",
            tenant=tenant.name,
            name=name,
        )
        line = [id_ for (id_,) in found]
        wanted |= set(itertools.pairwise(line))
    assert sorted(map(tuple, links)) == sorted(wanted)
    assert ("x", "y") in wanted
    assert ("y", "z") in wanted


def test_a_long_episode_is_quoted_where_it_matches(tenant: Tenant) -> None:
    filler = "Nothing of note was said here. " * 200
    tenant.record(f"{filler}Then the fox crossed the river. {filler}", id="e1")
    [found] = tenant.search("foxes crossing rivers")
    assert "the fox crossed the river" in found.quote
    assert found.episode.text[found.start : found.end] == found.quote
    assert len(found.quote) < 300


def test_the_text_index_serves_in_another_language_once_it_is_rebuilt(memory: GraphMemory, tenant: Tenant) -> None:
    tenant.record("Die H\u00e4user sind alt.", id="e1")
    assert tenant.search("Haus") == []
    seen: list[tuple[int, int]] = []
    memory.rebuild_text_index("german", lambda done, total: seen.append((done, total)))
    try:
        assert ids(tenant.search("Haus")) == ["e1"]
        assert seen[-1] == (100, 100)
        assert next(index for index in memory.indexes() if index.kind == "text").language == "german"
    finally:
        memory.rebuild_text_index()
    assert tenant.search("Haus") == []
    assert ids(tenant.search("H\u00e4user")) == ["e1"]


@pytest.mark.parametrize("language", ["klingon", "keyword", "whitespace", "thai"])
def test_a_language_that_searches_cannot_use_is_refused(memory: GraphMemory, language: str) -> None:
    with pytest.raises(ValueError, match=rf"{language}.*english"):
        memory.rebuild_text_index(language)
    index = next(index for index in memory.indexes() if index.kind == "text")
    assert (index.building, index.language) == (None, "english")


def test_a_rebuild_that_was_killed_before_it_dropped_the_old_index_can_be_repeated(memory: GraphMemory) -> None:
    [[_, [active]]] = text_indexes(memory)
    other = "terms_b" if active == "terms_a" else "terms_a"
    memory.services.database.run_alone(f"CREATE FULLTEXT INDEX left_over FOR (p:Passage) ON EACH [p.{other}]")
    memory.rebuild_text_index()
    assert len(text_indexes(memory)) == 1


def test_an_index_that_somebody_dropped_is_named_and_can_be_made_again(
    memory: GraphMemory, tenant: Tenant
) -> None:
    tenant.record("A fox.", id="e1")
    [[name, _]] = text_indexes(memory)
    memory.services.database.run_alone("DROP INDEX $name", name=name)
    with pytest.raises(UnavailableError, match=rf"{name}.*rebuild_text_index"):
        tenant.search("fox")
    memory.rebuild_text_index()
    assert ids(tenant.search("fox")) == ["e1"]


@pytest.mark.slow
def test_of_text_rebuilds_at_once_one_wins_and_the_others_say_so(
    server: TestServer, memory: GraphMemory, tenant: Tenant
) -> None:
    tenant.record("A fox.", id="e1")

    def rebuild(language: str) -> str:
        with GraphMemory.open(server.uri, server.auth) as opened:
            try:
                opened.rebuild_text_index(language)
            except ConflictError:
                return ""
        return language

    try:
        with ThreadPoolExecutor() as pool:
            won = [name for name in pool.map(rebuild, ["german", "english", "french", "standard"]) if name]
        index = next(index for index in memory.indexes() if index.kind == "text")
        assert index.language in won
        assert index.building is None
        assert len(text_indexes(memory)) == 1
    finally:
        memory.rebuild_text_index()
    assert ids(tenant.search("fox")) == ["e1"]


def text_indexes(memory: GraphMemory) -> list[list[Any]]:
    return memory.services.database.run_alone(
        "SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes, properties WHERE labelsOrTypes = ['Passage'] "
        "RETURN name, properties"
    )


def test_an_entity_of_many_episodes_is_searched_about_without_reading_them_all(
    memory: GraphMemory, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"text": f"Visit number {number}.", "id": f"e{number}"} for number in range(1100)]
    tenant.record_episodes(rows)
    tenant.record("A visit of another one.", id="other")
    visits = [
        {
            "subject": f"v{n}",
            "attribute": "visitor",
            "value": Ref("mira"),
            "valid_from": day(0),
            "episode": f"e{n}",
        }
        for n in range(1100)
    ]
    assert not tenant.assert_facts(visits).refused
    read, counts = type(memory.services.database).read, {}

    def spied(self: Any, name: str, /, **parameters: Any) -> Any:
        found = read(self, name, **parameters)
        counts[name] = len(found)
        return found

    monkeypatch.setattr(type(memory.services.database), "read", spied)
    assert ids(tenant.search("visit 77", about="mira", k=1)) == ["e77"]
    assert "other" not in ids(tenant.search("visit another", about="mira", k=1000))
    assert counts["evidence/about"] == 1001
