"""From the rows of the templates to records: instants are microseconds since 1970, values of their type."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from neo4j.time import Date, DateTime

from graph_memory.candidates.records import CandidateStatus, Understood
from graph_memory.candidates.rows import candidate_from_row, candidate_row
from graph_memory.domain.instants import to_micros
from graph_memory.domain.values import Ref, Value, from_property, to_property, value_type
from graph_memory.entities.rows import entity_from_row, kinds_of_labels, merge_from_row
from graph_memory.episodes.rows import episode_from_row
from graph_memory.ledger.rows import entry_from_row, fact_from_row
from graph_memory.queue.jobs import ExtractionState
from graph_memory.queue.rows import extraction_from_row
from graph_memory.search.rows import supported_from_rows

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
JULY = datetime(2026, 7, 1, tzinfo=UTC)
ENTRY: list[Any] = ["f1", "mira", "home", True, "Bern", "str", to_micros(JUNE), None, to_micros(JULY)]
ENTRY += [None, "e1", "user", "f0", "assistant/1", None, None]


@pytest.mark.parametrize(
    "value", ["x", 3, 2.5, True, date(2026, 6, 1), JUNE, Ref("acme"), Ref("acme", "Company")], ids=repr
)
def test_a_value_comes_back_as_it_was_stored(value: Value) -> None:
    stored = to_property(value)
    if isinstance(stored, datetime):
        stored = DateTime.from_native(stored)
    elif isinstance(stored, date):
        stored = Date.from_native(stored)
    found = from_property(value_type(value), stored)
    assert (found, type(found)) == (value, type(value))


def test_a_fact_has_the_segment_that_was_read_and_the_entry_behind_it() -> None:
    fact = fact_from_row("acme", JUNE, JULY, ENTRY)
    assert (fact.value, fact.valid_from, fact.valid_to, fact.recorded_at) == ("Bern", JUNE, JULY, JULY)
    assert (fact.supersedes, fact.schema_version, fact.ended) == ("f0", "assistant/1", False)


def test_an_end_has_no_value_and_tells_which_of_many_ended() -> None:
    end = fact_from_row("acme", JUNE, None, [*ENTRY[:3], False, "tea", *ENTRY[5:]])
    assert (end.value, end.ended, end.ended_value) == (None, True, "tea")
    assert entry_from_row("slot", [*ENTRY[:3], False, "tea", *ENTRY[5:8]]).value is None


def test_the_facts_of_an_episode_stand_in_the_order_of_recording() -> None:
    later = [True, "f2", *ENTRY[1:8], to_micros(JULY) + 1, *ENTRY[9:]]
    found = supported_from_rows("acme", [later, [False, *ENTRY]])
    assert [(one.fact.id, one.holds) for one in found] == [("f1", False), ("f2", True)]


def test_an_episode_has_its_metadata_back() -> None:
    row = ["e1", "hi", "message", "user", None, to_micros(JUNE), None, None, '{"a": [1]}']
    episode = episode_from_row("acme", row)
    assert (episode.occurred_at, episode.said_at, episode.metadata["a"]) == (None, JUNE, [1])


def test_an_extraction_has_its_state() -> None:
    row = ["e1", "queued", None, 2, None, None, to_micros(JUNE), None, None]
    assert extraction_from_row("acme", row).state is ExtractionState.QUEUED


def test_kinds_are_the_labels_that_are_not_ours() -> None:
    assert kinds_of_labels(["Entity", "Person", "Company"]) == ("Company", "Person")
    entity = entity_from_row("acme", ["mira", "Mira", ["M"], ["Entity", "Person"], None])
    assert (entity.kinds, entity.aliases) == (("Person",), ("M",))


def test_a_merge_has_its_undoing() -> None:
    row = ["m1", "a", "b", "e1", to_micros(JUNE), 3, [], [], ["c1"], to_micros(JULY), "e2", []]
    merge = merge_from_row("acme", row)
    assert (merge.undone_at, merge.undone_by, merge.conflicts) == (JULY, "e2", ("c1",))


def test_a_candidate_is_stored_with_what_was_understood_and_read_back() -> None:
    row = candidate_row("c1", "e1", Understood(attribute="home", change="new"), CandidateStatus.REFUSED, "why")
    assert (row["id"], row["attribute"], row["change"], row["subject"]) == ("c1", "home", "new", None)
    columns: list[Any] = ["c1", "refused", "why", "e1", "user", None, None, None, None, "home", "new"]
    columns += [None, None, None, None, None, None, None, to_micros(JUNE)]
    columns += [None, None, None, None, None]
    found = candidate_from_row("acme", columns)
    assert (found.status, found.attribute, found.recorded_at) == (CandidateStatus.REFUSED, "home", JUNE)
