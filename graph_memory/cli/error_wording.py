"""Error messages of the library in the words of the command line: options and shell input. Pure.

The library names its arguments (`valid_from`, `value=`, `review()`); a user of the command line knows options and
commands. This is the one place that translates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

import typer.models

# Arguments of the library that are called otherwise than the parameter of the command.
_RENAMED = {"tokens": "token_budget", "in_session": "session", "of_session": "session"}
# Positional arguments of commands that are instants.
_INSTANTS = ("at", "at1", "at2", "since")
# Ways to say something in Python, and in a shell.
_PHRASES = (
    ("an aware datetime, a date", "a date"),
    ("an aware datetime", "a datetime with an offset or Z"),
    ("open the memory with schema=", "give --schema"),
    ("open the memory with a schema", "give --schema"),
    ("pass llm= with a LangChain chat model, or set GRAPH_MEMORY_MODEL", "set GRAPH_MEMORY_MODEL"),
    (", or pass llm= with another LangChain chat model", ""),
    ("Ref(key)", "ref"),
)
_QUOTED = r"(?P<quoted>(?<!\w)'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"


def shell_names(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return how the shell calls the arguments of the library: options, and the positional arguments of instants.

    Args:
        parameters: the annotations of a command's parameters, by name.
    """
    names = {}
    for parameter, annotation in parameters.items():
        name = _RENAMED.get(parameter, parameter)
        for told in get_args(annotation)[1:]:
            if isinstance(told, typer.models.OptionInfo):
                # Typer reads the first declaration of an annotated option as its default, and moves it later.
                declared = [text for text in (told.default, *(told.param_decls or ())) if isinstance(text, str)]
                names[name] = next(text for text in declared if text.startswith("--"))
            elif isinstance(told, typer.models.ArgumentInfo) and name in _INSTANTS:
                names[name] = str(told.metavar)
    if "start" in names and "end" in names:
        names["between"] = f"{names['start']} and {names['end']}"
    return names


def in_shell_words(
    message: str, names: Mapping[str, str] | None = None, commands: Callable[[str], bool] | None = None
) -> str:
    """Return a message of the library with options for its arguments, and commands for its methods.

    An argument is `name=`, a name with an underscore, the first word of the message or a word behind "after" with
    a value behind it, or the last word behind "as". Other words and quoted texts stay as they are.

    Args:
        message: of an error.
        names: the options by the arguments that they set, as `shell_names` gives them; None: none.
        commands: tells whether there is a command of a name; None: there is none.
    """
    names = names or {}
    for python, shell in _PHRASES:
        message = message.replace(python, shell)
    argument = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or r"(?!)"
    pattern = re.compile(
        rf"{_QUOTED}|\b(?P<method>[a-z_]+)\(\)|\b(?P<keyword>{argument})=|\b(?P<word>{argument})\b"
        rf"(?:(?P<valued>(?= ['\"\d(\[]))|(?P<last>\Z))?"
    )

    def translated(match: re.Match[str]) -> str:
        if match["quoted"] is not None:
            return match[0]
        if match["method"] is not None:
            command = match["method"].replace("_", "-")
            return f"graph-memory {command}" if commands is not None and commands(command) else match[0]
        if match["keyword"] is not None:
            return names[match["keyword"]]
        before = message[: match.start()]
        of_an_argument = (
            "_" in match["word"]
            or (match["valued"] is not None and (not before or before.endswith("after ")))
            or (match["last"] is not None and before.endswith(" as "))
        )
        return names[match["word"]] if of_an_argument else match[0]

    return pattern.sub(translated, message)
