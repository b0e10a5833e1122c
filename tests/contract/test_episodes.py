from datetime import UTC, datetime

import pytest
from ledgers import Ledger, Memory, fresh_name
from story import START, Story

from graph_memory import ConflictError, InvalidInputError, NotFoundError

CONTENT = {
    "text": "Mira moved.  Ünïcode \U0001f98a\nand a second line",
    "kind": "tool_result",
    "source": "crm",
    "occurred_at": datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
    "session": "s1",
    "retention": "short",
    "metadata": {"page": 3, "tags": ["a", None], "nested": {"x": 1.5}},
}


def test_an_episode_is_kept_as_it_was_recorded(tenant: Ledger) -> None:
    episode = tenant.record(id="e1", **CONTENT)  # type: ignore[arg-type]
    assert episode.model_dump(exclude={"recorded_at", "tenant"}) == {"id": "e1", **CONTENT}
    assert tenant.episode("e1") == episode


def test_an_episode_without_an_id_gets_one_of_its_own(tenant: Ledger) -> None:
    first, second = tenant.record("Same words."), tenant.record("Same words.")
    assert first.id != second.id
    assert tenant.episode(first.id).text == "Same words."


def test_recording_the_same_content_again_is_a_replay(tenant: Ledger) -> None:
    first = tenant.record(id="e1", **CONTENT)  # type: ignore[arg-type]
    assert tenant.record(id="e1", **CONTENT) == first  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Other words."},
        {"kind": "event"},
        {"source": "user"},
        {"occurred_at": None},
        {"session": "s2"},
        {"retention": None},
        {"metadata": {"page": 4}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_other_content_under_a_known_id_is_a_conflict_and_changes_nothing(
    tenant: Ledger, changed: dict[str, object]
) -> None:
    first = tenant.record(id="e1", **CONTENT)  # type: ignore[arg-type]
    with pytest.raises(ConflictError, match="e1"):
        tenant.record(id="e1", **{**CONTENT, **changed})  # type: ignore[arg-type]
    assert tenant.episode("e1") == first


def test_an_unknown_episode_is_not_found(tenant: Ledger) -> None:
    with pytest.raises(NotFoundError, match="nowhere"):
        tenant.episode("nowhere")


def test_an_id_belongs_to_its_tenant_alone(backend: Memory, tenant: Ledger) -> None:
    tenant.record("Ours.", id="e1")
    other = backend.tenant(fresh_name())
    with pytest.raises(NotFoundError):
        other.episode("e1")
    assert other.record("Theirs.", id="e1").text == "Theirs."
    assert tenant.episode("e1").text == "Ours."


def test_a_fact_needs_an_episode_that_exists(story: Story) -> None:
    with pytest.raises(NotFoundError, match="e-unknown"):
        story.say("Berlin", 1, episode="e-unknown")
    assert story.history() == []


def test_a_fact_takes_an_episode_or_its_id(tenant: Ledger) -> None:
    episode = tenant.record("Mira lives in Berlin.")
    by_id = tenant.assert_fact("mira", "home", "Berlin", valid_from=START, episode=episode.id)
    again = tenant.assert_fact("mira", "home", "Berlin", valid_from=START, episode=episode)
    assert by_id.id == again.id
    assert by_id.episode_id == episode.id


def test_a_fact_carries_its_episodes_source(story: Story) -> None:
    assert story.say("Berlin", 1, episode=story.hear(source="crm")).source == "crm"


def test_a_quote_is_cited_with_its_place_in_code_points(tenant: Ledger) -> None:
    tenant.record("\U0001f98a\u00e9 says: Mira lives in Berlin.", id="e1")
    fact = tenant.assert_fact("mira", "home", "Berlin", valid_from=START, episode="e1", quote="lives in Berlin")
    citation = tenant.explain(fact.id).citations[0]
    assert citation.quote == "lives in Berlin"
    assert citation.episode.text[citation.start : citation.end] == "lives in Berlin"


@pytest.mark.parametrize("quote", ["lives in Paris", "LIVES", "lives  in", ""])
def test_a_quote_that_does_not_stand_in_the_episode_is_refused(tenant: Ledger, quote: str) -> None:
    tenant.record("Mira lives in Berlin.", id="e1")
    with pytest.raises(InvalidInputError, match="quote"):
        tenant.assert_fact("mira", "home", "Berlin", valid_from=START, episode="e1", quote=quote)
    assert tenant.history("mira", "home") == []
