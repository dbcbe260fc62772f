"""What the commands of operators work on: a server's database, beside the servers that run."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import SQLAlchemyError

from headway.errors import InputError
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine, sqlite_file
from headway.server.core.migrations import newest_version
from headway.server.core.workers import running
from headway.server.people.accounts import Accounts
from headway.server.people.guests import Guests
from headway.server.people.store import AccountStore
from headway.server.tables.authority import TableAuthority
from headway.server.tables.store import TableStore

T = TypeVar("T")


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
