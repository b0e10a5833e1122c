"""How the answer to a question looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from graph_memory.cli.output import plain
from graph_memory.cli.render.layout import NOTE_STYLE, Listing, fields, instant
from graph_memory.cli.render.ledger import evidence, validity, value

if TYPE_CHECKING:
    from graph_memory.context.records import Context, ContextFact, Step


def context(item: Context) -> RenderableType:
    """Return the facts that answer, then what else was found, under headings."""
    parts: list[RenderableType] = [fields(_fact(fact)) for fact in item.facts]
    parts += [plain(f"{note.text[:1].upper()}{note.text[1:]}.".replace(".).", ".)")) for note in item.notes]
    if item.related:
        parts.append(Group(plain("Related facts", NOTE_STYLE), _facts(item.related)))
    if item.evidence:
        parts.append(Group(plain("Said, which may be out of date", NOTE_STYLE), evidence(item.evidence)))
    return Group(*_apart(parts)) if parts else plain("Nothing is known of it.")


def _apart(parts: Sequence[RenderableType]) -> Iterable[RenderableType]:
    for number, part in enumerate(parts):
        if number:
            yield Text("")
        yield part


def _fact(item: ContextFact) -> Iterable[tuple[str, RenderableType | None]]:
    fact = item.fact
    name = "" if item.name == fact.subject else f" ({item.name})"
    yield item.role.value, plain(f"{fact.subject}{name} · {fact.attribute}")
    yield "value", value(fact)
    yield "valid", validity(fact)
    yield "since", instant(item.since)
    for citation in item.citations:
        quote = "" if citation.quote is None else f": {citation.quote}"
        yield "source", plain(f"{citation.source}, episode {citation.episode_id}{quote}")
    yield "fact", plain(fact.id, NOTE_STYLE)


def _facts(items: Iterable[ContextFact]) -> RenderableType:
    rows = Listing("Subject", "Attribute", "Value", "Valid", "Source", "Episode", "Fact")
    for item in items:
        fact = item.fact
        rows.add(
            fact.subject,
            fact.attribute,
            value(fact),
            validity(fact),
            fact.source,
            fact.episode_id,
            plain(fact.id, NOTE_STYLE),
        )
    return rows


def trace(steps: Sequence[Step]) -> RenderableType:
    """Return which step found what, and why the next one was or was not needed."""
    rows = Listing("Step", "Found", "Why", prose=("Found", "Why"))
    for step in steps:
        rows.add(step.step, step.found, step.why)
    return rows
