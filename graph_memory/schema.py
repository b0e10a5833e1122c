"""Declaring what may be remembered: kinds of entities, their attributes, and a schema of them.

For instance:

    class Company(Kind): ...

    class Person(Kind):
        '''Someone the assistant works for.'''
        passport_deadline: date = attribute("When the passport must be renewed", sensitive=True)
        employer: Ref[Company] = attribute("Where they work", conflict="source_precedence", protected=True)
        likes: list[str] = attribute("Lasting preferences", recurs=3)

    schema = Schema("assistant", version=1, kinds=[Person, Company], sources=["user", "crm", "agent"])
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from inspect import cleandoc
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, PydanticUserError
from pydantic.fields import FieldInfo

from graph_memory import names
from graph_memory.declaration import MAX_EXAMPLES, MAX_RECURS, AttributeSpec, Conflict, Options, specification
from graph_memory.errors import InvalidInputError, brief
from graph_memory.policy import Policy, outranks, reject, source_precedence
from graph_memory.records import Cardinality
from graph_memory.statements import listed
from graph_memory.terms import Terms
from graph_memory.values import Ref, Value, check_encodable

MAX_ATTRIBUTES = 200


class Kind(BaseModel):
    """Base of the kinds of entities; the name of a subclass becomes a label, its fields are attributes."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


def attribute(
    description: str,
    *,
    examples: Iterable[str] = (),
    memory_type: str = "semantic",
    retention: str | None = None,
    conflict: Conflict | str = Conflict.REJECT,
    precedence: Iterable[str] | None = None,
    protected: bool = False,
    sensitive: bool = False,
    recurs: int = 1,
    within: timedelta = timedelta(days=90),
    confirms: bool = False,
) -> Any:
    """Declare an attribute as the default of a field of a Kind; the field's type is the value's, a list's many.

    Args:
        description: what it means, for the model and for people; at most 500 characters.
        examples: sentences that say such a value, for the model.
        memory_type: such as `semantic`, `preference`, `procedural`; reads can filter by it.
        retention: the retention class of its facts.
        conflict: who decides where two values start together: `reject`, `source_precedence` or `confirm`.
        precedence: sources from the best to the worst; None: those of the schema.
        protected: a source that ranks below the one behind the fact that holds does not replace it.
        sensitive: what a model extracts waits for the user's confirmation.
        recurs: in how many different episodes a candidate has to be said before it is committed.
        within: how old (by recorded time) such evidence may be and still count.
        confirms: a new episode that only repeats the stored value is kept as a confirmation.

    Raises:
        InvalidInputError: an option is not allowed.
    """
    sentences = tuple(listed("examples", examples))
    if len(sentences) > MAX_EXAMPLES or not all(isinstance(sentence, str) for sentence in sentences):
        raise InvalidInputError(f"examples {brief(sentences)} must be at most {MAX_EXAMPLES} sentences")
    for text in (description, *sentences):
        check_encodable(text, "description")
    if conflict not in list(Conflict):
        raise InvalidInputError(f"conflict {brief(conflict)} must be one of {', '.join(Conflict)}")
    if type(recurs) is not int or not 1 <= recurs <= MAX_RECURS:
        raise InvalidInputError(f"recurs {brief(recurs)} must be 1 to {MAX_RECURS}")
    if not isinstance(within, timedelta) or within <= timedelta(0):
        raise InvalidInputError(f"within {brief(within)} must be a timedelta above zero")
    options = Options(
        examples=sentences,
        memory_type=names.label(memory_type, "memory_type"),
        retention=None if retention is None else names.label(retention, "retention"),
        conflict=Conflict(conflict),
        precedence=None if precedence is None else sources_of(precedence, "precedence"),
        protected=bool(protected),
        sensitive=bool(sensitive),
        recurs=recurs,
        within=within,
        confirms=bool(confirms),
    )
    field = FieldInfo(default=None, description=description)
    field.metadata.append(options)
    return field


def sources_of(sources: Iterable[str], what: str) -> tuple[str, ...]:
    """Return a ranking of sources; raises InvalidInputError where one is not allowed or stands twice."""
    ranked = tuple(names.label(source, what) for source in listed(what, sources))
    if len(set(ranked)) < len(ranked):
        raise InvalidInputError(f"{what} {brief(ranked)} names a source twice: a source has one rank")
    return ranked


class Schema:
    """What an application may remember: kinds of entities with their attributes, and whom it believes.

    Args:
        name: of the schema.
        version: a new one for every change; facts carry the version that they were written under.
        kinds: subclasses of `Kind`.
        sources: from the best to the worst; one that is not named ranks below all of them.
        users: the sources that speak for the user, whose confirmation sensitive attributes wait for.

    Attributes:
        attributes: the declared attributes, by name.
        kinds: the declared kinds, by name.

    Raises:
        InvalidInputError: something that is declared is not allowed; the message names it.
    """

    def __init__(
        self,
        name: str,
        *,
        version: int,
        kinds: Iterable[type[Kind]],
        sources: Iterable[str] = (),
        users: Iterable[str] = ("user",),
    ) -> None:
        if type(version) is not int or version < 1:
            raise InvalidInputError(f"version {brief(version)} must be an integer from 1")
        self.name = names.label(name, "schema name")
        self.version = version
        self.sources = sources_of(sources, "sources")
        self.users = sources_of(users, "users")
        self.kinds: Mapping[str, type[Kind]] = _kinds(listed("kinds", kinds))
        self.attributes: Mapping[str, AttributeSpec] = _attributes(self.kinds)

    def __repr__(self) -> str:
        return f"<Schema {self.label}: {', '.join(self.kinds)}>"

    @property
    def label(self) -> str:
        """Its name and version, as facts carry them."""
        return f"{self.name}/{self.version}"

    def attribute(self, name: str) -> AttributeSpec:
        """Return the declaration of an attribute; raises InvalidInputError where there is none."""
        if name not in self.attributes:
            raise InvalidInputError(
                f"attribute {brief(name)} is not declared by schema {self.label}: "
                f"it declares {', '.join(self.attributes)}"
            )
        return self.attributes[name]

    def is_a(self, kind: str, target: str) -> bool:
        """Whether a kind is another, or a subclass of it."""
        declared = self.kinds.get(kind)
        return kind == target or (
            declared is not None and any(base.__name__ == target for base in declared.__mro__)
        )

    def check(self, attribute: str, value: object) -> Value:
        """Return a value that an attribute may have, in its canonical form.

        Raises:
            InvalidInputError: the attribute is not declared, the value of another type, none of the choices, or
                a reference to another kind.
        """
        spec = self.attribute(attribute)
        checked = spec.check(value)
        if isinstance(checked, Ref) and checked.kind and spec.target and not self.is_a(checked.kind, spec.target):
            raise InvalidInputError(
                f"{attribute} refers to a {spec.target}, and {checked.key!r} is given as a {checked.kind}"
            )
        return checked

    def precedence(self, attribute: str) -> tuple[str, ...]:
        """Return the ranking of sources for an attribute."""
        own = self.attribute(attribute).options.precedence
        return self.sources if own is None else own

    def terms(self, attribute: str) -> Terms:
        """Return on what terms facts of an attribute are written."""
        spec = self.attribute(attribute)
        sources = self.precedence(attribute)
        ranked = spec.options.conflict is Conflict.SOURCE_PRECEDENCE
        policy: Policy = source_precedence(sources) if ranked else reject
        return Terms(
            schema_version=self.label,
            memory_type=spec.options.memory_type,
            retention=spec.options.retention,
            kind=spec.kinds[0] if len(spec.kinds) == 1 else None,
            policy=policy,
            guard=outranks(sources) if spec.options.protected else None,
        )

    def registered(self) -> dict[str, Any]:
        """Return the whole declaration as JSON can hold it: what the database keeps of it."""
        return {
            "name": self.name,
            "version": self.version,
            "sources": list(self.sources),
            "users": list(self.users),
            "kinds": {name: _described(kind) for name, kind in self.kinds.items()},
            "attributes": {name: spec.registered() for name, spec in self.attributes.items()},
        }


def _described(kind: type[Kind]) -> dict[str, Any]:
    bases = [base.__name__ for base in kind.__bases__ if issubclass(base, Kind) and base is not Kind]
    return {"description": description_of(kind), "bases": bases}


def description_of(kind: type[Kind]) -> str:
    """Return what a kind's docstring says of it."""
    return cleandoc(kind.__doc__ or "")


def _kinds(given: Sequence[Any]) -> dict[str, type[Kind]]:
    found: dict[str, type[Kind]] = {}
    for kind in given:
        if not isinstance(kind, type) or not issubclass(kind, Kind) or kind is Kind:
            raise InvalidInputError(f"kind {brief(kind)} must be a subclass of Kind")
        name = names.kind_name(kind.__name__)
        if found.setdefault(name, kind) is not kind:
            raise InvalidInputError(f"two kinds are called {name}: a kind's name is its label, so it must be one")
    if not found:
        raise InvalidInputError("kinds is empty: a schema declares at least one kind")
    return found


def _attributes(kinds: Mapping[str, type[Kind]]) -> dict[str, AttributeSpec]:
    found: dict[str, AttributeSpec] = {}
    for name, owners in _owners(kinds).items():
        specs = [_specification(name, kind, tuple(owners)) for kind in owners.values()]
        for other in specs[1:]:
            _require_equal(specs[0], other, list(owners))
        found[name] = specs[0]
    if not found or len(found) > MAX_ATTRIBUTES:
        raise InvalidInputError(f"a schema declares 1 to {MAX_ATTRIBUTES} attributes, not {len(found)}")
    for spec in found.values():
        if spec.target is not None and spec.target not in kinds:
            raise InvalidInputError(
                f"{spec.name} refers to the kind {spec.target}, which the schema does not declare: add it to kinds"
            )
    return found


def _owners(kinds: Mapping[str, type[Kind]]) -> dict[str, dict[str, type[Kind]]]:
    """Return the kinds that each attribute is about: those that declare it, not those that inherit it."""
    found: dict[str, dict[str, type[Kind]]] = {}
    for kind in kinds.values():
        try:
            kind.model_rebuild()
        except PydanticUserError as error:
            raise InvalidInputError(f"{kind.__name__}: {error.message}") from None
        for name in kind.model_fields:
            lines = [base for base in kind.__mro__ if issubclass(base, Kind) and name in base.model_fields]
            owner = [base for base in lines if kinds.get(base.__name__) is base][-1]
            found.setdefault(name, {})[owner.__name__] = owner
    return found


def _specification(name: str, kind: type[Kind], kinds: tuple[str, ...]) -> AttributeSpec:
    return specification(name, kind.model_fields[name], kinds, f"{kind.__name__}.{name}")


def _require_equal(one: AttributeSpec, other: AttributeSpec, kinds: Sequence[str]) -> None:
    apart = differences({one.name: one.registered()}, {one.name: other.registered()})
    if apart:
        raise InvalidInputError(
            f"{', '.join(kinds)} declare {one.name} differently ({'; '.join(apart)}): an attribute means one "
            "thing in a database, so declare it alike or give it two names"
        )


def differences(stored: Mapping[str, Any], declared: Mapping[str, Any]) -> list[str]:
    """Return in what two declarations differ, one line each: `where: what is stored -> what is declared`."""
    return [
        f"{path}: {_as_text(old)} -> {_as_text(new)}"
        for path, old, new in _apart("", stored, declared)
        if path not in ("name", "version")
    ]


_MISSING: Any = object()


def _apart(path: str, one: Any, other: Any) -> list[tuple[str, Any, Any]]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return [
            found
            for key in sorted({*one, *other})
            for found in _apart(f"{path}.{key}" if path else key, one.get(key, _MISSING), other.get(key, _MISSING))
        ]
    return [] if one == other else [(path, one, other)]


def _as_text(value: Any) -> str:
    if value is _MISSING:
        return "not there"
    if isinstance(value, Mapping):
        return "declared"
    return json.dumps(value, ensure_ascii=False)


def cardinalities(schema: Schema) -> dict[str, Cardinality]:
    """Return the cardinality of each declared attribute."""
    return {name: spec.cardinality for name, spec in schema.attributes.items()}
