"""The form of a language model's answer, and its proposals: an untrusted reading of one episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    create_model,
    model_validator,
)

from graph_memory.domain import identifiers
from graph_memory.domain.instants import format_instant
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import brief
from graph_memory.schema.attribute_spec import AttributeSpec
from graph_memory.schema.schema import Schema

Scalar: TypeAlias = str | int | float | bool

MAX_UPDATES = 50
MAX_EVIDENCE = 1000
MAX_TEXT = 1000
_MAX_MOMENT = 64
_MAX_COMPLAINTS = 3
_MAX_REASON = 500
_INT64 = range(-(2**63), 2**63)


class Change(StrEnum):
    """What a proposal does to the stored value; `end`: no value holds any more."""

    NEW = "new"
    UPDATE = "update"
    END = "end"
    NO_CHANGE = "no_change"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An update that a model proposes. Its shape was checked, its content was not.

    Attributes:
        evidence: the words of the text that say it, as the model quotes them.
        subject: key or name of the entity that it is about.
        attribute: name of a declared attribute.
        current_value: the value that the model believes to be stored, in the form of `as_shown`; None: nothing.
        change: what it does to the stored value.
        value: the value as JSON: dates, datetimes and keys of entities are text; None only for an end.
        valid_from: since when it holds, as the model wrote it; None: the text does not say.
        until: when it ends, exclusive, as the model wrote it; None: the text does not say.
    """

    evidence: str
    subject: str
    attribute: str
    current_value: Scalar | None
    change: Change
    value: Scalar | None
    valid_from: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class Malformed:
    """An update of a model's answer that does not have the requested shape.

    Attributes:
        raw: the update as parsed JSON; its text may hold lone surrogates, its numbers may be NaN.
        reason: what is wrong with it.
    """

    raw: Any
    reason: str


def as_shown(value: Value) -> Scalar:
    """Return a stored value in the form that the prompt shows and `current_value` must repeat.

    A text longer than MAX_TEXT characters is cut.
    """
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    return value[:MAX_TEXT] if isinstance(value, str) else value


def or_nothing(value: Scalar | None) -> str:
    """Return what a model wrote, or that it wrote nothing, for people."""
    return "nothing" if value is None else brief(value)


_DATE = {"type": "string", "format": "date"}
_DATETIME = {"type": "string", "format": "date-time"}
_Moment: TypeAlias = Annotated[str, Field(max_length=_MAX_MOMENT)]
_Bound: TypeAlias = Annotated[_Moment | None, WithJsonSchema({"anyOf": [_DATE, _DATETIME, {"type": "null"}]})]


def _plain(schema: dict[str, Any]) -> None:
    """Remove the titles of fields from a JSON Schema, since they tell a model nothing, and forbid other fields."""
    schema["additionalProperties"] = False
    for field in schema["properties"].values():
        field.pop("title", None)


class _Shape(BaseModel):
    """A model that takes JSON types strictly and forbids further fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, json_schema_extra=_plain)


class _Statement(_Shape):
    @model_validator(mode="after")
    def _has_value(self) -> Self:
        change, value = vars(self)["change"], vars(self)["value"]
        if value is None and change != Change.END:
            raise ValueError(f"a change of {change} needs a value: only an end may have null")
        return self


class _Answer(_Shape):
    # A model that does not follow the JSON Schema may say more beside the updates; that is ignored.
    model_config = ConfigDict(extra="ignore")


def update_model(schema: Schema, *, bounds: bool = True) -> type[BaseModel]:
    """Return the model of an answer: a list `updates`, each about one attribute that the schema declares.

    Its JSON Schema suits strict structured output and grammars: every field is required, other fields are
    forbidden, and a plain union holds attribute and value together. The fields stand in the order of reasoning.
    `proposals` reads an instance; an update of another shape does not make the answer invalid.

    Args:
        schema: declares the attributes.
        bounds: whether the JSON Schema limits lists, texts and integers, so that a model cannot write without end;
            False: for providers that refuse such keywords. The limits are checked in any case.
    """
    variants = {name: _variant(spec, bounds) for name, spec in schema.attributes.items()}
    fields: dict[str, Any] = {
        "evidence": (_text(MAX_EVIDENCE, bounds), ...),
        "subject": (_text(identifiers.MAX_KEY, bounds), ...),
        "fact": (reduce(or_, variants.values()), ...),
        "valid_from": (_Bound, ...),
        "until": (_Bound, ...),
    }
    update: Any = create_model("MemoryUpdate", __base__=_Shape, **fields)
    as_it_is: Any = SerializeAsAny
    item: Any = Annotated[as_it_is[update], WrapValidator(_tolerant(variants))]
    limit = Field(json_schema_extra={"maxItems": MAX_UPDATES} if bounds else None)
    return create_model("MemoryUpdates", __base__=_Answer, updates=(list[item], limit))


def proposals(answer: BaseModel) -> list[Proposal | Malformed]:
    """Return the proposals in an instance of `update_model`, in the order of the answer."""
    items = vars(answer)["updates"]
    found = [_proposal(item) for item in items[:MAX_UPDATES]]
    if len(items) > MAX_UPDATES:
        reason = f"an answer may have {MAX_UPDATES} updates: {len(items) - MAX_UPDATES} more were not read"
        found.append(Malformed(None, reason))
    return found


def _proposal(item: BaseModel | Malformed) -> Proposal | Malformed:
    if isinstance(item, Malformed):
        return item
    fields = dict(vars(item))
    fact = dict(vars(fields.pop("fact")))
    return Proposal(change=Change(fact.pop("change")), **fact, **fields)


def _variant(spec: AttributeSpec, bounds: bool) -> type[BaseModel]:
    """Return the model of a statement about one attribute."""
    value = _value(spec, bounds)
    fields: dict[str, Any] = {
        "attribute": (Literal[spec.name], ...),
        "current_value": (value | None, ...),
        "change": (Literal[tuple(map(str, Change))], ...),
        # An end may leave the value out only if the attribute has one value.
        "value": (value if spec.cardinality is Cardinality.MANY else value | None, ...),
    }
    return create_model(spec.name, __base__=_Statement, **fields)


def _value(spec: AttributeSpec, bounds: bool) -> Any:
    """Return the type of an attribute's value in an answer."""
    if spec.choices:
        plain = str if spec.type == "str" else int
        name = "string" if plain is str else "integer"
        shown = WithJsonSchema({"type": name, "enum": list(spec.choices)})
        return Annotated[plain, AfterValidator(_one_of(spec)), shown]
    if spec.type == "int":
        limits = {"minimum": _INT64.start, "maximum": _INT64.stop - 1} if bounds else {}
        limited = Field(ge=_INT64.start, le=_INT64.stop - 1)
        return Annotated[int, limited, WithJsonSchema({"type": "integer", **limits})]
    if spec.type == "float":
        return Annotated[float, Field(allow_inf_nan=False)]
    if spec.type == "bool":
        return bool
    if spec.type in ("date", "datetime"):
        return Annotated[_Moment, WithJsonSchema(_DATE if spec.type == "date" else _DATETIME)]
    return _text(identifiers.MAX_KEY if spec.type == "ref" else MAX_TEXT, bounds)


def _text(limit: int, bounds: bool) -> Any:
    lengths = {"minLength": 1, "maxLength": limit} if bounds else {}
    shown = WithJsonSchema({"type": "string", **lengths})
    return Annotated[str, Field(min_length=1, max_length=limit), AfterValidator(_not_blank), shown]


def _not_blank(text: str) -> str:
    if not text.replace("\0", "").strip():
        raise ValueError(f"{text!r} is blank")
    return text


def _one_of(spec: AttributeSpec) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value not in spec.choices:
            raise ValueError(f"{brief(value)} is not allowed: {spec.name} takes {spec.takes}")
        return value

    return check


def _tolerant(variants: Mapping[str, type[BaseModel]]) -> Callable[[Any, ValidatorFunctionWrapHandler], Any]:
    """Return a validator that turns an update of another shape into a `Malformed`."""

    def validate(raw: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(raw)
        except ValidationError as error:
            complaints = [*_complaints(error), *_complaints_about_fact(raw, variants)]
            return Malformed(raw, "; ".join(complaints[:_MAX_COMPLAINTS])[:_MAX_REASON])

    return validate


def _complaints_about_fact(raw: Any, variants: Mapping[str, type[BaseModel]]) -> list[str]:
    """Return what is wrong with a statement, compared with the variant of the attribute that it names."""
    if not isinstance(raw, Mapping) or "fact" not in raw:
        return []
    fact = raw["fact"]
    named = fact.get("attribute") if isinstance(fact, Mapping) else None
    if named is None:
        return [f"fact {brief(fact)} names no attribute"]
    if not isinstance(named, str) or named not in variants:
        return [f"fact.attribute {brief(named)} is not declared: {brief(', '.join(variants))}"]
    try:
        variants[named].model_validate(fact)
    except ValidationError as error:
        return _complaints(error, "fact")
    return []


def _complaints(error: ValidationError, within: str = "") -> list[str]:
    """Return what is wrong, without complaints from the variants of other attributes."""
    found = []
    for detail in error.errors(include_url=False, include_context=False):
        place = [*filter(None, [within]), *map(_as_name, detail["loc"])]
        given, kind = detail["input"], detail["type"]
        if kind == "missing" and (within or len(place) == 1):
            found.append(f"{'.'.join(place)} is missing")
        elif within or place[:1] != ["fact"]:
            shown = "" if isinstance(given, Mapping) and kind != "extra_forbidden" else f" {brief(given)}"
            message = _MESSAGES.get(kind) or detail["msg"].removeprefix("Value error, ")
            found.append(f"{'.'.join(place) or 'the update'}{shown}: {message}")
    return found


def _as_name(part: int | str) -> str:
    # A model may give a field any name, even one that cannot be stored or shown.
    return part if isinstance(part, str) and part.isidentifier() else brief(part)


_MESSAGES = {"extra_forbidden": "there is no such field", "model_type": "it must be an object"}
