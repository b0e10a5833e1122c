"""An entity with a great many values costs as much as what is shown of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from ledgers import fresh_name

from graph_memory import GraphMemory, NoteKind, Tenant

pytestmark = pytest.mark.server

START = datetime(2026, 1, 1, tzinfo=UTC)
VALUES = 400


@pytest.fixture(scope="module")
def hub(memory: GraphMemory) -> Tenant:
    tenant = memory.tenant(fresh_name())
    episode = tenant.record("All that mira likes.", id="e1")
    rows = [
        {
            "subject": "mira",
            "attribute": "likes",
            "value": f"thing{number:03}",
            "valid_from": START + timedelta(hours=number),
            "episode": episode,
        }
        for number in range(VALUES)
    ]
    assert not tenant.assert_facts(rows).refused
    return tenant


def rows_read(memory: GraphMemory, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    read, counts = type(memory.services.database).read, []

    def spied(self: Any, name: str, /, **parameters: Any) -> Any:
        found = read(self, name, **parameters)
        counts.append(len(found))
        return found

    monkeypatch.setattr(type(memory.services.database), "read", spied)
    return counts


QUESTIONS = ["What likes does mira have?", "Tell me about mira.", "Is mira afraid of dogs?"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_context_reads_no_more_of_a_hub_than_it_shows(
    memory: GraphMemory, hub: Tenant, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    counts = rows_read(memory, monkeypatch)
    context = hub.context(question, router="rules", token_budget=100_000)
    assert max(counts) <= 50
    assert context.facts or context.related
    if context.answered:
        assert [fact.fact.value for fact in context.facts] == [f"thing{n:03}" for n in range(VALUES - 50, VALUES)]
        [note] = [note for note in context.notes if note.kind is NoteKind.LEFT_OUT]
        assert note.text.startswith(f"{VALUES} facts answer")


def test_the_latest_are_the_same_by_what_was_known(memory: GraphMemory, hub: Tenant) -> None:
    reader = hub._reader
    at = START + timedelta(hours=VALUES // 2)
    [[now]] = memory.services.database.run_alone("RETURN datetime({datetime: datetime.realtime(), timezone: 'Z'})")
    known_at = now.to_native()
    present, totals = reader.latest(["mira"], None, at, None, 10)
    past, known = reader.latest(["mira"], ["likes"], at, known_at, 10)
    assert [fact.value for fact in present] == [f"thing{n:03}" for n in range(VALUES // 2, VALUES // 2 - 10, -1)]
    assert present == past
    assert totals == known == {("mira", "likes"): VALUES // 2 + 1}
