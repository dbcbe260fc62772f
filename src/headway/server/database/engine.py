"""The database's engine: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import event, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from headway.errors import InputError
from headway.server.database.schema import SECRETS

SQLITE_LOCK_SECONDS = 15
"""How long a writer waits for another one."""
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class NumberTakenError(Exception):
    """Another process wrote the same thing first; nothing of this was written."""


def async_url(address: str) -> str:
    """Returns the address with the driver that Headway uses."""
    url = make_url(address)
    name = _DRIVERS.get(url.get_backend_name(), url.drivername)
    return url.set(drivername=name).render_as_string(hide_password=False)


def open_engine(address: str) -> AsyncEngine:
    """Returns an engine for SQLite (write-ahead log, one writer at a time) or PostgreSQL."""
    try:
        url = async_url(address)
    except ArgumentError:
        raise InputError("server.database_address") from None
    if make_url(url).get_backend_name() not in _DRIVERS:
        raise InputError("server.database_address")
    if not url.startswith("sqlite"):
        return create_async_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
    if make_url(url).database in (None, "", ":memory:"):
        raise InputError("server.database_file")
    engine = create_async_engine(url, connect_args={"timeout": SQLITE_LOCK_SECONDS}, pool_size=5)
    _prepare_sqlite(engine)
    return engine


def _prepare_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # `begin` below says BEGIN itself
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        mode = "" if connection.get_execution_options().get("reads") else " IMMEDIATE"
        connection.exec_driver_sql("BEGIN" + mode)


class Database:
    """The connections of a server process to its database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.dialect = postgresql if engine.dialect.name == "postgresql" else sqlite

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Opens a connection for reading."""
        async with self.engine.connect() as connection:
            await connection.execution_options(reads=True)
            yield connection

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction; it commits at the end of the block."""
        async with self.engine.begin() as connection:
            yield connection

    async def ping(self) -> None:
        """Raises if the database does not answer."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def secret(self, fresh: bytes) -> bytes:
        """Returns the secret that signs cookies; the first call keeps the fresh one for ever."""
        adding = self.dialect.insert(SECRETS).values(name="cookies", value=fresh)
        async with self.writing() as connection:
            await connection.execute(adding.on_conflict_do_nothing())
            value: bytes = (await connection.execute(select(SECRETS.c.value))).scalar_one()
        return value

    async def close(self) -> None:
        """Closes all connections."""
        await self.engine.dispose()
