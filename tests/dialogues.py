"""A schema made from that of the Schema-Guided Dialogue dataset, and what a perfect model reads in dialogues."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from example_scripts import example
from scripted_llm import ScriptedLLM, good, update

from graph_memory import Kind, Schema, Tenant, attribute

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data" / "sgd"


replay_dialogues = example("replay_dialogues")


def kind_of(service: str) -> str:
    """Return the kind of what the user wants of a service: `Restaurants_2` is `Restaurants2`."""
    return service.replace("_", "")


def generated(path: Path) -> Schema:
    """Return the schema in which each service is a kind and each of its slots an attribute.

    A slot that several services have is one attribute of all of them: with the choices of all, or with none where
    one of them takes any text.
    """
    slots: dict[str, list[dict[str, Any]]] = defaultdict(list)
    services = json.loads(path.read_text(encoding="utf-8"))
    for service in services:
        for slot in service["slots"]:
            slots[slot["name"]].append(slot)
    kinds = [_kind(service, slots) for service in services]
    return Schema("sgd", version=1, kinds=kinds, sources=["user", "system"])


def _kind(service: Mapping[str, Any], slots: Mapping[str, list[dict[str, Any]]]) -> type[Kind]:
    names = [slot["name"] for slot in service["slots"]]
    body: dict[str, Any] = {name: _attribute(slots[name]) for name in names}
    body["__annotations__"] = {name: _type(slots[name]) for name in names}
    body["__doc__"] = service["description"]
    body["__module__"] = __name__
    return type(kind_of(service["service_name"]), (Kind,), body)


def _attribute(alike: list[dict[str, Any]]) -> Any:
    return attribute("; ".join(dict.fromkeys(slot["description"] for slot in alike)))


def _type(alike: list[dict[str, Any]]) -> Any:
    if not all(slot["is_categorical"] for slot in alike):
        return str
    values = dict.fromkeys(value for slot in alike for value in slot["possible_values"])
    return Literal[(*values, "dontcare")]  # what the user says where any value will do


def replay(tenant: Tenant, llm: ScriptedLLM, dialogue: Mapping[str, Any]) -> Iterator[Any]:
    """Let a tenant remember a dialogue turn by turn, as the example does by asserting; yield the same moments."""
    name = dialogue["dialogue_id"]
    subjects = {service: f"{name}/{service}" for service in dialogue["services"]}
    for service, key in subjects.items():
        tenant.name_entity(key, kind=kind_of(service))
    wanted: dict[str, Any] = {service: {} for service in subjects}
    held: dict[str, dict[str, str]] = {service: {} for service in subjects}
    for number, turn in enumerate(dialogue["turns"]):
        spoken = replay_dialogues.BEGINNING + timedelta(minutes=number)
        text = turn["utterance"]
        annotated = {frame["service"]: frame["state"] for frame in turn["frames"] if "state" in frame}
        read: list[Any] = []
        about = None
        for service, state in annotated.items():
            wanted[service] = state["slot_values"]
            found = list(changes(subjects[service], held[service], wanted[service], text))
            if found:
                assert about is None, "a text is about one thing that it does not name"
                about = subjects[service]
            read += found
        said = {
            "id": f"{name}/{number:03}",
            "source": turn["speaker"].lower(),
            "occurred_at": spoken,
            "session": name,
        }
        if annotated:
            llm.script(good(*read))
            report = tenant.remember(text, about=about, **said)
            assert report.counts() == {**dict.fromkeys(report.counts(), 0), "committed": len(read)}
        else:
            tenant.record(text, **said)
        for service, variants in wanted.items():
            yield replay_dialogues.Moment(subjects[service], spoken, variants, service in annotated)


def changes(
    subject: str, held: dict[str, str], wanted: Mapping[str, list[str]], text: str
) -> Iterator[dict[str, Any]]:
    """Yield what a model that makes no mistake reads in a turn, and keep in `held` what is stored by now."""
    for slot in sorted(held.keys() - wanted.keys()):
        current = held.pop(slot)
        yield update(slot, None, evidence=text, subject=subject, change="end", current_value=current)
    for slot, variants in wanted.items():
        stored = held.get(slot)
        if stored in variants:
            continue
        quote = next((words for words in variants if words in text), None)
        held[slot] = quote or variants[0]
        yield update(
            slot,
            held[slot],
            evidence=quote or text,
            subject=subject,
            change="new" if stored is None else "update",
            current_value=stored,
        )
