"""Backups of the database in one file, and their way back.

A backup holds everything that was committed before it began, even while people play.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from itertools import count
from pathlib import Path

from headway.errors import HeadwayError, InputError
from headway.i18n import SOURCE, say
from headway.server.backups import postgresql as postgresql_backup
from headway.server.backups import sqlite as sqlite_backup
from headway.server.backups.sqlite import Progress
from headway.server.core.database import FOLDER_MODE, prepare, sqlite_file
from headway.server.core.migrations import Versions
from headway.settings import data_dir

log = logging.getLogger("headway.database")
SQLITE_HEAD = b"SQLite format 3\0"
POSTGRESQL_HEAD = b"PGDMP"


def _no_progress(done: int, total: int) -> None:
    """Reports nothing."""


def back_up(address: str, target: Path, on_progress: Progress = _no_progress) -> None:
    """Writes a database that may be in use into a file that only its owner can read.

    An interruption leaves no file, or the one that was there.
    """
    file = sqlite_file(address)
    if file and target.exists() and file.exists() and target.samefile(file):
        raise InputError("backup.same", file=target)
    try:
        handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
    except OSError as error:
        raise InputError("format.not_writable", file=target, reason=error.strerror) from None
    try:
        if file:
            sqlite_backup.back_up(file, Path(scratch), on_progress)
        else:
            postgresql_backup.back_up(address, Path(scratch), on_progress)
        _replace(Path(scratch), target)
    except OSError as error:
        raise InputError("format.not_writable", file=target, reason=error.strerror) from None
    finally:
        Path(scratch).unlink(missing_ok=True)


def _replace(scratch: Path, target: Path) -> None:
    """Gives a file its name when it is on the disk for good."""
    with scratch.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(scratch, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def has_content(address: str) -> bool:
    """Tells whether there is anything in a database that a restore would replace."""
    file = sqlite_file(address)
    return sqlite_backup.has_content(file) if file else postgresql_backup.has_content(address)


def restore(address: str, backup: Path, on_progress: Progress = _no_progress) -> Path | None:
    """Puts a backup in the place of a database; returns the file that keeps the old content.

    The old content is lost at no moment, and stays in the database if anything goes wrong.
    """
    file = sqlite_file(address)
    _check_kind(backup, SQLITE_HEAD if file else POSTGRESQL_HEAD)
    aside = _name(address, "before-restore")
    if file:
        prepare(file)
        kept = sqlite_backup.restore(file, backup, aside, on_progress)
    else:
        _make_folder(aside.parent)
        kept = postgresql_backup.restore(address, backup, aside, on_progress)
    return aside if kept else None


def _check_kind(backup: Path, head: bytes) -> None:
    """Refuses a file that is no backup, or one of the other kind of database."""
    try:
        with backup.open("rb") as file:
            found = file.read(len(SQLITE_HEAD))
    except OSError as error:
        raise InputError("format.no_file", file=backup, reason=error.strerror) from None
    if found.startswith(head):
        return
    if found.startswith((SQLITE_HEAD, POSTGRESQL_HEAD)):
        kinds = ("SQLite", "PostgreSQL")
        of, into = kinds if head == POSTGRESQL_HEAD else kinds[::-1]
        raise InputError("backup.other_kind", file=backup, of=of, into=into)
    raise InputError("backup.not_one", file=backup)


def back_up_before(address: str, versions: Versions) -> None:
    """Makes a backup before a migration, and says in the log where it is.

    Without one, an SQLite database is not migrated. PostgreSQL's programs may be missing, or be
    on another machine, and its host makes backups in other ways: there a line of the log says so.
    """
    target = _name(address, f"before-{versions.after}")
    try:
        if sqlite_file(address) is None:
            _make_folder(target.parent)
        back_up(address, target)
    except HeadwayError as error:
        if sqlite_file(address):
            raise
        sentence = error.sentence(SOURCE)
        log.warning(say("server.no_backup_before", SOURCE, reason=sentence))
        return
    log.info("backup before migration", extra={"file": str(target), "schema": versions.before})


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("format.not_writable", file=folder, reason=error.strerror) from None


def _name(address: str, why: str) -> Path:
    """Returns a fresh name for a backup: beside an SQLite file, else in the data folder."""
    file = sqlite_file(address) or data_dir() / "tables.dump"
    at = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    names = (f"{file.stem}-{why}-{at}-{number}{file.suffix}" for number in count(1))
    return next(path for name in names if not (path := file.with_name(name)).exists())
