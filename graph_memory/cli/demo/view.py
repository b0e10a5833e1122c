"""How the demo is shown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding

from graph_memory.cli.demo.story import ATTRIBUTE, SUBJECT
from graph_memory.cli.invocation import command_line
from graph_memory.cli.output import Output, plain
from graph_memory.cli.render import layout, ledger
from graph_memory.local.home import default_home
from graph_memory.storage.templates import template

if TYPE_CHECKING:
    from rich.text import Text

    from graph_memory import DatabaseInfo, Fact
    from graph_memory.cli.demo.story import Answer, Chapter
    from graph_memory.cli.session import Session

HEADING = "bold cyan"


def opening(output: Output, info: DatabaseInfo) -> None:
    """Say where it runs."""
    output.show(plain(f"Neo4j {info.version} ({info.edition}) at {info.address}", HEADING), "")


def story(output: Output, told: Sequence[tuple[Chapter, Fact]]) -> None:
    """Show what was recorded, in the order of arrival."""
    output.show(plain("What arrived, in this order", HEADING))
    rows = layout.Listing("Episode", "Text", "Says", "Since", prose=("Text",))
    for chapter, fact in told:
        rows.add(chapter.id, chapter.text, ledger.value(fact), layout.instant(fact.asserted_from))
    output.show(rows, "")


def answer(output: Output, number: int, item: Answer) -> None:
    """Show one question, the call that asks it, and what the library answered."""
    output.show(plain(f"{number}. {item.question}", HEADING), plain(f"   {item.call}", layout.NOTE_STYLE))
    output.show(Padding(layout.fields(_answer_fields(item)), (0, 0, 1, 3), expand=False))


def _answer_fields(item: Answer) -> Iterator[tuple[str, str | Text]]:
    if item.episode is not None:
        yield "found", f"episode {item.episode.id}: {item.episode.text}"
    if item.why is None:
        yield "answer", "nothing is known"
    else:
        fact = item.why.fact
        yield "value", ledger.value(fact)
        yield "valid", ledger.validity(fact)
        yield "source", f"{fact.source}, episode {fact.episode_id}"
        yield "quote", item.why.quotes[0] if item.why.quotes else ""
    if item.remark is not None:
        yield "note", plain(item.remark, "yellow")


def timeline(output: Output, history: Sequence[Fact]) -> None:
    """Show what held when, in the order of time."""
    output.show(plain("The timeline that this leaves", HEADING))
    rows = layout.Listing("Valid", "Value", "Episode")
    for fact in history:
        rows.add(ledger.validity(fact), ledger.value(fact), fact.episode_id)
    output.show(rows, "")


def ending(session: Session, tenant: str) -> None:
    """Tell how to look at the graph, and how to stop the server."""
    show = session.output.show
    show(plain("Look at it", HEADING))
    query = [plain(f"    {line}") for line in _around(tenant, SUBJECT).splitlines()]
    if session.uri:
        show(f"  In Neo4j Browser, connected to {session.uri}, run:", *query)
        return
    home = session.home
    if home is None and os.environ.get("NEO4J_URI"):
        # Without it the next command would go to the server that the environment names.
        home = default_home()
    show(
        f"  {command_line('browser', home=home)}",
        "    opens Neo4j Browser on this graph; there, run:",
        *query,
        f"  {command_line('history', SUBJECT, ATTRIBUTE, '-t', tenant, home=home)}",
        f"  {command_line('down', home=home)}",
        "    stops the server; the data stays.",
    )


def _around(tenant: str, key: str) -> str:
    """Return the query of an entity's surroundings, with what it asks for written out, to be pasted."""
    query = template("browser/around_entity").text
    return query.replace("$tenant", _literal(tenant)).replace("$key", _literal(key))


def _literal(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{quoted}'"
