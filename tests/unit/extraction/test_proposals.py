"""What a model is asked to answer with suits strict structured output, and what it answers is taken one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from declared import SCHEMA
from hypothesis import given, strategies as st
from scripted_llm import update, updates

from graph_memory.domain.values import Ref, Value, check_value
from graph_memory.extraction.proposals import (
    MAX_EVIDENCE,
    MAX_TEXT,
    MAX_UPDATES,
    Change,
    Malformed,
    Proposal,
    as_shown,
    proposals,
    update_model,
)
from graph_memory.schema.kind import Kind
from graph_memory.schema.schema import Schema, attribute

MODEL = update_model(SCHEMA)
UNBOUNDED = update_model(SCHEMA, bounds=False)
BOUNDS = {"maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum"}
#: What strict structured output takes, but for the bounds.
KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "format"}


class Note(Kind):
    """A schema may declare a single attribute, and then there is no union."""

    text: str = attribute("What it says")


ALONE = update_model(Schema("notes", version=1, kinds=[Note]))


def said(attribute: str, value: Any, change: str = "new", **fields: Any) -> dict[str, Any]:
    return update(attribute, value, evidence="so it is", subject="ana", change=change, **fields)


def of(*found: Any, model: Any = MODEL) -> list[Proposal | Malformed]:
    """Answers reach the model as text and, from some libraries, as objects: both must give the same."""
    from_objects = proposals(model.model_validate({"updates": list(found)}))
    if not any("NaN" in json.dumps(item) or "\\ud8" in json.dumps(item) for item in found):
        assert proposals(model.model_validate_json(updates(*found))) == from_objects
    return from_objects


def reason(found: Any) -> str:
    [malformed] = of(found)
    assert isinstance(malformed, Malformed)
    assert malformed.raw is found
    malformed.reason.encode()
    return malformed.reason


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a JSON Schema, itself included."""
    yield schema
    for inner in [*schema.get("$defs", {}).values(), *schema.get("properties", {}).values()]:
        yield from schemas_in(inner)
    for inner in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
        yield from schemas_in(inner)


@pytest.mark.parametrize("model", [MODEL, UNBOUNDED, ALONE])
def test_every_object_requires_all_its_fields_and_allows_no_other(model: Any) -> None:
    objects = [found for found in schemas_in(model.model_json_schema()) if "properties" in found]
    assert len(objects) >= 3
    for found in objects:
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])


@pytest.mark.parametrize("model", [MODEL, UNBOUNDED, ALONE])
def test_only_keywords_of_strict_structured_output_are_used(model: Any) -> None:
    allowed = KEYWORDS | {"$defs", "$ref", "title", "description"} | (set() if model is UNBOUNDED else BOUNDS)
    for found in schemas_in(model.model_json_schema()):
        assert set(found) <= allowed
        assert "$ref" not in found or set(found) == {"$ref"}


def test_the_openai_client_has_nothing_to_change_in_the_json_schema() -> None:
    pydantic = pytest.importorskip("openai.lib._pydantic")
    for model in (MODEL, UNBOUNDED, ALONE):
        assert pydantic.to_strict_json_schema(model) == model.model_json_schema()


def test_every_list_text_and_integer_has_a_bound() -> None:
    for found in schemas_in(MODEL.model_json_schema()):
        closed = {"enum", "const", "format"} & set(found)
        if found.get("type") == "string":
            assert closed or found["maxLength"] <= MAX_TEXT
        if found.get("type") == "integer":
            assert closed or {"minimum", "maximum"} <= set(found)
        if found.get("type") == "array":
            assert found["maxItems"] == MAX_UPDATES


def test_without_bounds_no_bound_is_in_the_json_schema_and_all_are_still_checked() -> None:
    assert [found for found in schemas_in(UNBOUNDED.model_json_schema()) if BOUNDS & set(found)] == []
    long = said("home", "x" * (MAX_TEXT + 1))
    for model in (MODEL, UNBOUNDED):
        [malformed] = of(long, model=model)
        assert isinstance(malformed, Malformed)
        assert "at most 1000 characters" in malformed.reason


def test_fields_stand_in_the_order_of_reasoning() -> None:
    defs = MODEL.model_json_schema()["$defs"]
    assert list(defs["MemoryUpdate"]["properties"]) == ["evidence", "subject", "fact", "valid_from", "until"]
    for name in SCHEMA.attributes:
        assert list(defs[name]["properties"]) == ["attribute", "current_value", "change", "value"]


def test_each_attribute_has_a_variant_with_its_own_type() -> None:
    defs = MODEL.model_json_schema()["$defs"]
    assert defs["MemoryUpdate"]["properties"]["fact"] == {
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in SCHEMA.attributes]
    }
    values = {name: defs[name]["properties"]["current_value"]["anyOf"][0] for name in SCHEMA.attributes}
    assert values["tier"] == {"type": "string", "enum": ["gold", "silver"]}
    assert values["floor"] == {"type": "integer", "enum": [1, 2, 3]}
    assert values["passport_deadline"] == {"type": "string", "format": "date"}
    assert values["flight"] == {"type": "string", "format": "date-time"}
    assert values["vegetarian"] == {"type": "boolean"}
    assert values["height"] == {"type": "number"}
    assert values["age"] == {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}
    assert values["employer"] == {"type": "string", "minLength": 1, "maxLength": 512}


def test_only_the_value_of_an_attribute_of_one_value_may_be_null() -> None:
    defs = MODEL.model_json_schema()["$defs"]
    nullable = {
        name
        for name in SCHEMA.attributes
        if {"type": "null"} in defs[name]["properties"]["value"].get("anyOf", [])
    }
    assert nullable == set(SCHEMA.attributes) - {"likes", "friend"}


VALUES: dict[str, Any] = {
    "employer": "globex",
    "likes": "tea",
    "friend": "bob",
    "home": "Lisbon",
    "age": 41,
    "height": 1.7,
    "vegetarian": False,
    "passport_deadline": "2026-07-15",
    "flight": "2026-07-20T06:30:00Z",
    "tier": "gold",
    "floor": 2,
}


@pytest.mark.parametrize("name", SCHEMA.attributes)
def test_an_update_of_the_right_shape_is_a_proposal(name: str) -> None:
    found = said(name, VALUES[name], "update", current_value=VALUES[name], valid_from="2026-03-01", until=None)
    [proposal] = of(found)
    assert proposal == Proposal(
        evidence="so it is",
        subject="ana",
        attribute=name,
        current_value=VALUES[name],
        change=Change.UPDATE,
        value=VALUES[name],
        valid_from="2026-03-01",
        until=None,
    )
    assert type(proposal.value) is type(VALUES[name])


WRONG = [
    ("age", "5", "fact.value '5'"),
    ("age", True, "fact.value True"),
    ("age", 5.0, "fact.value 5.0"),
    ("age", 2**63, "9223372036854775807"),
    ("height", "1.7", "fact.value '1.7'"),
    ("height", False, "fact.value False"),
    ("height", math.nan, "finite"),
    ("height", math.inf, "finite"),
    ("vegetarian", 1, "fact.value 1"),
    ("vegetarian", "true", "fact.value 'true'"),
    ("home", 5, "fact.value 5"),
    ("home", "", "at least 1 character"),
    ("home", "\ud800", "unicode"),
    ("home", ["Lisbon"], "fact.value ['Lisbon']"),
    ("tier", "bronze", "tier takes one of 'gold', 'silver'"),
    ("floor", 4, "floor takes one of 1, 2, 3"),
    ("floor", True, "fact.value True"),
    ("floor", 1.0, "fact.value 1.0"),
    ("floor", "1", "fact.value '1'"),
    ("passport_deadline", 20260715, "fact.value 20260715"),
    ("employer", "x" * 513, "at most 512 characters"),
    ("likes", None, "fact.value None"),
]


@pytest.mark.parametrize(("name", "value", "complaint"), WRONG)
def test_a_value_of_another_json_type_is_malformed_and_never_converted(
    name: str, value: Any, complaint: str
) -> None:
    assert complaint in reason(said(name, value))
    assert "current_value" in reason(said(name, VALUES[name], current_value=[value]))


@pytest.mark.parametrize("change", ["new", "update", "no_change"])
def test_null_is_a_value_for_an_end_only(change: str) -> None:
    assert f"a change of {change}" in reason(said("age", None, change))
    [proposal] = of(said("age", None, "end", current_value=41))
    assert isinstance(proposal, Proposal)
    assert proposal.value is None
    assert proposal.change is Change.END


def test_dates_stay_as_the_model_wrote_them() -> None:
    [proposal] = of(said("passport_deadline", "2026-02-30", valid_from="tomorrow"))
    assert isinstance(proposal, Proposal)
    assert (proposal.value, proposal.valid_from) == ("2026-02-30", "tomorrow")


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (said("salary", 5), "fact.attribute 'salary' is not declared"),
        (said("age", 5) | {"tenant": "beta"}, "tenant 'beta': there is no such field"),
        (said("age", 5) | {"\ud800": 1}, "unicode"),
        (said("age", 5, "replace"), "fact.change 'replace'"),
        (said("age", 5, valid_from=2026), "valid_from 2026"),
        (said("age", 5, valid_from="x" * 65), "valid_from"),
        (said("age", 5) | {"evidence": "x" * (MAX_EVIDENCE + 1)}, "evidence"),
        (said("age", 5) | {"evidence": ""}, "evidence ''"),
        (said("age", 5) | {"subject": None}, "subject None"),
        (said("age", 5) | {"subject": " \u00a0\n"}, "is blank"),
        (said("home", " "), "is blank"),
        (said("home", "\0"), "is blank"),
        (said("age", 5) | {"fact": "age is 5"}, "fact 'age is 5' names no attribute"),
        (said("age", 5) | {"fact": {"attribute": ["age"]}}, "is not declared"),
        (said("age", 5) | {"fact": {"attribute": "age"}}, "fact.current_value is missing"),
        ({"fact": {"attribute": "age"}}, "evidence is missing"),
        ({}, "fact is missing"),
        ("I am 5", "the update 'I am 5': it must be an object"),
        (None, "the update None"),
        ([], "the update []"),
    ],
)
def test_what_is_wrong_with_an_update_is_said(found: Any, complaint: str) -> None:
    assert complaint in reason(found)


def test_a_malformed_update_does_not_spoil_the_others() -> None:
    found = of(said("age", "5"), said("age", 5), None, said("tier", "gold"))
    assert [type(item) for item in found] == [Malformed, Proposal, Malformed, Proposal]


@pytest.mark.parametrize("model", [ALONE, UNBOUNDED])
def test_a_schema_of_one_attribute_and_one_without_bounds_say_the_same(model: Any) -> None:
    name = "text" if model is ALONE else "home"
    right, wrong, unknown = of(said(name, "hi"), said(name, 5), said("salary", 5), model=model)
    assert isinstance(right, Proposal)
    assert isinstance(wrong, Malformed)
    assert isinstance(unknown, Malformed)
    assert wrong.reason == "fact.value 5: Input should be a valid string"
    assert "'salary' is not declared" in unknown.reason


def test_of_updates_beyond_the_bound_is_only_said_how_many_there_are() -> None:
    found = of(*[said("age", n) for n in range(MAX_UPDATES + 2)])
    assert [type(item) for item in found] == [Proposal] * MAX_UPDATES + [Malformed]
    [*_, last] = found
    assert isinstance(last, Malformed)
    assert "2 more" in last.reason


@pytest.mark.parametrize("answer", [[], None, "x", {}, {"updates": None}, {"updates": {}}, {"updates": "x"}])
def test_an_answer_without_a_list_of_updates_is_invalid(answer: Any) -> None:
    with pytest.raises(ValueError, match="MemoryUpdates"):
        MODEL.model_validate(answer)


def test_remarks_beside_the_updates_are_ignored() -> None:
    assert proposals(MODEL.model_validate({"thoughts": "hm", "updates": []})) == []


def test_an_answer_with_malformed_updates_can_be_written_as_json() -> None:
    answer = MODEL.model_validate({"updates": [said("age", "5"), said("age", 5)]})
    [malformed, proposal] = json.loads(answer.model_dump_json(warnings="error"))["updates"]
    assert malformed["raw"] == said("age", "5")
    assert proposal == said("age", 5)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)
UPDATES = st.fixed_dictionaries(
    {},
    optional={
        "evidence": ANYTHING,
        "subject": st.just("ana") | ANYTHING,
        "fact": st.fixed_dictionaries(
            {},
            optional={
                "attribute": st.sampled_from(list(SCHEMA.attributes)) | ANYTHING,
                "current_value": ANYTHING,
                "change": st.sampled_from(["new", "end"]) | ANYTHING,
                "value": ANYTHING,
            },
        )
        | ANYTHING,
        "valid_from": ANYTHING,
        "until": ANYTHING,
    },
)


@given(st.lists(UPDATES | ANYTHING, max_size=4))
def test_whatever_a_model_answers_each_update_is_a_proposal_or_has_a_reason(found: list[Any]) -> None:
    result = proposals(MODEL.model_validate({"updates": found}))
    assert len(result) == len(found)
    for item in result:
        if isinstance(item, Malformed):
            assert item.reason
            item.reason.encode()
        else:
            assert item.attribute in SCHEMA.attributes
            assert type(item.value).__name__ in ("str", "int", "float", "bool", "NoneType")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Ref("acme", "Company"), "acme"),
        (date(2026, 7, 15), "2026-07-15"),
        (datetime(2026, 7, 15, 9, 0, 0, 5, tzinfo=UTC), "2026-07-15T09:00:00.000005Z"),
        (True, True),
        (5, 5),
        (1.5, 1.5),
        ("tea", "tea"),
        ("x" * 2000, "x" * MAX_TEXT),
    ],
)
def test_a_stored_value_is_shown_in_a_form_that_a_model_can_repeat(value: Value, shown: Any) -> None:
    found = as_shown(check_value(value))
    assert (type(found), found) == (type(shown), shown)
