from collections.abc import Callable
from enum import Enum

import pytest

from graph_memory.domain import identifiers
from graph_memory.errors import InvalidInputError

TEXTS: list[tuple[Callable[[str], str], int]] = [
    (identifiers.tenant_name, identifiers.MAX_TENANT),
    (identifiers.entity_key, identifiers.MAX_KEY),
    (identifiers.episode_id, identifiers.MAX_ID),
]


@pytest.mark.parametrize(("check", "limit"), TEXTS)
def test_names_may_hold_any_characters_up_to_their_limit(check: Callable[[str], str], limit: int) -> None:
    for name in ("a", "a/b", "Ürümqi 乌鲁木齐", "O'Brien [x] `y` $z", "🦊", "x" * limit):
        assert check(name) == name


@pytest.mark.parametrize(("check", "limit"), TEXTS)
def test_a_name_that_is_not_allowed_is_refused_and_the_message_says_what_is(
    check: Callable[[str], str], limit: int
) -> None:
    wrong = ("", " a", "a ", "a\nb", "a\x00b", "a\u2028b", "a\x85b", "bad\ud800", "x" * (limit + 1))
    for name in wrong:
        with pytest.raises(InvalidInputError, match=f"1 to {limit} characters"):
            check(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("a\x00b", r"holds U\+0000 \(character 1\)"),
        ("ab\u2028", r"holds U\+2028 \(character 2\)"),
        ("a\x85b", r"holds U\+0085 \(character 1\)"),
        ("\ud800", r"holds U\+D800 \(character 0\)"),
        (" a", r"begins with U\+0020, which is white space"),
        ("a\u3000", r"ends with U\+3000, which is white space"),
    ],
)
def test_the_character_that_is_not_allowed_is_named(name: str, fault: str) -> None:
    with pytest.raises(InvalidInputError, match=f"entity key .* is not allowed, as it {fault}: allowed are"):
        identifiers.entity_key(name)


@pytest.mark.parametrize(("check", "limit"), TEXTS)
def test_a_name_that_is_no_text_is_refused(check: Callable[[object], str], limit: int) -> None:
    for name in (None, 1, b"a", True):
        with pytest.raises(InvalidInputError, match="must be text"):
            check(name)


def test_one_name_written_in_two_unicode_forms_is_one_name() -> None:
    assert identifiers.entity_key("cafe\u0301") == identifiers.entity_key("caf\u00e9") == "caf\u00e9"


def test_names_are_case_sensitive_and_not_folded_further() -> None:
    assert len({identifiers.entity_key(name) for name in ("mira", "Mira", "ﬁ", "fi")}) == 4


@pytest.mark.parametrize("attribute", ["a", "employer", "p26", "passport_deadline", "x" * 64])
def test_an_attribute_becomes_a_relationship_type_in_upper_case(attribute: str) -> None:
    assert identifiers.relationship_type(identifiers.attribute_name(attribute)) == attribute.upper()


@pytest.mark.parametrize(
    "attribute",
    ["", "Employer", "_x", "1x", "a-b", "a b", "a`b", "é", "x" * 65, "a\n", None, 7,
     *sorted(identifiers.RESERVED_ATTRIBUTES)],
    ids=repr,
)  # fmt: skip
def test_an_attribute_that_is_not_allowed_never_reaches_cypher(attribute: str) -> None:
    with pytest.raises(InvalidInputError, match="attribute"):
        identifiers.attribute_name(attribute)


@pytest.mark.parametrize("kind", ["Company", "A", "Person2"])
def test_a_kind_becomes_a_label(kind: str) -> None:
    assert identifiers.kind_name(kind) == kind


@pytest.mark.parametrize(
    "kind", ["", "company", "A b", "A`", "X" * 65, "A\n", None, *sorted(identifiers.RESERVED_KINDS)], ids=repr
)
def test_a_kind_that_is_not_allowed_never_becomes_a_label(kind: str) -> None:
    with pytest.raises(InvalidInputError, match="kind"):
        identifiers.kind_name(kind)


class Spelled(str, Enum):  # noqa: UP042 - a StrEnum prints its value, this does not
    COLOUR = "colour"
    KIND = "Colour"


@pytest.mark.parametrize(
    ("check", "member"),
    [
        (identifiers.attribute_name, Spelled.COLOUR),
        (identifiers.entity_key, Spelled.COLOUR),
        (identifiers.tenant_name, Spelled.COLOUR),
        (identifiers.episode_id, Spelled.COLOUR),
        (identifiers.kind_name, Spelled.KIND),
    ],
)
def test_a_member_of_an_enum_that_is_text_is_the_text(check: Callable[[str], str], member: Spelled) -> None:
    assert type(check(member)) is str
    assert check(member) == member.value
