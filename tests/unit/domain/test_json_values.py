import copy
import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graph_memory.candidates.records import Candidate, CandidateStatus
from graph_memory.cli.output import jsonable
from graph_memory.context.rendering import shown
from graph_memory.domain.json_values import MAX_DEPTH, ReadOnlyDict, frozen, json_line
from graph_memory.domain.records import Episode
from graph_memory.episodes.rows import episode_from_row as episode_of
from graph_memory.episodes.validation import MAX_METADATA, EpisodeInput, episode_row, same_content
from graph_memory.errors import InvalidInputError
from graph_memory.extraction.entity_linking import Fate
from graph_memory.extraction.outcome import _proposed
from graph_memory.extraction.proposals import Malformed
from graph_memory.extraction.validation import Judgement
from graph_memory.search.records import Evidence
from graph_memory.storage.records import SchemaInfo

NOW = datetime(2026, 6, 1, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(), parts, max_size=4),
    max_leaves=20,
)


class Channel(StrEnum):
    MAIL = "mail"


def checked_row(text: str, **given: Any) -> dict[str, Any]:
    return episode_row(EpisodeInput(text=text, **given), lambda: "new")


def nested(depth: int, inside: Any = 1) -> dict[str, Any]:
    for level in range(depth):
        inside = [inside] if level % 2 and level < depth - 1 else {"a": inside}
    return {"a": inside} if isinstance(inside, list) else inside


def stored(metadata: Any) -> Episode:
    row = checked_row("Said.", id="e1", metadata=metadata)
    micros = 1_780_000_000_000_000
    return episode_of("acme", ("e1", "Said.", "message", "user", None, micros, None, None, row["metadata"]))


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), JSON, max_size=5))
def test_metadata_comes_back_as_it_was_or_is_refused(metadata: dict[str, Any]) -> None:
    try:
        episode = stored(metadata)
    except InvalidInputError as error:
        assert "surrogate" in str(error)  # noqa: PT017
        return
    assert repr(sorted_(episode.metadata)) == repr(sorted_(metadata))
    assert same_content(episode, checked_row("Said.", id="e1", metadata=metadata))


def sorted_(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: sorted_(value[name]) for name in sorted(value)}
    return [sorted_(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ({1: "x"}, "has the key 1 of type int"),
        ({None: "x"}, "has the key None of type NoneType"),
        ({True: "x"}, "has the key True of type bool"),
        ({"a": [{2.5: "x"}]}, "has the key 2.5 of type float"),
        ({"a": (1, 2)}, r"holds \(1, 2\) of type tuple"),
        ({"a": {1, 2}}, "of type set"),
        ({"a": NOW}, "of type datetime"),
        ({"a": b"x"}, "of type bytes"),
        ({"a": float("nan")}, "holds nan of type float: JSON holds text, finite numbers"),
        ({"a": [float("inf")]}, "holds inf"),
        ({"a": 10**5000}, "cannot be written as JSON"),
        ({"a": "\ud800"}, "surrogate"),
        ({"\ud800": 1}, "surrogate"),
        ({"a": "x" * MAX_METADATA}, "characters as JSON, and at most 100000 fit"),
        (nested(MAX_DEPTH + 1), "nested more than 100 deep"),
        (nested(5000), "nested more than 100 deep"),
        ([("a", 1)], "must be a mapping"),
        ("a", "must be a mapping"),
    ],
)
def test_metadata_that_json_would_change_or_cannot_hold_is_refused(metadata: Any, says: str) -> None:
    with pytest.raises(InvalidInputError, match=f"metadata .*{says}"):
        checked_row("Said.", metadata=metadata)


def test_metadata_that_holds_itself_or_shares_a_part_without_end_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["a"] = [circle, circle]
    shared: Any = []
    for _ in range(40):
        shared = [shared] * 10
    for metadata in (circle, {"a": shared}):
        with pytest.raises(InvalidInputError, match="metadata"):
            checked_row("Said.", metadata=metadata)


def test_metadata_of_the_greatest_depth_is_stored_and_shown() -> None:
    metadata = nested(MAX_DEPTH)
    episode = stored(metadata)
    assert episode.metadata == metadata
    evidence = Evidence(episode=episode, score=1.0)
    assert json.loads(json.dumps(jsonable([evidence])))[0]["episode"]["metadata"] == metadata
    assert json.loads(evidence.model_dump_json())["episode"]["metadata"] == metadata
    assert copy.deepcopy(episode.metadata) == metadata


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (1, True), (0, False), (0.0, -0.0)])
def test_what_differs_in_its_type_alone_is_other_content(one: Any, other: Any) -> None:
    assert same_content(stored({"n": one}), checked_row("Said.", id="e1", metadata={"n": one}))
    assert not same_content(stored({"n": one}), checked_row("Said.", id="e1", metadata={"n": other}))


def test_text_numbers_and_dicts_of_a_subclass_are_what_they_are_equal_to() -> None:
    assert stored(ReadOnlyDict({"channel": Channel.MAIL})).metadata == {"channel": "mail"}


CHANGES: list[Callable[[Any], object]] = [
    lambda held: held.update(a=2),
    lambda held: held.__setitem__("a", 2),
    lambda held: held.pop("a"),
    lambda held: held.clear(),
    lambda held: held["list"].append(3),
    lambda held: held["list"].sort(),
    lambda held: held["list"][1].update(b=2),
    lambda held: held["list"].__iadd__([1]),
    lambda held: held.__ior__({"a": 2}),
    lambda held: held["list"].__delitem__(0),
]
HELD = {"a": 1, "list": [0, {"b": 1}]}
HOLDERS = {
    "read": lambda: stored(HELD).metadata,
    "made": lambda: Episode(id="e", tenant="t", text="x", recorded_at=NOW, metadata=copy.deepcopy(HELD)).metadata,
    "candidate": lambda: Candidate(
        id="c", tenant="t", status=CandidateStatus.WEAK, reason="", episode_id="e", source="s",
        recorded_at=NOW, proposal=copy.deepcopy(HELD),
    ).proposal,
    "schema": lambda: SchemaInfo(
        name="s", version=1, declaration=copy.deepcopy(HELD), recorded_at=NOW
    ).declaration,
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_what_a_frozen_record_holds_cannot_be_changed(
    holder: Callable[[], Any], change: Callable[[Any], object]
) -> None:
    held = holder()
    with pytest.raises(TypeError, match="cannot be changed"):
        change(held)
    assert held == HELD


def test_a_copy_of_what_a_record_holds_can_be_changed() -> None:
    held = frozen(HELD)
    for made in (copy.deepcopy(held), pickle.loads(pickle.dumps(held)), json.loads(json.dumps(held))):
        assert made == held
    changed = copy.deepcopy(held)
    changed["list"][1]["b"] = 2
    assert copy.copy(held) | {"a": 2} == {**HELD, "a": 2}
    assert {**held, "a": 2}["a"] == 2
    assert held == HELD


@given(st.text())
def test_json_for_a_prompt_is_one_line_that_reads_back(text: str) -> None:
    line = json_line({"value": [text]})
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"value": [text]}
    assert len(shown(text).splitlines()) <= 1


@pytest.mark.parametrize(
    "raw",
    [nested(500), nested(100_000), {"n": float("nan")}, {1: 2}, {"n": 10**5000}, "x" * 100_000],
    ids=["deep", "deeper", "nan", "key", "huge", "long"],
)
def test_what_a_model_said_is_kept_as_json_that_can_be_shown_whatever_it_is(raw: Any) -> None:
    kept = _proposed(Judgement(1, Malformed(raw, "no update"), Fate.REFUSE))
    assert isinstance(kept, str)
    assert len(kept) <= 5000
    assert json.loads(json.dumps(kept, allow_nan=False)) == kept
    assert _proposed(Judgement(1, Malformed({"a": 1}, "no update"), Fate.REFUSE)) == {"a": 1}
