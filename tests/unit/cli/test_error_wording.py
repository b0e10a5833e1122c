"""The command line speaks of options and shell input, and of no name of the library."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from graph_memory.cli.commands import reads, writes
from graph_memory.cli.error_wording import in_shell_words, shell_names
from graph_memory.domain.instants import parse_instant
from graph_memory.errors import InvalidInputError

ASSERT = shell_names(get_type_hints(writes.assert_, include_extras=True))
END = shell_names(get_type_hints(writes.end, include_extras=True))
AS_OF = shell_names(get_type_hints(reads.as_of, include_extras=True))
SEARCH = shell_names(get_type_hints(reads.search, include_extras=True))


def said(message: str, names: dict[str, str]) -> str:
    return in_shell_words(message, names, {"review", "name-entity"}.__contains__)


@pytest.mark.parametrize(
    ("names", "library", "shell"),
    [
        (ASSERT, "valid_from 'soon' is not an instant", "--from 'soon' is not an instant"),
        (ASSERT, "valid_from 'valid_from' is wrong", "--from 'valid_from' is wrong"),
        (
            ASSERT,
            "until 2026-01-01T00:00:00Z is not after valid_from 2026-02-01T00:00:00Z: swap them",
            "--until 2026-01-01T00:00:00Z is not after --from 2026-02-01T00:00:00Z: swap them",
        ),
        (
            END,
            "likes has many values at a time: say with value= which",
            "likes has many values at a time: say with --value which",
        ),
        (
            END,
            "home of mira ended at 2026-06-01 and holds until 2027",
            "home of mira ended at 2026-06-01 and holds until 2027",
        ),
        (AS_OF, "at 'x' is not an instant", "INSTANT 'x' is not an instant"),
        (AS_OF, "known_at 'x' is not an instant", "--known-at 'x' is not an instant"),
        (SEARCH, "between 'x' is not an instant", "--from and --to 'x' is not an instant"),
        (
            AS_OF,
            "no candidate 'c1': take an id from review()",
            "no candidate 'c1': take an id from graph-memory review",
        ),
        (AS_OF, "take it from stream()", "take it from stream()"),
        (AS_OF, "nothing is declared: open the memory with schema=", "nothing is declared: give --schema"),
    ],
)
def test_arguments_become_options_and_methods_become_commands(
    names: dict[str, str], library: str, shell: str
) -> None:
    assert said(library, names) == shell


def test_an_instant_is_text_in_a_shell() -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_instant("soon", "valid_from")
    assert said(str(caught.value), ASSERT).startswith(
        "--from 'soon' is not an instant: give a date (midnight UTC)"
    )
