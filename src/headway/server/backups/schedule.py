"""Backups on a schedule: one a day, kept for a week, and one a week, kept for five.

One process of a server makes them, the one that claims the duty in the database. A backup is
checked when it is made, and has its name only when it is complete.
"""

from __future__ import annotations

import asyncio
import datetime
import logging
import os
import shutil
import time
from functools import partial
from pathlib import Path

from sqlalchemy import update

from headway.server.backups.backups import back_up
from headway.server.core.database import Database, sqlite_file
from headway.server.core.log import Outage
from headway.server.core.schema import DUTIES
from headway.server.core.workers import repeat

log = logging.getLogger("headway.backups")
LOOK_SECONDS = 600.0
LEASE_SECONDS = 3600.0
"""How long nobody else makes the backup that a process has begun."""
DAILY, WEEKLY = 7, 5
"""How many of each are kept."""
STALE_HOURS = 36
DUTY = "backup"


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
            await repeat(partial(self._make_due, self.folder), LOOK_SECONDS, Outage(log, "backups"))

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
