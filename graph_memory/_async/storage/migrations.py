"""Migrations: bring the database's constraints and indexes up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

from neo4j import exceptions as driver_errors

from graph_memory._async.storage.database import AsyncDatabase, AsyncTransaction
from graph_memory._async.storage.ids import new_id
from graph_memory.errors import SchemaMismatchError, UnavailableError
from graph_memory.storage.templates import template, template_names

OLDEST = (5, 26)
_TRIES = 20
_PAUSE = 0.25
_LEASE_SECONDS = 60

# What is done after the statements of a migration, such as what no statement can do. It calls its second argument
# now and then, so that no other process takes over.
Finish = Callable[[AsyncDatabase, Callable[[], Awaitable[None]]], Awaitable[None]]


async def require_version(database: AsyncDatabase) -> None:
    """Raise SchemaMismatchError where the server is older than the templates need."""
    [[version, _]] = await database.read("admin/server")
    if tuple(int(part) for part in version.split("-")[0].split(".")[:2]) < OLDEST:
        raise SchemaMismatchError(
            f"the server at {database.address} runs Neo4j {version}, and graph-memory needs "
            f"{OLDEST[0]}.{OLDEST[1]} or newer: upgrade the server"
        )


async def applied_migrations(database: AsyncDatabase) -> list[str]:
    """Return the ids of the migrations that the database has, in order."""
    return [id_ for [id_] in await database.read("admin/migrations")]


async def migrate(database: AsyncDatabase, finishes: Mapping[str, Finish]) -> None:
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

    async def held() -> None:
        await _lease(database, holder)

    known = {name.removeprefix("migrations/"): name for name in template_names("migrations")}
    holder = new_id()
    if await _lacking(database, known.keys()):
        await _run(database, template("admin/lease_name").text)
    while lacking := await _lacking(database, known.keys()):
        if not await _lease(database, holder):
            await asyncio.sleep(_PAUSE)
            continue
        for statement in template(known[lacking[0]]).statements:
            await _lease(database, holder)
            await _run(database, statement)
        await database.run_alone("CALL db.awaitIndexes(300)")
        if lacking[0] in finishes:
            await finishes[lacking[0]](database, held)
        await _record(database, lacking[0])


async def _lacking(database: AsyncDatabase, known: Collection[str]) -> list[str]:
    """Return the missing migrations, in order; raises SchemaMismatchError where the database has unknown ones."""
    done = await applied_migrations(database)
    newer = sorted(set(done) - set(known))
    if newer:
        raise SchemaMismatchError(
            f"the database was migrated by a newer graph-memory (it has {', '.join(newer)}, which this version "
            "does not know): upgrade graph-memory"
        )
    return sorted(set(known) - set(done))


async def _lease(database: AsyncDatabase, holder: str) -> bool:
    """Take or renew the lease on the migrations; return whether this process now holds it."""

    async def work(transaction: AsyncTransaction) -> bool:
        return bool(
            await transaction.run("admin/lease", lease="migrations", holder=holder, seconds=_LEASE_SECONDS)
        )

    return await database.write(work)


async def _run(database: AsyncDatabase, statement: str) -> None:
    for attempt in range(_TRIES):
        try:
            await database.run_alone(statement)
            return
        except (driver_errors.Neo4jError, UnavailableError):
            # Another process is creating the same constraint (a deadlock, or a race that it won); a later attempt
            # finds the constraint in place.
            if attempt == _TRIES - 1:
                raise
            await asyncio.sleep(_PAUSE)


async def _record(database: AsyncDatabase, id_: str) -> None:
    async def work(transaction: AsyncTransaction) -> None:
        await transaction.run("admin/migrated", id=id_)

    await database.write(work)
