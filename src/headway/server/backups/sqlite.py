"""Backups of an SQLite database, made with SQLite's online backup while servers write."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from headway.errors import InputError
from headway.server.core.database import (
    BESIDE,
    SQLITE_LOCK_SECONDS,
    beside,
    prepare,
    unused,
)
from headway.server.core.migrations import check_version

PAGES_AT_ONCE = 1000
"""Pages of 4 KB copied between two reports of progress."""
Progress = Callable[[int, int], None]


def back_up(database: Path, target: Path, on_progress: Progress) -> None:
    """Writes a database that may be in use into one new file, complete and checked."""
    with _opened(database, "backup.no_database") as source:
        _copy(source, database, target, on_progress)


def restore(database: Path, backup: Path, aside: Path, on_progress: Progress) -> bool:
    """Puts a backup in the place of a database, which keeps its content under the name `aside`.

    Returns whether there was content. Refuses while a server uses the database. Nothing happens to
    the database before the backup is complete beside it, and checked.
    """
    fresh = beside(database, "-restored")
    with _opened(backup, "backup.not_one") as source, unused(database):
        try:
            fresh.unlink(missing_ok=True)
            _copy(source, backup, fresh, on_progress)
            with _opened(fresh, "backup.not_one") as copied:
                check_version(version_of(copied, backup))
            kept = _set_aside(database, aside)
            os.replace(fresh, database)
        finally:
            fresh.unlink(missing_ok=True)
    prepare(database)
    return kept


def has_content(database: Path) -> bool:
    """Tells whether a database's file exists and is not empty."""
    return database.exists() and database.stat().st_size > 0


def version_of(connection: sqlite3.Connection, file: Path) -> str:
    """Returns the version of Headway's tables; refuses a database without them."""
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError:
        row = None
    if row is None:
        raise InputError("backup.not_one", file=file)
    return str(row[0])


@contextlib.contextmanager
def _opened(file: Path, missing: str) -> Iterator[sqlite3.Connection]:
    """Opens a database that exists; says in a sentence what is wrong with it."""
    if not file.is_file():
        raise InputError(missing, file=file)
    try:
        address = f"file:{quote(str(file.resolve()))}?mode=rw"
        with contextlib.closing(
            sqlite3.connect(address, SQLITE_LOCK_SECONDS, isolation_level=None, uri=True)
        ) as connection:
            yield connection
    except sqlite3.Error as error:
        raise InputError("backup.damaged", file=file, reason=error) from None


def _copy(source: sqlite3.Connection, name: Path, target: Path, on_progress: Progress) -> None:
    """Copies a database as it is now into a file that is created, and checks the copy."""
    # The transaction keeps the state of this moment: without it, SQLite begins the copy again
    # after each write of another process, and never ends while many people play.
    source.execute("BEGIN")
    version_of(source, name)
    with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copied:
        source.backup(
            copied,
            pages=PAGES_AT_ONCE,
            progress=lambda _, left, total: on_progress(total - left, total),
        )
        copied.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        problems = [*copied.execute("PRAGMA integrity_check(1)").fetchone()]
        problems += [f"{row[0]}" for row in copied.execute("PRAGMA foreign_key_check").fetchmany(1)]
    source.execute("ROLLBACK")
    if problems != ["ok"]:
        raise InputError("backup.damaged", file=name, reason=", ".join(problems))


def _set_aside(database: Path, aside: Path) -> bool:
    """Gives a database a second name, and clears what SQLite keeps beside it."""
    if not has_content(database):
        return False
    # What the write-ahead log holds moves into the file, and SQLite removes the log: unless the
    # database is damaged, for which a backup may be restored, or somebody else has opened it.
    with contextlib.suppress(sqlite3.Error):
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if beside(database, "-wal").exists():
            raise InputError("backup.in_use", database=database)
    for ending in BESIDE:
        with contextlib.suppress(FileNotFoundError):
            os.rename(beside(database, ending), beside(aside, ending))
    # With a second name, the database is there at every moment until the new one replaces it.
    os.link(database, aside)
    return True
