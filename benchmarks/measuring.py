"""Timing things side by side: one call of each in turn, so that what else the machine does meets all alike."""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import neo4j
from rich.console import Console
from rich.table import Table

from graph_memory.local import LocalServer
from graph_memory.local.info import ServerInfo

Bench = TypeVar("Bench")


@dataclass(frozen=True)
class Ratio:
    """One line of a report.

    Attributes:
        name: what is compared with what.
        ratio: the measured ratio, or a rate or size where `unit` says so.
        target: what is aimed at; None: reported only.
        higher_is_better: which side of the target is the good one.
        unit: empty for a ratio.
        detail: the figures behind it.
    """

    name: str
    ratio: float
    target: float | None = None
    higher_is_better: bool = False
    unit: str = ""
    detail: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        return self.ratio >= self.target if self.higher_is_better else self.ratio <= self.target


def side_by_side(calls: dict[str, Callable[[], object]], rounds: int, warm_up: int = 20) -> dict[str, float]:
    """Return the median seconds of each call, made in turn `rounds` times after a warm-up."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    gc.collect()
    gc.disable()
    try:
        for number in range(-warm_up, rounds):
            for name, call in calls.items():
                began = time.perf_counter()
                call()
                if number >= 0:
                    taken[name].append(time.perf_counter() - began)
    finally:
        gc.enable()
    return {name: statistics.median(times) for name, times in taken.items()}


def milliseconds(times: dict[str, float]) -> str:
    """Return medians as text."""
    return ", ".join(f"{name} {seconds * 1000:.2f} ms" for name, seconds in times.items())


def report(title: str, ratios: list[Ratio], server: str, path: Path) -> None:
    """Print a table, and write the same as JSON."""
    table = Table("measured", "ratio", "target", "figures", title=f"{title} on Neo4j {server}")
    for line in ratios:
        mark = {True: "[green]", False: "[red]", None: ""}[line.met]
        sign = "≥" if line.higher_is_better else "≤"
        target = "" if line.target is None else f"{sign} {line.target:g}"
        table.add_row(line.name, f"{mark}{line.ratio:,.2f} {line.unit}", target, line.detail)
    Console(width=150).print(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "title": title,
        "server": server,
        "python": platform.python_version(),
        "measured": [asdict(line) | {"met": line.met} for line in ratios],
    }
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    print(f"written to {path}")


def run(
    title: str,
    doc: str,
    parts: Mapping[str, Callable[[Bench], list[Ratio]]],
    opened: Callable[[ServerInfo], AbstractContextManager[Bench]],
    seldom: Collection[str] = (),
) -> int:
    """Measure what the command line asks for, on a server of its own, and report it.

    Args:
        title: of the report; its last word names the file of results.
        doc: what the command line says of itself.
        parts: what can be measured, by name.
        opened: what the parts measure, on a server that runs.
        seldom: parts that are measured only where they are asked for.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=parts, help="a part; may be given again")
    for name in seldom:
        parser.add_argument(f"--{name}", action="append_const", dest="also", const=name, help=f"{name} too")
    parser.add_argument("--neo4j", metavar="VERSION", help="of the server")
    parser.add_argument("--home", type=Path, help="of the server; else a new one that is removed afterwards")
    result = Path(__file__).parent / "results" / f"{title.split()[-1]}.json"
    parser.add_argument("--json", type=Path, default=result)
    chosen = parser.parse_args()
    asked = vars(chosen).get("also") or []
    names = chosen.only or [name for name in parts if name not in seldom or name in asked]
    with TemporaryDirectory() as temporary:
        server = LocalServer(chosen.home or Path(temporary), chosen.neo4j)
        info = server.up()
        try:
            with opened(info) as bench:
                ratios = [ratio for name in names for ratio in parts[name](bench)]
            report(title, ratios, info.version, chosen.json)
        finally:
            server.down()
    return 0


def bare_read(driver: neo4j.Driver, statement: str, **parameters: Any) -> list[list[Any]]:
    """Run a reading statement as the library does, and return its rows."""
    return driver.execute_query(
        statement,
        parameters,
        routing_=neo4j.RoutingControl.READ,
        result_transformer_=lambda result: [record.values() for record in result],
    )


def bare_driver(info: ServerInfo) -> neo4j.Driver:
    """Return a driver as plain as the library's own."""
    auth = (info.username, info.password)
    return neo4j.GraphDatabase.driver(
        info.uri, auth=auth, telemetry_disabled=True, notifications_min_severity="OFF"
    )
