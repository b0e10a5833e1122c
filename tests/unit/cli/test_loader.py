import signal
from collections.abc import Iterable
from contextlib import nullcontext

import pytest
from fake_tenant import FakeTenant

from graph_memory.cli.importing import loader as loader_module
from graph_memory.cli.importing.loader import Loader, Refusal, Tally, batches
from graph_memory.cli.importing.row_files import Row
from graph_memory.cli.signals import PatientInterrupt


def episode(line: int, id: str, text: str = "words") -> Row:
    return Row(line, 10, {}, episode={"id": id, "text": text})


def fact(line: int, value: str, cited: str, inline: str | None = None) -> Row:
    brought = None if inline is None else {"id": cited, "text": inline}
    return Row(line, 10, {"line": line}, episode=brought, fact={"value": value, "episode": cited})


def load(tenant: FakeTenant, rows: Iterable[Row], batch_size: int = 1000) -> tuple[Tally, list[Refusal]]:
    refusals: list[Refusal] = []
    loader = Loader(tenant, batch_size, refusals.append, nullcontext)  # type: ignore[arg-type]
    loader.load(rows, lambda tally: None)
    return loader.tally, refusals


def test_a_batch_writes_its_episodes_before_its_facts() -> None:
    tenant = FakeTenant()
    tally, refusals = load(tenant, [episode(1, "e1"), fact(2, "a", "e1"), episode(3, "e2"), fact(4, "b", "e2")])
    assert tenant.calls == [("episodes", 2), ("facts", 2)]
    assert refusals == []
    assert (tally.rows, tally.refused) == (4, 0)
    assert (tally.episodes["recorded"], tally.facts["committed"]) == (2, 2)


def test_an_episode_that_its_facts_repeat_is_sent_once() -> None:
    tenant = FakeTenant()
    rows = [fact(line, str(line), "e1", inline="words") for line in range(1, 6)]
    tally, _ = load(tenant, rows, batch_size=2)
    assert [call for call in tenant.calls if call[0] == "episodes"] == [("episodes", 1)]
    assert tally.facts["committed"] == 5


def test_a_fact_whose_own_episode_is_refused_is_refused_too() -> None:
    tenant = FakeTenant()
    tally, refusals = load(
        tenant, [episode(1, "e1"), fact(2, "a", "e1", inline="other words"), fact(3, "b", "e1")]
    )
    assert [(refusal.line, refusal.reason) for refusal in refusals] == [(2, "episode: other content")]
    assert [stored["value"] for stored in tenant.facts] == ["b"]
    assert (tally.rows, tally.refused) == (3, 1)


def test_an_episode_refused_once_is_refused_again_in_a_later_batch() -> None:
    tenant = FakeTenant()
    rows = [episode(1, "e1"), fact(2, "a", "e1", inline="other"), fact(3, "b", "e1", inline="other")]
    _, refusals = load(tenant, rows, batch_size=1)
    assert [refusal.line for refusal in refusals] == [2, 3]
    assert tenant.facts == []


def test_refusals_carry_the_line_of_the_file_and_the_row_in_the_order_of_lines() -> None:
    rows = [
        Row(5, 10, "raw", problem="not JSON"),
        fact(7, "a", "nowhere"),
        Row(9, 10, "raw", problem="not JSON"),
    ]
    tally, refusals = load(FakeTenant(), rows)
    assert refusals == [
        Refusal(5, "not JSON", "raw"),
        Refusal(7, "unknown episode", {"line": 7}),
        Refusal(9, "not JSON", "raw"),
    ]
    assert (tally.rows, tally.refused) == (3, 3)


def test_every_row_is_counted_once_over_batches() -> None:
    tenant = FakeTenant()
    rows = [episode(1, "e1"), *(fact(line, str(line % 7), "e1") for line in range(2, 30))]
    tally, _ = load(tenant, rows, batch_size=4)
    assert tally.rows == 29
    assert (tally.facts["committed"], tally.facts["replayed"]) == (7, 21)


def test_a_batch_is_bounded_by_rows_and_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [episode(line, f"e{line}") for line in range(1, 11)]
    assert [len(batch) for batch in batches(rows, 4)] == [4, 4, 2]
    monkeypatch.setattr(loader_module, "MAX_BATCH_BYTES", 30)
    assert [len(batch) for batch in batches(rows, 100)] == [3, 3, 3, 1]


def test_rows_are_read_only_as_far_as_the_batch_in_hand() -> None:
    taken: list[int] = []

    def source() -> Iterable[Row]:
        for line in range(1, 100):
            taken.append(line)
            yield episode(line, f"e{line}")

    next(iter(batches(source(), 10)))
    assert len(taken) == 10


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_interrupt_waits_for_the_batch() -> None:
    done: list[str] = []

    def batch(patience: PatientInterrupt) -> None:
        with patience.writing():
            press()
            done.append("batch")
        done.append("next batch")

    with PatientInterrupt() as patience, pytest.raises(KeyboardInterrupt):
        batch(patience)
    assert done == ["batch"]


def test_a_second_interrupt_does_not_wait() -> None:
    done: list[str] = []

    def batch(patience: PatientInterrupt) -> None:
        with patience.writing():
            press()
            press()
            done.append("batch")

    with PatientInterrupt() as patience, pytest.raises(KeyboardInterrupt):
        batch(patience)
    assert done == []


def test_an_interrupt_between_batches_does_not_wait() -> None:
    with PatientInterrupt(), pytest.raises(KeyboardInterrupt):
        press()


def test_interrupts_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    with PatientInterrupt():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
