"""Backups of the database in one file, their way back, and backups on a schedule.

A backup holds everything that was committed before it began, even while people play. It is checked
when it is made, and has its name only when it is complete. On schedule there is one a day, kept for
a week, and one a week, kept for five; one process of a server makes them, the one that claims the
duty in the database.
"""

from __future__ import annotations

import asyncio
import datetime
import logging
import os
import shutil
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path

from sqlalchemy import update

from headway.errors import HeadwayError, InputError
from headway.i18n import SOURCE, say
from headway.server.backups import postgresql as postgresql_backup
from headway.server.backups import sqlite as sqlite_backup
from headway.server.backups.sqlite import Progress
from headway.server.core.database import FOLDER_MODE, Database, prepare, sqlite_file
from headway.server.core.log import Outage
from headway.server.core.migrations import Versions
from headway.server.core.schema import DUTIES
from headway.server.core.workers import repeat
from headway.settings import data_dir

log = logging.getLogger("headway.backups")
SQLITE_HEAD = b"SQLite format 3\0"
POSTGRESQL_HEAD = b"PGDMP"
POLL_SECONDS = 600.0
"""How often a process looks whether a backup is due."""
LEASE_SECONDS = 3600.0
"""How long nobody else makes the backup that a process has begun."""
DAILY, WEEKLY = 7, 5
"""How many of each are kept."""
STALE_HOURS = 36
DUTY = "backup"


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


def last_of(folder: Path) -> Path | None:
    """Returns the newest daily backup in a folder."""
    return max(_dailies(folder), default=None)


def _dailies(folder: Path) -> list[Path]:
    return sorted(folder.glob("headway-????-??-??.*"))


def _weeklies(folder: Path) -> list[Path]:
    return sorted(folder.glob("headway-????-W??.*"))


class BackupSchedule:
    """Keeps backups of a server's database in a folder; without a folder none."""

    def __init__(self, database: Database, address: str, folder: str) -> None:
        self.database = database
        self.address = address
        self.folder = Path(folder) if folder else None

    async def run(self) -> None:
        """Makes backups when they are due, for ever."""
        if self.folder:
            await repeat(partial(self._make_due, self.folder), POLL_SECONDS, Outage(log, "backups"))

    async def _make_due(self, folder: Path) -> None:
        if await self._claim():
            await self._make(folder)

    async def _claim(self) -> bool:
        """Takes today's duty, unless it is done or another process has it."""
        now = time.time()
        midnight = now - now % 86_400
        adding = self.database.dialect.insert(DUTIES).values(name=DUTY, until=0.0, done=0.0)
        await self.database.change(adding.on_conflict_do_nothing())
        due = (DUTIES.c.name == DUTY) & (DUTIES.c.until < now) & (DUTIES.c.done < midnight)
        claiming = update(DUTIES).where(due).values(until=now + LEASE_SECONDS)
        return await self.database.change(claiming) > 0

    async def _make(self, folder: Path) -> None:
        began = time.monotonic()
        made = await asyncio.to_thread(keep_backup, self.address, folder, time.time())
        mine = update(DUTIES).where(DUTIES.c.name == DUTY)
        await self.database.change(mine.values(until=0.0, done=time.time()))
        facts = {"file": str(made), "bytes": made.stat().st_size}
        log.info("backup made", extra=facts | {"seconds": round(time.monotonic() - began, 1)})


def keep_backup(address: str, folder: Path, at: float) -> Path:
    """Writes the backup of a day, and of its week if there is none; removes the oldest ones."""
    day = datetime.datetime.fromtimestamp(at, datetime.UTC).date()
    year, week, _ = day.isocalendar()
    ending = "sqlite" if sqlite_file(address) else "dump"
    folder.mkdir(0o700, parents=True, exist_ok=True)
    daily = folder / f"headway-{day.isoformat()}.{ending}"
    back_up(address, daily)
    weekly = folder / f"headway-{year}-W{week:02}.{ending}"
    if not weekly.exists():
        try:
            os.link(daily, weekly)
        except OSError:  # some file systems have no links
            shutil.copy2(daily, weekly)
    for old in (*_dailies(folder)[:-DAILY], *_weeklies(folder)[:-WEEKLY]):
        old.unlink(missing_ok=True)
    return daily
