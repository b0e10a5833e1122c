"""Declaring a schema: kinds of entities and their attributes.

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

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from inspect import cleandoc
from typing import Any

from pydantic import PydanticUndefinedAnnotation, PydanticUserError
from pydantic.fields import FieldInfo

from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed, one_of
from graph_memory.domain.records import Cardinality
from graph_memory.domain.values import Ref, Value, check_encodable
from graph_memory.errors import InvalidInputError, brief
from graph_memory.ledger.conflict_policy import Policy, outranks, reject, source_precedence
from graph_memory.ledger.terms import Terms
from graph_memory.schema.attribute_spec import (
    MAX_DESCRIPTION,
    MAX_EXAMPLES,
    MAX_RECURS,
    MAX_WITHIN,
    AttributeSpec,
    Confirmer,
    Conflict,
    Options,
    specification,
)
from graph_memory.schema.differences import differences
from graph_memory.schema.kind import Kind

MAX_ATTRIBUTES = 200
MAX_KIND_DESCRIPTION = 2000


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
    confirmed_by: Confirmer | str | None = None,
) -> Any:
    """Declare an attribute, as the default of a Kind's field.

    The field's type is the type of the value; a list declares cardinality many.

    Args:
        description: the attribute's meaning, for the model and for people; at most 500 characters.
        examples: at most 20 sentences that state a value, for the model; each at most 500 characters.
        memory_type: such as `semantic`, `preference`, `procedural`; reads can filter by it.
        retention: the retention class of the facts.
        conflict: the rule that decides when two values start at the same instant: `reject`, `source_precedence` or
            `confirm`.
        precedence: sources from the best to the worst; None: the sources of the schema.
        protected: a source may not replace a value that comes from a better-ranked source.
        sensitive: a value that a model extracts waits for the user's confirmation.
        recurs: in how many different episodes a candidate must occur before it is committed.
        within: the greatest age (by recorded time) of an episode that counts for `recurs`.
        confirms: a new episode that only repeats the stored value is stored as a confirmation.
        confirmed_by: which episode of a user confirms a value that waits for the user: `subject` for one by or
            about the subject, `user` for any. None: `subject` where the attribute is sensitive, else `user`.

    Raises:
        InvalidInputError: an option is not allowed.
    """
    sentences = tuple(_prose(sentence, "example") for sentence in listed("examples", examples))
    if len(sentences) > MAX_EXAMPLES:
        raise InvalidInputError(f"there are {len(sentences)} examples; at most {MAX_EXAMPLES} are allowed")
    decides = one_of(Conflict, conflict, "conflict")
    confirmer = None if confirmed_by is None else one_of(Confirmer, confirmed_by, "confirmed_by")
    if type(recurs) is not int or not 1 <= recurs <= MAX_RECURS:
        raise InvalidInputError(f"recurs {brief(recurs)} must be 1 to {MAX_RECURS}")
    if not isinstance(within, timedelta) or not timedelta(0) < within <= MAX_WITHIN:
        raise InvalidInputError(f"within {brief(within)} must be a timedelta above zero, {MAX_WITHIN} at most")
    for flag, name in ((protected, "protected"), (sensitive, "sensitive"), (confirms, "confirms")):
        if not isinstance(flag, bool):
            raise InvalidInputError(f"{name} {brief(flag)} must be True or False")
    options = Options(
        examples=sentences,
        memory_type=identifiers.label(memory_type, "memory_type"),
        retention=None if retention is None else identifiers.label(retention, "retention"),
        conflict=decides,
        precedence=None if precedence is None else sources_of(precedence, "precedence"),
        protected=protected,
        sensitive=sensitive,
        recurs=recurs,
        within=within,
        confirms=confirms,
        confirmed_by=confirmer,
    )
    field = FieldInfo(default=None, description=_prose(description, "description"))
    field.metadata.append(options)
    return field


def _prose(text: object, what: str) -> str:
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_DESCRIPTION:
        raise InvalidInputError(f"{what} {brief(text)} must be text of 1 to {MAX_DESCRIPTION} characters")
    check_encodable(text, what)
    return text


def sources_of(sources: Iterable[str], what: str) -> tuple[str, ...]:
    """Return a ranking of sources; raises InvalidInputError where a source is not allowed or is named twice."""
    ranked = tuple(identifiers.label(source, what) for source in listed(what, sources))
    if len(set(ranked)) < len(ranked):
        raise InvalidInputError(f"{what} {brief(ranked)} names a source twice: a source has one rank")
    return ranked


class Schema:
    """The kinds of entities and the attributes that an application remembers, and the ranking of its sources.

    Args:
        name: the schema's name.
        version: an integer from 1; every change of the declaration needs a new version. Facts carry the version
            that they were written under.
        kinds: subclasses of `Kind`.
        sources: from the best to the worst; a source that is not named ranks below all of them. An attribute with
            `source_precedence` or `protected` needs them, or a `precedence` of its own.
        users: the sources that speak for the user. Sensitive attributes wait for a confirmation from one of them.

    Attributes:
        attributes: the declared attributes, by name.
        kinds: the declared kinds, by name.

    Raises:
        InvalidInputError: a part of the declaration is not allowed; the message names it.
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
        self.name = identifiers.label(name, "schema name")
        self.version = version
        self.sources = sources_of(sources, "sources")
        self.users = sources_of(users, "users")
        self.kinds: Mapping[str, type[Kind]] = _kinds(listed("kinds", kinds))
        self.attributes: Mapping[str, AttributeSpec] = _attributes(self.kinds)
        for spec in self.attributes.values():
            self._require_sources(spec)

    def __repr__(self) -> str:
        return f"<Schema {self.label}: {', '.join(self.kinds)}>"

    @property
    def label(self) -> str:
        """The schema's name and version as `name/version`, as facts carry it."""
        return f"{self.name}/{self.version}"

    def attribute(self, name: str) -> AttributeSpec:
        """Return the declaration of an attribute; raises InvalidInputError where it is not declared."""
        if name not in self.attributes:
            raise InvalidInputError(
                f"attribute {brief(name)} is not declared by schema {self.label}: "
                f"it declares {', '.join(self.attributes)}"
            )
        return self.attributes[name]

    def _require_sources(self, spec: AttributeSpec) -> None:
        options = spec.options
        ranks = options.protected or options.conflict is Conflict.SOURCE_PRECEDENCE
        if ranks and not self.precedence(spec.name):
            raise InvalidInputError(
                f"{spec.name} needs a rank of sources, and none is declared: give the schema sources, or the "
                "attribute a precedence"
            )
        if options.confirmed_by is not None and not options.waits_for_user:
            raise InvalidInputError(
                f"{spec.name} does not wait for a user, so confirmed_by {options.confirmed_by} has no effect: "
                "leave it out, or declare sensitive=True or conflict='confirm'"
            )
        if not self.users and options.waits_for_user:
            raise InvalidInputError(
                f"{spec.name} waits for the user's confirmation, and users is empty: name the user's sources"
            )

    def is_a(self, kind: str, target: str) -> bool:
        """Whether `kind` is `target` or a subclass of it."""
        declared = self.kinds.get(kind)
        return kind == target or (
            declared is not None and any(base.__name__ == target for base in declared.__mro__)
        )

    def check(self, attribute: str, value: object) -> Value:
        """Return a value of an attribute in its canonical form.

        Raises:
            InvalidInputError: the attribute is not declared, or the value has another type, is not one of the
                choices, or refers to another kind.
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
        """Return the terms on which facts of an attribute are written."""
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
        """Return the whole declaration as JSON values, as the database stores it."""
        return {
            "name": self.name,
            "version": self.version,
            "sources": list(self.sources),
            "users": sorted(self.users),
            "kinds": {name: _described(kind) for name, kind in self.kinds.items()},
            "attributes": {name: spec.registered() for name, spec in self.attributes.items()},
        }


def _described(kind: type[Kind]) -> dict[str, Any]:
    bases = [base.__name__ for base in kind.__bases__ if issubclass(base, Kind) and base is not Kind]
    return {"description": description_of(kind), "bases": bases}


def description_of(kind: type[Kind]) -> str:
    """Return a kind's docstring, which the model reads; raises InvalidInputError where it is too long."""
    text = cleandoc(kind.__doc__ or "")
    if len(text) > MAX_KIND_DESCRIPTION:
        raise InvalidInputError(
            f"the docstring of {kind.__name__} has {len(text)} characters; at most {MAX_KIND_DESCRIPTION} are "
            "allowed, because it describes the kind to the model: shorten it"
        )
    check_encodable(text, f"the docstring of {kind.__name__}")
    return text


def _kinds(given: Sequence[Any]) -> dict[str, type[Kind]]:
    found: dict[str, type[Kind]] = {}
    for kind in given:
        if not isinstance(kind, type) or not issubclass(kind, Kind) or kind is Kind:
            raise InvalidInputError(f"kind {brief(kind)} must be a subclass of Kind")
        name = identifiers.kind_name(kind.__name__)
        if found.setdefault(name, kind) is not kind:
            raise InvalidInputError(f"two kinds are called {name}: give each kind a name of its own")
        description_of(kind)
    if not found:
        raise InvalidInputError("kinds is empty: a schema declares at least one kind")
    return found


def _attributes(kinds: Mapping[str, type[Kind]]) -> dict[str, AttributeSpec]:
    found: dict[str, AttributeSpec] = {}
    for name, declaring in _declaring(kinds).items():
        owners = tuple(sorted({_owner(kind, name, kinds) for kind in declaring}))
        specs = [
            specification(name, kind.model_fields[name], owners, f"{kind.__name__}.{name}") for kind in declaring
        ]
        for other in specs[1:]:
            _require_equal(specs[0], other, [kind.__name__ for kind in declaring])
        found[name] = specs[0]
    if not found or len(found) > MAX_ATTRIBUTES:
        raise InvalidInputError(f"a schema declares 1 to {MAX_ATTRIBUTES} attributes, not {len(found)}")
    for spec in found.values():
        if spec.target is not None and spec.target not in kinds:
            raise InvalidInputError(
                f"{spec.name} refers to the kind {spec.target}, which the schema does not declare: add it to kinds"
            )
    return found


def _declaring(kinds: Mapping[str, type[Kind]]) -> dict[str, list[type[Kind]]]:
    """Return the kinds that have each attribute, by attribute; inherited attributes count."""
    found: dict[str, list[type[Kind]]] = {}
    for kind in kinds.values():
        try:
            kind.model_rebuild()
        except (PydanticUserError, PydanticUndefinedAnnotation) as error:
            raise InvalidInputError(
                f"the annotations of {kind.__name__} cannot be read: {error.message}"
            ) from None
        for name in kind.model_fields:
            found.setdefault(name, []).append(kind)
    return found


def _owner(kind: type[Kind], name: str, kinds: Mapping[str, type[Kind]]) -> str:
    """Return the most general declared base of a kind that has an attribute."""
    bases = [base for base in kind.__mro__ if issubclass(base, Kind) and name in base.model_fields]
    return [base.__name__ for base in bases if kinds.get(base.__name__) is base][-1]


def _require_equal(one: AttributeSpec, other: AttributeSpec, kinds: Sequence[str]) -> None:
    apart = differences({one.name: one.registered()}, {one.name: other.registered()})
    if apart:
        raise InvalidInputError(
            f"{', '.join(kinds)} declare {one.name} differently ({'; '.join(apart)}): declare it alike in all "
            "kinds, or use different names"
        )


def cardinalities(schema: Schema) -> dict[str, Cardinality]:
    """Return the cardinality of each declared attribute."""
    return {name: spec.cardinality for name, spec in schema.attributes.items()}


def confirmers(schema: Schema | None, attribute: str | None) -> tuple[str, ...] | None:
    """Return the sources that may confirm candidates of an attribute; None: any source."""
    spec = None if schema is None or attribute is None else schema.attributes.get(attribute)
    if schema is None or spec is None or not spec.options.waits_for_user:
        return None
    return schema.users
