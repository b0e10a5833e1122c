"""One write to the ledger: the locks and reads that it needs, and the way from the rows read to the planner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from graph_memory.domain.instants import from_micros, from_optional_micros, to_pair
from graph_memory.domain.name_forms import folded_key
from graph_memory.domain.values import from_property
from graph_memory.ledger.commands import Command
from graph_memory.ledger.mutations import Mutation
from graph_memory.ledger.planner import (
    Change,
    Window,
    plan,
)
from graph_memory.ledger.timeline import Entry, lasting_start


@dataclass(slots=True)
class Write:
    """One transaction on the ledger of one tenant.

    Attributes:
        tenant: the tenant that the ledger belongs to.
        commands: the changes that the transaction makes.
        new_id: makes the id of a new entry.
        subjects: keys of entities to lock as subjects, besides those of the commands.
        episodes: ids of episodes to look up, besides those of the commands.
    """

    tenant: str
    commands: Sequence[Command]
    new_id: Callable[[], str]
    subjects: frozenset[str] = frozenset()
    episodes: frozenset[str] = frozenset()
    _episodes: list[str] = field(init=False)
    _slots: list[str] = field(init=False)
    _starts: dict[str, set[datetime]] = field(init=False)
    _ranked: set[str] = field(init=False)

    def __post_init__(self) -> None:
        said = (i.statement.episode if i.statement else i.episode for i in self.commands)
        self._episodes = sorted(self.episodes.union(episode for episode in said if episode is not None))
        self._starts = {}
        for command in self.commands:
            for slot, start in command.places:
                self._starts.setdefault(slot, set()).add(start)
        self._slots = sorted(self._starts)
        self._ranked = {i.statement.slot for i in self.commands if i.statement and i.statement.terms.ranked}

    def to_lock(self) -> dict[str, Any]:
        """Return the parameters of write/lock."""
        subjects = self.subjects.union(command.subject for command in self.commands)
        entities = subjects.union(*(command.objects for command in self.commands))
        said = [command.statement for command in self.commands if command.statement]
        quoted = {s.episode for s in said if s.quote is not None and s.quoted_at is None}
        return {
            "tenant": self.tenant,
            "entities": [
                {"key": key, "folded": folded_key(key), "subject": key in subjects} for key in sorted(entities)
            ],
            "episodes": [{"id": id_, "quoted": id_ in quoted} for id_ in self._episodes],
            "windows": [
                {
                    "slot": slot,
                    "earliest": to_pair(min(self._starts[slot])),
                    "latest": to_pair(max(self._starts[slot])),
                    "starts": [to_pair(start) for start in self._starts[slot]],
                    "over": None if (over := self._over(slot)) is None else to_pair(over),
                    "ranked": slot in self._ranked,
                }
                for slot in self._slots
            ],
        }

    def _over(self, slot: str) -> datetime | None:
        """Return the instant (UTC) at which all statements about a slot are over; None: one holds for ever."""
        untils = [c.statement.until for c in self.commands if c.statement and c.statement.slot == slot]
        known = [until for until in untils if until is not None]
        return max([*known, *self._starts[slot]]) if len(known) == len(untils) else None

    def decide(self, locked: Sequence[Any], instead: Sequence[Command] | None = None) -> Mutation:
        """Return what to write.

        Args:
            locked: the row that write/lock returned.
            instead: commands to decide instead of `commands`; they may touch only places of `commands`.
        """
        micros, created, episodes, windows, merged = locked
        said = {id_: tuple(row) for id_, row in zip(self._episodes, episodes, strict=True)}
        found = {self._slots[row[0]]: row for row in windows}
        windows_by_slot = {slot: _window(slot, min(self._starts[slot]), found.get(slot)) for slot in self._slots}
        mutation = Mutation(
            self.tenant,
            self.new_id,
            from_micros(micros),
            set(created),
            set(self._slots) - found.keys(),
            windows_by_slot,
        )
        mutation.merged = dict(merged)
        changes: list[Change] = []
        for command in self.commands if instead is None else instead:
            change = mutation.change(_started(command, windows_by_slot), said)
            if change is not None:
                changes.append(change)
        mutation.plan = plan(windows_by_slot, changes)
        return mutation


def _started(command: Command, windows: Mapping[str, Window]) -> Command:
    """Return a command whose statement starts where its sightings let it."""
    said = command.statement
    if said is None or not command.sightings:
        return command
    start = lasting_start(windows[said.slot].entries, command.starts, said.value)
    return replace(command, statement=replace(said, valid_from=start), sightings=())


def _window(slot: str, since: datetime, row: Sequence[Any] | None) -> Window:
    if row is None:
        return Window(since)
    _, boundary, live, there, resumed = row
    entries = {e[0]: _entry(slot, e) for e in live}
    entries |= {e[0]: _entry(slot, e) for e in there}  # these rows list the episodes too
    return Window(since, tuple(entries.values()), from_optional_micros(boundary), from_optional_micros(resumed))


def _entry(slot: str, row: Sequence[Any]) -> Entry:
    id_, valid_from, until, has_value, stored, stored_type, source, sources = row[:8]
    episodes, live, retracted_by = row[8:] if len(row) > 9 else (row[8], True, None)
    return Entry(
        id=id_,
        slot=slot,
        valid_from=from_micros(valid_from),
        until=from_optional_micros(until),
        value=from_property(stored_type, stored) if has_value else None,
        source=source,
        confirmed_by=frozenset(sources or ()),
        episodes=frozenset(episodes),
        live=live,
        retracted_by=retracted_by,
    )
