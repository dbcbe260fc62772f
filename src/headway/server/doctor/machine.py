"""Checks of where a server runs: settings, folders, disk, clock, database, Redis, compiled code."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import func, select, text
from sqlalchemy.engine import make_url

from headway.server.backups import schedule
from headway.server.core.database import Database, sqlite_file
from headway.server.core.schema import TABLES
from headway.server.doctor.findings import Finding, doubtful, good, wrong
from headway.settings import ServerSettings, cache_dir, data_dir, texts_dir, unknown_variables

LITTLE_MB = 1000
TOO_LITTLE_MB = 100
CLOCK_SECONDS = 2.0
"""How far the clocks of the machine and of the database may be apart."""
_FIRST_YEAR = 2025
_LOCAL = ("127.0.0.1", "localhost", "::1")


def settings_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks settings that can be read, but mean something that few operators want."""
    for name, likely in unknown_variables(os.environ).items():
        yield doubtful("variable_likely" if likely else "variable", name=name, likely=likely)
    for name, value in {"HEADWAY_SEED": settings.seed, "HEADWAY_TODAY": settings.today}.items():
        if value:
            yield wrong("for_tests", name=name)
    if settings.rate == 0:
        yield doubtful("no_limits")
    yield from _origin_found(settings)
    if settings.processes > 1 and sqlite_file(settings.database_url):
        yield wrong("processes_sqlite")
    elif settings.processes > 1 and not settings.channels:
        yield wrong("processes_channels")
    yield good("settings")


def _origin_found(settings: ServerSettings) -> Iterator[Finding]:
    host = urlsplit(settings.origin).hostname or ""
    if not settings.origin:
        if settings.host not in _LOCAL:
            yield doubtful("no_origin")
    elif settings.origin.startswith("http:") and host not in _LOCAL:
        yield doubtful("plain_http", origin=settings.origin)
    elif settings.origin.startswith("https:") and not settings.trusted_proxy:
        yield doubtful("no_proxy")


def folders_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks that folders are there and can be written, and that others cannot read the data."""
    file = sqlite_file(settings.database_url)
    folders = {cache_dir(), file.parent if file else data_dir()}
    if settings.backups:
        folders.add(Path(settings.backups))
    for folder in sorted(folders):
        if not _writable(folder):
            yield wrong("folder", folder=folder)
    texts = texts_dir()
    if texts and not texts.is_dir():
        yield wrong("texts", folder=texts)
    for private in (file,) if file else ():
        if private.exists() and stat.S_IMODE(private.stat().st_mode) & 0o077:
            yield wrong("readable", file=private)
    yield good("folders", n=len(folders))


def _writable(folder: Path) -> bool:
    """Tells whether a folder can be written, or made."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def disk_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks the room on the disks of the data and of the backups: a copy has to fit."""
    file = sqlite_file(settings.database_url)
    size = file.stat().st_size / 1e6 if file and file.exists() else 0.0
    folders = [file.parent if file else data_dir()]
    folders += [Path(settings.backups)] if settings.backups else []
    for folder in folders:
        if not folder.exists():
            continue
        free = shutil.disk_usage(folder).free / 1e6
        values = {"folder": folder, "free": round(free), "size": round(size)}
        if free < TOO_LITTLE_MB:
            yield wrong("disk_full", **values)
        elif free < max(LITTLE_MB, 2 * size):
            yield doubtful("disk", **values)
        else:
            yield good("disk_room", **values)


def compiled_found() -> Iterator[Finding]:
    """Checks whether the code of bots is compiled: else the server does it when it starts."""
    files = sum(1 for _ in cache_dir().rglob("*.nbi")) if cache_dir().is_dir() else 0
    yield good("compiled", n=files) if files else doubtful("not_compiled", folder=cache_dir())


async def database_found(database: Database) -> AsyncIterator[Finding]:
    """Checks that the database is whole, and that its clock and the machine's agree."""
    now = time.time()
    if time.gmtime(now).tm_year < _FIRST_YEAR:
        yield wrong("clock_old")
    last = await database.value(select(func.max(TABLES.c.changed))) or 0.0
    if last > now + CLOCK_SECONDS:
        yield wrong("clock_back", seconds=round(last - now))
    if database.engine.dialect.name == "sqlite":
        problems = await database.column(select(text("* FROM pragma_quick_check(3)")))
        problems += await database.column(
            select(text("'table ' || \"table\" FROM pragma_foreign_key_check LIMIT 3"))
        )
        if [str(one) for one in problems] != ["ok"]:
            yield wrong("damaged", reason="; ".join(map(str, problems)))
        else:
            yield good("sqlite_whole")
        return
    there = await database.value(select(text("extract(epoch from clock_timestamp())")))
    if abs(float(there) - time.time()) > CLOCK_SECONDS:
        yield wrong("clocks", seconds=round(abs(float(there) - time.time())))
    version = await database.value(select(text("current_setting('server_version')")))
    if shutil.which("pg_dump") is None:
        yield doubtful("no_pg_dump")
    yield good("postgresql", version=version)


async def redis_found(settings: ServerSettings) -> AsyncIterator[Finding]:
    """Checks that Redis answers, where processes talk through it."""
    if not settings.channels:
        return
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    client = Redis.from_url(settings.channels, socket_timeout=5, socket_connect_timeout=5)
    try:
        await client.ping()
        yield good("redis")
    except (RedisError, OSError) as error:
        address = make_url(settings.channels).render_as_string()
        yield wrong("no_redis", address=address, reason=str(error) or type(error).__name__)
    finally:
        await client.aclose()


def backups_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks that the last backup on schedule is not old."""
    if not settings.backups:
        yield doubtful("no_backups")
        return
    last = schedule.last_of(Path(settings.backups))
    if last is None:
        yield wrong("never_backed_up", folder=settings.backups)
        return
    hours = round((time.time() - last.stat().st_mtime) / 3600)
    stale = hours > schedule.STALE_HOURS
    yield (wrong if stale else good)("stale_backup" if stale else "backup", file=last, hours=hours)
