"""The file of an SQLite database: who may read it, and which processes use it.

Each server holds a shared lock on a file beside the database, and `headway restore` an exclusive
one. The system releases the lock of a process that ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from headway.errors import InputError
from headway.settings import DATABASE_FILE, data_dir

FOLDER_MODE = 0o700
FILE_MODE = 0o600
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files that belong to it."""

LOCK = "-lock"


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
