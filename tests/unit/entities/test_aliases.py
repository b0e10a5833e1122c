"""Who may have which name, decided from what is locked and read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.domain.records import Merge
from graph_memory.entities.aliases import MAX_ALIASES, NameBook, naming
from graph_memory.errors import ConflictError, InvalidInputError


def book(*entities: tuple[str, list[str], list[str]], new: Iterable[str] = ()) -> NameBook:
    """A book of entities given by key, aliases and kinds; each is named by its key."""
    rows = [[key, key in new, key, aliases, ["Entity", *kinds], None] for key, aliases, kinds in entities]
    holders = [[alias, True, key, ["Entity", *kinds]] for key, aliases, kinds in entities for alias in aliases]
    return NameBook.read("acme", [rows, holders])


def linked(names: NameBook) -> dict[tuple[str, str], Any]:
    return {(row["name"], row["key"]): row["alias"] for row in names.to_name()["linked"]}


def test_a_name_is_looked_up_and_no_alias_and_the_one_before_it_is_forgotten() -> None:
    names = book(("mira", [], []))
    names.name(naming("mira", "Mira Chen"))
    assert linked(names) == {("mira chen", "mira"): False}
    names.name(naming("mira", "Mira Ito"))
    assert names.to_name()["unlinked"] == [{"name": "mira chen", "key": "mira"}]
    assert names.entities["mira"].name == "Mira Ito"


def test_an_alias_of_one_entity_is_not_given_to_another_of_its_kind() -> None:
    names = book(("mira", ["mimi"], ["Person"]), ("bob", [], ["Person"]))
    names.name(naming("bob", aliases=["MIMI"]))
    assert [(taken.key, taken.alias, taken.holder) for taken in names.taken] == [("bob", "MIMI", "mira")]
    assert names.entities["bob"].aliases == ()
    assert "mira has it" in str(names.taken[0].error())


def test_entities_of_different_kinds_may_share_an_alias() -> None:
    names = book(("apple", ["apple"], ["Company"]), ("fruit", [], ["Plant"]))
    names.name(naming("fruit", aliases=["Apple"]))
    assert (names.taken, names.entities["fruit"].aliases) == ([], ("Apple",))


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([], ["Person"]), (["Person"], [])])
def test_an_entity_without_a_kind_shares_no_alias(ours: list[str], theirs: list[str]) -> None:
    names = book(("mira", ["mimi"], theirs), ("bob", [], ours))
    names.name(naming("bob", aliases=["mimi"]))
    assert len(names.taken) == 1


def test_two_entities_named_in_one_transaction_do_not_get_one_alias_both() -> None:
    names = book(("a", [], []), ("b", [], []), new=("a", "b"))
    names.name(naming("a", aliases=["x"], kinds=["Person"]))
    names.name(naming("b", aliases=["x"], kinds=["Person"]))
    assert [taken.key for taken in names.taken] == ["b"]


def test_an_entity_does_not_become_of_a_kind_in_which_its_alias_is_taken() -> None:
    names = book(("mira", ["mimi"], ["Person"]), ("bob", ["mimi"], ["Company"]))
    with pytest.raises(ConflictError, match="bob cannot be a Person: mira has the alias 'mimi'"):
        names.name(naming("bob", kinds=["Person"]))


def test_saying_what_is_known_changes_nothing() -> None:
    names = book(("mira", ["mimi"], ["Person"]))
    names.name(naming("mira", "mira", ["Mimi"], ["Person"]))
    assert not names.writes


def test_an_alias_that_is_the_name_too_is_still_found_by_it_when_it_is_removed() -> None:
    names = book(("mira", [], []))
    names.name(naming("mira", "Mira Chen", ["mira chen"]))
    assert names.remove_alias("mira", "Mira Chen")
    assert (linked(names), names.entities["mira"].aliases) == ({("mira chen", "mira"): False}, ())
    assert not names.remove_alias("mira", "nobody")


def test_an_entity_has_a_bounded_number_of_aliases() -> None:
    names = book(("mira", [f"m{n}" for n in range(MAX_ALIASES)], []))
    with pytest.raises(InvalidInputError, match="1000 aliases"):
        names.name(naming("mira", aliases=["one more"]))


@pytest.mark.parametrize("alias", ["", "  ", "?!", "x" * 600, 7, None])
def test_an_alias_by_which_nobody_would_be_found_is_refused(alias: Any) -> None:
    with pytest.raises(InvalidInputError, match="alias"):
        naming("mira", aliases=[alias])


def merged(names: NameBook, **gained: Any) -> Merge:
    return Merge(
        id="m",
        tenant="acme",
        kept="mira",
        merged="m2",
        episode_id="e",
        recorded_at=datetime.now(UTC),
        moved=0,
        **gained,
    )


def test_the_one_kept_takes_over_names_key_and_kinds_and_gives_them_back() -> None:
    names = book(("mira", ["mimi"], []), ("m2", ["em"], ["Person"]))
    names.name(naming("m2", "Mira C."))
    aliases, kinds = names.take_over("m2", "mira")
    assert (aliases, kinds) == (("Mira C.", "em", "m2"), ("Person",))
    assert names.entities["mira"].aliases == ("mimi", "Mira C.", "em", "m2")
    assert (names.entities["mira"].kinds, names.entities["m2"].aliases) == (("Person",), ())

    names.give_back(merged(names, aliases=aliases, kinds=kinds), ["em"])
    assert list(names.entities["mira"].aliases) == ["mimi"]
    assert list(names.entities["mira"].kinds) == []
    assert names.entities["m2"].aliases == ("em",)
    assert linked(names) == {("mira c", "m2"): False, ("em", "m2"): True}


def test_a_name_that_a_third_has_as_its_alias_leads_to_the_one_kept_without_being_its_alias() -> None:
    names = book(("mira", [], []), ("m2", [], []), ("third", ["em"], []))
    names.name(naming("m2", "Em"))
    aliases, kinds = names.take_over("m2", "mira")
    assert (aliases, linked(names)[("em", "mira")]) == (("m2",), False)
    names.give_back(merged(names, aliases=aliases, kinds=kinds), [])
    assert ("em", "mira") not in linked(names)
    assert linked(names)[("em", "m2")] is False


def test_an_alias_that_a_third_got_in_the_meantime_does_not_return() -> None:
    names = book(("mira", [], []), ("m2", ["em"], []), ("third", [], []))
    aliases, kinds = names.take_over("m2", "mira")
    names.remove_alias("mira", "em")
    names.name(naming("third", aliases=["em"]))
    names.give_back(merged(names, aliases=aliases, kinds=kinds), ["em"])
    assert (names.entities["m2"].aliases, [taken.holder for taken in names.taken]) == ((), ["third"])
