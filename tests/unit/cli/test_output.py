import io
import json
import sys
from datetime import UTC, date, datetime

import pytest
from rich.console import Console

from graph_memory.cli.output import Output, jsonable, visible
from graph_memory.cli.render import database, graph, layout, ledger
from graph_memory.domain.records import Citation, Edge, Episode, Explanation, Fact, Node, Subgraph
from graph_memory.domain.values import Ref, Value
from graph_memory.ledger.records import Problem, VerifyReport
from graph_memory.search.records import Evidence

START = datetime(2026, 6, 1, 9, tzinfo=UTC)


def fact(value: Value | None, **changes: object) -> Fact:
    fields: dict[str, object] = {
        "id": "f1", "tenant": "acme", "subject": "mira", "attribute": "note", "value": value,
        "valid_from": START, "asserted_from": START, "recorded_at": START, "episode_id": "e1",
        "source": "user", "ended": value is None,
    }  # fmt: skip
    return Fact.model_validate({**fields, **changes})


def episode(text: str) -> Episode:
    return Episode(id="e1", tenant="acme", text=text, recorded_at=START)


def printed(item: object, width: int = 60) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False, emoji=False)
    console.print(item)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/]", ":smile:", "see [1]", "\\[x]", "[link=a]b"])
def test_user_text_is_never_read_as_markup(text: str) -> None:
    assert text in printed(ledger.fact(fact(text)))
    assert text in printed(ledger.facts([fact(text)]), width=200)
    assert text in printed(ledger.episode(episode(text)))


def test_a_long_value_is_shown_whole() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(3000))
    for shown in (ledger.fact(fact(text)), ledger.facts([fact(text)]), ledger.episode(episode(text))):
        kept = [character for character in printed(shown, width=80) if character >= "\u4e00"]
        assert "".join(kept) == text


@pytest.mark.parametrize(("width", "lines"), [("300", 4), ("60", 15)])
def test_facts_are_rows_where_these_fit_and_below_each_other_elsewhere(
    width: str, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ids = [letter * 32 for letter in "ab"]
    output = Output(json=False)
    output.show(ledger.facts([fact("tea", id=id) for id in ids]))
    shown = capsys.readouterr().out
    assert all(id in shown for id in ids)
    assert len(shown.splitlines()) == lines


@pytest.mark.parametrize("width", ["80", "200"])
def test_ids_and_instants_are_never_broken(
    width: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    id, text = "5c0d7be1a2f84e6f9b3a64d2c7e81f05", "Her passport deadline is 2026-07-15. " * 5
    edge = Edge(subject="mira", attribute="employer", object="globex", valid_from=START, fact_id=id, episode_id=id)
    cited = Citation(episode=episode(text), quote=text, start=0, end=len(text), recorded_at=START)
    output = Output(json=False)
    output.show(graph.subgraph(Subgraph(nodes=(Node(key="mira", name="Mira", depth=0),), edges=(edge,))))
    output.show(
        ledger.explanation(Explanation(fact=fact(1, id=id), since=START, citations=(cited,), citations_total=1))
    )
    output.show(ledger.evidence([Evidence(episode=episode(text), score=1.0)]))
    output.show(database.report(VerifyReport(slots=1, facts=1, edges=1, problems=(
        Problem(tenant="acme", kind="edge missing", detail=f"{text} fact {id}"),
    )), repair=False))  # fmt: skip
    shown = capsys.readouterr().out
    assert shown.count(id) == 4
    assert shown.count("2026-06-01T09:00:00Z") == 7
    assert shown.count("[2026-06-01T09:00:00Z, unbounded)") == 3


def test_prose_is_broken_where_that_keeps_the_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    rows = layout.Listing("Line", "Reason", prose=("Reason",))
    rows.add("1", "word " * 30)
    Output(json=False).show(rows)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.split() == ["Line", "Reason"]
    assert len(rest) == 4


def test_lines_have_no_blanks_at_their_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for width in ("60", "300"):
        monkeypatch.setenv("COLUMNS", width)
        output = Output(json=False)
        output.show(ledger.facts([fact("tea"), fact("a longer value")]), ledger.episode(episode("words")), "")
    lines = capsys.readouterr().out.split("\n")
    assert len(lines) > 20
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\r", "\\r"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\udcff"),
        ("ünï 日本 👩\u200d💻", "ünï 日本 👩\u200d💻"),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("value", "written", "name"),
    [
        (True, True, "bool"),
        (1, 1, "int"),
        (1.0, 1.0, "float"),
        ("1", "1", "str"),
        (date(2026, 7, 15), "2026-07-15", "date"),
        (START, "2026-06-01T09:00:00Z", "datetime"),
        (Ref("globex", "Company"), "globex", "ref:Company"),
        (None, None, None),
    ],
)
def test_a_fact_in_json_has_its_value_and_the_type_of_it(value: Value, written: object, name: str) -> None:
    document = jsonable(fact(value))
    assert (document["value"], document["value_type"]) == (written, name)
    assert type(document["value"]) is type(written)
    assert document["valid_from"] == "2026-06-01T09:00:00Z"
    assert document["valid_to"] is None


def test_json_reaches_into_explanations_and_states() -> None:
    cited = Citation(episode=episode("words"), quote="words", start=0, end=5, recorded_at=START)
    document = jsonable(
        {
            "likes": [fact(Ref("tea"))],
            "why": Explanation(fact=fact(1), since=START, citations=(cited,), citations_total=1),
        }
    )
    assert document["likes"][0]["value_type"] == "ref"
    assert document["why"]["fact"]["value_type"] == "int"
    assert document["why"]["citations"][0]["episode"]["text"] == "words"


def test_metadata_with_the_names_of_a_fact_is_left_as_it_is() -> None:
    stored = episode("words").model_copy(update={"metadata": {"value": 1, "subject": "x"}})
    assert jsonable(stored)["metadata"] == {"value": 1, "subject": "x"}


def test_json_stays_json_where_the_encoding_lacks_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", errors="backslashreplace"))
    Output(json=True).document({"text": "é"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue()) == {"text": "é"}


def test_an_end_and_a_fact_that_holds_nowhere_say_so() -> None:
    assert "(ended)" in printed(ledger.fact(fact(None)))
    assert "nowhere" in printed(ledger.fact(fact(1, valid_to=START, retracted_at=START)))


@pytest.mark.parametrize(
    ("repair", "repaired", "said", "not_said"),
    [
        (False, False, "verify --repair", "backup"),
        (True, False, "wrong in the ledger itself", "--repair"),
        (True, True, "yes", "backup"),
    ],
)
def test_what_a_repair_left_is_not_sent_to_repair_again(
    repair: bool, repaired: bool, said: str, not_said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = Problem(tenant="acme", kind="slot", detail="of another", repaired=repaired)
    Output(json=False).show(
        database.report(VerifyReport(slots=1, facts=1, edges=1, problems=(problem,)), repair=repair)
    )
    shown = " ".join(capsys.readouterr().out.split())
    assert said in shown
    assert not_said not in shown
