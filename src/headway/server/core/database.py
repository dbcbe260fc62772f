"""The database: SQLite in a file, or PostgreSQL.

Only its owner may read an SQLite file. Each server holds a shared lock on a file beside it, and
`headway restore` an exclusive one. The system releases the lock of a process that ends, however it
ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar, TypeVar

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
from headway.settings import DATABASE_FILE, data_dir

T = TypeVar("T")
log = logging.getLogger("headway.database")
SQLITE_LOCK_SECONDS = 15
"""How long a writer waits for another one."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
FOLDER_MODE = 0o700
FILE_MODE = 0o600
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files that belong to it."""
LOCK = "-lock"
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


class SqliteThreads:
    """Does work with SQLite in threads: one writes, as SQLite has one writer at a time."""

    READERS: ClassVar[int] = 4

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._readers = ThreadPoolExecutor(self.READERS, "sqlite reader")
        self._writer = ThreadPoolExecutor(1, "sqlite writer")
        self._writing: Connection | None = None

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work reads, all of it from the same moment."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Returns what the work returns, in a transaction, after all work before it."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def close(self) -> None:
        """Closes all connections, once everything is done."""
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown)
        if self._writing:
            self._writing.close()
        self._engine.dispose()

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            return work(connection.execution_options(reads=True))

    def _write(self, work: Callable[[Connection], T]) -> T:
        self._writing = self._writing or self._engine.connect()
        try:
            with self._writing.begin():
                return work(self._writing)
        except (DBAPIError, sqlite3.Error):
            # The next one begins with a new connection, whatever state this one is in.
            self._writing.close()
            self._writing = None
            raise


# The file of an SQLite database


def sqlite_file(address: str) -> Path | None:
    """Returns the file of an SQLite database, None for another database."""
    try:
        url = make_url(address)
    except ArgumentError:
        return None
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def beside(file: Path, ending: str) -> Path:
    """Returns a file that belongs to a database."""
    return file.with_name(file.name + ending)


def prepare(file: Path) -> None:
    """Creates the file if it is missing, and lets only its owner read it and what is beside it.

    Refuses with a sentence where Headway cannot write.
    """
    try:
        if file.parent == data_dir():
            _prepare_folder(file.parent)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE_MODE))
        os.close(_open_lock(file))
    except OSError as error:
        raise InputError("server.database_folder", file=file, reason=error.strerror) from None
    for path in (file, *(beside(file, ending) for ending in (*BESIDE, LOCK))):
        _make_private(path, FILE_MODE)


def _prepare_folder(folder: Path) -> None:
    """Makes Headway's data folder private, unless something else is in it too."""
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    own = DATABASE_FILE.partition(".")[0]
    if all(entry.name.startswith(own) for entry in folder.iterdir()):
        _make_private(folder, FOLDER_MODE)


def _make_private(path: Path, mode: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        found = path.stat()
        if found.st_uid == os.geteuid() and found.st_mode & 0o777 & ~mode:
            path.chmod(mode)


def _open_lock(file: Path) -> int:
    return os.open(beside(file, LOCK), os.O_RDWR | os.O_CREAT, FILE_MODE)


@contextlib.contextmanager
def used(file: Path) -> Iterator[bool]:
    """Marks a database as used by a server; tells whether no other process uses it."""
    with _lock(file) as lock:
        alone = _locked(lock)
        # A lock that is held becomes the weaker one at once. A restore that has begun ends soon.
        fcntl.lockf(lock, fcntl.LOCK_SH)
        yield alone


@contextlib.contextmanager
def unused(file: Path) -> Iterator[None]:
    """Keeps servers from using a database; refuses if one does."""
    with _lock(file) as lock:
        if not _locked(lock):
            raise InputError("backup.in_use", database=file)
        yield


@contextlib.contextmanager
def _lock(file: Path) -> Iterator[int]:
    # Not a lock on the database: closing any descriptor of that would end SQLite's own locks.
    lock = _open_lock(file)
    try:
        yield lock
    finally:
        os.close(lock)


def _locked(lock: int) -> bool:
    """Takes the lock for this process alone; tells whether no other has it."""
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
