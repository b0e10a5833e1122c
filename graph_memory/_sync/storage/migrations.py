# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Migrations: bring the database's constraints and indexes up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from neo4j import exceptions as driver_errors

from graph_memory._sync.storage.database import Database, Transaction
from graph_memory._sync.storage.ids import new_id
from graph_memory.errors import SchemaMismatchError, UnavailableError
from graph_memory.storage.templates import template, template_names

OLDEST = (5, 26)
_TRIES = 20
_PAUSE = 0.25
_LEASE_SECONDS = 60

# What is done after the statements of a migration, such as what no statement can do. It calls its second argument
# now and then, so that no other process takes over.
Finish = Callable[[Database, Callable[[], None]], None]


def require_version(database: Database) -> None:
    """Raise SchemaMismatchError where the server is older than the templates need."""
    [[version, _]] = database.read("admin/server")
    if tuple(int(part) for part in version.split("-")[0].split(".")[:2]) < OLDEST:
        raise SchemaMismatchError(
            f"the server at {database.address} runs Neo4j {version}, and graph-memory needs "
            f"{OLDEST[0]}.{OLDEST[1]} or newer: upgrade the server"
        )


def applied_migrations(database: Database) -> list[str]:
    """Return the ids of the migrations that the database has, in order."""
    return [id_ for [id_] in database.read("admin/migrations")]


def migrate(database: Database, finishes: Mapping[str, Finish]) -> None:
    """Apply the migrations that the database lacks, one process at a time.

    Two processes that create indexes at the same time would wait for each other's transactions, so a lease lets
    them take turns. Each statement may be run again, and each migration is recorded when it is done. A process
    that is stopped half-way therefore does no harm: another one continues when the lease has run out.

    Args:
        database: to bring up to date.
        finishes: what is done after the statements of a migration, by its id; it may be done again.

    Raises:
        SchemaMismatchError: the database has migrations that this code does not know.
    """

    def held() -> None:
        _lease(database, holder)

    known = {name.removeprefix("migrations/"): name for name in template_names("migrations")}
    holder = new_id()
    if _lacking(database, known.keys()):
        _run(database, template("admin/lease_name").text)
    while lacking := _lacking(database, known.keys()):
        if not _lease(database, holder):
            time.sleep(_PAUSE)
            continue
        for statement in template(known[lacking[0]]).statements:
            _lease(database, holder)
            _run(database, statement)
        database.run_alone("CALL db.awaitIndexes(300)")
        if lacking[0] in finishes:
            finishes[lacking[0]](database, held)
        _record(database, lacking[0])


def _lacking(database: Database, known: Collection[str]) -> list[str]:
    """Return the missing migrations, in order; raises SchemaMismatchError where the database has unknown ones."""
    done = applied_migrations(database)
    newer = sorted(set(done) - set(known))
    if newer:
        raise SchemaMismatchError(
            f"the database was migrated by a newer graph-memory (it has {', '.join(newer)}, which this version "
            "does not know): upgrade graph-memory"
        )
    return sorted(set(known) - set(done))


def _lease(database: Database, holder: str) -> bool:
    """Take or renew the lease on the migrations; return whether this process now holds it."""

    def work(transaction: Transaction) -> bool:
        return bool(transaction.run("admin/lease", lease="migrations", holder=holder, seconds=_LEASE_SECONDS))

    return database.write(work)


def _run(database: Database, statement: str) -> None:
    for attempt in range(_TRIES):
        try:
            database.run_alone(statement)
            return
        except (driver_errors.Neo4jError, UnavailableError):
            # Another process is creating the same constraint (a deadlock, or a race that it won); a later attempt
            # finds the constraint in place.
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE)


def _record(database: Database, id_: str) -> None:
    def work(transaction: Transaction) -> None:
        transaction.run("admin/migrated", id=id_)

    database.write(work)
