"""What one tenant writes is nothing to another, whatever the names."""

import pytest
from ledgers import Memory, fresh_name
from story import START, Story, day, piece

from graph_memory import InvalidInputError, NotFoundError, Ref


def test_tenants_share_no_fact_entity_or_episode(backend: Memory, story: Story) -> None:
    other = Story(backend.tenant(fresh_name()))
    fact = story.say("Berlin", 1)
    assert other.history() == []
    assert other.tenant.state("mira", day(1)) == {}
    for read in (other.tenant.fact, other.tenant.explain):
        with pytest.raises(NotFoundError):
            read(fact.id)
    with pytest.raises(NotFoundError):
        other.tenant.entity("mira")


def test_a_fact_of_another_tenant_can_be_neither_corrected_nor_retracted(backend: Memory, story: Story) -> None:
    other = Story(backend.tenant(fresh_name()))
    fact = story.say("Berlin", 1)
    with pytest.raises(NotFoundError):
        other.tenant.correct_fact(fact.id, value="Rome", episode=other.hear())
    with pytest.raises(NotFoundError):
        other.tenant.retract_fact(fact.id, reason="not theirs")
    assert story.history() == [piece("Berlin", 1)]


def test_an_episode_of_another_tenant_supports_nothing(backend: Memory, story: Story) -> None:
    other = Story(backend.tenant(fresh_name()))
    story.tenant.record("Ours.", id="ours")
    with pytest.raises(NotFoundError):
        other.say("Rome", 1, episode="ours")


def test_the_same_words_in_two_tenants_are_two_histories(backend: Memory, story: Story) -> None:
    other = Story(backend.tenant(fresh_name()))
    story.say("Berlin", 1)
    other.say("Rome", 1)
    other.end(5)
    assert story.history() == [piece("Berlin", 1)]
    assert other.history() == [piece("Rome", 1, 5), piece(None, 5)]


def test_a_traversal_stays_in_its_tenant(backend: Memory, story: Story) -> None:
    other = Story(backend.tenant(fresh_name()))
    story.say(Ref("acme"), 1, attribute="employer")
    other.say(Ref("bank"), 1, subject="acme", attribute="owner")
    graph = story.tenant.traverse("mira", depth=3, at=day(1), direction="both")
    assert [node.key for node in graph.nodes] == ["mira", "acme"]


def test_names_that_only_look_alike_when_joined_are_different_slots(backend: Memory) -> None:
    base = fresh_name()
    told = [(f"{base}/b", "c"), (base, "b/c"), (f"{base}%2Fb", "c"), (base, "b%2Fc")]
    for number, (tenant, subject) in enumerate(told):
        Story(backend.tenant(tenant)).say(number, 1, subject=subject)
    for number, (tenant, subject) in enumerate(told):
        fact = backend.tenant(tenant).as_of(subject, "home", day(1))
        assert fact is not None
        assert fact.value == number


def test_keys_are_one_in_any_unicode_form_and_case_sensitive(story: Story) -> None:
    story.say("A", 1, subject="caf\u00e9")
    found = story.tenant.as_of("cafe\u0301", "home", day(1))
    assert found is not None
    assert found.subject == "caf\u00e9"
    assert story.tenant.as_of("Caf\u00e9", "home", day(1)) is None


def test_entities_exist_from_their_first_use_as_subject_or_object(story: Story) -> None:
    with pytest.raises(NotFoundError, match="mira"):
        story.tenant.entity("mira")
    story.say(Ref("acme"), 1, attribute="employer")
    assert story.tenant.entity("mira").key == "mira"
    assert story.tenant.entity("acme").name == "acme"
    story.end(1, subject="ann")
    assert story.tenant.entity("ann").key == "ann"


def test_a_refused_write_leaves_no_entity_behind(story: Story) -> None:
    with pytest.raises(NotFoundError):
        story.say(Ref("acme"), 1, attribute="employer", episode="e-unknown")
    for key in ("mira", "acme"):
        with pytest.raises(NotFoundError):
            story.tenant.entity(key)


def test_the_tenants_are_those_that_have_something(backend: Memory, story: Story) -> None:
    assert story.tenant.name not in backend.tenants()
    story.hear()
    assert story.tenant.name in backend.tenants()
    assert backend.tenants() == sorted(backend.tenants())


@pytest.mark.parametrize("name", ["", " acme", "a\nb", "x" * 129])
def test_a_tenants_name_that_is_not_allowed_is_refused(backend: Memory, name: str) -> None:
    with pytest.raises(InvalidInputError, match="tenant"):
        backend.tenant(name)


@pytest.mark.parametrize("subject", ["", "mira ", "a\x00b", "x" * 513])
def test_a_key_that_is_not_allowed_is_refused_by_reads_and_writes(story: Story, subject: str) -> None:
    episode = story.hear()
    with pytest.raises(InvalidInputError, match="entity key"):
        story.say("A", 1, subject=subject, episode=episode)
    with pytest.raises(InvalidInputError, match="entity key"):
        story.tenant.as_of(subject, "home", START)
    with pytest.raises(InvalidInputError, match="entity key"):
        story.say(Ref(subject), 1, episode=episode)
