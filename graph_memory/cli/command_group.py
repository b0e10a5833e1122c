"""Turns functions into commands: adds the shared options, opens a session, and words the errors for a shell."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

import typer

from graph_memory.cli import options
from graph_memory.cli.error_wording import in_shell_words, shell_names
from graph_memory.cli.output import Output
from graph_memory.cli.session import Session
from graph_memory.errors import GraphMemoryError, NotFoundError

CommandFunction = Callable[..., None]
F = TypeVar("F", bound=CommandFunction)

_SHARED: dict[str, tuple[Any, Any]] = {
    "as_json": (options.AsJson, False),
    "uri": (options.Uri, None),
    "user": (options.User, None),
    "password_file": (options.PasswordFile, None),
    "ask_password": (options.AskPassword, False),
    "database": (options.Database, None),
    "home": (options.Home, None),
}
_OF_A_TENANT: dict[str, tuple[Any, Any]] = {"tenant_name": (options.TenantName, inspect.Parameter.empty)}
# The names of all commands that take the shared options.
_NAMES: set[str] = set()
_OF_A_SCHEMA: dict[str, tuple[Any, Any]] = {"schema": (options.SchemaReference, None)}


class Commands:
    """The commands that the help lists under one heading.

    Args:
        panel: the heading.
        group: the word before their names, such as `index` in `index status`; None: there is no such word.
        help: the help text of the group.
    """

    def __init__(self, panel: str, group: str | None = None, help: str | None = None) -> None:
        self._panel = panel
        self._group = group
        self._help = help
        self._collected: list[tuple[str, CommandFunction]] = []

    def command(self, name: str, *, tenant: bool = True, schema: bool | None = None) -> Callable[[F], F]:
        """Collect a function as a command that also takes the shared options; it gets them as a `Session`.

        Args:
            name: the name of the command.
            tenant: whether the command takes --tenant and requires it.
            schema: whether the command takes --schema; None: it does where it takes --tenant.
        """
        typed = tenant if schema is None else schema
        shared = (_OF_A_TENANT if tenant else {}) | _SHARED | (_OF_A_SCHEMA if typed else {})

        def collect(function: F) -> F:
            _NAMES.add(name)
            self._collected.append((name, _in_a_session(function, shared)))
            return function

        return collect

    def plain(self, name: str) -> Callable[[F], F]:
        """Collect a function as a command that takes only its own options."""

        def collect(function: F) -> F:
            self._collected.append((name, function))
            return function

        return collect

    def register(self, app: typer.Typer) -> None:
        """Add the collected commands to the application."""
        if self._group is not None:
            group = typer.Typer(name=self._group, help=self._help, no_args_is_help=True)
            app.add_typer(group, rich_help_panel=self._panel)
            app = group
        for name, function in self._collected:
            app.command(name, rich_help_panel=None if self._group else self._panel)(function)


def _in_a_session(function: CommandFunction, shared: dict[str, tuple[Any, Any]]) -> CommandFunction:
    hints = get_type_hints(function, include_extras=True)
    own = list(inspect.signature(function).parameters.values())[1:]
    parameters = [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in own
    ]
    parameters += [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for key, (annotation, default) in shared.items()
    ]

    names = shell_names({parameter.name: parameter.annotation for parameter in parameters})

    def run(**given: Any) -> None:
        output = Output(given.pop("as_json"))
        mine = {item.name: given.pop(item.name) for item in fields(Session) if item.name in given}
        session = Session(output, **mine)
        try:
            function(session, **given)
        except GraphMemoryError as error:
            error.args = (in_shell_words(str(error), names, _NAMES.__contains__),)
            if output.json and isinstance(error, NotFoundError):  # a program reads one document in any case
                output.document(None)
            raise
        finally:
            session.close()

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__ = function.__doc__
    return run
