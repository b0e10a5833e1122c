"""What the texts of options stand for."""

from __future__ import annotations

import pytest

from graph_memory import InvalidInputError
from graph_memory.cli.option_values import json_object


def test_metadata_is_a_json_object() -> None:
    assert json_object('{"channel": "mail", "urgent": true}') == {"channel": "mail", "urgent": True}


@pytest.mark.parametrize("text", ["", "mail", "[1]", "1", "null", "[" * 100_000])
def test_what_is_no_json_object_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInputError, match=r"is not a JSON object: write it as \{"):
        json_object(text)
