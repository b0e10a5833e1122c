"""Whether a search finds the turn in which something was said, in dialogues whose every slot value is annotated.

    python benchmarks/recall.py PATH [--model MODEL]

PATH is a folder with `dialogues_*.json` and `schema.json` of the Schema-Guided Dialogue dataset (Google Research,
CC BY-SA 4.0; github.com/google-research-datasets/dstc8-schema-guided-dialogue). All dialogues are one tenant's,
each a session, each turn an episode. For each value that a slot gets, the turn to be found is the last one until
then whose text has a surface form of it, and the search is for

- `value`: the slot's description and the value, among all turns,
- `description`: the slot's description alone, among those of the dialogue.

Recall at k is the share of values whose turn is among the first k. Without a model, only words are searched.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich.console import Console
from rich.table import Table

from graph_memory import GraphMemory, Tenant
from graph_memory.providers.embeddings import SentenceTransformerEmbeddings

BEGINNING = datetime(2019, 3, 1, tzinfo=UTC)
DEPTHS = (1, 5, 10)


@dataclass(frozen=True)
class Wanted:
    """A value that a slot got.

    Attributes:
        session: the dialogue.
        turn: id of the episode to be found.
        description: of the slot, as its service declares it.
        value: as it was said.
    """

    session: str
    turn: str
    description: str
    value: str


def turn_id(dialogue: Mapping[str, Any], number: int) -> str:
    """Return the id of a turn's episode."""
    return f"{dialogue['dialogue_id']}/{number:03}"


def record(tenant: Tenant, dialogues: Sequence[Mapping[str, Any]]) -> int:
    """Record all turns; return how many there are."""
    return len(
        tenant.record_episodes(
            {
                "id": turn_id(dialogue, number),
                "text": turn["utterance"],
                "source": turn["speaker"].lower(),
                "session": dialogue["dialogue_id"],
                "occurred_at": BEGINNING + timedelta(days=day, minutes=number),
            }
            for day, dialogue in enumerate(dialogues)
            for number, turn in enumerate(dialogue["turns"])
        ).committed
    )


def wanted_of(dialogue: Mapping[str, Any], descriptions: Mapping[tuple[str, str], str]) -> Iterator[Wanted]:
    """Yield each value that a slot of a dialogue gets, with the turn that said it."""
    held: dict[tuple[str, str], set[str]] = {}
    for number, turn in enumerate(dialogue["turns"]):
        for frame in turn["frames"]:
            for slot, variants in frame.get("state", {}).get("slot_values", {}).items():
                place = frame["service"], slot
                if held.get(place, set()) & set(variants):
                    continue
                held[place] = set(variants)
                said = [
                    (earlier, variant)
                    for earlier in range(number, -1, -1)
                    for variant in variants
                    if variant.lower() in dialogue["turns"][earlier]["utterance"].lower()
                ]
                if said:
                    earlier, value = said[0]
                    yield Wanted(dialogue["dialogue_id"], turn_id(dialogue, earlier), descriptions[place], value)


def recall(tenant: Tenant, wanted: Sequence[Wanted], task: str, **how: Any) -> list[float]:
    """Return the recall at each of DEPTHS."""
    places = []
    for one in wanted:
        if task == "value":
            found = tenant.search(f"{one.description}: {one.value}", k=max(DEPTHS), **how)
        else:
            found = tenant.search(one.description, k=max(DEPTHS), session=one.session, **how)
        ids = [evidence.episode.id for evidence in found]
        places.append(ids.index(one.turn) + 1 if one.turn in ids else None)
    return [sum(place is not None and place <= depth for place in places) / len(places) for depth in DEPTHS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--model", help="name or folder of a model of sentence-transformers")
    parser.add_argument("--name", help="what its vectors are known by")
    given = parser.parse_args()
    files = sorted(given.path.glob("dialogues_*.json"))
    dialogues = [dialogue for file in files for dialogue in json.loads(file.read_text(encoding="utf-8"))]
    descriptions = {
        (service["service_name"], slot["name"]): slot["description"]
        for service in json.loads((given.path / "schema.json").read_text(encoding="utf-8"))
        for slot in service["slots"]
    }
    wanted = [one for dialogue in dialogues for one in wanted_of(dialogue, descriptions)]
    model = SentenceTransformerEmbeddings(given.model, name=given.name) if given.model else None
    with GraphMemory.open(embeddings=model) as memory:
        tenant = memory.tenant(f"recall-{uuid4().hex[:8]}")
        turns = record(tenant, dialogues)
        table = Table("Task", "Search", *(f"at {depth}" for depth in DEPTHS))
        ways: list[tuple[str, dict[str, Any]]] = [("text", {"mode": "text"})]
        if model is not None:
            ways += [
                ("vector", {"mode": "vector"}),
                ("hybrid, weights", {"mode": "hybrid"}),
                ("hybrid, ranks", {"mode": "hybrid", "fusion": "ranks"}),
            ]
        for task, (name, how) in itertools.product(("value", "description"), ways):
            table.add_row(task, name, *(f"{share:.2f}" for share in recall(tenant, wanted, task, **how)))
        Console().print(f"{len(wanted)} values in {turns} turns of {len(dialogues)} dialogues", table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
