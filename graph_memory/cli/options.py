"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graph_memory.cli.completion import tenants

CONNECTION_PANEL = "Connection"

Uri = Annotated[
    str | None,
    typer.Option(
        "--uri",
        metavar="URI",
        help="Address of the database, such as bolt://db:7687. Default: NEO4J_URI, else the local server.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
User = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        help="User of the database. Default: NEO4J_USERNAME, else neo4j.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        help="File with the password and nothing else. Default: NEO4J_PASSWORD.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
AskPassword = Annotated[
    bool,
    typer.Option("--ask-password", help="Ask for the password.", rich_help_panel=CONNECTION_PANEL),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="NAME",
        help="Name of the database. Default: NEO4J_DATABASE, else the server's default.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help="Folder of the managed local server. Default: GRAPH_MEMORY_HOME, else the user's data directory.",
        rich_help_panel=CONNECTION_PANEL,
    ),
]
SchemaReference = Annotated[
    str | None,
    typer.Option(
        "--schema",
        metavar="MODULE:NAME",
        envvar="GRAPH_MEMORY_SCHEMA",
        show_default=False,
        help="The schema: package.module:name or path/file.py:name. Default: any attribute is allowed.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")]
TenantName = Annotated[
    str,
    typer.Option(
        "--tenant",
        "-t",
        metavar="NAME",
        envvar="GRAPH_MEMORY_TENANT",
        show_default=False,
        help="The tenant whose memory is used.",
        autocompletion=tenants,
    ),
]

Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="Key of the entity that the fact is about.")]
Attribute = Annotated[
    str, typer.Argument(metavar="ATTRIBUTE", help="Name of the attribute, such as passport_deadline.")
]
FactId = Annotated[str, typer.Argument(metavar="FACT_ID", help="Id of the fact, as other commands print it.")]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="INSTANT", help="Use only what was recorded by this instant."),
]
At = Annotated[
    str | None, typer.Option("--at", metavar="INSTANT", help="The instant in valid time. Default: now.")
]
EpisodeId = Annotated[
    str, typer.Option("--episode", "-e", metavar="ID", help="Id of the episode that says so.", show_default=False)
]
Quote = Annotated[
    str | None,
    typer.Option("--quote", metavar="TEXT", help="The words of the episode that say so, copied exactly."),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="INSTANT", help="First instant at which it no longer holds. Default: no end."),
]
TypeName = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        help="Type of the value: str, int, float, bool, date, datetime, ref or ref:Kind. Default: a guess.",
    ),
]
IsMany = Annotated[
    bool,
    typer.Option("--many", help="The attribute has many values at a time. Its first use decides, for ever."),
]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="What was said; - reads it from standard input.")]
EpisodeKind = Annotated[
    str, typer.Option("--kind", metavar="NAME", help="Kind of the episode, such as message, tool_result or event.")
]
Source = Annotated[str, typer.Option("--source", metavar="NAME", help="Who said it, such as user or crm.")]
InSession = Annotated[
    str | None, typer.Option("--session", metavar="NAME", help="The conversation of the episode.")
]
Retention = Annotated[
    str | None, typer.Option("--retention", metavar="NAME", help="Retention class of the episode.")
]
Metadata = Annotated[
    str | None, typer.Option("--metadata", metavar="JSON", help="A JSON object to store with the episode.")
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=10_000, help="Show at most N.")]
