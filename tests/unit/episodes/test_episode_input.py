"""An episode as a caller gives it."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.episodes.validation import (
    FIELDS,
    MAX_TEXT,
    EpisodeInput,
    episode_row,
    input_of_call,
    input_of_row,
)
from graph_memory.errors import InvalidInputError


def test_an_input_stands_for_the_text_and_all_other_fields() -> None:
    given = EpisodeInput("hi", id="e1", source="crm")
    assert input_of_call(given, id=None, source="user") is given
    assert input_of_call("hi", id="e1", source="crm") == given
    with pytest.raises(InvalidInputError, match="source"):
        input_of_call(given, source="agent")


def test_a_row_is_an_input_a_mapping_or_an_object() -> None:
    given = EpisodeInput("hi", id="e1")
    assert input_of_row(given) is given
    assert episode_row(input_of_row({"text": "hi", "id": "e1"}), str) == episode_row(given, str)
    with pytest.raises(InvalidInputError, match="colour"):
        input_of_row({"text": "hi", "colour": "red"})
    with pytest.raises(InvalidInputError, match="text"):
        input_of_row({"id": "e1"})


def test_an_episode_without_an_id_gets_a_new_one() -> None:
    assert episode_row(EpisodeInput("hi"), lambda: "new")["id"] == "new"
    assert episode_row(EpisodeInput("hi", id="e1"), lambda: "new")["id"] == "e1"


@pytest.mark.parametrize(
    "changed",
    [
        {"text": ""},
        {"text": "x" * (MAX_TEXT + 1)},
        {"text": None},
        {"text": "\ud800"},
        {"id": ""},
        {"kind": ""},
        {"source": 3},
        {"occurred_at": "yesterday"},
        {"metadata": [1]},
        {"extract": "now"},
        {"about": "mira"},
    ],
    ids=repr,
)
def test_what_cannot_be_stored_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        episode_row(EpisodeInput(**{"text": "hi"} | changed), str)


def test_the_fields_of_rows_and_files_are_those_of_the_input() -> None:
    assert FIELDS[:2] == ("text", "id")
    assert set(FIELDS) == set(EpisodeInput.__dataclass_fields__)
