import io
import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from graph_memory.cli.importing import row_files as rows_module
from graph_memory.cli.importing.row_files import Format, Lines, Row, read_rows
from graph_memory.domain.values import Ref
from graph_memory.errors import InvalidInputError

FACT = {"subject": "mira", "attribute": "likes", "value": "tea", "valid_from": "2026-03-01", "episode": "e1"}
EPISODE = {"id": "e1", "text": "She likes tea."}


def read(content: bytes | str, file_format: Format = "jsonl", types: Mapping[str, str] | None = None) -> list[Row]:
    raw = content if isinstance(content, bytes) else content.encode()
    return list(read_rows(Lines(io.BytesIO(raw)), file_format, types))


def one(data: Any) -> Row:
    [row] = read(json.dumps(data))
    return row


def test_a_row_with_a_subject_is_a_fact_and_one_with_a_text_an_episode() -> None:
    assert one(FACT).fact == FACT
    assert one(EPISODE).episode == EPISODE
    assert one({**FACT, "type": "fact"}).fact == FACT
    assert one({**EPISODE, "type": "episode"}).episode == EPISODE


def test_a_fact_may_bring_its_episode() -> None:
    row = one({**FACT, "episode": EPISODE})
    assert (row.episode, row.fact) == (EPISODE, FACT)


def test_null_is_the_same_as_a_field_left_out() -> None:
    assert one({**FACT, "until": None, "quote": None, "value_type": None}).fact == FACT


def test_a_value_has_jsons_type_unless_it_names_another() -> None:
    assert one({**FACT, "value": "2026-07-15"}).fact == {**FACT, "value": "2026-07-15"}
    typed = one({**FACT, "value": "2026-07-15", "value_type": "date"}).fact
    assert typed == {**FACT, "value": date(2026, 7, 15)}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"value": NaN}', "NaN"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "neither a fact"),
        (json.dumps({**FACT, "type": "date"}), "value_type"),
        (json.dumps({**FACT, "type": 5}), "not a type of row"),
        (json.dumps({**FACT, "vaild_to": "2026-01-01"}), "'vaild_to' is not a field of a fact"),
        (json.dumps({**EPISODE, "tenant": "other"}), "'tenant' is not a field of an episode"),
        (json.dumps({"text": "x"}), "id is missing"),
        (json.dumps({"subject": "mira"}), "attribute is missing"),
        (json.dumps({**FACT, "subject": 5}), "subject must be text"),
        (json.dumps({**FACT, "subject": ["a"]}), "subject must be text"),
        (json.dumps({**FACT, "valid_from": 2026}), "valid_from must be text"),
        (json.dumps({**FACT, "episode": 5}), "episode must be"),
        (json.dumps({**FACT, "episode": {"id": "e1"}}), "text is missing"),
        (json.dumps({**EPISODE, "metadata": "x"}), "metadata"),
        (json.dumps({**FACT, "value": [1]}), "a list"),
        (json.dumps({**FACT, "value": "x", "value_type": "int"}), "not an int"),
    ],
)
def test_a_row_that_is_not_allowed_says_why_and_the_next_is_read(line: str, problem: str) -> None:
    bad, good = read(f"{line}\n{json.dumps(FACT)}\n")
    assert problem in (bad.problem or "")
    assert (bad.episode, bad.fact, bad.line) == (None, None, 1)
    assert (good.fact, good.line) == (FACT, 2)


def test_lines_are_counted_with_the_empty_ones() -> None:
    assert [row.line for row in read(f"\n{json.dumps(FACT)}\n\n{json.dumps(EPISODE)}")] == [2, 4]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert [row.fact for row in read(b"\xef\xbb\xbf" + json.dumps(FACT).encode())] == [FACT]


def test_bytes_that_are_not_utf8_are_left_for_the_library_to_refuse() -> None:
    [row] = read(b'{"id": "e1", "text": "caf\xe9"}')
    assert row.episode == {"id": "e1", "text": "caf\udce9"}


@pytest.mark.parametrize("file_format", ["jsonl", "csv"])
def test_a_line_too_long_is_refused_and_the_next_is_read(
    file_format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "MAX_LINE_BYTES", 200)
    long, short = ({"id": "e1", "text": text} for text in ("x" * 1000, "x"))
    if file_format == "jsonl":
        content = f"{json.dumps(long)}\n{json.dumps(short)}\n"
    else:
        content = f"id,text\ne1,{long['text']}\ne1,x\n"
    bad, good = read(content, file_format)
    assert "more than 200 bytes" in (bad.problem or "")
    assert good.episode == short
    assert good.line == bad.line + 1


def test_the_sizes_of_the_rows_are_the_size_of_the_file() -> None:
    content = f"{json.dumps(FACT)}\n{json.dumps(EPISODE)}\n"
    assert sum(row.size for row in read(content)) == len(content)


def test_csv_takes_empty_cells_as_left_out_and_text_as_text() -> None:
    [row] = read(
        "subject,attribute,value,value_type,valid_from,until,episode\nmira,age,42,,2026-03-01,,e1\n", "csv"
    )
    assert row.fact == {**FACT, "attribute": "age", "value": "42"}


def test_csv_has_typed_values_and_the_empty_text() -> None:
    header = "subject,attribute,value,value_type,valid_from,episode\n"
    cells = "mira,a,42,int,2026-03-01,e1\nmira,a,globex,ref:Company,2026-03-01,e1\nmira,a,,str,2026-03-01,e1\n"
    assert [row.fact and row.fact["value"] for row in read(header + cells, "csv")] == [42, Ref("globex"), ""]


def test_csv_facts_may_bring_their_episode() -> None:
    [row] = read(
        "episode,text,source,subject,attribute,value,valid_from\n"
        "e1,She likes tea.,crm,mira,likes,tea,2026-03-01\n",
        "csv",
    )
    assert row.episode == {**EPISODE, "source": "crm"}
    assert row.fact == FACT


def test_csv_holds_episodes_with_quotes_lines_and_metadata() -> None:
    first, second = read('id,text,metadata\ne1,"two\nlines, ""quoted""","{""a"": 1}"\ne2,x,\n', "csv")
    assert first.episode == {"id": "e1", "text": 'two\nlines, "quoted"', "metadata": {"a": 1}}
    assert (first.line, second.line, second.episode) == (2, 4, {"id": "e2", "text": "x"})


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ("e1,x,{", "metadata is not JSON"),
        ("e1,x,,more", "4 cells"),
        (",x,", "id is missing"),
        ("e1,x,[]", "metadata"),
    ],
)
def test_csv_refuses_a_row_and_reads_the_next(cells: str, problem: str) -> None:
    bad, good = read(f"id,text,metadata\n{cells}\ne2,x,\n", "csv")
    assert problem in (bad.problem or "")
    assert good.episode == {"id": "e2", "text": "x"}


@pytest.mark.parametrize("header", ["mira,likes,tea", "id,text,id", "id;text"])
def test_csv_without_a_header_that_names_its_columns_is_an_error(header: str) -> None:
    with pytest.raises(InvalidInputError, match="the first line names the columns"):
        read(f"{header}\na,b,c\n", "csv")


@pytest.mark.parametrize("file_format", ["jsonl", "csv"])
def test_an_empty_file_has_no_rows(file_format: Format) -> None:
    assert read("", file_format) == []


TYPES = {"due": "date", "seats": "int", "code": "str", "firm": "ref", "height": "float"}


@pytest.mark.parametrize(
    ("attribute", "cell", "value"),
    [
        ("due", "2026-07-15", date(2026, 7, 15)),
        ("seats", "7", 7),
        ("code", "007", "007"),
        ("firm", "acme", Ref("acme")),
        ("height", "2", 2.0),
        ("other", "7", "7"),
    ],
)
def test_a_value_that_names_no_type_has_the_one_of_its_attribute(attribute: str, cell: str, value: Any) -> None:
    header = "subject,attribute,value,valid_from,episode"
    [of_csv] = read(f"{header}\nmira,{attribute},{cell},2026-03-01,e1\n", "csv", TYPES)
    [of_json] = read(json.dumps({**FACT, "attribute": attribute, "value": cell}), types=TYPES)
    for row in (of_csv, of_json):
        assert row.fact is not None
        assert (row.fact["value"], type(row.fact["value"])) == (value, type(value))


def test_a_type_that_a_row_names_counts_before_the_one_of_its_attribute() -> None:
    [row] = read(json.dumps({**FACT, "attribute": "seats", "value": "7", "value_type": "str"}), types=TYPES)
    assert row.fact is not None
    assert row.fact["value"] == "7"
    [bad] = read(json.dumps({**FACT, "attribute": "seats", "value": "seven"}), types=TYPES)
    assert "not an int" in (bad.problem or "")
