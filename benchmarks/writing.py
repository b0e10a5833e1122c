"""What the write path costs without the model's own time, and how many episodes workers extract.

    python benchmarks/writing.py
    python benchmarks/writing.py --only overhead

The model answers from memory: what it takes is measured and left out of the overhead. It needs an empty database:
a managed local server of its own (`--home`), never one that NEO4J_URI names.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from measuring import Ratio, milliseconds, run

from graph_memory import AsyncGraphMemory, GraphMemory, Kind, Ref, Schema, Tenant, Worker, attribute
from graph_memory.local.info import ServerInfo

START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS, WARM_UP = 200, 60
EPISODES = 400


class Company(Kind):
    """A company."""


class Person(Kind):
    """A person."""

    city: str = attribute("Where they live")
    employer: Ref[Company] = attribute("Where they work")
    age: int = attribute("Age in years")


SCHEMA = Schema("benchmark", version=1, kinds=[Person, Company])


@dataclass
class Answering:
    """A chat model of LangChain's kind that reads three facts in every text, and notes how long it takes.

    Attributes:
        delay: seconds that an answer takes on top.
        spent: seconds that answers took.
    """

    delay: float = 0.0
    spent: float = 0.0
    model: Any = None

    def with_structured_output(self, model: Any, **options: Any) -> Answering:
        self.model = model
        return self

    def invoke(self, messages: Any, *args: Any, **options: Any) -> Any:
        began = time.perf_counter()
        answer = self.model.model_validate({"updates": said(str(messages))})
        self.spent += time.perf_counter() - began
        return answer

    async def ainvoke(self, messages: Any, *args: Any, **options: Any) -> Any:
        await asyncio.sleep(self.delay)
        return self.invoke(messages)


def text(name: str) -> str:
    """What is said in an episode."""
    return f"{name} lives in Lisbon, works for Globex and is 42 years old."


def said(prompt: str) -> list[dict[str, Any]]:
    """What a model reads in it."""
    end = prompt.rindex(" lives in Lisbon")
    name = prompt[prompt.rindex("person", 0, end) : end]
    values = {
        "city": ("Lisbon", "lives in Lisbon"),
        "employer": ("Globex", "works for Globex"),
        "age": (42, "is 42"),
    }
    return [
        {
            "evidence": evidence,
            "subject": name,
            "fact": {"attribute": attribute, "current_value": None, "change": "new", "value": value},
            "valid_from": None,
            "until": None,
        }
        for attribute, (value, evidence) in values.items()
    ]


@dataclass
class Bench:
    """A memory that extracts with a model in the same process."""

    info: ServerInfo
    memory: GraphMemory
    llm: Answering
    tenant: Tenant = field(init=False)
    names: Iterator[str] = field(default_factory=lambda: (f"person{n}" for n in count()))

    def __post_init__(self) -> None:
        self.tenant = self.memory.tenant(f"bench-{uuid4().hex[:8]}")
        self.tenant.name_entity("globex", "Globex", kind="Company")


def overhead(bench: Bench) -> list[Ratio]:
    """`remember` beside `assert_facts` of the same three facts, the episode recorded before or with it."""
    tenant, llm = bench.tenant, bench.llm

    def rows(name: str, episode: str) -> list[dict[str, Any]]:
        values = {"city": "Lisbon", "employer": Ref("globex"), "age": 42}
        return [
            {"subject": name, "attribute": key, "value": value, "valid_from": START, "episode": episode}
            for key, value in values.items()
        ]

    def remember(name: str, _: str) -> None:
        report = tenant.remember(text(name), occurred_at=START)
        assert len(report.committed) == 3, report

    def asserted(name: str, episode: str) -> None:
        assert len(tenant.assert_facts(rows(name, episode)).committed) == 3

    def recorded(name: str, _: str) -> None:
        asserted(name, tenant.record(text(name), occurred_at=START).id)

    calls: dict[str, Callable[[str, str], None]] = {
        "remember": remember,
        "assert_facts": asserted,
        "record and assert_facts": recorded,
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(-WARM_UP, ROUNDS):
        for call, work in calls.items():
            name = next(bench.names)
            episode = tenant.record(text(name)).id
            spent, began = llm.spent, time.perf_counter()
            work(name, episode)
            if number >= 0:
                taken[call].append(time.perf_counter() - began - (llm.spent - spent))
    times = {name: statistics.median(all_) for name, all_ in taken.items()}
    return [
        Ratio(
            "remember without the model / assert_facts",
            times["remember"] / times["assert_facts"],
            2.0,
            detail=milliseconds(times),
        ),
        Ratio(
            "remember without the model / record and assert_facts",
            times["remember"] / times["record and assert_facts"],
        ),
    ]


def workers(bench: Bench) -> list[Ratio]:
    """Episodes a second with one to four workers, each of four at a time; a model that takes 50 ms, and none."""
    ratios = []
    for delay in (0.05, 0.0):
        rates = {number: asyncio.run(_rate(bench, number, delay)) for number in (1, 2, 3, 4)}
        figures = ", ".join(f"{number}: {rate:.0f}/s" for number, rate in rates.items())
        ratios.append(
            Ratio(f"workers: 4 / 1, answers in {delay * 1000:.0f} ms", rates[4] / rates[1], detail=figures)
        )
    return ratios


async def _rate(bench: Bench, number: int, delay: float) -> float:
    name = f"workers-{uuid4().hex[:8]}"
    tenant = bench.memory.tenant(name)
    tenant.name_entity("globex", "Globex", kind="Company")
    rows = [{"text": text(next(bench.names)), "occurred_at": START, "extract": "later"} for _ in range(EPISODES)]
    assert len(tenant.record_episodes(rows).committed) == EPISODES
    auth = (bench.info.username, bench.info.password)
    memories = [
        await AsyncGraphMemory.open(bench.info.uri, auth, schema=SCHEMA, llm=Answering(delay))
        for _ in range(number)
    ]
    working = [Worker(memory, tenants=[name], poll=timedelta(milliseconds=50)) for memory in memories]
    began = time.perf_counter()
    await asyncio.gather(*(worker.run_until_empty() for worker in working))
    rate = EPISODES / (time.perf_counter() - began)
    for memory in memories:
        await memory.close()
    assert len(tenant.extractions("done", limit=EPISODES)) == EPISODES
    return rate


PARTS: dict[str, Callable[[Bench], list[Ratio]]] = {"overhead": overhead, "workers": workers}


@contextmanager
def opened(info: ServerInfo) -> Iterator[Bench]:
    """The memory and its model."""
    llm = Answering()
    with GraphMemory.open(info.uri, (info.username, info.password), schema=SCHEMA, llm=llm) as memory:
        yield Bench(info, memory, llm)


if __name__ == "__main__":
    sys.exit(run("The writing", __doc__ or "", PARTS, opened))
