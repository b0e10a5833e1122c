"""Commands that write to the memory of one tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graph_memory.cli.command_group import Commands
from graph_memory.cli.option_values import json_object, optional_value, text_of, typed_value
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
)
from graph_memory.cli.render import ledger
from graph_memory.cli.session import Session
from graph_memory.episodes.validation import EpisodeInput
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import Recorded

_commands = Commands("Write")
register = _commands.register


@_commands.command("record")
def record(
    session: Session,
    text: Text,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Id of the episode. Default: a new id.")
    ] = None,
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
        typer.Option("--extract", metavar="later", help="Queue the episode, so that a worker extracts its facts."),
    ] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="KEY", help="With --extract: the entity that I and my mean in the text."),
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
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The value of the attribute.")],
    valid_from: Annotated[
        str, typer.Option("--from", metavar="INSTANT", help="First instant at which it holds.", show_default=False)
    ],
    episode: EpisodeId,
    until: Until = None,
    quote: Quote = None,
    type: TypeName = None,
    many: IsMany = False,
) -> None:
    """Assert a fact. The value that held before ends where the new one starts.

    Example: graph-memory assert mira passport_deadline 2026-06-30 --from 2026-06-03 -e e2 -t acme

    Example: graph-memory assert mira employer globex --type ref:Company --from 2026-03-01 -e e3 -t acme

    If a value starts with a minus sign, put -- before the arguments.
    """
    given = typed_value(session, attribute, value, type)
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
        typer.Option("--at", metavar="INSTANT", help="First instant without a value.", show_default=False),
    ],
    episode: EpisodeId,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="INSTANT", help="First instant after the pause. Default: no end."),
    ] = None,
    value: Annotated[
        str | None,
        typer.Option("--value", metavar="VALUE", help="The value that ended, if the attribute has many."),
    ] = None,
    quote: Quote = None,
    type: TypeName = None,
    many: IsMany = False,
) -> None:
    """End a fact. From that instant on no value holds, until a new one is asserted.

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
    value: Annotated[str | None, typer.Option("--value", metavar="VALUE", help="The right value.")] = None,
    valid_from: Annotated[
        str | None, typer.Option("--from", metavar="INSTANT", help="The right first instant.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="INSTANT", help="The right first instant after it.")
    ] = None,
    no_until: Annotated[bool, typer.Option("--no-until", help="The fact has no end.")] = False,
    quote: Quote = None,
    type: TypeName = None,
) -> None:
    """Correct a fact that was wrong from its start. Options left out keep their values.

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
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why it is retracted.", show_default=False)
    ],
    episode: Annotated[
        str | None, typer.Option("--episode", "-e", metavar="ID", help="Id of the episode that says so.")
    ] = None,
) -> None:
    """Retract a fact that was never true. The other facts then decide the time that it covered.

    Example: graph-memory retract 5c0d7be1a2f84e6f9b3a64d2c7e81f05 --reason "said in jest" -t acme
    """
    written = session.tenant().retract_fact(fact_id, reason=reason, episode=episode)
    session.output.give(written, ledger.fact)


def _many(attribute: str, many: bool) -> Recorded | None:
    if not many:
        return None
    from graph_memory import Recorded

    return Recorded(attribute)
