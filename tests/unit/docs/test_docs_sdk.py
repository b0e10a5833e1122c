"""docs/sdk.md documents every public name, method, parameter and field, and nothing that is gone."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import graph_memory
from graph_memory import AsyncGraphMemory, AsyncTenant, GraphMemory, Tenant, Worker

TEXT = (Path(__file__).parents[3] / "docs" / "sdk.md").read_text(encoding="utf-8")
SHARED = TEXT[TEXT.index("## Parameters that recur") : TEXT.index("## `GraphMemory`")]
RECORDS = TEXT[TEXT.index("## What a fact may say") :]
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", RECORDS, re.MULTILINE | re.DOTALL))
PREFIXES = {"GraphMemory": GraphMemory, "memory": GraphMemory, "tenant": Tenant, "worker": Worker}

# A signature stands in a fence of its own; what is said of it follows, up to the next fence or heading.
METHODS: dict[tuple[type, str], tuple[str, str]] = {
    (PREFIXES[prefix], name): (re.sub(r"\s+", " ", signature).replace('"', "'"), said)
    for prefix, name, signature, said in re.findall(
        r"^```python\n(\w+)\.(\w+)(\([^`]*\) -> [^`]*)\n```\n(.*?)(?=^```|^##)", TEXT, re.MULTILINE | re.DOTALL
    )
}


def methods(cls: type) -> dict[str, Callable[..., Any]]:
    """The public methods of a class, by name."""
    found = inspect.getmembers(cls, predicate=lambda member: inspect.isroutine(member))
    return {name: method for name, method in found if not name.startswith("_")}


def signature(method: Callable[..., Any]) -> str:
    """A signature without the types of its parameters, as the document writes it."""
    whole = inspect.signature(method)
    bare = [
        p.replace(annotation=p.empty, default=p.default.value if isinstance(p.default, Enum) else p.default)
        for p in whole.parameters.values()
        if p.name != "self"
    ]
    return str(whole.replace(parameters=bare, return_annotation=whole.empty)) + f" -> {whole.return_annotation}"


PUBLIC_METHODS = [(cls, name) for cls in (GraphMemory, Tenant, Worker) for name in sorted(methods(cls))]
PUBLIC_CLASSES = [name for name in graph_memory.__all__ if inspect.isclass(getattr(graph_memory, name))]
WITH_FIELDS = [
    name
    for name in PUBLIC_CLASSES
    if not issubclass(getattr(graph_memory, name), Exception)
    and name not in {"GraphMemory", "AsyncGraphMemory", "Tenant", "AsyncTenant", "Worker"}
]


def fields(cls: type) -> set[str]:
    """What a record's user can read of it: fields, properties, constants, members."""
    if issubclass(cls, Enum):
        return set(cls.__members__)
    own = {name for c in cls.__mro__[:-1] if c.__module__.startswith("graph_memory") for name in vars(c)}
    if issubclass(cls, BaseModel):
        # Pydantic keeps what it knows of a class under names of this form, some of them on the class itself.
        own = {name for name in own if not name.startswith("model_")} | cls.model_fields.keys()
    elif dataclasses.is_dataclass(cls):
        own |= {field.name for field in dataclasses.fields(cls)}
    else:
        own |= set(re.findall(r"^ +self\.([a-z]\w*)(?:: .*)? = ", inspect.getsource(cls.__init__), re.MULTILINE))
    return {name for name in own if not name.startswith("_")}


def documented_fields(name: str) -> set[str]:
    """What the section of a record names first in the rows of its table, or at all where it has none."""
    section = SECTIONS[name]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return set(re.findall(r"`(\w+)`", " ".join(cells) or section))


def test_the_documented_methods_are_those_that_exist() -> None:
    assert sorted(METHODS, key=str) == sorted(PUBLIC_METHODS, key=str)


@pytest.mark.parametrize(("cls", "name"), PUBLIC_METHODS)
def test_a_method_has_the_documented_signature(cls: type, name: str) -> None:
    assert METHODS[cls, name][0] == signature(methods(cls)[name])


@pytest.mark.parametrize(("cls", "name"), PUBLIC_METHODS)
def test_every_parameter_of_a_method_is_explained(cls: type, name: str) -> None:
    explained = set(re.findall(r"`(\w+)[`=]", METHODS[cls, name][1] + SHARED))
    parameters = set(inspect.signature(methods(cls)[name]).parameters) - {"self"}
    assert parameters - explained == set()


@pytest.mark.parametrize("name", graph_memory.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert re.search(rf"`{name}\b|\b{name}\.", TEXT) is not None


def test_the_sections_of_records_are_the_public_classes_with_fields() -> None:
    assert set(SECTIONS) == set(WITH_FIELDS)


@pytest.mark.parametrize("name", WITH_FIELDS)
def test_every_field_of_a_record_is_documented(name: str) -> None:
    assert fields(getattr(graph_memory, name)) - set(re.findall(r"`(\w+)[`(]", SECTIONS[name])) == set()


@pytest.mark.parametrize("name", [name for name in WITH_FIELDS if "| field |" in SECTIONS.get(name, "")])
def test_the_fields_that_are_documented_exist(name: str) -> None:
    assert documented_fields(name) - fields(getattr(graph_memory, name)) == set()


@pytest.mark.parametrize(("awaited", "plain"), [(AsyncGraphMemory, GraphMemory), (AsyncTenant, Tenant)])
def test_the_asynchronous_twin_has_the_same_names_and_parameters(awaited: type, plain: type) -> None:
    def parameters(cls: type) -> dict[str, list[str]]:
        return {name: list(inspect.signature(method).parameters) for name, method in methods(cls).items()}

    assert parameters(awaited) == parameters(plain)


def test_everything_but_making_a_tenant_is_awaited() -> None:
    asynchronous = {**methods(AsyncGraphMemory), **methods(AsyncTenant)}
    assert [name for name, method in asynchronous.items() if not inspect.iscoroutinefunction(method)] == ["tenant"]


@pytest.mark.parametrize("name", ["attribute", "Schema", "Worker"])
def test_what_is_called_by_its_name_has_the_documented_parameters_and_each_is_explained(name: str) -> None:
    [(call, said)] = re.findall(
        rf"^```python\n{name}(\([^`]*\))\n```\n(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL
    )
    parameters = inspect.signature(getattr(graph_memory, name)).parameters.values()
    shown = [
        p.replace(annotation=p.empty, default=p.default.value if isinstance(p.default, Enum) else p.default)
        for p in parameters
    ]
    text = str(inspect.Signature(shown)).replace("datetime.timedelta", "timedelta")
    assert re.sub(r"\s+", " ", call) == text
    assert {p.name for p in parameters} - set(re.findall(r"`(\w+)[`,]", said)) == set()
