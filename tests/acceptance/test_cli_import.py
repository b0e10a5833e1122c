"""Importing files on a real server."""

from __future__ import annotations

import csv
import json
import signal
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from commands import CommandLine, Process, unused_name

from graph_memory import Tenant

pytestmark = pytest.mark.server

FIRST = date(2020, 1, 1)


def episode(id: str) -> dict[str, object]:
    return {"id": id, "text": f"Episode {id} says it.", "source": "crm"}


def fact(subject: str, value: object, day: int, cited: object = "e1", **more: object) -> dict[str, object]:
    start = (FIRST + timedelta(days=day)).isoformat()
    return {
        "subject": subject,
        "attribute": "level",
        "value": value,
        "valid_from": start,
        "episode": cited,
        **more,
    }


def write_lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_file_of_episodes_and_facts_is_imported_and_again_changes_nothing(
    cli: CommandLine, tenant: Tenant, tmp_path: Path
) -> None:
    rows = [
        episode("e1"),
        *(fact("mira", level, level) for level in range(50)),
        fact("joe", 1, 1, episode("e2")),
    ]
    path = write_lines(tmp_path / "facts.jsonl", rows)
    first = cli("import", str(path), "--json", "--batch-size", "7", tenant=tenant.name)
    assert (first.code, first.err) == (0, "")
    assert first.json["rows"] == 52
    assert first.json["episodes"] == {"recorded": 2, "replayed": 0}
    assert first.json["facts"] == {"committed": 51, "confirmed": 0, "replayed": 0}
    assert (first.json["refused"], first.json["finished"]) == (0, True)
    again = cli("import", str(path), "--json", tenant=tenant.name).json
    assert again["episodes"] == {"recorded": 0, "replayed": 2}
    assert again["facts"] == {"committed": 0, "confirmed": 0, "replayed": 51}
    assert [held.value for held in tenant.history("mira", "level")] == list(range(50))
    assert tenant.episode("e2").source == "crm"


def test_csv_keeps_types_and_brings_episodes(cli: CommandLine, tenant: Tenant, tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["episode", "text", "subject", "attribute", "value", "value_type", "valid_from", "until"])
        writer.writerow(["e1", "Two\nlines", "mira", "a", "1", "int", "2026-01-01", ""])
        writer.writerow(["e1", "Two\nlines", "mira", "b", "1", "", "2026-01-01", "2026-02-01"])
        writer.writerow(["e1", "Two\nlines", "mira", "c", "globex", "ref:Company", "2026-01-01", ""])
    done = cli("import", str(path), "--json", tenant=tenant.name)
    assert done.code == 0, done.err
    assert done.json["episodes"] == {"recorded": 1, "replayed": 0}
    state = cli("state", "mira", "--at", "2026-01-15", "--json", tenant=tenant.name).json
    assert [(state[name]["value"], state[name]["value_type"]) for name in "abc"] == [
        (1, "int"), ("1", "str"), ("globex", "ref:Company")
    ]  # fmt: skip
    assert state["b"]["until"] == "2026-02-01T00:00:00Z"
    assert tenant.episode("e1").text == "Two\nlines"


def test_refused_rows_are_told_with_line_and_reason_and_the_others_are_written(
    cli: CommandLine, tenant: Tenant, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        episode("e1"),
        fact("mira", 1, 1),
        fact("mira", 2, 1),
        fact("mira", 3, 2, "e9"),
        fact("mira", 4, 3, quote="not in there"),
        fact("mira", 5, 4, {"id": "e1", "text": "other words"}),
        fact("mira", 6, 5, value_type="date"),
        {"subject": "mira"},
        fact("", 7, 6),
        fact("mira", 8, 7, quote="says it"),
    ]
    path = write_lines(tmp_path / "facts.jsonl", rows)
    path.write_text(path.read_text() + "no json\n")
    refused = tmp_path / "refused.jsonl"
    done = cli("import", str(path), "--json", "--refused", str(refused), tenant=tenant.name)
    assert done.code == 5
    assert [refusal["line"] for refusal in done.json["refusals"]] == [3, 4, 5, 6, 7, 8, 9, 11]
    assert all(refusal["reason"] for refusal in done.json["refusals"])
    assert (done.json["rows"], done.json["refused"]) == (11, 8)
    assert [held.value for held in tenant.history("mira", "level")] == [1, 8]
    written = [json.loads(line) for line in refused.read_text().splitlines()]
    assert [entry["line"] for entry in written] == [3, 4, 5, 6, 7, 8, 9, 11]
    assert written[0]["row"] == rows[2]
    for_people = cli("import", str(path), tenant=tenant.name)
    assert for_people.code == 5
    assert "not JSON" in for_people.out
    assert "e9" in for_people.out


def test_every_refused_row_is_written_where_the_summary_shows_a_few(
    cli: CommandLine, tenant: Tenant, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "facts.jsonl", [fact("mira", 1, day, "nowhere") for day in range(1, 1501)])
    refused = tmp_path / "refused.jsonl"
    done = cli("import", str(path), "--refused", str(refused), tenant=tenant.name)
    assert done.code == 5
    assert "and 1,480 more" in done.out
    assert len(refused.read_text().splitlines()) == 1500
    as_json = cli("import", str(path), "--json", tenant=tenant.name).json
    assert (as_json["refused"], len(as_json["refusals"])) == (1500, 1000)


def test_a_new_attribute_may_be_declared_as_many(cli: CommandLine, tenant: Tenant, tmp_path: Path) -> None:
    name = unused_name()
    rows = [episode("e1"), *({**fact("mira", f"v{number}", 1), "attribute": name} for number in range(5))]
    path = write_lines(tmp_path / "facts.jsonl", rows)
    done = cli("import", str(path), "--many", name, "--json", tenant=tenant.name)
    assert (done.code, done.json["facts"]["committed"]) == (0, 5)
    assert cli("import", str(path), "--json", tenant=tenant.name).json["facts"]["replayed"] == 5
    assert len(cli("values", "mira", name, "--json", tenant=tenant.name).json) == 5


def test_many_of_an_attribute_that_is_recorded_with_one_stops_the_import_before_its_first_row(
    cli: CommandLine, tenant: Tenant, tmp_path: Path
) -> None:
    name = unused_name()
    path = write_lines(tmp_path / "facts.jsonl", [episode("e1"), {**fact("mira", 1, 1), "attribute": name}])
    assert cli("import", str(path), tenant=tenant.name).code == 0
    more = write_lines(tmp_path / "more.jsonl", [episode("e2"), fact("mira", 2, 2, "e2")])
    refused = cli("import", str(more), "--many", name, "--json", tenant=tenant.name)
    assert (refused.code, refused.out) == (2, "")
    assert name in refused.err
    assert cli("episode", "e2", tenant=tenant.name).code == 3


@pytest.mark.parametrize(("language", "facts"), [("csv", 4), ("json", 2)])
def test_the_files_of_the_documentation_are_imported_as_it_says(
    language: str, facts: int, cli: CommandLine, tenant: Tenant, tmp_path: Path
) -> None:
    document = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    content = document[document.index("## Import files") :].partition(f"```{language}\n")[2].partition("```")[0]
    path = tmp_path / f"facts.{language}"
    path.write_text(content)
    done = cli("import", str(path), "--many", "likes", "--json", tenant=tenant.name)
    assert (done.code, done.json["facts"]["committed"]) == (0, facts), done.out
    likes = [held.value for held in tenant.values("mira", "likes")]
    assert likes == (["jazz", "tea"] if language == "csv" else [])


def test_standard_input_is_read_as_it_comes(process: Process, tenant: Tenant) -> None:
    running = process("import", "-", "--json", tenant=tenant.name)
    rows = [episode("e1"), fact("mira", 1, 1)]
    out, err = running.communicate("".join(json.dumps(row) + "\n" for row in rows).encode())
    assert (running.returncode, err) == (0, b"")
    assert json.loads(out)["facts"]["committed"] == 1


def test_an_interrupted_import_tells_how_far_it_came_and_goes_on_when_run_again(
    cli: CommandLine, process: Process, tenant: Tenant, tmp_path: Path
) -> None:
    running = process("import", "-", "--json", "--batch-size", "10", tenant=tenant.name)
    rows = [episode("e1"), *(fact(f"s{number}", number, 1) for number in range(199))]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    assert running.stdin is not None
    running.stdin.write(lines.encode())
    running.stdin.flush()
    deadline = time.monotonic() + 60
    while tenant.current("s150", "level") is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Interrupted after" in err
    assert b"Traceback" not in err
    report = json.loads(out)
    assert report["finished"] is False
    assert 150 < report["rows"] <= 200
    path = tmp_path / "all.jsonl"
    path.write_text(lines)
    again = cli("import", str(path), "--json", tenant=tenant.name).json
    assert again["facts"]["committed"] + report["facts"]["committed"] == 199
    assert again["facts"]["replayed"] == report["facts"]["committed"]


def test_what_json_prints_can_be_imported_again(cli: CommandLine, tenant: Tenant, tmp_path: Path) -> None:
    tenant.record("words", "e1")
    values = [True, 1, 1.0, "1", date(2026, 7, 15), datetime(2026, 7, 15, 9, tzinfo=UTC)]
    for day, value in enumerate(values, start=1):
        tenant.assert_fact("mira", "mixed", value, valid_from=FIRST + timedelta(days=day), episode="e1")
    printed = cli("history", "mira", "mixed", "--json", tenant=tenant.name).json
    kept = ("subject", "attribute", "value", "value_type", "until")
    rows = [{name: held[name] for name in kept} for held in printed]
    for row, held in zip(rows, printed, strict=True):
        row.update(valid_from=held["asserted_from"], episode=held["episode_id"])
    path = write_lines(tmp_path / "again.jsonl", rows)
    again = cli("import", str(path), "--json", tenant=tenant.name).json
    assert again["facts"] == {"committed": 0, "confirmed": 0, "replayed": len(values)}
