"""What may be declared, what is refused, and what a declaration says of values, sources and terms."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import Field

from graph_memory import InvalidInputError, Ref, SchemaMismatchError
from graph_memory.domain.records import Cardinality
from graph_memory.ledger.conflict_policy import Verdict, reject
from graph_memory.ledger.timeline import Entry
from graph_memory.schema.attribute_spec import Conflict
from graph_memory.schema.compatibility import require_cardinalities, require_same
from graph_memory.schema.differences import differences
from graph_memory.schema.kind import Kind
from graph_memory.schema.schema import Schema, attribute, cardinalities

START = datetime(2026, 1, 1, tzinfo=UTC)


class Tier(StrEnum):
    FREE = "free"
    GOLD = "gold"


class Level(Enum):
    LOW = 1
    HIGH = 2


class Party(Kind):
    """Someone one can have dealings with."""

    address: str = attribute("Where to write to")


class Person(Party):
    """A human being."""

    born: date = attribute("Date of birth")
    met: datetime = attribute("When we met")
    height: float = attribute("In metres")
    children: int = attribute("How many")
    retired: bool = attribute("Whether retired")
    tier: Tier = attribute("Account tier")
    level: Level = attribute("Level")
    mood: Literal["good", "bad"] = attribute("Mood")
    # Both name a kind that is declared further down.
    employer: Ref[Company] = attribute("Where they work")
    manager: Ref[Person] | None = attribute("Whom they report to")
    likes: list[str] = attribute("Lasting preferences", recurs=3)
    friends: list[Ref[Person]] = attribute("Friends")
    thing: Ref = attribute("Anything")
    note: str


class Company(Party):
    pass


def schema(*kinds: type[Kind], **given: Any) -> Schema:
    """A schema of these kinds, or of those above."""
    return Schema("test", version=1, kinds=kinds or [Party, Person, Company], **given)


def declaring(annotation: Any, default: Any = ...) -> Schema:
    """A schema of one kind with one attribute."""
    body = {"__annotations__": {"thing": annotation}, "__module__": __name__, "__qualname__": "Thing"}
    body |= {} if default is ... else {"thing": default}
    return schema(type("Thing", (Kind,), body))


# The types of values


@pytest.mark.parametrize(
    ("name", "type_", "cardinality", "choices", "target"),
    [
        ("address", "str", "one", (), None),
        ("born", "date", "one", (), None),
        ("met", "datetime", "one", (), None),
        ("height", "float", "one", (), None),
        ("children", "int", "one", (), None),
        ("retired", "bool", "one", (), None),
        ("tier", "str", "one", ("free", "gold"), None),
        ("level", "int", "one", (1, 2), None),
        ("mood", "str", "one", ("good", "bad"), None),
        ("employer", "ref", "one", (), "Company"),
        ("manager", "ref", "one", (), "Person"),
        ("likes", "str", "many", (), None),
        ("friends", "ref", "many", (), "Person"),
        ("thing", "ref", "one", (), None),
        ("note", "str", "one", (), None),
    ],
)
def test_an_annotation_gives_type_cardinality_choices_and_target(
    name: str, type_: str, cardinality: str, choices: tuple[Any, ...], target: str | None
) -> None:
    spec = schema().attribute(name)
    assert (spec.type, spec.cardinality, spec.choices, spec.target) == (type_, cardinality, choices, target)


@pytest.mark.parametrize("annotation", [Optional[list[str]], list[str] | None])  # noqa: UP045
def test_an_optional_list_is_of_cardinality_many(annotation: Any) -> None:
    assert cardinalities(declaring(annotation, attribute("x"))) == {"thing": Cardinality.MANY}


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (complex, "Thing.thing: a value cannot be <class 'complex'>: use str, int"),
        (object, "cannot be <class 'object'>"),
        (Any, "cannot be typing.Any"),
        (dict[str, str], "cannot be dict"),
        (set[str], "cannot be set"),
        (list[list[str]], "cannot be list"),
        (str | int, "cannot be str | int"),
        (list, "write list[str]"),
        (Tier | str, "cannot be"),
        (Ref[str], "Thing.thing: kind 'str' is not allowed"),
        (Ref[int | str], "Thing.thing: kind '' is not allowed"),
        (Literal["a", 1], "choices ['a', 1] must be 1 to 200 texts, or 1 to 200 integers"),
        (Literal["a", None], "must be 1 to 200 texts"),
        (Literal[True, False], "must be 1 to 200 texts"),
        (Enum("Empty", {}), "must be 1 to 200 texts"),
        (Enum("Fractions", {"A": 0.5}), "must be 1 to 200 texts"),
        (Enum("Odd", {"A": (1, 2)}), "must be 1 to 200 texts"),
        (Enum("Large", {f"M{n}": n for n in range(201)}), "must be 1 to 200 texts"),
        (Annotated[int, Field(ge=0)], "constraints such as Ge(ge=0) are not checked"),
    ],
)
def test_what_a_value_cannot_be_is_refused_with_the_name_of_the_attribute(annotation: Any, words: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        declaring(annotation, attribute("x"))
    assert words in str(raised.value)


def test_a_default_of_ones_own_is_refused_since_nothing_would_use_it() -> None:
    with pytest.raises(InvalidInputError, match=r"Thing\.thing: the default would never be used"):
        declaring(str, "x")
    assert declaring(str, None).attribute("thing").description == ""
    assert declaring(str, Field(description="said")).attribute("thing").description == "said"


def test_an_annotation_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="annotations of Thing cannot be read: name 'Nowhere'"):
        declaring("Ref[Nowhere]", attribute("x"))


# The options of an attribute


def declared_as(name: str, body: dict[str, Any]) -> type[Kind]:
    """Declare a kind as its class statement does."""
    metaclass: Any = type(Kind)
    kind: type[Kind] = metaclass(name, (Kind,), {"__module__": __name__, "__qualname__": name, **body})
    return kind


@pytest.mark.parametrize("name", ["model_config", "model_dump", "model_fields", "_private", "__slots__"])
def test_a_name_that_kinds_have_for_themselves_is_refused_in_our_words(name: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"Person\.{name} cannot be an attribute"):
        declared_as("Person", {"__annotations__": {name: str}, name: attribute("x")})


def test_what_pydantic_cannot_declare_is_an_error_of_ours() -> None:
    for body in ({"name": attribute("x")}, {"__annotations__": {"model_config": str}}):
        with pytest.raises(InvalidInputError, match="kind Person cannot be declared"):
            declared_as("Person", body)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["schema", "copy", "json", "model_year", "validate"])
def test_an_attribute_may_be_called_like_a_method_of_pydantic(name: str) -> None:
    car = declared_as("Car", {"__annotations__": {name: str}, name: attribute("x")})
    assert list(Schema("cars", version=1, kinds=[car]).attributes) == [name]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"description": ""}, "description '' must be text of 1 to 500 characters"),
        ({"description": None}, "description None must be text"),
        ({"description": "x" * 501}, "1 to 500 characters"),
        ({"description": "\ud800"}, "lone surrogate"),
        ({"examples": "She likes tea."}, "examples 'She likes tea.' must be a list"),
        ({"examples": ["x"] * 21}, "there are 21 examples; at most 20"),
        ({"examples": [1]}, "example 1 must be text"),
        ({"examples": ["x" * 501]}, "1 to 500 characters"),
        ({"memory_type": ""}, "memory_type is empty"),
        ({"retention": " x"}, "retention ' x' is not allowed"),
        ({"conflict": "newest"}, "conflict 'newest' must be reject, source_precedence or confirm"),
        ({"precedence": "user"}, "precedence 'user' must be a list"),
        ({"precedence": ["user", "user"]}, "names a source twice"),
        ({"protected": "no"}, "protected 'no' must be True or False"),
        ({"sensitive": 1}, "sensitive 1 must be True or False"),
        ({"confirms": None}, "confirms None must be True or False"),
        ({"recurs": 0}, "recurs 0 must be 1 to 100"),
        ({"recurs": 101}, "recurs 101 must be 1 to 100"),
        ({"recurs": True}, "recurs True must be 1 to 100"),
        ({"within": timedelta(0)}, "above zero"),
        ({"within": timedelta.max}, "36500 days, 0:00:00 at most"),
        ({"within": 90}, "within 90 must be a timedelta"),
    ],
)
def test_an_option_that_is_not_allowed_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        attribute(**{"description": "x", **options})
    assert words in str(raised.value)


def test_the_options_of_an_attribute_are_kept_as_they_were_given() -> None:
    options: dict[str, Any] = {
        "examples": ("She is in.",),
        "memory_type": "preference",
        "retention": "short",
        "conflict": Conflict.SOURCE_PRECEDENCE,
        "precedence": ("crm", "user"),
        "protected": True,
        "sensitive": True,
        "recurs": 2,
        "within": timedelta(days=7),
        "confirms": True,
    }
    spec = declaring(str, attribute("said", **options)).attribute("thing")
    assert spec.description == "said"
    assert {name: getattr(spec.options, name) for name in options} == options


# Kinds and their attributes


def test_an_attribute_is_about_the_most_general_declared_kind_that_has_it() -> None:
    assert schema().attribute("address").kinds == ("Party",)
    assert schema().attribute("likes").kinds == ("Person",)
    without = schema(Company, Person)
    assert without.attribute("address").kinds == ("Company", "Person")
    assert (without.terms("address").kind, without.terms("likes").kind) == (None, "Person")


def test_kinds_that_declare_one_attribute_alike_share_it() -> None:
    class Case(Kind):
        state: Tier = attribute("State")

    class Order(Kind):
        state: Tier = attribute("State")

    assert schema(Order, Case).attribute("state").kinds == ("Case", "Order")


@pytest.mark.parametrize("inherits", [False, True])
def test_an_attribute_that_two_kinds_declare_differently_is_refused_with_the_difference(inherits: bool) -> None:
    class Case(Kind):
        state: Tier = attribute("State")

    class Order(Case if inherits else Kind):  # type: ignore[misc]
        state: str = attribute("State")

    with pytest.raises(InvalidInputError) as raised:
        schema(Case, Order)
    assert 'state.choices: ["free", "gold"] -> []' in str(raised.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: schema(str), "kind <class 'str'> must be a subclass of Kind"),  # type: ignore[arg-type]
        (lambda: schema(Kind), "must be a subclass of Kind"),
        (lambda: schema(Company(address="x")), "must be a subclass of Kind"),  # type: ignore[arg-type]
        (lambda: schema(type("Person", (Kind,), {}), Person), "two kinds are called Person"),
        (lambda: schema(type("Fact", (Kind,), {}), Person), "kind 'Fact' is reserved"),
        (lambda: schema(type("lower", (Kind,), {})), "kind 'lower' is not allowed"),
        (lambda: schema(type("Empty", (Kind,), {})), "declares 1 to 200 attributes, not 0"),
        (lambda: schema(Person, Party), "employer refers to the kind Company, which the schema does not declare"),
        (lambda: schema(type("Long", (Company,), {"__doc__": "x" * 2001})), "docstring of Long has 2001"),
        (lambda: Schema("s", version=1, kinds=[]), "kinds is empty"),
        (lambda: Schema("s", version=1, kinds=Person), "must be a list"),  # type: ignore[arg-type]
        (lambda: Schema("", version=1, kinds=[Company]), "schema name is empty"),
        (lambda: Schema("s", version=0, kinds=[Company]), "version 0 must be an integer from 1"),
        (lambda: Schema("s", version=True, kinds=[Company]), "version True must be an integer from 1"),
        (lambda: schema(Company, sources="user"), "sources 'user' must be a list"),
        (lambda: schema(Company, sources=["crm", "crm"]), "names a source twice"),
        (lambda: declaring(str, attribute("x", protected=True)), "thing needs a rank of sources"),
        (lambda: declaring(str, attribute("x", conflict="source_precedence", precedence=[])), "none is declared"),
        (lambda: schema(type("A", (Kind,), {"__annotations__": {"object": str}})), "'object' is reserved"),
        (lambda: schema(type("A", (Kind,), {"__annotations__": {"myName": str}})), "'myName' is not allowed"),
    ],
)
def test_a_schema_that_is_not_allowed_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        make()
    assert words in str(raised.value)


def test_what_waits_for_the_user_needs_a_source_that_speaks_for_the_user() -> None:
    class Secret(Kind):
        pin: str = attribute("PIN", sensitive=True)

    class Offer(Kind):
        price: int = attribute("Price", conflict="confirm")

    for kind in (Secret, Offer):
        with pytest.raises(InvalidInputError, match="users is empty"):
            schema(kind, users=[])
        assert schema(kind).users == ("user",)


# Values


@pytest.mark.parametrize(
    ("name", "given", "stored"),
    [
        ("address", "1 High St", "1 High St"),
        ("born", date(2000, 2, 29), date(2000, 2, 29)),
        ("born", "2000-02-29", date(2000, 2, 29)),
        ("met", "2026-06-01T09:00:00+02:00", datetime(2026, 6, 1, 7, tzinfo=UTC)),
        ("met", datetime(2026, 6, 1, 7, tzinfo=UTC), datetime(2026, 6, 1, 7, tzinfo=UTC)),
        ("height", 2, 2.0),
        ("height", 1.8, 1.8),
        ("children", 3, 3),
        ("retired", False, False),
        ("tier", "gold", "gold"),
        ("tier", Tier.GOLD, "gold"),
        ("level", 1, 1),
        ("level", Level.HIGH, 2),
        ("mood", "good", "good"),
        ("likes", "tea", "tea"),
        ("employer", Ref("acme"), Ref("acme", "Company")),
        ("thing", Ref("acme"), Ref("acme")),
    ],
)
def test_a_value_of_the_declared_type_is_taken_in_its_canonical_form(name: str, given: Any, stored: Any) -> None:
    checked = schema().check(name, given)
    assert (checked, type(checked)) == (stored, type(stored))
    if isinstance(stored, Ref):
        assert isinstance(checked, Ref)
        assert checked.kind == stored.kind


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("address", 5, "address 5 (int) is not allowed: it takes a value of type str"),
        ("born", "2026-02-30", "born '2026-02-30' is not a date of the calendar"),
        ("born", datetime(2026, 6, 1, tzinfo=UTC), "it takes a date"),
        ("met", date(2026, 6, 1), "it takes an aware datetime"),
        ("met", "2026-06-01T09:00:00", "met '2026-06-01T09:00:00'"),
        ("met", datetime(2026, 6, 1), "has no time zone"),
        ("height", "2", "of type float"),
        ("height", True, "of type float"),
        ("height", float("nan"), "not a finite number"),
        ("children", 3.0, "of type int"),
        ("children", True, "of type int"),
        ("children", 2**63, "does not fit in 64"),
        ("retired", 1, "of type bool"),
        ("tier", "silver", "tier 'silver' is not allowed: it takes one of 'free', 'gold'"),
        ("tier", Level.LOW, "one of 'free', 'gold'"),
        ("level", 3, "one of 1, 2"),
        ("level", True, "one of 1, 2"),
        ("mood", "fair", "one of 'good', 'bad'"),
        ("likes", ["tea"], "is a list"),
        ("likes", None, "is a NoneType"),
        ("employer", "acme", "Ref(key) to a Company"),
        ("employer", Ref("mira", "Person"), "employer refers to a Company, and 'mira' is given as a Person"),
        ("employer", Ref("acme", "Party"), "given as a Party"),
        ("thing", "acme", "Ref(key) to any entity"),
        ("salary", 1, "attribute 'salary' is not declared by schema test/1: it declares address, "),
    ],
)
def test_a_value_of_another_type_is_refused_with_what_is_allowed(name: str, given: Any, words: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        schema().check(name, given)
    assert words in str(raised.value)


def test_a_reference_may_be_to_a_more_special_kind() -> None:
    class Membership(Kind):
        member: Ref[Party] = attribute("Who")

    members = schema(Membership, Party, Person, Company)
    checked = members.check("member", Ref("mira", "Person"))
    assert isinstance(checked, Ref)
    assert checked.kind == "Person"
    assert members.is_a("Person", "Party")
    assert not members.is_a("Party", "Person")
    assert not members.is_a("Membership", "Party")


# Terms


def entry(source: str, start: int = 0) -> Entry:
    return Entry(source, "slot", START + timedelta(days=start), None, source, source)


def test_the_terms_of_an_attribute_are_those_that_were_declared() -> None:
    class Account(Kind):
        tier: Tier = attribute("Tier", memory_type="state", retention="contract", conflict="source_precedence")
        contact: str = attribute("Contact", protected=True, precedence=["user", "crm"])
        price: int = attribute("Price", conflict="confirm")

    declared = schema(Account, sources=["crm", "user"])
    tier, contact, price = map(declared.terms, ("tier", "contact", "price"))
    assert (tier.schema_version, tier.memory_type, tier.retention) == ("test/1", "state", "contract")
    assert (contact.memory_type, contact.retention) == ("semantic", None)
    assert tier.policy(entry("user"), entry("crm")) is Verdict.NEW_WINS
    assert tier.policy(entry("crm"), entry("user")) is Verdict.STORED_WINS
    assert (tier.guard, price.guard) == (None, None)
    assert (contact.policy, price.policy) == (reject, reject)
    assert contact.guard is not None
    assert contact.guard(entry("user"), entry("crm", 1))
    assert not contact.guard(entry("crm"), entry("user", 1))
    assert not contact.guard(entry("crm"), entry("crm", 1))
    assert contact.guard(entry("crm"), entry("rumour", 1))


# What the database keeps


def test_a_declaration_survives_json_and_does_not_differ_from_itself() -> None:
    declared = schema(sources=["user", "crm"])
    stored = json.loads(json.dumps(declared.registered()))
    assert differences(stored, declared.registered()) == []
    require_same(declared, stored)


def test_the_order_of_kinds_and_users_makes_no_difference_and_that_of_sources_does() -> None:
    one = schema(Person, Company, sources=["a", "b"], users=["u", "v"])
    other = schema(Company, Person, sources=["b", "a"], users=["v", "u"])
    assert differences(one.registered(), other.registered()) == ['sources: ["a", "b"] -> ["b", "a"]']


class TestOneVersion:
    """Each part of a declaration is a part of its version."""

    @staticmethod
    def declared(doc: str = "An account.", type_: Any = str, **options: Any) -> Schema:
        body = {"__annotations__": {"tier": type_}, "__module__": __name__, "__doc__": doc}
        described = attribute(**{"description": "Tier", **options})
        return schema(type("Account", (Kind,), {**body, "tier": described}), sources=["user"])

    @pytest.mark.parametrize(
        ("change", "line"),
        [
            ({"doc": "A contract."}, 'kinds.Account.description: "An account." -> "A contract."'),
            ({"type_": int}, 'attributes.tier.type: "str" -> "int"'),
            ({"type_": list[str]}, 'attributes.tier.cardinality: "one" -> "many"'),
            ({"type_": Tier}, 'attributes.tier.choices: [] -> ["free", "gold"]'),
            ({"description": "Level"}, 'attributes.tier.description: "Tier" -> "Level"'),
            ({"examples": ["Gold."]}, 'attributes.tier.examples: [] -> ["Gold."]'),
            ({"memory_type": "state"}, 'attributes.tier.memory_type: "semantic" -> "state"'),
            ({"retention": "short"}, 'attributes.tier.retention: null -> "short"'),
            ({"conflict": "confirm"}, 'attributes.tier.conflict: "reject" -> "confirm"'),
            ({"precedence": ["crm"]}, 'attributes.tier.precedence: null -> ["crm"]'),
            ({"protected": True}, "attributes.tier.protected: false -> true"),
            ({"sensitive": True}, "attributes.tier.sensitive: false -> true"),
            ({"recurs": 2}, "attributes.tier.recurs: 1 -> 2"),
            ({"within": timedelta(hours=12)}, "attributes.tier.within_days: 90.0 -> 0.5"),
            ({"confirms": True}, "attributes.tier.confirms: false -> true"),
        ],
    )
    def test_a_change_is_told_with_what_was_stored_and_what_is_declared(
        self, change: dict[str, Any], line: str
    ) -> None:
        stored = json.loads(json.dumps(self.declared().registered()))
        changed = self.declared(**change)
        assert differences(stored, changed.registered()) == [line]
        with pytest.raises(SchemaMismatchError) as raised:
            require_same(changed, stored)
        assert line in str(raised.value)
        assert "Declare the schema as it is stored, or give it a new version" in str(raised.value)

    def test_an_attribute_or_kind_that_came_or_went_is_one_line(self) -> None:
        stored = schema(Company).registered()
        assert differences(stored, schema(Company, Party).registered()) == [
            'attributes.address.kinds: ["Company"] -> ["Party"]',
            "kinds.Party: not there -> declared",
        ]
        assert differences({"attributes": {"a": {}}}, {"attributes": {}}) == [
            "attributes.a: declared -> not there"
        ]


def test_a_cardinality_that_is_recorded_otherwise_is_refused() -> None:
    recorded = {
        "likes": Cardinality.ONE,
        "born": Cardinality.MANY,
        "met": Cardinality.ONE,
        "other": Cardinality.MANY,
    }
    with pytest.raises(SchemaMismatchError) as raised:
        require_cardinalities(schema(), recorded)
    assert "likes is recorded with cardinality one and declared with many" in str(raised.value)
    assert "born is recorded with cardinality many and declared with one" in str(raised.value)
    assert "met" not in str(raised.value)
    require_cardinalities(schema(), {})


def test_the_names_of_a_schema_say_its_version_and_kinds() -> None:
    assert schema().label == "test/1"
    assert repr(schema()) == "<Schema test/1: Party, Person, Company>"
