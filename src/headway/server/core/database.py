"""The database's engine: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import contextlib
import logging
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from sqlalchemy import event, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from headway.errors import InputError
from headway.server.core.errors import RefusedError, unavailable
from headway.server.core.schema import SECRETS
from headway.server.core.sqlite import PRAGMAS, SQLITE_LOCK_SECONDS, PlainSqlite

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
        refusal = unavailable("server.no_database")
        raise DatabaseAwayError(refusal.reason, refusal.key) from error


def _is_away(error: Exception) -> bool:
    """Whether an error means that the database is away, full or too slow, and not a mistake."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if state := getattr(cause, "sqlstate", None):
        return str(state).startswith(AWAY_STATES)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or isinstance(error, _AWAY)


class NumberTakenError(Exception):
    """Another process wrote the same thing first; nothing of this was written."""


def async_url(address: str) -> str:
    """Returns the address with the driver that Headway uses."""
    url = make_url(address)
    name = _DRIVERS.get(url.get_backend_name(), url.drivername)
    return url.set(drivername=name).render_as_string(hide_password=False)


def open_engine(address: str, *, patient: bool = False) -> AsyncEngine:
    """Returns an engine for SQLite (write-ahead log, one writer at a time) or PostgreSQL.

    A `patient` one has no limit for a statement: a migration may take long.
    """
    try:
        url = async_url(address)
    except ArgumentError:
        raise InputError("server.database_address") from None
    if make_url(url).get_backend_name() not in _DRIVERS:
        raise InputError("server.database_address")
    if not url.startswith("sqlite"):
        return _postgresql_engine(url, patient)
    if make_url(url).database in (None, "", ":memory:"):
        raise InputError("server.database_file")
    engine = create_async_engine(url, connect_args={"timeout": SQLITE_LOCK_SECONDS}, pool_size=5)
    _prepare_sqlite(engine)
    return engine


def _postgresql_engine(url: str, patient: bool) -> AsyncEngine:
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


def _prepare_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # `begin` below says BEGIN itself
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
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
        self.write_failed = False
        """Whether the last write failed: then `ping` writes too, as a full disk can be read."""
        file = engine.url.database if engine.dialect.name == "sqlite" else None
        self._plain = {use: PlainSqlite(file) for use in ("read", "write")} if file else {}

    @property
    def is_plain(self) -> bool:
        """Whether `read_plain` and `write_plain` work: with SQLite."""
        return bool(self._plain)

    async def read_plain(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Returns what the work reads from SQLite, in a thread."""
        with _away_refused():
            return await self._plain["read"].run(work)

    async def write_plain(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does work that writes to SQLite, in a thread; it begins and ends its transaction."""
        with self._failure_noted(), _away_refused():
            return await self._plain["write"].run(work)

    @contextlib.contextmanager
    def _failure_noted(self) -> Iterator[None]:
        try:
            yield
        except DatabaseAwayError:
            self.write_failed = True
            raise
        self.write_failed = False

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Opens a connection for reading; refuses with a sentence if the database is away."""
        with _away_refused():
            async with self.engine.connect() as connection:
                await connection.execution_options(reads=True)
                yield connection

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction; it commits at the end of the block.

        Refuses with a sentence if the database is away or full.
        """
        with self._failure_noted(), _away_refused():
            async with self.engine.begin() as connection:
                yield connection

    async def ping(self) -> None:
        """Raises if the database does not answer, or still cannot write."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))
        if self.write_failed:
            probe = self.dialect.insert(SECRETS).values(name="probe", value=secrets.token_bytes(8))
            changed = {"value": probe.excluded.value}
            async with self.writing() as connection:
                await connection.execute(
                    probe.on_conflict_do_update(index_elements=["name"], set_=changed)
                )

    async def secret(self, fresh: bytes, name: str = "cookies") -> bytes:
        """Returns the secret of a use; the first call keeps the fresh one for ever."""
        adding = self.dialect.insert(SECRETS).values(name=name, value=fresh)
        async with self.writing() as connection:
            await connection.execute(adding.on_conflict_do_nothing())
            query = select(SECRETS.c.value).where(SECRETS.c.name == name)
            value: bytes = (await connection.execute(query)).scalar_one()
        return value

    async def close(self) -> None:
        """Closes all connections."""
        for plain in self._plain.values():
            await plain.close()
        await self.engine.dispose()
