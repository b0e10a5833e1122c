"""Commands of the write path: text that a model reads, and decisions about the candidates found in it."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

import typer

from graph_memory.cli.command_group import Commands
from graph_memory.cli.option_values import json_object, optional_value, text_of
from graph_memory.cli.options import (
    EpisodeKind,
    InSession,
    Limit,
    Metadata,
    Retention,
    Source,
    Text,
    TypeName,
)
from graph_memory.cli.output import complain, note_rest
from graph_memory.cli.render import candidates, ledger
from graph_memory.cli.session import Session
from graph_memory.episodes.validation import EpisodeInput
from graph_memory.errors import ExtractionError

CandidateId = Annotated[
    str, typer.Argument(metavar="CANDIDATE_ID", help="Id of the candidate, as graph-memory review prints it.")
]

_commands = Commands("Remember and review")
register = _commands.register


@_commands.command("remember")
def remember(
    session: Session,
    text: Text,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Id of the episode. Default: a new id.")
    ] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="KEY", help="The entity that I and my mean in the text."),
    ] = None,
    kind: EpisodeKind = "message",
    source: Source = "user",
    occurred_at: Annotated[
        str | None, typer.Option("--occurred-at", metavar="INSTANT", help="When it was said. Default: now.")
    ] = None,
    in_session: InSession = None,
    retention: Retention = None,
    metadata: Metadata = None,
) -> None:
    """Record a text, and commit the facts that a language model reads in it, if they pass the checks.

    Needs a schema (--schema) and a model (GRAPH_MEMORY_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY).

    Example: graph-memory remember "I start at Globex in March." --about mira -t acme --schema app.memory:schema
    """
    session.require_schema()
    said = text_of(text)
    extra = None if metadata is None else json_object(metadata)
    episode = id or uuid4().hex
    given = EpisodeInput(said, episode, kind, source, occurred_at, in_session, retention, extra, about=about)
    tenant = session.tenant()
    try:
        report = tenant.remember(given)
    except ExtractionError:
        complain(f"Episode {episode} is stored. To try again, run graph-memory requeue {episode} and a worker.")
        raise
    outcomes = {name: list(found) for name, found in vars(report).items()}
    session.output.give({"episode": episode, **outcomes}, candidates.report)


@_commands.command("review")
def review(
    session: Session,
    status: Annotated[
        str,
        typer.Option(
            "--status",
            metavar="STATUS",
            help="pending (waiting), weak, refused, confirmed, rejected, promoted or expired.",
        ),
    ] = "pending",
    limit: Limit = 100,
) -> None:
    """List the candidates that wait for a decision, the earliest first. Confirm or reject them by their ids.

    Example: graph-memory review -t acme
    """
    found = session.tenant().review(status, limit)
    session.output.give(found, candidates.candidates)
    note_rest(found)


@_commands.command("confirm")
def confirm(
    session: Session,
    candidate_id: CandidateId,
    episode: Annotated[
        str,
        typer.Option(
            "--episode", "-e", metavar="ID", help="Id of the episode that confirms it.", show_default=False
        ),
    ],
    by: Annotated[
        str | None, typer.Option("--by", metavar="KEY", help="Who says so, where the episode does not name them.")
    ] = None,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="KEY", help="Its subject, where the candidate has none.")
    ] = None,
    value: Annotated[
        str | None, typer.Option("--value", metavar="VALUE", help="Its value, where the candidate has none.")
    ] = None,
    type: TypeName = None,
) -> None:
    """Commit a candidate that waits, because an episode confirms it. It wins over facts that contradict it.

    Example: graph-memory confirm 5c0d7be1a2f84e6f9b3a64d2c7e81f05 -e e9 -t acme
    """
    tenant = session.tenant()
    more: dict[str, Any] = {}
    if value is not None or type is not None:
        declared = type is None and session.declared is not None
        attribute = tenant.candidate(candidate_id).attribute if declared else None
        more["value"] = optional_value(session, attribute, value, type)
    session.output.give(tenant.confirm(candidate_id, episode=episode, by=by, subject=subject, **more), ledger.fact)


@_commands.command("reject")
def reject(
    session: Session,
    candidate_id: CandidateId,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why it is rejected.", show_default=False)
    ],
    episode: Annotated[
        str | None, typer.Option("--episode", "-e", metavar="ID", help="Id of the episode behind the decision.")
    ] = None,
) -> None:
    """Reject a candidate: it does not become a fact. The database keeps it, with the reason.

    Example: graph-memory reject 5c0d7be1a2f84e6f9b3a64d2c7e81f05 --reason "said in jest" -t acme
    """
    rejected = session.tenant().reject(candidate_id, reason=reason, episode=episode)
    session.output.give(rejected, candidates.candidate)
