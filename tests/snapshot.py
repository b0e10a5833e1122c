"""What the database holds of one tenant, read past the library, beside what the oracle says it must hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import neo4j
from oracle import OracleTenant
from rule import Entry, segments

from graph_memory import Ref
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import from_property, identity

TEMPLATES = Path(__file__).parent / "cypher"


def _native(value: Any) -> Any:
    return value.to_native() if hasattr(value, "to_native") else value


def _rows(driver: neo4j.Driver, name: str, tenant: str) -> list[dict[str, Any]]:
    text = (TEMPLATES / f"{name}.cypher").read_text("utf-8")
    records, _, _ = driver.execute_query(text, tenant=tenant, routing_=neo4j.RoutingControl.READ)
    return [record.data() for record in records]


@dataclass
class Snapshot:
    """A tenant's part of the database: entries by id, edges, keys of entities."""

    entries: dict[str, dict[str, Any]]
    edges: list[dict[str, Any]]
    entities: set[str]

    @classmethod
    def read(cls, driver: neo4j.Driver, tenant: str) -> Snapshot:
        """Read it."""
        return cls(
            {row["fact"]["id"]: row for row in _rows(driver, "entries", tenant)},
            _rows(driver, "edges", tenant),
            {row["key"] for row in _rows(driver, "entities", tenant)},
        )

    def instants(self) -> set[datetime]:
        """Every recorded instant: of entries, of retractions, of confirmations."""
        found: set[datetime] = set()
        for row in self.entries.values():
            found.add(_native(row["fact"]["recorded_at"]))
            if retracted_at := row["fact"].get("retracted_at"):
                found.add(_native(retracted_at))
            found.update(_native(recorded_at) for _, _, recorded_at, *_ in row["episodes"])
        return found

    def check(self, truth: OracleTenant, ids: Mapping[str, str]) -> None:
        """Compare it with the oracle; `ids` leads from the database's ids to the oracle's."""
        assert {ids[id_] for id_ in self.entries} == {entry.id for entry in truth.entries}
        assert self.entities == set(truth.entities)
        by_id = {entry.id: entry for entry in truth.entries}
        for id_, row in self.entries.items():
            _check_entry(row, by_id[ids[id_]], truth, ids)
        _check_edges(self.edges, truth, ids)
        opened = {ids[id_] for id_, row in self.entries.items() if "Open" in row["labels"]}
        assert opened == {
            entry.id for live in live_slots(truth) for _, stop, entry in segments(live) if stop is None
        }
        check_acyclic({id_: [old for old, _ in row["supersedes"]] for id_, row in self.entries.items()})


def live_slots(truth: OracleTenant) -> list[list[Entry]]:
    """The live entries of each slot."""
    slots: dict[Any, list[Entry]] = {}
    for entry in truth.entries:
        if entry.retracted_at is None:
            slots.setdefault(entry.slot, []).append(entry)
    return list(slots.values())


def _check_entry(row: dict[str, Any], entry: Entry, truth: OracleTenant, ids: Mapping[str, str]) -> None:
    fact, labels = row["fact"], set(row["labels"])
    said = entry.ended_value if entry.value is None else entry.value
    subject, attribute, member = entry.slot
    assert fact["tenant"] == truth.name
    assert (fact["subject"], fact["attribute"], row["holder"]) == (subject, attribute, subject)
    assert fact["slot"] == slot_key(truth.name, subject, attribute, said if member else None)
    assert fact["has_value"] == (entry.value is not None)
    stored = None if "value" not in fact else from_property(fact["value_type"], fact["value"])
    assert (stored and identity(stored)) == (said and identity(said))
    for name, expected in (
        ("valid_from", entry.valid_from),
        ("until", entry.until),
        ("recorded_at", entry.recorded_at),
        ("retracted_at", entry.retracted_at),
    ):
        assert _native(fact.get(name)) == expected, name
    assert labels == {"Fact", "Open", "Live"} - {"Open"} - ({"Live"} if entry.retracted_at else set()) | (
        labels & {"Open"}
    )
    first = entry.citations[0]
    assert (fact["episode_id"], fact["source"]) == (first.episode.id, first.episode.source)
    assert _sorted(
        (tenant, id_, _native(recorded_at), source) for tenant, id_, recorded_at, source, _ in row["episodes"]
    ) == _sorted(
        (truth.name, cited.episode.id, cited.recorded_at, cited.episode.source) for cited in entry.citations
    )
    assert [(ids[old], kind) for old, kind in row["supersedes"]] == (
        [(entry.supersedes[0].id, entry.supersedes[1])] if entry.supersedes else []
    )
    behind = entry.retraction[1] if entry.retraction else None
    retired = [entry.successor.id] if entry.successor else [behind.id] if behind else []
    assert [ids.get(id_, id_) for id_ in row["retracted_by"]] == retired
    objects = [[truth.name, said.key]] if isinstance(said, Ref) else []
    assert row["objects"] == objects


def _check_edges(edges: list[dict[str, Any]], truth: OracleTenant, ids: Mapping[str, str]) -> None:
    found = [
        (
            row["subject"],
            row["type"],
            row["edge"]["tenant"],
            ids[row["edge"]["fact_id"]],
            _native(row["edge"]["valid_from"]),
            _native(row["edge"].get("valid_to")),
            row["object"] if row["fact"] is None else ids[row["fact"]],
        )
        for row in edges
    ]
    expected = [
        (
            entry.slot[0],
            entry.slot[1].upper(),
            truth.name,
            entry.id,
            start,
            stop,
            entry.value.key if isinstance(entry.value, Ref) else entry.id,
        )
        for live in live_slots(truth)
        for start, stop, entry in segments(live)
        if entry.value is not None
    ]
    assert _sorted(found) == _sorted(expected)


def _sorted(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def check_acyclic(links: Mapping[str, list[str]]) -> None:
    """Fail where following links leads back to where one started."""
    done: set[str] = set()
    for start in links:
        path: list[str] = []
        at: str | None = start
        while at is not None and at not in done:
            assert at not in path, f"a circle of SUPERSEDES: {path}"
            path.append(at)
            assert len(links[at]) <= 1
            at = links[at][0] if links[at] else None
        done.update(path)
