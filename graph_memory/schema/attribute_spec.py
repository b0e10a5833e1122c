"""The declaration of one attribute, read from a field of a kind."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from enum import Enum, StrEnum
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from graph_memory.domain import identifiers
from graph_memory.domain.instants import parse_instant
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Ref, Value, check_value, shown
from graph_memory.errors import InvalidInputError, brief

Choice: TypeAlias = str | int

MAX_DESCRIPTION = 500
MAX_EXAMPLES = 20
MAX_CHOICES = 200
MAX_RECURS = 100
MAX_WITHIN = timedelta(days=36_500)


class Conflict(StrEnum):
    """The rule that decides when two values of an attribute start at the same instant.

    REJECT: neither wins; a direct write raises ConflictError, and a candidate waits for review. SOURCE_PRECEDENCE:
    the value from the better-ranked source wins; a tie is treated as by REJECT. CONFIRM: only a confirmation by
    the user decides.
    """

    REJECT = "reject"
    SOURCE_PRECEDENCE = "source_precedence"
    CONFIRM = "confirm"


class Confirmer(StrEnum):
    """Who of the users confirms what waits for the user.

    SUBJECT: whoever speaks or is spoken of: the confirming episode is by or about the subject. USER: any of them.
    """

    SUBJECT = "subject"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments of `attribute`."""

    examples: tuple[str, ...] = ()
    memory_type: str = "semantic"
    retention: str | None = None
    conflict: Conflict = Conflict.REJECT
    precedence: tuple[str, ...] | None = None
    protected: bool = False
    sensitive: bool = False
    recurs: int = 1
    within: timedelta = timedelta(days=90)
    confirms: bool = False
    confirmed_by: Confirmer | None = None

    @property
    def waits_for_user(self) -> bool:
        """Whether a candidate waits, or may wait, for a confirmation by the user."""
        return self.sensitive or self.conflict is Conflict.CONFIRM

    @property
    def confirmer(self) -> Confirmer:
        """Who of the users confirms it; where nothing is said, what is sensitive its subject."""
        return self.confirmed_by or (Confirmer.SUBJECT if self.sensitive else Confirmer.USER)


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """The declaration of an attribute.

    Attributes:
        name: `[a-z][a-z0-9_]*`.
        kinds: the kinds of the entities that have the attribute.
        cardinality: how many values a subject can have at one instant.
        type: `str`, `int`, `float`, `bool`, `date`, `datetime` or `ref`.
        choices: the only allowed values, from an enum or a Literal; empty: any value of the type.
        target: the kind that a reference points to; None: any kind, or the type is not `ref`.
        description: the attribute's meaning, for the model and for people.
        options: the other arguments of `attribute`.
    """

    name: str
    kinds: tuple[str, ...]
    cardinality: Cardinality
    type: str
    choices: tuple[Choice, ...]
    target: str | None
    description: str
    options: Options

    def check(self, value: object) -> Value:
        """Return a value of the declared type in its canonical form.

        A date or datetime may be ISO 8601 text, an int stands for a float, and a reference gets its kind.

        Raises:
            InvalidInputError: the value has another type, or is not one of the choices.
        """
        if isinstance(value, Enum):
            value = value.value
        if isinstance(value, str) and self.type in ("date", "datetime"):
            value = self._instant(value)
        if self.type == "float" and type(value) is int:
            value = self._float(value)
        checked = check_value(value)
        if not self._is_of_type(checked):
            raise InvalidInputError(f"{self.name} {shown(checked)} is not allowed: it takes {self.takes}")
        if isinstance(checked, Ref) and checked.kind is None:
            return Ref(checked.key, self.target)
        return checked

    def _is_of_type(self, value: Value) -> bool:
        if isinstance(value, Ref):
            return self.type == "ref"
        return type(value).__name__ == self.type and (not self.choices or value in self.choices)

    def _float(self, number: int) -> float:
        try:
            return float(number)
        except OverflowError:
            raise InvalidInputError(
                f"{self.name} {brief(number)} is too large for a float, which holds up to about 1.8e308"
            ) from None

    def _instant(self, text: str) -> date | datetime:
        if self.type == "datetime":
            return parse_instant(text, self.name)
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise InvalidInputError(
                f"{self.name} {brief(text)} is not a date of the calendar: give one such as 2026-07-15"
            ) from None

    @property
    def takes(self) -> str:
        """The allowed values, in words for a message."""
        if self.choices:
            return f"one of {', '.join(map(repr, self.choices))}"
        if self.type == "ref":
            return f"Ref(key) to {'any entity' if self.target is None else f'a {self.target}'}"
        return {"date": "a date", "datetime": "an aware datetime"}.get(self.type, f"a value of type {self.type}")

    def registered(self) -> dict[str, Any]:
        """Return the declaration as JSON values."""
        whole = asdict(self)
        options = whole.pop("options")
        options["within_days"] = options.pop("within") / timedelta(days=1)
        if options["confirmed_by"] is None:
            del options[
                "confirmed_by"
            ]  # so that what was registered before there was this option is the same still
        whole |= options
        del whole["name"]
        return {key: list(value) if isinstance(value, tuple) else value for key, value in whole.items()}


def specification(name: str, field: FieldInfo, kinds: tuple[str, ...], what: str) -> AttributeSpec:
    """Return the declaration of a kind's field; `what` is the field's name in messages.

    Raises:
        InvalidInputError: the field's name, type or description is not allowed.
    """
    given = [item for item in field.metadata if isinstance(item, Options)]
    if not given and not field.is_required() and field.get_default(call_default_factory=False) is not None:
        raise InvalidInputError(f"{what}: the default would never be used: leave it out, or write attribute(...)")
    if len(given) < len(field.metadata):
        raise InvalidInputError(
            f"{what}: constraints such as {brief(_other(field.metadata))} are not checked: leave them out"
        )
    many, inner = _unwrapped(field.annotation, what)
    type_, choices, target = _value_type(inner, what)
    description = field.description or ""
    if len(description) > MAX_DESCRIPTION:
        raise InvalidInputError(
            f"{what}: the description has {len(description)} characters; at most {MAX_DESCRIPTION} are allowed"
        )
    return AttributeSpec(
        name=identifiers.attribute_name(name),
        kinds=kinds,
        cardinality=Cardinality.MANY if many else Cardinality.ONE,
        type=type_,
        choices=choices,
        target=target,
        description=description,
        options=given[0] if given else Options(),
    )


def _other(metadata: list[Any]) -> Any:
    return next(item for item in metadata if not isinstance(item, Options))


def _unwrapped(annotation: Any, what: str) -> tuple[bool, Any]:
    """Return whether a type is a list, and the type of one value."""
    inner = _without_none(annotation)
    if inner is not list and get_origin(inner) is not list:
        return False, inner
    arguments = get_args(inner)
    if not arguments:
        raise InvalidInputError(f"{what}: list has no type of its values: write list[str], or another type")
    return True, _without_none(arguments[0])


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [argument for argument in get_args(annotation) if argument is not types.NoneType]
        if len(rest) == 1:
            return rest[0]
    return annotation


_PLAIN: Mapping[Any, str] = {t: t.__name__ for t in (str, int, float, bool, date, datetime)}


def _value_type(annotation: Any, what: str) -> tuple[str, tuple[Choice, ...], str | None]:
    """Return the name of a value's type, the choices, and the target of a reference."""
    if annotation in _PLAIN:
        return _PLAIN[annotation], (), None
    if annotation is Ref:
        return "ref", (), None
    if get_origin(annotation) is Ref:
        [target] = get_args(annotation)
        try:
            # A union and other forms of typing have a __name__ too, which one depends on the version of Python.
            return "ref", (), identifiers.kind_name(target.__name__ if isinstance(target, type) else "")
        except InvalidInputError as error:
            raise InvalidInputError(f"{what}: {error}") from None
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choices([member.value for member in annotation], what)
    if get_origin(annotation) is Literal:
        return _choices(list(get_args(annotation)), what)
    raise InvalidInputError(
        f"{what}: a value cannot be {annotation!r}: use str, int, float, bool, date, datetime, an enum, a "
        "Literal, Ref[Kind], or a list of one of these"
    )


def _choices(found: list[Any], what: str) -> tuple[str, tuple[Choice, ...], None]:
    types_ = {type(value).__name__ for value in map(_plain, found)}
    if len(found) > MAX_CHOICES or len(types_) != 1 or not types_ <= {"str", "int"}:
        raise InvalidInputError(
            f"{what}: the choices {brief(found)} must be 1 to {MAX_CHOICES} texts, or 1 to {MAX_CHOICES} integers"
        )
    plain = [check_value(value) for value in found]
    return types_.pop(), tuple(value for value in plain if isinstance(value, str | int)), None


def _plain(choice: Any) -> Any:
    return choice.value if isinstance(choice, Enum) else choice
