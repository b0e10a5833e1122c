"""Records of the ledger as tables and lists: facts, episodes, entities, explanations and evidence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from graph_memory.cli import value_parsing
from graph_memory.cli.output import plain
from graph_memory.cli.render.layout import NOTE_STYLE, VALUE_STYLE, Listing, fields, instant, interval
from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from graph_memory.domain.records import Citation, Entity, Episode, Explanation, Fact
    from graph_memory.search.records import Evidence, SupportedFact


def validity(fact: Fact) -> str:
    """Return the segment in which a fact holds; `nowhere` where it holds at no instant."""
    return "nowhere" if fact.valid_from == fact.valid_to else interval(fact.valid_from, fact.valid_to)


def value(fact: Fact) -> Text:
    """Return a fact's value for people."""
    if fact.value is None:
        which = "" if fact.ended_value is None else f": {value_parsing.to_text(fact.ended_value)}"
        return plain(f"(ended{which})", NOTE_STYLE)
    return plain(value_parsing.to_text(fact.value), VALUE_STYLE)


def kind_of_value(fact: Fact) -> str:
    """Return the type of a fact's value, of an end that of the value that ended; empty where it is unknown."""
    return value_parsing.type_of(fact.ended_value if fact.ended else fact.value) or ""


def fact(item: Fact, citation: Citation | None = None) -> RenderableType:
    """Return one fact, with its quote where a citation is given."""
    heading = plain(f"{item.subject} · {item.attribute}")
    return Group(heading, fields(_fact_fields(item, citation)))


def _fact_fields(item: Fact, citation: Citation | None) -> Iterable[tuple[str, RenderableType | None]]:
    yield "value", value(item)
    yield "type", kind_of_value(item) or None
    yield "valid", validity(item)
    yield "source", f"{item.source}, episode {item.episode_id}"
    yield "quote", None if citation is None or citation.quote is None else citation.quote
    yield "recorded", format_instant(item.recorded_at)
    yield "retracted", instant(item.retracted_at)
    yield "supersedes", item.supersedes
    yield "fact", item.id


def facts(items: Iterable[Fact]) -> RenderableType:
    """Return facts, one a row."""
    rows = Listing("Attribute", "Value", "Type", "Valid", "Source", "Episode", "Fact")
    for item in items:
        rows.add(
            item.attribute,
            value(item),
            kind_of_value(item),
            validity(item),
            item.source,
            item.episode_id,
            plain(item.id, NOTE_STYLE),
        )
    return rows


def state(items: Mapping[str, Fact | list[Fact]]) -> RenderableType:
    """Return the state of a subject, one fact a row."""
    return facts(fact for held in items.values() for fact in (held if isinstance(held, list) else [held]))


def episode(item: Episode) -> RenderableType:
    """Return an episode with all of its fields."""
    return fields(
        [
            ("episode", item.id),
            ("text", plain(item.text, VALUE_STYLE)),
            ("source", item.source),
            ("kind", item.kind),
            ("session", item.session),
            ("occurred", instant(item.occurred_at)),
            ("recorded", format_instant(item.recorded_at)),
            ("retention", item.retention),
            ("metadata", json.dumps(item.metadata, ensure_ascii=False) if item.metadata else None),
        ]
    )


def entity(item: Entity) -> RenderableType:
    """Return an entity with its name, aliases and kinds."""
    return fields(
        [
            ("entity", plain(item.key, VALUE_STYLE)),
            ("name", item.name),
            ("aliases", ", ".join(item.aliases) or None),
            ("kinds", ", ".join(item.kinds) or None),
            ("merged into", item.merged_into),
        ]
    )


def explanation(item: Explanation) -> RenderableType:
    """Return a fact with its sources, what it replaced, what replaced it, and whether it was retracted."""
    first = item.citations[0] if item.citations else None
    cited = Listing("Episode", "Source", "Recorded", "Quote", "Text", prose=("Quote", "Text"))
    for citation in item.citations:
        cited.add(
            citation.episode.id,
            citation.episode.source,
            format_instant(citation.recorded_at),
            citation.quote,
            citation.episode.text,
        )
    shown: list[RenderableType] = [fact(item.fact, first), fields(_replacements(item)), Text(""), cited]
    if item.truncated:
        note = f"The first and the latest of {item.citations_total} citations are shown."
        shown.append(plain(note, NOTE_STYLE))
    return Group(*shown)


def _replacements(item: Explanation) -> Iterable[tuple[str, RenderableType | None]]:
    yield "since", instant(item.since)
    yield "asserted", interval(item.fact.asserted_from, item.fact.until)
    if item.replaced is not None:
        yield f"replaced ({item.replaced_as})", brief(item.replaced)
    for successor in item.replaced_by:
        yield "replaced by", brief(successor)
    if item.retracted_by is not None:
        yield "retracted by", brief(item.retracted_by)
    if item.retraction_episode is not None:
        yield "retracted by episode", item.retraction_episode.id
    yield "retraction reason", item.retraction_reason


def brief(item: Fact) -> Text:
    """Return a fact on one line: its value, start, episode and id."""
    return Text.assemble(
        value(item),
        plain(f"  from {format_instant(item.asserted_from)}, episode {item.episode_id}, fact {item.id}"),
    )


def evidence(items: Sequence[Evidence]) -> RenderableType:
    """Return the evidence that a search found, one episode a row."""
    rows = Listing("Score", "Episode", "Source", "Said", "Words", "Supports", prose=("Words", "Supports"))
    for item in items:
        said = item.episode
        when = format_instant(said.said_at)
        facts = Text("\n").join(supported(one) for one in item.facts)
        rows.add(f"{item.score:.2f}", said.id, said.source, when, item.quote or said.text, facts)
    return rows


def supported(item: SupportedFact) -> Text:
    """Return on one line a fact that an episode supports, and whether it still holds."""
    fact = item.fact
    text = Text.assemble(plain(f"{fact.subject} {fact.attribute} "), value(fact))
    return text if item.holds else text.append(" (no longer holds)", NOTE_STYLE)
