# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The text index: what is put into it of each episode, and by which analyzer it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory.search.index_generations import (
    Generation,
    Generations,
    SupersededGenerationError,
    generations,
)
from graph_memory.search.term_index import all_entries, entries

# Episodes to a transaction.
_BATCH = 100


class Texts:
    """The text index of all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: Generations | None = None

    def generations(self, *, again: bool = False) -> Generations:
        """Return which index is in use and which is being built; `again` reads it anew."""
        if self._known is None or again:
            self._known = generations(self._database.read("index/state"))["text"]
        return self._known

    def adopt(self) -> int:
        """Put episodes that an older version of this program stored into the text index; return how many."""
        adopted = 0
        while some := self.adopt_some():
            adopted += some
        return adopted

    def adopt_some(self) -> int:
        """Put one batch of such episodes into the text index; return how many."""
        strays = self._database.read("index/strays", limit=_BATCH)
        if not strays:
            return 0
        known = self.generations(again=True)
        for tenant, rows in _by_tenant(strays, lambda tenant, text: all_entries(tenant, text, known)):
            self._adopt(tenant, rows, known)
        return len(strays)

    def _adopt(self, tenant: str, rows: list[dict[str, Any]], known: Generations) -> None:
        def work(transaction: Transaction) -> None:
            adopted = transaction.run("write/adopt", tenant=tenant, generation=known.newest.number, rows=rows)
            turns = {id_: session for id_, session in adopted if session is not None}
            if turns:
                sessions = sorted({*turns.values()})
                transaction.run("write/link", tenant=tenant, sessions=sessions, ids=list(turns))

        self._database.write(work)

    def missing(self, generation: Generation) -> int:
        """Return how many episodes are not in an index yet."""
        [[missing]] = self._database.read("index/count_unworded", generation=generation.number)
        return int(missing)

    def catch_up(self, generation: Generation) -> int:
        """Put some episodes into an index that are not in it yet; return how many.

        Raises:
            SupersededGenerationError: the index is neither in use nor being built.
        """
        found = self._database.read("index/unworded", generation=generation.number, limit=_BATCH)
        for tenant, rows in _by_tenant(found, lambda tenant, text: entries(tenant, text, generation)):
            self._write(tenant, rows, generation)
        return len(found)

    def _write(self, tenant: str, rows: list[dict[str, Any]], generation: Generation) -> None:
        def work(transaction: Transaction) -> bool:
            [[wanted, _]] = transaction.run(
                "write/words",
                tenant=tenant,
                generation=generation.number,
                property=generation.terms_property,
                rows=rows,
            )
            return bool(wanted)

        if not self._database.write(work):
            raise SupersededGenerationError(f"generation {generation.number} of the text index is over")


def _by_tenant(
    episodes: Iterable[Sequence[str]], passages: Callable[[str, str], list[dict[str, Any]]]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return what is written of episodes (tenant, id, text), by tenant in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for tenant, id_, text in episodes:
        found.setdefault(tenant, []).append({"episode": id_, "passages": passages(tenant, text)})
    return sorted(found.items())


def put_into_text_index(database: Database, held: Callable[[], None]) -> None:
    """Put all episodes into the text index over passages, and drop that over episodes; `held` after each batch.

    It is the part of migration 0006 that no statement can do.
    """
    texts = Texts(database)
    while texts.adopt_some():
        held()
    active = (texts.generations(again=True)).active
    for (name,) in database.run_alone_template("index/others", active=active.name):
        database.run_alone("DROP INDEX $name IF EXISTS", name=name)
