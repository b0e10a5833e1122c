"""What a model read, and what became of it, as tables and lists for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from graph_memory.cli import value_parsing
from graph_memory.cli.output import plain
from graph_memory.cli.render.layout import NOTE_STYLE, VALUE_STYLE, Listing, fields, instant, interval
from graph_memory.domain.instants import format_instant

if TYPE_CHECKING:
    from graph_memory.candidates.records import Candidate
    from graph_memory.domain.records import Outcome


def report(item: Mapping[str, Any]) -> RenderableType:
    """Return what became of each candidate of an episode."""
    heading = fields([("episode", plain(item["episode"], VALUE_STYLE))])
    prose = ("Value", "Reason")
    rows = Listing("Outcome", "Subject", "Attribute", "Value", "Fact", "Candidate", "Reason", prose=prose)
    found = [(name, outcome) for name, outcomes in item.items() if name != "episode" for outcome in outcomes]
    if not found:
        return Group(heading, plain("Nothing that may be remembered was found in it."))
    for name, outcome in sorted(found, key=lambda pair: pair[1].row):
        rows.add(name.replace("_", " "), *_proposed(outcome), *_ids(outcome), outcome.reason)
    return Group(heading, Text(""), rows)


def _proposed(outcome: Outcome) -> Iterable[str]:
    data = outcome.data if isinstance(outcome.data, Mapping) else {}
    for name in ("subject", "attribute", "value"):
        yield "" if data.get(name) is None else str(data[name])


def _ids(outcome: Outcome) -> Iterable[Text]:
    yield plain(outcome.fact_id or "", NOTE_STYLE)
    yield plain(outcome.candidate_id or "", NOTE_STYLE)


def candidates(items: Sequence[Candidate]) -> RenderableType:
    """Return candidates, one a row."""
    headings = ["Candidate", "Subject", "Attribute", "Change", "Value", "Source", "Episode", "Quote", "Reason"]
    rows = Listing(*headings, prose=("Value", "Quote", "Reason"))
    for item in items:
        rows.add(
            plain(item.id, NOTE_STYLE),
            item.subject,
            item.attribute,
            item.change,
            _value(item),
            item.source,
            item.episode_id,
            item.quote,
            item.reason,
        )
    return rows


def candidate(item: Candidate) -> RenderableType:
    """Return one candidate, with all that is known of it."""
    return Group(plain(f"{item.subject or '?'} · {item.attribute or '?'}"), fields(_fields(item)))


def _fields(item: Candidate) -> Iterable[tuple[str, RenderableType | None]]:
    yield "change", item.change
    yield "value", _value(item)
    yield "valid", None if item.valid_from is None else interval(item.valid_from, item.until)
    yield "source", f"{item.source}, episode {item.episode_id}"
    yield "quote", item.quote
    yield "status", item.status.value
    yield "reason", item.reason
    yield "waits for", None if item.confirmers is None else ", ".join(item.confirmers)
    yield "recorded", format_instant(item.recorded_at)
    yield "expires", instant(item.expires_at)
    yield "decided", instant(item.decided_at)
    yield "decided by episode", item.decided_by
    yield "decision", item.decision
    yield "fact", item.fact_id
    yield "candidate", item.id


def _value(item: Candidate) -> Text | None:
    return None if item.value is None else plain(value_parsing.to_text(item.value), VALUE_STYLE)
