"""Replay annotated dialogues turn by turn, and compare the state after every turn with the annotation.

    python examples/replay_dialogues.py PATH

PATH is a file of dialogues, or a folder of `dialogues_*.json`, of the Schema-Guided Dialogue dataset (Google
Research, CC BY-SA 4.0; github.com/google-research-datasets/dstc8-schema-guided-dialogue). Each user turn
is annotated with the exact value of every slot, which is what a memory must hold at that moment.

- A turn is an episode; a dialogue is its session; what the user wants of one service is one subject. There is
  no clock in the data: turn n of a dialogue is spoken n minutes after `BEGINNING`.
- The annotation lists the surface variants of one value, "11:30 am" and "half past 11 in the morning". One of
  them is stored: the one that was just said, which makes it a quote, else the first. As long as it is among
  the variants nothing has changed. Otherwise the new value is asserted from that turn on, and a slot that
  went is ended there, so that reads of an earlier turn still see it.
- The state is compared after every user turn, and as of every turn, the system's too, once all is loaded.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from graph_memory import Episode, Fact, GraphMemory, Tenant

BEGINNING = datetime(2019, 3, 1, tzinfo=UTC)

Variants: TypeAlias = Mapping[str, Sequence[str]]
"""By slot, the ways to say its value."""


@dataclass(frozen=True)
class Moment:
    """What the annotation says of a subject as of an instant (UTC).

    Attributes:
        subject: key of what the user wants of one service in one dialogue.
        at: when the turn was spoken.
        expected: the slots that have a value, each with its variants.
        annotated: whether this turn itself carries the annotation (a user's does).
    """

    subject: str
    at: datetime
    expected: Variants
    annotated: bool


def read_dialogues(path: Path) -> list[dict[str, Any]]:
    """Return the dialogues of a file, or of all files of a folder."""
    files = sorted(path.glob("dialogues_*.json")) if path.is_dir() else [path]
    return [dialogue for file in files for dialogue in json.loads(file.read_text(encoding="utf-8"))]


def replay(tenant: Tenant, dialogue: Mapping[str, Any]) -> Iterator[Moment]:
    """Record a dialogue turn by turn; yield what must be true of each service once a turn is stored."""
    name = dialogue["dialogue_id"]
    wanted: dict[str, Variants] = {service: {} for service in dialogue["services"]}
    held: dict[str, dict[str, str]] = {service: {} for service in dialogue["services"]}
    for number, turn in enumerate(dialogue["turns"]):
        spoken = BEGINNING + timedelta(minutes=number)
        episode = tenant.record(
            turn["utterance"],
            id=f"{name}/{number:03}",
            source=turn["speaker"].lower(),
            occurred_at=spoken,
            session=name,
        )
        annotated = {frame["service"]: frame["state"] for frame in turn["frames"] if "state" in frame}
        for service, state in annotated.items():
            wanted[service] = state["slot_values"]
            store(tenant, f"{name}/{service}", held[service], wanted[service], episode, spoken)
        for service, variants in wanted.items():
            yield Moment(f"{name}/{service}", spoken, variants, service in annotated)


def store(
    tenant: Tenant, subject: str, held: dict[str, str], wanted: Variants, episode: Episode, spoken: datetime
) -> None:
    """Assert what changed in this turn, end what went, and keep in `held` what is stored by now."""
    for slot in held.keys() - wanted.keys():
        tenant.end_fact(subject, slot, at=spoken, episode=episode)
        del held[slot]
    for slot, variants in wanted.items():
        if held.get(slot) not in variants:
            quote = next((words for words in variants if words in episode.text), None)
            held[slot] = quote or variants[0]
            tenant.assert_fact(subject, slot, held[slot], valid_from=spoken, episode=episode, quote=quote)


def differences(tenant: Tenant, moments: Iterable[Moment]) -> list[str]:
    """Return a line for each slot whose value as of a moment is none of its variants, missing or too much."""
    found = []
    for moment in moments:
        state = tenant.state(moment.subject, at=moment.at)
        for slot in sorted(state.keys() | moment.expected.keys()):
            fact, variants = state.get(slot), moment.expected.get(slot, ())
            value = fact.value if isinstance(fact, Fact) else fact
            if value not in variants:
                found.append(f"{moment.subject} {slot} as of {moment.at}: {value!r} is not among {variants}")
    return found


def run(memory: GraphMemory, path: Path, tenant: str = "dialogues") -> list[str]:
    """Replay and compare everything, print the counts, and return the differences."""
    dialogues = read_dialogues(path)
    assistant = memory.tenant(tenant)
    moments: list[Moment] = []
    found: list[str] = []
    started = time.perf_counter()
    for dialogue in dialogues:
        for moment in replay(assistant, dialogue):
            moments.append(moment)
            if moment.annotated:
                found += differences(assistant, [moment])
    loaded = time.perf_counter()
    found += differences(assistant, moments)
    finished = time.perf_counter()

    turns = sum(len(dialogue["turns"]) for dialogue in dialogues)
    print(f"{len(dialogues):>7,} dialogues, {turns:,} turns")
    print(f"{sum(m.annotated for m in moments):>7,} states compared after a turn ({loaded - started:.1f} s)")
    print(f"{len(moments):>7,} states compared when all was loaded ({finished - loaded:.1f} s)")
    print(f"{len(found):>7,} differences")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the example; 0 when the memory agrees with the annotation, else 1."""
    parser = argparse.ArgumentParser(
        description="Replay dialogues of the Schema-Guided Dialogue dataset (Google Research, CC BY-SA 4.0; "
        "github.com/google-research-datasets/dstc8-schema-guided-dialogue) and compare the state."
    )
    parser.add_argument("path", type=Path, help="a file of dialogues, or a folder of dialogues_*.json")
    parser.add_argument("--uri", help="of a Neo4j server; without it NEO4J_URI, or the managed local server")
    parser.add_argument("--tenant", default="dialogues", help="to record into (%(default)s)")
    options = parser.parse_args(arguments)
    with GraphMemory.open(options.uri) as memory:
        found = run(memory, options.path, options.tenant)
    for line in found[:20]:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
