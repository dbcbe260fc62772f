"""SQLite: the file of a database, and the threads that read and write it.

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
from typing import ClassVar, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

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
