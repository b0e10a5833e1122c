"""The examples, run as a newcomer would, on small samples of their data (tests/data/README.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from commands import CommandLine
from example_scripts import example
from servers import TestServer

from graph_memory import RECORDED, Fact, GraphMemory, Ref, Tenant

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FACTS = DATA / "wikidata12k"
DIALOGUES = DATA / "sgd" / "dialogues_sample.json"


wikidata12k = example("wikidata12k")
replay_dialogues = example("replay_dialogues")
quickstart = example("quickstart")


def row(start: str, end: str) -> Any:
    return wikidata12k.Row(2, "", "Q1", "P108", "Q2", start, end)


@pytest.mark.parametrize(
    ("start", "end", "interval"),
    [
        ("1926-##-##", "1929-##-##", ("1926-01-01", "1930-01-01")),
        ("2008-##-##", "2008-##-##", ("2008-01-01", "2009-01-01")),
        ("918-##-##", "927-##-##", ("0918-01-01", "0928-01-01")),
        ("98-##-##", "####-##-##", ("0098-01-01", None)),
        ("####-##-##", "97-##-##", ("0001-01-01", "0098-01-01")),
    ],
)
def test_a_year_lasts_to_the_first_instant_of_the_next_and_unknown_is_unbounded(
    start: str, end: str, interval: tuple[str, str | None]
) -> None:
    found = wikidata12k.dated(row(start, end))
    assert (found.valid_from, found.until) == tuple(
        None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC) for text in interval
    )


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        ("1811-##-##", "1796-##-##", "end before start"),
        ("19##-##-##", "19##-##-##", "unknown digits"),
        ("1950-##-##", "195#-##-##", "unknown digits"),
        ("196-##-##", "196-##-##", "unknown digits"),
        ("1950-13-01", "1951-##-##", "not a date"),
        ("-##-##", "1951-##-##", "not a date"),
    ],
)
def test_a_date_that_does_not_say_when_is_refused_with_a_reason(start: str, end: str, reason: str) -> None:
    with pytest.raises(wikidata12k.UnusableDateError, match=reason):
        wikidata12k.dated(row(start, end))


@pytest.fixture
def arguments(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments that send an example to the server under test, into a tenant of its own."""
    monkeypatch.setenv("NEO4J_URI", server.uri)
    monkeypatch.setenv("NEO4J_USERNAME", server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", server.password)
    return ["--uri", server.uri, "--tenant", f"example-{uuid4().hex[:12]}"]


@contextmanager
def stored_by(arguments: list[str]) -> Iterator[Tenant]:
    """What an example has stored."""
    with GraphMemory.open(many=RECORDED) as memory:
        yield memory.tenant(arguments[-1])


def counted(output: str) -> dict[str, int]:
    """The counts that an example printed, by what was counted."""
    lines = re.findall(r"^ *([\d,]+) (.+?)(?: in | \(|,|$)", output, re.MULTILINE)
    return {what: int(count.replace(",", "")) for count, what in lines}


@pytest.mark.server
def test_wikidata_facts_agree_with_the_file_and_a_second_import_changes_nothing(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for outcome in ("committed", "replayed"):
        assert wikidata12k.main([str(FACTS), *arguments]) == 0
        counts = counted(capsys.readouterr().out)
        assert counts["differences between the ledger and the file"] == 0
        assert counts["facts asserted"] == 355
        assert counts[f"{outcome} by the ledger"] == 328
        assert counts["refused by the ledger"] == 27
        assert counts["refused before the ledger: end before start"] == 6
        assert counts["refused before the ledger: year with unknown digits"] == 2


@pytest.mark.server
@pytest.mark.parametrize("line", ["Q84\tP17\tQ179876", "Q16666\tP1376\tQ274488"])
def test_a_fact_that_the_ledger_lost_is_found_by_the_scan_of_the_file(
    arguments: list[str], capsys: pytest.CaptureFixture[str], line: str
) -> None:
    assert wikidata12k.main([str(FACTS), *arguments]) == 0
    subject, property, object = line.split("\t")
    with stored_by(arguments) as tenant:
        attribute = wikidata12k.read_attributes(FACTS)[property]
        lost = next(fact for fact in tenant.history(subject, attribute) if fact.value == Ref(object))
        tenant.retract_fact(lost.id, reason="to see whether it is missed")
    capsys.readouterr()
    assert wikidata12k.main([str(FACTS), *arguments]) == 1
    output = capsys.readouterr().out
    assert f"{subject} {property} as of {lost.asserted_from}" in output


@pytest.mark.server
def test_dialogues_agree_with_the_annotation_after_every_turn_and_as_of_every_turn(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_dialogues.main([str(DIALOGUES), *arguments]) == 0
    counts = counted(capsys.readouterr().out)
    assert counts["dialogues"] == 3
    assert counts["states compared after a turn"] == 17
    assert counts["states compared when all was loaded"] == 34
    assert counts["differences"] == 0


@pytest.mark.server
def test_a_slot_that_went_is_ended_and_an_earlier_turn_still_sees_it(arguments: list[str], tmp_path: Path) -> None:
    dialogue = json.loads(DIALOGUES.read_text(encoding="utf-8"))[0]
    name, service = dialogue["dialogue_id"], dialogue["services"][0]
    last = [turn for turn in dialogue["turns"] if turn["speaker"] == "USER"][-1]
    slots = last["frames"][0]["state"]["slot_values"]
    went = sorted(slots)[0]
    del slots[went]
    path = tmp_path / "dialogues_001.json"
    path.write_text(json.dumps([dialogue]), encoding="utf-8")

    assert replay_dialogues.main([str(tmp_path), *arguments]) == 0

    spoken = replay_dialogues.BEGINNING + timedelta(minutes=dialogue["turns"].index(last))
    with stored_by(arguments) as tenant:
        subject = f"{name}/{service}"
        ended = tenant.current(subject, went)
        before = tenant.as_of(subject, went, spoken - timedelta(minutes=1))
    assert ended is not None
    assert ended.ended
    assert ended.asserted_from == spoken
    assert before is not None
    assert before.value is not None


@pytest.mark.server
def test_a_value_that_the_memory_lost_is_found_by_the_replay(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_dialogues.main([str(DIALOGUES), *arguments]) == 0
    with stored_by(arguments) as tenant:
        lost = next(iter(tenant.state("1_00010/Restaurants_2").values()))
        assert isinstance(lost, Fact)
        tenant.retract_fact(lost.id, reason="to see whether it is missed")
    assert replay_dialogues.main([str(DIALOGUES), *arguments]) == 1
    assert f"1_00010/Restaurants_2 {lost.attribute} as of" in capsys.readouterr().out


@pytest.mark.server
@pytest.mark.parametrize("name", ["support_agent", "coding_agent", "personal_assistant"])
def test_a_schema_of_the_examples_fits_a_database(cli: CommandLine, name: str) -> None:
    checked = cli("schema check", "--schema", f"{ROOT / 'examples' / f'{name}.py'}:schema")
    assert (checked.code, checked.err) == (0, "")


@pytest.mark.server
@pytest.mark.usefixtures("arguments")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "support_agent",
            [
                "same start: enterprise is kept and does not hold; what holds is team",
                "later start: refused, because crm says team",
                "open cases: ['4712']",
                "ines is reached by: phone",
                "ines leads to: account=globex policy=gold",
            ],
        ),
        (
            "coding_agent",
            [
                "the queue: Redis from 2026-05-04, then PostgreSQL from 2026-06-01",
                "the agent's guess: refused, because the maintainer says make test",
                "to do: shop pending_tasks fix-queue, fix-queue touches queue.py",
            ],
        ),
        (
            "personal_assistant",
            [
                "deadline: 2026-06-30 under personal-assistant/1",
                "not a date: passport_deadline 'soon' is not a date of the calendar: give one such as 2026-07-15",
                "employer: refused, the crm may not replace what the user said",
                "acme is a Company",
            ],
        ),
    ],
)
def test_an_example_of_a_schema_decides_as_declared_and_may_be_run_again(
    name: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        example(name).main()
        assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.server
@pytest.mark.usefixtures("arguments")
def test_the_quickstart_answers_now_then_and_before(capsys: pytest.CaptureFixture[str]) -> None:
    quickstart.main()
    assert capsys.readouterr().out.splitlines() == [
        "now: 2026-06-30, because of e2",
        "on June 2: 2026-07-15, because of e1",
        "in May: nothing is known",
    ]
