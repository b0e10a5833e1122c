"""Kinds of entities as Pydantic classes, declared in our words."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, PydanticUserError
from pydantic.fields import FieldInfo

from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class _KindType(ModelMetaclass):
    """The type of kinds: what Pydantic would say of a declaration is said in our words."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **given: Any) -> Any:
        if bases != (BaseModel,):
            for field, value in namespace.items():
                if isinstance(value, FieldInfo) and _is_reserved(field):
                    raise InvalidInputError(
                        f"{name}.{field} cannot be an attribute: names that begin with _, and some that begin "
                        "with model_, are those of kinds themselves: choose another name"
                    )
        try:
            with warnings.catch_warnings():  # a kind has no instances, so an attribute may well be called schema
                warnings.filterwarnings("ignore", message=".*shadows an attribute", category=UserWarning)
                return super().__new__(cls, name, bases, namespace, **given)
        except PydanticUserError as error:
            raise InvalidInputError(f"kind {name} cannot be declared: {error.message}") from None


def _is_reserved(field: str) -> bool:
    return field.startswith("_") or (field.startswith("model_") and hasattr(BaseModel, field))


class Kind(BaseModel, metaclass=_KindType):
    """Base of the kinds of entities; the name of a subclass becomes a label, its fields are attributes."""

    # Any type of a field is taken here, so that what a value cannot be is said in our words.
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
