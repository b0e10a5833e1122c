import itertools

from hypothesis import given, strategies as st

from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import Ref, Value

NASTY = ["a", "a/b", "b/c", "a%2Fb", "a%252Fb", "%", "/", "//", "a/", "/a", "b", "c", "employer"]
KEYS = st.text(alphabet="ab/%25F", min_size=1, max_size=5)


def test_slots_that_differ_have_keys_that_differ_whatever_the_names_hold() -> None:
    triples = list(itertools.product(NASTY, NASTY, ["employer", "b"]))
    assert len({slot_key(*triple) for triple in triples}) == len(triples)


@given(st.tuples(KEYS, KEYS), st.tuples(KEYS, KEYS))
def test_the_key_is_injective(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (slot_key(*one, "x") == slot_key(*other, "x")) == (one == other)


def test_each_typed_value_of_cardinality_many_has_a_slot_of_its_own() -> None:
    values: list[Value] = [True, 1, 1.0, "1", Ref("1")]
    keys = {slot_key("acme", "mira", "likes", value) for value in values}
    assert len(keys) == len(values)
    assert slot_key("acme", "mira", "likes") not in keys


def test_the_kind_of_a_reference_does_not_choose_the_slot() -> None:
    one, other = Ref("acme", "Company"), Ref("acme")
    assert slot_key("t", "mira", "works_for", one) == slot_key("t", "mira", "works_for", other)


def test_a_key_of_the_longest_names_fits_a_range_index() -> None:
    longest = slot_key("🦊" * 128, "🦊" * 512, "x" * 64, "v" * 60_000)
    assert len(longest.encode()) < 8_000
