"""What the ledger costs, as ratios to the bare database in the same run.

    python benchmarks/ledger.py                    everything but the million facts
    python benchmarks/ledger.py --million          those too
    python benchmarks/ledger.py --only reads --only batches

It needs an empty database: a managed local server of its own (`--home`), never one that NEO4J_URI names.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import neo4j
from measuring import Ratio, bare_driver, bare_read, milliseconds, run, side_by_side

from graph_memory import GraphMemory, Ref, Tenant, WriteReport
from graph_memory.domain.slots import slot_key
from graph_memory.local.info import ServerInfo
from graph_memory.storage.templates import template

START = datetime(2020, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Bench:
    """A memory and a bare driver on one server."""

    def __init__(self, memory: GraphMemory, driver: neo4j.Driver) -> None:
        self.memory = memory
        self.driver = driver
        self.tenant: Tenant = memory.tenant(f"bench-{uuid4().hex[:8]}")
        self.episode = self.tenant.record("Everything that this benchmark asserts.").id

    def row(self, subject: str, attribute: str, value: object, start: datetime, **more: Any) -> dict[str, Any]:
        return {
            "subject": subject,
            "attribute": attribute,
            "value": value,
            "valid_from": start,
            "episode": self.episode,
            **more,
        }

    def load(self, rows: Iterator[dict[str, Any]]) -> None:
        report = self.tenant.assert_facts(rows)
        assert not report.refused, report.refused.first[0]

    def read(self, statement: str, **parameters: Any) -> list[list[Any]]:
        return bare_read(self.driver, statement, **parameters)

    def write(self, statement: str, **parameters: Any) -> None:
        with self.driver.session() as session:
            session.execute_write(lambda transaction: transaction.run(statement, parameters).consume())


def reads(bench: Bench) -> list[Ratio]:
    """`as_of` and `current` beside `RETURN 1`."""
    tenant = bench.tenant
    sizes = {"ten": 10, "many": 100_000}
    for name, size in sizes.items():
        bench.load(bench.row(name, "price", n, START + n * MINUTE) for n in range(size))
    middle = {name: START + size // 2 * MINUTE for name, size in sizes.items()}
    slot = slot_key(tenant.name, "ten", "price")
    times = side_by_side(
        {
            "RETURN 1": lambda: bench.read("RETURN 1"),
            "as_of": lambda: tenant.as_of("ten", "price", middle["ten"]),
            "current": lambda: tenant.current("ten", "price"),
            "rows alone": lambda: bench.read(template("read/as_of").text, slots=[slot], at=middle["ten"]),
            "as_of in 100,000": lambda: tenant.as_of("many", "price", middle["many"]),
            "current in 100,000": lambda: tenant.current("many", "price"),
        },
        rounds=1000,
        warm_up=200,
    )
    bare, figures = times["RETURN 1"], milliseconds(times)
    return [
        Ratio("as_of, whole Fact / RETURN 1", times["as_of"] / bare, 1.5, detail=figures),
        Ratio("current, whole Fact / RETURN 1", times["current"] / bare, 1.5),
        Ratio("as_of, rows without building the Fact / RETURN 1", times["rows alone"] / bare, 1.2),
        Ratio("as_of in 100,000 open entries / in 10", times["as_of in 100,000"] / times["as_of"], 1.2),
        Ratio("current in 100,000 open entries / in 10", times["current in 100,000"] / times["current"], 1.2),
    ]


def expired(bench: Bench) -> list[Ratio]:
    """`current` under bounded entries that have all expired: it has to walk them."""
    ratios = []
    bench.load(bench.row("calm", "room", n, START + n * MINUTE) for n in range(10))
    for size in (1_000, 100_000):
        name = f"expired-{size}"
        bench.load(
            bench.row(name, "room", n, START + n * MINUTE, until=START + (n + 1) * MINUTE) for n in range(size)
        )
        times = side_by_side(
            {
                "ten open": lambda: bench.tenant.current("calm", "room"),
                f"{size:,} expired": lambda name=name: bench.tenant.current(name, "room"),  # type: ignore[misc]
            },
            rounds=50,
            warm_up=5,
        )
        few, many = times.values()
        ratios.append(
            Ratio(f"current under {size:,} expired / in 10 open", many / few, detail=milliseconds(times))
        )
    return ratios


def many_keys(bench: Bench) -> list[Ratio]:
    """`as_of_many` of a thousand keys."""
    bench.load(
        bench.row(f"s{n}", "colour", f"value {n} {v}", START + v * MINUTE) for n in range(1000) for v in range(3)
    )
    keys = [(f"s{n}", "colour") for n in range(1000)]
    at = START + MINUTE
    times = side_by_side({"1,000 keys": lambda: bench.tenant.as_of_many(keys, at)}, rounds=30)
    rate = 1000 / times["1,000 keys"]
    return [Ratio("as_of_many", rate, 20_000, higher_is_better=True, unit="facts/s", detail=milliseconds(times))]


def single_writes(bench: Bench) -> list[Ratio]:
    """One `assert_fact` beside the commit of one bare node."""
    tenant, counter = bench.tenant, iter(range(10**9))

    def superseding() -> None:
        tenant.assert_fact("w", "state", "x", valid_from=START + next(counter) * MINUTE, episode=bench.episode)

    def new_subject() -> None:
        tenant.assert_fact(f"w{next(counter)}", "state", "x", valid_from=START, episode=bench.episode)

    times = side_by_side(
        {
            "bare commit": lambda: bench.write("CREATE (:Bare {id: $id})", id=next(counter)),
            "assert_fact, superseding": superseding,
            "assert_fact, new subject": new_subject,
        },
        rounds=300,
        warm_up=50,
    )
    bare = times["bare commit"]
    return [
        Ratio(
            "assert_fact, superseding / bare commit",
            times["assert_fact, superseding"] / bare,
            3,
            detail=milliseconds(times),
        ),
        Ratio("assert_fact, new subject / bare commit", times["assert_fact, new subject"] / bare, 3),
    ]


_BARE_NEW = """
MATCH (p:Episode {tenant: $tenant, id: $episode})
UNWIND $rows AS row
CREATE (e:Entity {tenant: $tenant, key: row.key, name: row.key, clock: row.at})
CREATE (e)-[:HAS_SLOT]->(:Slot {key: row.slot, tenant: $tenant, attribute: 'state'})
CREATE (f:Fact:Live:Open {id: row.id, tenant: $tenant, subject: row.key, attribute: 'state', slot: row.slot,
  value: row.value, has_value: true, value_type: 'str', valid_from: row.at, recorded_at: row.at,
  episode_id: $episode, source: 'user'})
CREATE (f)-[:FROM_EPISODE {source: 'user', recorded_at: row.at}]->(p)
CREATE (e)-[:STATE {fact_id: row.id, tenant: $tenant, valid_from: row.at}]->(f)
"""

_BARE_MORE = """
MATCH (p:Episode {tenant: $tenant, id: $episode})
UNWIND $rows AS row
MATCH (e:Entity {tenant: $tenant, key: row.key})
MATCH (o:Open {slot: row.slot})
REMOVE o:Open
CREATE (f:Fact:Live:Open {id: row.id, tenant: $tenant, subject: row.key, attribute: 'state', slot: row.slot,
  value: row.value, has_value: true, value_type: 'str', valid_from: row.at, recorded_at: row.at,
  episode_id: $episode, source: 'user'})
CREATE (f)-[:FROM_EPISODE {source: 'user', recorded_at: row.at}]->(p)
CREATE (f)-[:SUPERSEDES {kind: 'change'}]->(o)
CREATE (e)-[:STATE {fact_id: row.id, tenant: $tenant, valid_from: row.at}]->(f)
"""


def batches(bench: Bench) -> list[Ratio]:
    """A thousand facts in a transaction beside a bare `UNWIND ... CREATE` of as many nodes and edges.

    The bare one works under the same constraints, and gives up everything else: locks, plan, checks.
    """
    bare_tenant, size = f"{bench.tenant.name}-bare", 1000
    bench.memory.tenant(bare_tenant).record("bare", id=bench.episode)
    counter = iter(range(10**9))

    def bare(statement: str, prefix: str, at: datetime) -> None:
        rows = [
            {
                "key": f"{prefix}-{n}",
                "slot": slot_key(bare_tenant, f"{prefix}-{n}", "state"),
                "id": uuid4().hex,
                "value": f"value {n}",
                "at": at,
            }
            for n in range(size)
        ]
        bench.write(statement, tenant=bare_tenant, episode=bench.episode, rows=rows)

    def ours(prefix: str, at: datetime) -> None:
        bench.load(bench.row(f"{prefix}-{n}", "state", f"value {n}", at) for n in range(size))

    new = side_by_side(
        {
            "bare": lambda: bare(_BARE_NEW, f"b{next(counter)}", START),
            "assert_facts": lambda: ours(f"n{next(counter)}", START),
        },
        rounds=15,
        warm_up=5,
    )
    bare(_BARE_NEW, "again", START)
    ours("again", START)
    later = side_by_side(
        {
            "bare": lambda: bare(_BARE_MORE, "again", START + next(counter) * MINUTE),
            "assert_facts": lambda: ours("again", START + next(counter) * MINUTE),
        },
        rounds=15,
        warm_up=5,
    )
    return [
        Ratio(
            f"bare / assert_facts, 1,000 {name}",
            times["bare"] / times["assert_facts"],
            0.25,
            higher_is_better=True,
            detail=milliseconds(times),
        )
        for name, times in (("on new slots", new), ("superseding", later))
    ]


_BY_HAND = """
MATCH (:Entity {tenant: $tenant, key: $start})-[path*1..3]->(:Entity)
WHERE all(r IN path WHERE r.valid_from <= $at AND coalesce(r.valid_to > $at, true))
UNWIND path AS r
WITH DISTINCT r
MATCH (f:Fact {id: r.fact_id})
RETURN startNode(r).key, type(r), endNode(r).key, r.valid_from, r.valid_to, r.fact_id, f.episode_id
"""


def traversals(bench: Bench) -> list[Ratio]:
    """`traverse` at depth 3 beside a query written by hand."""
    chance, people = random.Random(7), 2000
    attributes = ["knows_first", "knows_second", "knows_third", "knows_fourth", "knows_fifth"]
    bench.load(
        bench.row(f"p{n}", attribute, Ref(f"p{chance.randrange(people)}"), START + version * MINUTE)
        for n in range(people)
        for attribute in attributes
        for version in range(2)
    )
    at = START + 5 * MINUTE
    tenant = bench.tenant
    by_hand = bench.read(_BY_HAND, tenant=tenant.name, start="p1", at=at)
    walked = tenant.traverse("p1", depth=3, at=at)
    assert len(by_hand) == len(walked.edges), (len(by_hand), len(walked.edges))
    times = side_by_side(
        {
            "by hand": lambda: bench.read(_BY_HAND, tenant=tenant.name, start="p1", at=at),
            "traverse": lambda: tenant.traverse("p1", depth=3, at=at),
        },
        rounds=100,
    )
    name = f"traverse, depth 3, {len(walked.edges)} edges / by hand"
    return [Ratio(name, times["traverse"] / times["by hand"], 1.5, detail=milliseconds(times))]


def million(bench: Bench) -> list[Ratio]:
    """An import of a million facts, ten of each subject in turn: whether it slows down, and what memory it takes.

    The work is of the same kind from the first row to the last, so that a ratio of rates tells of size alone.
    """
    total, marks = 1_000_000, [time.perf_counter()]
    rows = (bench.row(f"m{n // 10}", "state", f"value {n}", START + n % 10 * MINUTE) for n in range(total))

    def note(report: WriteReport) -> None:
        if report.total % 100_000 == 0:
            marks.append(time.perf_counter())
            rate = 100_000 / (marks[-1] - marks[-2])
            print(f"{report.total:,} facts, {rate:,.0f} a second", file=sys.stderr)

    written = bench.tenant.assert_facts(rows, progress=note)
    assert len(written.committed) == total, written
    spans = [later - earlier for earlier, later in pairwise(marks)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    rate = total / sum(spans)
    return [
        Ratio(
            "import of a million: rate of the last 100,000 / of the first",
            spans[0] / spans[-1],
            0.8,
            higher_is_better=True,
            detail=f"{rate:,.0f} facts a second over all",
        ),
        Ratio("peak memory of the importing process", peak, 300, unit="MB"),
    ]


PARTS: dict[str, Callable[[Bench], list[Ratio]]] = {
    "reads": reads,
    "keys": many_keys,
    "writes": single_writes,
    "batches": batches,
    "traversals": traversals,
    "expired": expired,
    "million": million,
}


@contextmanager
def opened(info: ServerInfo) -> Iterator[Bench]:
    """The memory and the driver."""
    with bare_driver(info) as driver, GraphMemory.open(info.uri, (info.username, info.password)) as memory:
        yield Bench(memory, driver)


if __name__ == "__main__":
    sys.exit(run("The ledger", __doc__ or "", PARTS, opened, seldom=["million"]))
