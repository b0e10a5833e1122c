"""The commands that write to one tenant's memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graph_memory.cli import value_parsing
from graph_memory.cli.command_group import Commands
from graph_memory.cli.options import (
    Attribute,
    EpisodeId,
    EpisodeKind,
    FactId,
    InSession,
    IsMany,
    Metadata,
    Quote,
    Retention,
    Source,
    Subject,
    Text,
    TypeName,
    Until,
    text_of,
)
from graph_memory.cli.render import ledger
from graph_memory.cli.session import Session
from graph_memory.episodes.validation import EpisodeInput
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import Recorded
    from graph_memory.domain.values import Value

_commands = Commands("Write")
register = _commands.register


@_commands.command("record")
def record(
    session: Session,
    text: Text,
    id: Annotated[str | None, typer.Option("--id", metavar="ID", help="Its id. Else a new one.")] = None,
    kind: EpisodeKind = "message",
    source: Source = "user",
    occurred_at: Annotated[
        str | None, typer.Option("--occurred-at", metavar="INSTANT", help="When it was said.")
    ] = None,
    in_session: InSession = None,
    retention: Retention = None,
    metadata: Metadata = None,
    extract: Annotated[
        str | None,
        typer.Option("--extract", metavar="later", help="Queue it, for a worker to extract what it says."),
    ] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="KEY", help="With --extract: whom it is about where it says I or my."),
    ] = None,
) -> None:
    """Record an episode: something that was said or that happened, word for word.

    Example: graph-memory record "It is now 2026-06-30." --id e2 -t acme
    """
    said = text_of(text)
    extra = None if metadata is None else json_object(metadata)
    given = EpisodeInput(said, id, kind, source, occurred_at, in_session, retention, extra, extract, about)
    episode = session.tenant().record(given)
    session.output.give(episode, ledger.episode)


@_commands.command("assert")
def assert_(
    session: Session,
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What it is, was or will be.")],
    valid_from: Annotated[
        str, typer.Option("--from", metavar="INSTANT", help="Since when it holds.", show_default=False)
    ],
    episode: EpisodeId,
    until: Until = None,
    quote: Quote = None,
    type: TypeName = None,
    many: IsMany = False,
) -> None:
    """Assert a fact: what held before it ends where it starts.

    Example: graph-memory assert mira passport_deadline 2026-06-30 --from 2026-06-03 -e e2 -t acme

    Example: graph-memory assert mira employer globex --type ref:Company --from 2026-03-01 -e e3 -t acme

    Put -- before the arguments where a value starts with a minus sign.
    """
    given = _value(session, attribute, value, type)
    tenant = session.tenant(_many(attribute, many))
    written = tenant.assert_fact(
        subject, attribute, given, valid_from=valid_from, until=until, episode=episode, quote=quote
    )
    session.output.give(written, ledger.fact)


@_commands.command("end")
def end(
    session: Session,
    subject: Subject,
    attribute: Attribute,
    at: Annotated[
        str,
        typer.Option("--at", metavar="INSTANT", help="Since when it holds no longer.", show_default=False),
    ],
    episode: EpisodeId,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="INSTANT", help="When the pause is over. Else it stays ended."),
    ] = None,
    value: Annotated[
        str | None,
        typer.Option("--value", metavar="VALUE", help="Which one ended, where many hold at once."),
    ] = None,
    quote: Quote = None,
    type: TypeName = None,
    many: IsMany = False,
) -> None:
    """End a fact: from then on nothing holds, until something is asserted again.

    Example: graph-memory end mira employer --at 2026-03-01 -e e4 -t acme
    """
    given = optional_value(session, attribute, value, type)
    tenant = session.tenant(_many(attribute, many))
    written = tenant.end_fact(subject, attribute, at=at, episode=episode, until=until, value=given, quote=quote)
    session.output.give(written, ledger.fact)


@_commands.command("correct")
def correct(
    session: Session,
    fact_id: FactId,
    episode: EpisodeId,
    value: Annotated[
        str | None, typer.Option("--value", metavar="VALUE", help="What it should have been.")
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option("--from", metavar="INSTANT", help="Since when it should have held.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="INSTANT", help="Until when it should have held.")
    ] = None,
    no_until: Annotated[bool, typer.Option("--no-until", help="It should have held without a bound.")] = False,
    quote: Quote = None,
    type: TypeName = None,
) -> None:
    """Correct a fact that was wrong from its start. What is left out stays as it is.

    Example: graph-memory correct 5c0d7be1a2f84e6f9b3a64d2c7e81f05 --value 2026-06-29 -e e5 -t acme
    """
    if until is not None and no_until:
        raise InvalidInputError("--until and --no-until contradict each other: give one of them")
    changes: dict[str, Any] = {}
    declared = value is not None and type is None and session.declared is not None
    tenant = session.tenant() if declared else None
    given = optional_value(session, tenant.fact(fact_id).attribute if tenant else None, value, type)
    if given is not None:
        changes["value"] = given
    if valid_from is not None:
        changes["valid_from"] = valid_from
    if until is not None or no_until:
        changes["until"] = until
    if not changes:
        raise InvalidInputError("nothing to correct: give --value, --from, --until or --no-until")
    written = (tenant or session.tenant()).correct_fact(fact_id, episode=episode, quote=quote, **changes)
    session.output.give(written, ledger.fact)


@_commands.command("retract")
def retract(
    session: Session,
    fact_id: FactId,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)],
    episode: Annotated[
        str | None, typer.Option("--episode", "-e", metavar="ID", help="The episode that says so.")
    ] = None,
) -> None:
    """Retract a fact that was never so. What it had covered is covered again by what the rest gives.

    Example: graph-memory retract 5c0d7be1a2f84e6f9b3a64d2c7e81f05 --reason "said in jest" -t acme
    """
    written = session.tenant().retract_fact(fact_id, reason=reason, episode=episode)
    session.output.give(written, ledger.fact)


def _value(session: Session, attribute: str | None, text: str, type_name: str | None) -> Value:
    """Return the value that text stands for: of the type that is named, or declared, or that it looks like."""
    if type_name is None and attribute is not None and session.declared is not None:
        type_name = session.declared.attribute(attribute).type
    return value_parsing.guess(text) if type_name is None else value_parsing.from_text(text, type_name)


def optional_value(
    session: Session, attribute: str | None, text: str | None, type_name: str | None
) -> Value | None:
    """Return the value of an option `--value`, as it is named, declared or looks; None where it is left out."""
    if text is not None:
        return _value(session, attribute, text, type_name)
    if type_name is not None:
        raise InvalidInputError("--type says what --value is: give --value too")
    return None


def _many(attribute: str, many: bool) -> Recorded | None:
    if not many:
        return None
    from graph_memory import Recorded

    return Recorded(attribute)


def json_object(text: str) -> dict[str, Any]:
    """Return the object that `--metadata` gives; raises InvalidInputError where it is none."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise InvalidInputError(f'--metadata {text!r} is not a JSON object: write it as {{"channel": "mail"}}')
    return parsed
