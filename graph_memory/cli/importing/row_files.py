"""Rows of episodes and facts in JSON Lines and CSV (docs/cli.md, "Import files"), read one at a time."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

from graph_memory.cli import value_parsing
from graph_memory.episodes.validation import FIELDS as EPISODE_FIELDS
from graph_memory.errors import InvalidInputError
from graph_memory.ledger.statements import OPTIONAL_FIELDS, REQUIRED_FIELDS

MAX_LINE_BYTES = 16 * 1024 * 1024

FACT_FIELDS = (*REQUIRED_FIELDS, "value_type", *OPTIONAL_FIELDS)
_NOT_TEXT = frozenset({"value", "metadata", "episode"})

Format = Literal["jsonl", "csv"]
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Attributes:
        line: where it starts in the file, from 1.
        size: how many bytes it takes there.
        data: as it was read, for a report of what was refused.
        episode: what `record` takes, where the row brings an episode.
        fact: what `assert_fact` takes, where it asserts a fact.
        problem: why it is neither.
    """

    line: int
    size: int
    data: Any
    episode: Fields | None = None
    fact: Fields | None = None
    problem: str | None = None


class Lines:
    """The lines of a stream as text; counts lines and bytes as they are read.

    Bytes that are not UTF-8 become lone surrogates, which the library refuses row by row.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.line = 0
        self.bytes = 0

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        raw = self._stream.readline(MAX_LINE_BYTES + 1)
        if not raw:
            raise StopIteration
        self.line += 1
        self.bytes += len(raw)
        if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            self._skip_line()
            raise InvalidInputError(f"the line has more than {MAX_LINE_BYTES:,} bytes: split it")
        text = raw.decode("utf-8", "surrogateescape")
        return text.removeprefix("\ufeff") if self.line == 1 else text

    def _skip_line(self) -> None:
        while raw := self._stream.readline(MAX_LINE_BYTES):
            self.bytes += len(raw)
            if raw.endswith(b"\n"):
                return


def read_rows(lines: Lines, file_format: Format, types: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield the rows of a file; a row that cannot be read brings its problem and does not end the reading.

    Args:
        lines: of the file.
        file_format: of the file.
        types: by attribute, the type of a value that does not name its own.

    Raises:
        InvalidInputError: a CSV header with a column that has no meaning here.
    """
    types = types or {}
    next_row = _jsonl(lines) if file_format == "jsonl" else _csv(lines, types)
    while True:
        line, start = lines.line + 1, lines.bytes
        data: Any = None
        try:
            data = next_row()
            if data is None:
                continue
            episode, fact = interpret(data, types)
            yield Row(line, lines.bytes - start, data, episode, fact)
        except StopIteration:
            return
        except _UnreadableError as error:
            yield Row(line, lines.bytes - start, error.data, problem=str(error))
        except InvalidInputError as error:
            yield Row(line, lines.bytes - start, data, problem=str(error))


class _UnreadableError(Exception):
    """A row that could not be parsed, with its text."""

    def __init__(self, message: str, data: Any) -> None:
        super().__init__(message)
        self.data = data


def _jsonl(lines: Lines) -> Callable[[], Any]:
    def next_row() -> Any:
        text = next(lines).strip()
        if not text:
            return None
        try:
            data = json.loads(text, parse_constant=_no_constant)
        except RecursionError:
            raise _UnreadableError("not JSON that can be read: nested too deeply", text) from None
        except ValueError as error:
            raise _UnreadableError(f"not JSON: {error}", text) from None
        if not isinstance(data, dict):
            raise _UnreadableError("not a JSON object: write one object a line", data)
        return data

    return next_row


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number that JSON knows")


def _csv(lines: Lines, types: Mapping[str, str]) -> Callable[[], Any]:
    csv.field_size_limit(MAX_LINE_BYTES)
    reader = csv.reader(lines)
    try:
        header = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise InvalidInputError(f"the first line is not CSV: {error}") from None
    known = {"type", *FACT_FIELDS, *EPISODE_FIELDS}
    unknown = [name for name in header if name not in known]
    if unknown or len(set(header)) < len(header):
        what = f"column {unknown[0]!r} has no meaning here" if unknown else "two columns have the same name"
        raise InvalidInputError(f"{what}: the first line names the columns, out of {', '.join(sorted(known))}")

    def next_row() -> Any:
        try:
            cells = next(reader)
        except csv.Error as error:
            raise _UnreadableError(f"not CSV: {error}", None) from None
        if not cells:
            return None
        if len(cells) > len(header):
            raise _UnreadableError(f"{len(cells)} cells where the header has {len(header)} columns", cells)
        return _from_cells(dict(zip(header, cells, strict=False)), types)

    return next_row


def _from_cells(cells: Mapping[str, str], types: Mapping[str, str]) -> Fields:
    """Return a row of CSV as JSON Lines would write it: empty cells left out, the episode in its place."""
    row: Fields = {name: cell for name, cell in cells.items() if cell != ""}
    if cells.get("value_type") == "str" and "value" in cells:
        row["value"] = cells["value"]
    if "metadata" in row:
        try:
            row["metadata"] = json.loads(row["metadata"], parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise _UnreadableError("metadata is not JSON", row) from None
    if "value" in row and row.get("attribute") not in types:
        row.setdefault("value_type", "str")
    if "subject" in row and row.get("type") != "episode":
        inline = {name: row.pop(name) for name in EPISODE_FIELDS if name in row and name != "id"}
        if inline:
            row["episode"] = {"id": row.get("episode"), **inline}
    return row


def interpret(data: Fields, types: Mapping[str, str]) -> tuple[Fields | None, Fields | None]:
    """Return the episode and the fact that a row brings, in the words of `record` and `assert_fact`.

    Raises:
        InvalidInputError: it is neither, has a field without meaning, lacks one, or its value has not the
            type that it names.
    """
    row = {name: value for name, value in data.items() if value is not None}
    row_type = row.pop("type", None)
    if row_type is None:
        row_type = "fact" if "subject" in row else "episode" if "text" in row else None
        if row_type is None:
            raise InvalidInputError("neither a fact (no subject) nor an episode (no text)")
    if row_type == "episode":
        return _episode(row), None
    if row_type == "fact":
        return _fact(row, types)
    raise InvalidInputError(
        f"type {row_type!r} is not a type of row: give episode or fact (a value's type is its value_type)"
    )


def _episode(row: Fields) -> Fields:
    _check(row, EPISODE_FIELDS, ("id", "text"), "an episode")
    if not isinstance(row.get("metadata", {}), dict):
        raise InvalidInputError("metadata is not a JSON object")
    return row


def _fact(row: Fields, types: Mapping[str, str]) -> tuple[Fields | None, Fields]:
    _check(row, FACT_FIELDS, REQUIRED_FIELDS, "a fact")
    value = value_parsing.from_json(row["value"], row.pop("value_type", None) or types.get(row["attribute"]))
    cited = row["episode"]
    episode = None
    if isinstance(cited, dict):
        episode = _episode({name: part for name, part in cited.items() if part is not None})
        cited = episode["id"]
    elif not isinstance(cited, str):
        raise InvalidInputError("episode must be an episode's id, or an object with its id and text")
    return episode, {**row, "value": value, "episode": cited}


def _check(row: Fields, allowed: tuple[str, ...], required: tuple[str, ...], what: str) -> None:
    for name in row:
        if name not in allowed:
            raise InvalidInputError(f"{name!r} is not a field of {what}: the fields are {', '.join(allowed)}")
    for name in required:
        if name not in row:
            raise InvalidInputError(f"{name} is missing: {what} needs {', '.join(required)}")
    for name, value in row.items():
        if name not in _NOT_TEXT and not isinstance(value, str):
            raise InvalidInputError(f"{name} must be text, not {type(value).__name__}")
