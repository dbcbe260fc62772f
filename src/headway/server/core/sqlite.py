"""SQLite: the file of a database, and writing without layers.

What happens most often, writing events and asking for a number, goes without SQLAlchemy and its
driver, which cost more than SQLite itself here. The statements are compiled from the same tables,
and the connection has the same settings, so a commit is as durable.

Only its owner may read the file. Each server holds a shared lock on a file beside the database, and
`headway restore` an exclusive one. The system releases the lock of a process that ends, however it
ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import ClauseElement
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from headway.errors import InputError
from headway.settings import DATABASE_FILE, data_dir

T = TypeVar("T")
SQLITE_LOCK_SECONDS = 15
"""How long a writer waits for another one."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
FOLDER_MODE = 0o700
FILE_MODE = 0o600
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files that belong to it."""
LOCK = "-lock"


def statement(clause: ClauseElement) -> str:
    """Returns a statement as SQLite's own module takes it, with named parameters."""
    return str(clause.compile(dialect=sqlite.dialect(paramstyle="named")))


class PlainSqlite:
    """One connection to an SQLite file, used by one thread."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._thread = ThreadPoolExecutor(1, "sqlite")
        self._connection: sqlite3.Connection | None = None

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Returns what the work returns, after the work before it is done."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    async def close(self) -> None:
        """Closes the connection, once everything is done."""
        await asyncio.to_thread(self._thread.shutdown)
        if self._connection:
            self._connection.close()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._open()
            return work(self._connection)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error:
            # The next one begins with a new connection, whatever state this one is in.
            connection, self._connection = self._connection, None
            if connection:
                connection.close()
            raise

    def _open(self) -> sqlite3.Connection:
        # Each transaction says BEGIN itself; `close` is called by another thread.
        connection = sqlite3.connect(
            self.file, SQLITE_LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection


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
        alone = _locked(lock, fcntl.LOCK_EX)
        # A lock that is held becomes the weaker one at once. A restore that has begun ends soon.
        fcntl.lockf(lock, fcntl.LOCK_SH)
        yield alone


@contextlib.contextmanager
def unused(file: Path) -> Iterator[None]:
    """Keeps servers from using a database; refuses if one does."""
    with _lock(file) as lock:
        if not _locked(lock, fcntl.LOCK_EX):
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


def _locked(lock: int, kind: int) -> bool:
    try:
        fcntl.lockf(lock, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
