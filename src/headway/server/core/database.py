"""The database's engine: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import contextlib
import logging
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Delete,
    Engine,
    Insert,
    Select,
    Update,
    create_engine,
    event,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from headway.errors import InputError
from headway.server.core.errors import RefusedError
from headway.server.core.schema import SECRETS
from headway.server.core.sqlite import PRAGMAS, SQLITE_LOCK_SECONDS, SqliteThreads

T = TypeVar("T")
log = logging.getLogger("headway.database")
CONNECT_SECONDS = 5
STATEMENT_SECONDS = 10
"""How long PostgreSQL may take for one statement; none of ours needs a second."""
AWAY_STATES = ("08", "53", "57", "58")
"""Classes of PostgreSQL's errors: no connection, nothing left, shut down or too slow, broken."""
_AWAY = OperationalError, InterfaceError, PoolTimeoutError, OSError, sqlite3.OperationalError
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class DatabaseAwayError(RefusedError):
    """The database is away, full or too slow: nothing was acknowledged."""


@contextlib.contextmanager
def _away_refused() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not _is_away(error):
            raise
        log.warning("database away", extra={"error": type(error).__name__})
        raise DatabaseAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "server.no_database") from error


def _is_away(error: Exception) -> bool:
    """Whether an error means that the database is away, full or too slow, and not a mistake."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if state := getattr(cause, "sqlstate", None):
        return str(state).startswith(AWAY_STATES)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or isinstance(error, _AWAY)


class NumberTakenError(Exception):
    """Another process wrote the same thing first; nothing of this was written."""


def open_engine(address: str, *, patient: bool = False) -> AsyncEngine:
    """Returns an engine for SQLite (write-ahead log, one writer at a time) or PostgreSQL.

    A `patient` one has no limit for a statement: a migration may take long.
    """
    try:
        url = make_url(address)
        kind = url.get_backend_name()
        url = url.set(drivername=_DRIVERS[kind])
    except (ArgumentError, KeyError):
        raise InputError("server.database_address") from None
    if kind == "postgresql":
        return _postgresql_engine(url, patient)
    if url.database in (None, "", ":memory:"):
        raise InputError("server.database_file")
    engine = create_async_engine(url, connect_args={"timeout": SQLITE_LOCK_SECONDS})
    _prepare_sqlite(engine.sync_engine)
    return engine


def _postgresql_engine(url: URL, patient: bool) -> AsyncEngine:
    limits: dict[str, Any] = {"timeout": CONNECT_SECONDS}
    if not patient:
        # The server ends a statement that takes too long; the client's own limit, a little later,
        # is for a server that no longer answers.
        milliseconds = str(STATEMENT_SECONDS * 1000)
        limits["server_settings"] = {
            "statement_timeout": milliseconds,
            "idle_in_transaction_session_timeout": milliseconds,
        }
        limits["command_timeout"] = STATEMENT_SECONDS + 1
    return create_async_engine(
        url,
        connect_args=limits,
        pool_pre_ping=True,
        pool_size=8,
        max_overflow=8,
        pool_timeout=STATEMENT_SECONDS,
    )


def _sqlite_engine(url: URL) -> Engine:
    """Returns an engine that works in the thread that calls it."""
    engine = create_engine(
        url.set(drivername="sqlite"),
        connect_args={"timeout": SQLITE_LOCK_SECONDS},
        pool_size=SqliteThreads.READERS + 1,
    )
    _prepare_sqlite(engine)
    return engine


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # `begin` below says BEGIN itself
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        mode = "" if connection.get_execution_options().get("reads") else " IMMEDIATE"
        cursor = connection.connection.cursor()  # SQLAlchemy's way takes as long as an insert
        cursor.execute("BEGIN" + mode)
        cursor.close()


class Database:
    """The database of a server process.

    Queries are functions that get a connection, for SQLite and PostgreSQL the same. With SQLite
    they run in threads: to await each statement costs more than SQLite itself.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        self.write_failed = False
        """Whether the last write failed: then `ping` writes too, as a full disk can be read."""
        is_sqlite = engine.dialect.name == "sqlite"
        self._sqlite = SqliteThreads(_sqlite_engine(engine.url)) if is_sqlite else None

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work reads; refuses with a sentence if the database is away."""
        with _away_refused():
            if self._sqlite:
                return await self._sqlite.read(work)
            async with self.engine.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work returns; it writes in one transaction, or not at all.

        Refuses with a sentence if the database is away or full.
        """
        try:
            with _away_refused():
                if self._sqlite:
                    result = await self._sqlite.write(work)
                else:
                    async with self.engine.begin() as connection:
                        result = await connection.run_sync(work)
        except DatabaseAwayError:
            self.write_failed = True
            raise
        self.write_failed = False
        return result

    async def rows(self, query: Select[Any]) -> list[Any]:
        """Returns the rows of a query."""
        return await self.read(lambda connection: list(connection.execute(query)))

    async def first(self, query: Select[Any]) -> Any:
        """Returns the first row of a query, None if it has none."""
        return await self.read(lambda connection: connection.execute(query).first())

    async def column(self, query: Select[Any]) -> list[Any]:
        """Returns the first column of a query."""
        return await self.read(lambda connection: list(connection.scalars(query)))

    async def value(self, query: Select[Any]) -> Any:
        """Returns the first value of a query, None if it has no row."""
        return await self.read(lambda connection: connection.scalar(query))

    async def change(self, statement: Insert | Update | Delete) -> int:
        """Does what a statement says; returns how many rows it changed."""
        return await self.write(lambda connection: connection.execute(statement).rowcount)

    async def ping(self) -> None:
        """Raises if the database does not answer, or still cannot write."""
        await self.value(select(1))
        if self.write_failed:
            probe = self.dialect.insert(SECRETS).values(name="probe", value=secrets.token_bytes(8))
            changed = {"value": probe.excluded.value}
            await self.change(probe.on_conflict_do_update(index_elements=["name"], set_=changed))

    async def secret(self, fresh: bytes, name: str = "cookies") -> bytes:
        """Returns the secret of a use; the first call keeps the fresh one for ever."""
        adding = self.dialect.insert(SECRETS).values(name=name, value=fresh)
        await self.change(adding.on_conflict_do_nothing())
        value: bytes = await self.value(select(SECRETS.c.value).where(SECRETS.c.name == name))
        return value

    async def close(self) -> None:
        """Closes all connections."""
        if self._sqlite:
            await self._sqlite.close()
        await self.engine.dispose()
