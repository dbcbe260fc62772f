"""What the commands of operators work on: a server's database, beside the servers that run.

Housekeeping removes what nobody needs any more, and gives its room back to the disk.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from sqlalchemy import Connection, delete, or_, select, text
from sqlalchemy.exc import SQLAlchemyError

from headway.errors import InputError
from headway.server.admin.acts import note
from headway.server.core.calendar import Calendar
from headway.server.core.database import (
    SQLITE_LOCK_SECONDS,
    Database,
    beside,
    open_engine,
    sqlite_file,
)
from headway.server.core.migrations import newest_version
from headway.server.core.schema import (
    ACCOUNTS,
    ANSWERS,
    EVENTS,
    GUESTS,
    REPORTS,
    REVIEWS,
    SEATS,
    TABLES,
    TOKENS,
)
from headway.server.core.workers import running
from headway.server.people.accounts import Accounts
from headway.server.people.guests import Guests
from headway.server.people.store import AccountStore
from headway.server.tables.authority import TableAuthority
from headway.server.tables.rows import remove_tables
from headway.server.tables.store import WAITING_TABLE_SECONDS, TableStore

if TYPE_CHECKING:
    from headway.progress import Show

T = TypeVar("T")
DAY = 86_400.0
UNSEEN_DAYS = 365
REVIEW_DAYS = 30
HANDLED_DAYS = 90
TABLES_AT_ONCE = 50


class Operator:
    """The parts of a server that operators need: people, and tables with their one authority."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = TableStore(database, Calendar())
        self.authority = TableAuthority(self.tables)
        # It signs nothing: only a server knows the secret.
        self.guests = Guests(database, secrets.token_bytes(32))
        self.accounts = Accounts(AccountStore(database), self.guests, self.authority)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work reads."""
        return await self.database.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work returns, in one transaction, tried again if it must be."""
        return await self.accounts.store.retried(work)

    @classmethod
    @asynccontextmanager
    async def at(cls, address: str) -> AsyncIterator[Operator]:
        """Opens a database; refuses one that is missing or of another version."""
        file = sqlite_file(address)
        if file and not file.exists():
            raise InputError("backup.no_database", file=file)
        database = Database(open_engine(address, patient=True))
        try:
            await _check_version(database)
            operator = cls(database)
            async with running(operator.tables.run, "event writer"):
                yield operator
        finally:
            await database.close()


async def _check_version(database: Database) -> None:
    try:
        version = await database.value(select(text("version_num FROM alembic_version")))
    except SQLAlchemyError:
        version = None
    if version != newest_version():
        raise InputError("admin.version", version=version or "?", newest=newest_version())


class Waste(msgspec.Struct, frozen=True):
    """What can go: tables never begun, guests long unseen, reviews of records that people sent,
    and reports that were handled long ago."""

    tables: list[str]
    guests: list[str]
    reviews: list[str]
    reports: list[int]


def waste(connection: Connection, now: float) -> Waste:
    """Returns what nobody needs any more."""
    never = TABLES.c.started.is_(None) & (TABLES.c.changed < now - WAITING_TABLE_SECONDS)
    unseen = now - UNSEEN_DAYS * DAY
    lately = select(TABLES.c.id).where(TABLES.c.changed >= unseen)
    sits = or_(SEATS.c.guest == GUESTS.c.id, SEATS.c.former == GUESTS.c.id)
    seen = [
        select(ACCOUNTS.c.guest).where(ACCOUNTS.c.guest == GUESTS.c.id).exists(),
        select(SEATS.c.seat).where(sits, SEATS.c.table_id.in_(lately)).exists(),
        select(EVENTS.c.number)
        .where(EVENTS.c.guest == GUESTS.c.id, EVENTS.c.at >= unseen)
        .exists(),
        select(TABLES.c.id)
        .where(TABLES.c.host == GUESTS.c.id, TABLES.c.changed >= unseen)
        .exists(),
        select(ANSWERS.c.puzzle)
        .where(ANSWERS.c.guest == GUESTS.c.id, ANSWERS.c.at >= unseen)
        .exists(),
        select(TOKENS.c.hash)
        .where(TOKENS.c.guest == GUESTS.c.id, TOKENS.c.created >= unseen)
        .exists(),
    ]
    guests = select(GUESTS.c.id).where(GUESTS.c.created < unseen, ~or_(*seen))
    reviews = select(REVIEWS.c.key).where(
        REVIEWS.c.finished,
        REVIEWS.c.asked < now - REVIEW_DAYS * DAY,
        REVIEWS.c.key.not_in(select(TABLES.c.id)),
    )
    handled = REPORTS.c.handled < now - HANDLED_DAYS * DAY
    return Waste(
        tables=list(connection.scalars(select(TABLES.c.id).where(never).order_by(TABLES.c.id))),
        guests=list(connection.scalars(guests.order_by(GUESTS.c.id))),
        reviews=list(connection.scalars(reviews.distinct().order_by(REVIEWS.c.key))),
        reports=list(
            connection.scalars(select(REPORTS.c.id).where(handled).order_by(REPORTS.c.id))
        ),
    )


async def remove(operator: Operator, found: Waste, show: Show) -> None:
    """Removes it, a little at a time, so that people who play do not wait."""
    for start in range(0, len(found.tables), TABLES_AT_ONCE):
        some = found.tables[start : start + TABLES_AT_ONCE]
        await operator.write(partial(_remove_tables, table_ids=some))
    for done, guest in enumerate(found.guests, 1):
        await operator.accounts.remove(guest)
        show(done, len(found.guests))
    await operator.write(partial(_remove_rest, found=found))


def _remove_tables(connection: Connection, table_ids: list[str]) -> None:
    begun = select(TABLES.c.id).where(TABLES.c.id.in_(table_ids), TABLES.c.started.is_not(None))
    meanwhile = set(connection.scalars(begun))
    remove_tables(connection, [table for table in table_ids if table not in meanwhile])


def _remove_rest(connection: Connection, found: Waste) -> None:
    for key in found.reviews:
        connection.execute(delete(REVIEWS).where(REVIEWS.c.key == key))
    for number in found.reports:
        connection.execute(delete(REPORTS).where(REPORTS.c.id == number))
    counts = {name: len(getattr(found, name)) for name in found.__struct_fields__}
    note(connection, "housekeeping", "", **counts)


async def size(operator: Operator, address: str) -> float:
    """Returns how many megabytes the database takes."""
    if file := sqlite_file(address):
        files = (file, beside(file, "-wal"))
        return sum(one.stat().st_size for one in files if one.exists()) / 1e6
    query = select(text("pg_database_size(current_database())"))
    return float(await operator.database.value(query)) / 1e6


async def vacuum(operator: Operator, address: str) -> None:
    """Gives free room in the database back to the disk; writers wait meanwhile."""
    if file := sqlite_file(address):
        await asyncio.to_thread(_vacuum_sqlite, file)
        return
    async with operator.database.engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM (ANALYZE)"))


def _vacuum_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file, SQLITE_LOCK_SECONDS, isolation_level=None)) as database:
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
