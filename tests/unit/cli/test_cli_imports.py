import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fake_tenant import FakeTenant

from graph_memory._sync.ledger.batches import MAX_BATCH
from graph_memory.cli import exit_codes
from graph_memory.cli.app import run
from graph_memory.cli.session import Session
from graph_memory.domain.records import Outcome, WriteReport
from graph_memory.errors import UnavailableError


class LeavingTenant(FakeTenant):
    """Its server goes away after the second batch."""

    def assert_facts(
        self,
        rows: Iterable[Mapping[str, Any]],
        batch_size: int = 1000,
        *,
        on_refused: Callable[[Outcome], None],
    ) -> WriteReport:
        if len([call for call in self.calls if call[0] == "facts"]) == 2:
            raise UnavailableError("the server is away")
        return super().assert_facts(rows, batch_size, on_refused=on_refused)


@pytest.fixture
def file(tmp_path: Path) -> str:
    rows: list[dict[str, Any]] = [{"id": "e1", "text": "words"}]
    rows += [
        {"subject": "mira", "attribute": "level", "value": day, "valid_from": f"2026-01-{day:02}", "episode": "e1"}
        for day in range(1, 31)
    ]
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def use(tenant: FakeTenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "tenant", lambda session, many=None: tenant)


def test_a_server_that_goes_away_leaves_an_account_of_what_is_done(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tenant = LeavingTenant()
    use(tenant, monkeypatch)
    assert run(["import", file, "-t", "acme", "--batch-size", "10", "--json"]) == exit_codes.FAILED
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert (report["rows"], report["facts"]["committed"], report["finished"]) == (20, 19, False)
    assert len(tenant.facts) == 19
    assert "Stopped by an error after 20 rows. Run the command again to go on" in captured.err
    assert captured.err.endswith("Error: the server is away\n")


def test_people_at_a_terminal_see_how_many_rows_a_second_it_takes(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(FakeTenant(), monkeypatch)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    assert run(["import", file, "-t", "acme"]) == exit_codes.OK
    captured = capsys.readouterr()
    assert "31 rows" in captured.err
    assert "rows/s" in captured.err
    assert "31 rows in" in captured.out
    assert "30 new" in captured.out


def test_a_program_sees_no_progress(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(FakeTenant(), monkeypatch)
    assert run(["import", file, "-t", "acme", "--json"]) == exit_codes.OK
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "options_given"),
    [("a.csv", []), ("a.CSV", []), ("a.txt", ["--format", "csv"]), ("a.jsonl", ["--format", "csv"])],
)
def test_the_format_is_the_named_one_or_the_names(
    name: str, options_given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = FakeTenant()
    use(tenant, monkeypatch)
    path = tmp_path / name
    path.write_text("id,text\ne1,words\n")
    assert run(["import", str(path), "-t", "acme", *options_given]) == exit_codes.OK
    assert tenant.episodes == {"e1": {"id": "e1", "text": "words"}}


def test_a_file_without_rows_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(FakeTenant(), monkeypatch)
    path = tmp_path / "empty.jsonl"
    path.write_text("\n")
    assert run(["import", str(path), "-t", "acme"]) == exit_codes.OK
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"{path} has no rows.\n")
    assert run(["import", str(path), "-t", "acme", "--json"]) == exit_codes.OK
    captured = capsys.readouterr()
    assert (json.loads(captured.out)["rows"], captured.err) == (0, "")


def test_a_header_that_is_wrong_is_all_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(FakeTenant(), monkeypatch)
    path = tmp_path / "facts.csv"
    path.write_text("id,txet\ne1,words\n")
    assert run(["import", str(path), "-t", "acme"]) == exit_codes.INVALID
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Error: column 'txet' has no meaning here")
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize(("size", "code"), [(MAX_BATCH, exit_codes.OK), (MAX_BATCH + 1, exit_codes.INVALID)])
def test_a_batch_may_have_as_many_rows_as_the_library_takes(
    size: int, code: int, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(FakeTenant(), monkeypatch)
    assert run(["import", file, "-t", "acme", "--batch-size", str(size)]) == code
