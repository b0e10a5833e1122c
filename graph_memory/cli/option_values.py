"""What the texts of options stand for: values, JSON objects, and text from standard input."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from graph_memory.cli import value_parsing
from graph_memory.cli.session import Session
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory.domain.values import Value


def text_of(given: str) -> str:
    """Return the text of an argument, or for - all of standard input."""
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if given == "-" else given


def typed_value(session: Session, attribute: str | None, text: str, type_name: str | None) -> Value:
    """Return the value that a text stands for. Its type is the named one, else the declared one, else a guess."""
    if type_name is None and attribute is not None and session.declared is not None:
        type_name = session.declared.attribute(attribute).type
    return value_parsing.guess(text) if type_name is None else value_parsing.from_text(text, type_name)


def optional_value(
    session: Session, attribute: str | None, text: str | None, type_name: str | None
) -> Value | None:
    """Return the value of the option --value, typed as `typed_value` does; None where the option is left out."""
    if text is not None:
        return typed_value(session, attribute, text, type_name)
    if type_name is not None:
        raise InvalidInputError("--type needs --value: give both, or leave --type out")
    return None


def json_object(text: str) -> dict[str, Any]:
    """Return the object of the option --metadata; raises InvalidInputError where it is not a JSON object."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise InvalidInputError(f'--metadata {text!r} is not a JSON object: write it as {{"channel": "mail"}}')
    return parsed
