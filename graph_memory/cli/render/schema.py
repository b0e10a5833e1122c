"""Schemas as tables and lists for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from graph_memory.cli.output import plain
from graph_memory.cli.render.layout import NOTE_STYLE, VALUE_STYLE, Listing, fields, instant

if TYPE_CHECKING:
    from datetime import datetime

    from graph_memory.storage.records import SchemaInfo


def schema(declaration: Mapping[str, Any], recorded_at: datetime | None = None) -> RenderableType:
    """Return a whole declaration, in the form in which the database keeps it."""
    heading = fields(
        [
            ("schema", plain(f"{declaration['name']}/{declaration['version']}", VALUE_STYLE)),
            ("stored", instant(recorded_at)),
            ("sources", ", ".join(declaration["sources"]) or None),
            ("users", ", ".join(declaration["users"]) or None),
        ]
    )
    kinds = Listing("Kind", "Is a", "Description", prose=("Description",))
    for name, kind in declaration["kinds"].items():
        kinds.add(plain(name, VALUE_STYLE), ", ".join(kind["bases"]), kind["description"])
    prose = ("Takes", "Rules", "Description")
    attributes = Listing("Attribute", "Of", *prose, prose=prose)
    for name, spec in declaration["attributes"].items():
        attributes.add(
            plain(name, VALUE_STYLE),
            ", ".join(spec["kinds"]),
            _takes(spec),
            ", ".join(_rules(spec)),
            spec["description"],
        )
    return Group(heading, Text(""), kinds, Text(""), attributes)


def _takes(spec: Mapping[str, Any]) -> str:
    if spec["choices"]:
        what = " | ".join(map(str, spec["choices"]))
    elif spec["target"] is not None:
        what = f"ref:{spec['target']}"
    else:
        what = spec["type"]
    return f"many of {what}" if spec["cardinality"] == "many" else what


def _rules(spec: Mapping[str, Any]) -> Iterable[str]:
    if spec["memory_type"] != "semantic":
        yield spec["memory_type"]
    if spec["retention"] is not None:
        yield f"kept as {spec['retention']}"
    if spec["conflict"] != "reject":
        yield spec["conflict"]
    if spec["precedence"] is not None:
        yield f"sources {' > '.join(spec['precedence'])}"
    yield from (name for name in ("protected", "sensitive", "confirms") if spec[name])
    if spec["recurs"] > 1:
        yield f"{spec['recurs']} episodes in {spec['within_days']:g} days"


def schemas(items: Sequence[SchemaInfo]) -> RenderableType:
    """Return the stored schemas, one a row."""
    rows = Listing("Schema", "Stored", "Kinds", "Attributes")
    for item in items:
        declared = item.declaration
        rows.add(
            plain(f"{item.name}/{item.version}", VALUE_STYLE),
            instant(item.recorded_at),
            ", ".join(declared["kinds"]),
            str(len(declared["attributes"])),
        )
    return rows


def difference(item: Mapping[str, Any]) -> RenderableType:
    """Return in what two declarations differ, a line each."""
    heading = plain(f"{item['before']} -> {item['after']}", NOTE_STYLE)
    return Group(heading, *map(plain, item["differences"] or ["Nothing differs."]))
