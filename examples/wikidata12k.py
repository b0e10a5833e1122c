"""Import 40,621 dated facts from Wikidata, and check every one of them against the file.

    python examples/wikidata12k.py FOLDER

FOLDER holds `facts.tsv` (subject, property, object, start, end) and `properties.tsv` (property, name).
The facts are WIKIDATA12k: Wikidata (CC0), as arranged for temporal knowledge-graph research and distributed
with the code of ATISE (github.com/soledad921/ATISE, MIT). Identifiers are Wikidata's.

What the dates mean. They have the precision of a year and the dirt of the real world:

- A year lasts from its first instant to the first instant of the next. `1926 .. 1929` is
  [1926-01-01, 1930-01-01), and `2008 .. 2008` is the whole of 2008.
- No end (`####`) is no end: the fact holds until something else is known.
- No start is the ledger's first instant, 0001-01-01: the mirror image of no end. It reads "not known to have
  begun later", and any known start in the same slot takes over from it. The quote keeps the `####`.
- An end before its start is refused, and so is a year with unknown digits (`19##`): neither says when. Two
  such years have lost their `#` on the way. Both stand as a single year of fewer than four digits
  (`19 .. 19`), which no ancient fact of the file does, so these are refused too. `918 .. 927` is taken as
  it stands.

Which attributes are exclusive. One value at a time where the word means it and the file bears it out: head of
government, country, spouse, territorial entity, IMA status (of minerals), chess title. Of consecutive facts
there at most one pair in eighteen overlaps by more than the year it shares, or the earlier simply has no end,
as with titles. Everything else can have many values at once: of memberships in teams one pair in four does.

Where the file contradicts itself (one slot, one start, two values or two ends), the ledger keeps the row that
it saw first and refuses the other with a reason. A run may be repeated: what is stored is replayed.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rich.console import Console
from rich.progress import Progress

from graph_memory import Fact, GraphMemory, Outcome, Ref, Tenant

EXCLUSIVE = frozenset({"P6", "P17", "P26", "P131", "P579", "P2962"})
FIRST_INSTANT = datetime(1, 1, 1, tzinfo=UTC)
KEYS_PER_READ = 1000
READERS = 4


class Row(NamedTuple):
    """A line of the file, its number, and its fields."""

    number: int
    line: str
    subject: str
    property: str
    object: str
    start: str
    end: str


class DatedRow(NamedTuple):
    """A row with the half-open interval (UTC) that its dates mean; `until` None: no end."""

    row: Row
    valid_from: datetime
    until: datetime | None


class UnusableDateError(ValueError):
    """Dates that do not say when; the message says why."""


def read_rows(folder: Path) -> list[Row]:
    """Return the facts in the order of the file."""
    lines = (folder / "facts.tsv").read_text(encoding="utf-8").splitlines()
    return [Row(number, line, *line.split("\t")) for number, line in enumerate(lines[1:], start=2)]


def read_attributes(folder: Path) -> dict[str, str]:
    """Return the attribute of each property: `P108`, employer, is `p108_employer`."""
    lines = (folder / "properties.tsv").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines[1:])
    return {key: f"{key}_{name}".lower().replace(" ", "_") for key, name in pairs}


# Dates


def year(text: str) -> int | None:
    """Return the year of `1926-##-##`, and None where nothing of it is known."""
    match = re.fullmatch(r"(\d{1,4}|\d*#+)-##-##", text)
    if match is None:
        raise UnusableDateError("not a date of the file's form")
    digits = match[1].rstrip("#")
    if digits and digits != match[1]:
        raise UnusableDateError("year with unknown digits")
    return int(digits) if digits else None


def dated(row: Row) -> DatedRow:
    """Return a row with its interval, or raise UnusableDateError."""
    start, end = year(row.start), year(row.end)
    if start is not None and end is not None and end < start:
        raise UnusableDateError("end before start")
    if start is not None and start == end and start < 1000:
        raise UnusableDateError("year with unknown digits")
    valid_from = FIRST_INSTANT if start is None else datetime(start, 1, 1, tzinfo=UTC)
    return DatedRow(row, valid_from, None if end is None else datetime(end + 1, 1, 1, tzinfo=UTC))


def usable(rows: Sequence[Row]) -> tuple[list[DatedRow], Counter[str]]:
    """Return the rows whose dates say when, and how many were refused for which reason."""
    good: list[DatedRow] = []
    refused: Counter[str] = Counter()
    for row in rows:
        try:
            good.append(dated(row))
        except UnusableDateError as error:
            refused[str(error)] += 1
    return good, refused


# Import


def episode_id(subject: str) -> str:
    """Return the id of the episode that holds all lines about a subject."""
    return f"wikidata12k/{subject}"


def record_episodes(tenant: Tenant, rows: Sequence[Row]) -> None:
    """Record one episode a subject: what the file says about it, word for word."""
    lines: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        lines[row.subject].append(row.line)
    episodes = (
        {"id": episode_id(subject), "text": "\n".join(said), "kind": "statements", "source": "wikidata"}
        for subject, said in lines.items()
    )
    with meter("episodes recorded", len(lines)) as show:
        tenant.record_episodes(episodes, progress=lambda report: show(report.total))


def assert_rows(
    tenant: Tenant, rows: Sequence[DatedRow], attributes: dict[str, str]
) -> tuple[dict[str, int], list[tuple[Row, str]]]:
    """Assert every row, quoting its line. Returns the counts of the report, and who was refused and why."""
    facts = (
        {
            "subject": row.subject,
            "attribute": attributes[row.property],
            "value": Ref(row.object),
            "valid_from": valid_from,
            "until": until,
            "episode": episode_id(row.subject),
            "quote": row.line,
        }
        for row, valid_from, until in rows
    )
    refused: list[tuple[Row, str]] = []

    def note(outcome: Outcome) -> None:
        refused.append((rows[outcome.row - 1].row, outcome.reason or "no reason"))

    with meter("facts asserted", len(rows)) as show:
        report = tenant.assert_facts(facts, progress=lambda report: show(report.total), on_refused=note)
    return report.counts(), refused


# The naive scan: the file read again, without the ledger and without the functions above.


class FileRow(NamedTuple):
    """A row in whole years, both inclusive; 9999 where there is no end."""

    object: str
    first: int
    last: int


Key: TypeAlias = tuple[str, str]


class NaiveScan:
    """What held in a year, by the one rule: of the rows that cover it the one that starts latest.

    Attributes:
        rows: those of each (subject, property), in the order of the file, without the contradicted ones.
        contradicted: the line numbers of rows whose slot has an earlier row with the same start.
    """

    def __init__(self, folder: Path) -> None:
        self.rows: dict[Key, list[FileRow]] = defaultdict(list)
        self.contradicted: set[int] = set()
        with (folder / "facts.tsv").open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if number > 1:
                    self._add(number, *line.rstrip("\n").split("\t"))

    def _add(self, number: int, subject: str, property: str, object: str, start: str, end: str) -> None:
        start, end = start.split("-")[0], end.split("-")[0]
        if {"#"} < set(start) or {"#"} < set(end) or (start == end and len(start) < 4):
            return
        row = FileRow(object, 1 if start == "####" else int(start), 9999 if end == "####" else int(end))
        if row.last < row.first:
            return
        rivals = self.rows[subject, property]
        if any(rival.first == row.first and self._same_slot(property, rival, row) for rival in rivals):
            self.contradicted.add(number)
        else:
            rivals.append(row)

    def _same_slot(self, property: str, one: FileRow, other: FileRow) -> bool:
        return property in EXCLUSIVE or one.object == other.object

    def holding(self, key: Key, year: int) -> set[FileRow]:
        """Return the rows that hold in a year: one for each value, or one in all."""
        latest: dict[str, FileRow] = {}
        for row in self.rows[key]:
            slot = "" if key[1] in EXCLUSIVE else row.object
            if row.first <= year <= row.last and (slot not in latest or row.first > latest[slot].first):
                latest[slot] = row
        return set(latest.values())

    def probes(self) -> dict[datetime, set[Key]]:
        """Return the instants to ask about: of every row its first one, its last one, and its end.

        Of a row without an end, the first one and one a century later. What holds changes only where a row
        starts or ends, so these see every piece of every slot, and both sides of every boundary.
        """
        probes: dict[datetime, set[Key]] = defaultdict(set)
        for key, rows in self.rows.items():
            for row in rows:
                last = row.first + 100 if row.last == 9999 else row.last
                probes[datetime(row.first, 1, 1, tzinfo=UTC)].add(key)
                probes[datetime(last, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)].add(key)
                if row.last < 9999:
                    probes[datetime(row.last + 1, 1, 1, tzinfo=UTC)].add(key)
        return probes


# Check


def check(tenant: Tenant, scan: NaiveScan, attributes: dict[str, str]) -> list[str]:
    """Ask the ledger at every probe of the scan, and return a line for each answer that differs."""
    probes = [(key, at) for at, keys in sorted(scan.probes().items()) for key in sorted(keys)]
    exclusive = [probe for probe in probes if probe[0][1] in EXCLUSIVE]
    plural = [probe for probe in probes if probe[0][1] not in EXCLUSIVE]

    def values(probe: tuple[Key, datetime]) -> list[Fact]:
        (subject, property), at = probe
        return tenant.values(subject, attributes[property], at=at)

    differences: list[str] = []
    with meter("answers of as_of_many checked", len(exclusive)) as show:
        asked = 0
        for at, keys in batches(exclusive):
            answers = tenant.as_of_many([(subject, attributes[name]) for subject, name in keys], at=at)
            for key, answer in zip(keys, answers, strict=True):
                differences += difference(scan, key, at, [] if answer is None else [answer])
            show(asked := asked + len(keys))
    with meter("answers of values checked", len(plural)) as show, ThreadPoolExecutor(READERS) as pool:
        for done, (probe, facts) in enumerate(zip(plural, pool.map(values, plural), strict=True), start=1):
            differences += difference(scan, *probe, facts)
            show(done)
    return differences


def batches(probes: Sequence[tuple[Key, datetime]]) -> Iterator[tuple[datetime, list[Key]]]:
    """Yield the probes grouped by instant, at most a thousand keys at once."""
    by_instant: dict[datetime, list[Key]] = defaultdict(list)
    for key, at in probes:
        by_instant[at].append(key)
    for at, keys in by_instant.items():
        waiting = iter(keys)
        while batch := list(islice(waiting, KEYS_PER_READ)):
            yield at, batch


def difference(scan: NaiveScan, key: Key, at: datetime, facts: Sequence[Fact]) -> list[str]:
    """Return what differs between the ledger's answer and the file's: nothing, or one line."""
    expected = scan.holding(key, at.year)
    answered = {in_years(fact) for fact in facts}
    if answered == expected and len(facts) == len(expected):
        return []
    return [f"{' '.join(key)} as of {at}: the file says {sorted(expected)}, the ledger {sorted(answered)}"]


def in_years(fact: Fact) -> FileRow:
    """Return a fact as the file would have it, with the interval that was asserted."""
    key = fact.value.key if isinstance(fact.value, Ref) else repr(fact.value)
    return FileRow(key, fact.asserted_from.year, 9999 if fact.until is None else fact.until.year - 1)


# Command


@contextmanager
def meter(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar while the work lasts, then print how many, how long, and how many a second."""
    started = time.perf_counter()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
    seconds = time.perf_counter() - started
    print(f"{total:>9,} {what} in {seconds:.1f} s ({total / seconds:,.0f} a second)")


def run(folder: Path, uri: str | None = None, tenant: str = "wikidata12k") -> list[str]:
    """Import and check everything, print the counts, and return the differences."""
    rows, attributes = read_rows(folder), read_attributes(folder)
    good, unusable = usable(rows)
    scan = NaiveScan(folder)
    many = [attribute for key, attribute in attributes.items() if key not in EXCLUSIVE]
    with GraphMemory.open(uri, many=many) as memory:
        wikidata = memory.tenant(tenant)
        record_episodes(wikidata, rows)
        counts, refused = assert_rows(wikidata, good, attributes)
        differences = check(wikidata, scan, attributes)

    for reason, count in unusable.most_common():
        print(f"{count:>9,} refused before the ledger: {reason}")
    for outcome, count in counts.items():
        if count:
            print(f"{count:>9,} {outcome} by the ledger")
    for key, count in Counter(row.property for row, _ in refused).most_common():
        print(f"{count:>9,} of the refused are {attributes[key]}")
    for row, reason in refused[:3]:
        print(f"          line {row.number}: {reason}")
    for number in sorted({row.number for row, _ in refused} ^ scan.contradicted):
        differences.append(f"line {number}: refused by the ledger or contradicted in the file, but not both")
    print(f"{len(differences):>9,} differences between the ledger and the file")
    return differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the example; 0 when the ledger agrees with the file, else 1."""
    parser = argparse.ArgumentParser(
        description="Import WIKIDATA12k (Wikidata, CC0; from github.com/soledad921/ATISE, MIT) and check it."
    )
    parser.add_argument("folder", type=Path, help="holds facts.tsv and properties.tsv")
    parser.add_argument("--uri", help="of a Neo4j server; without it NEO4J_URI, or the managed local server")
    parser.add_argument("--tenant", default="wikidata12k", help="to import into (%(default)s)")
    options = parser.parse_args(arguments)
    differences = run(options.folder, options.uri, options.tenant)
    for line in differences[:20]:
        print(line)
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
