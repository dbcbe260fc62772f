"""What `headway doctor` looks at: where the server runs, and what its database says.

Every table is replayed from its events: each move is checked by the rules, each deal drawn from the
seed once more, and what follows compared with what is stored.
"""

from __future__ import annotations

import math
import os
import shutil
import stat
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, func, select, text
from sqlalchemy.engine import make_url

from headway import dealer
from headway.errors import HeadwayError
from headway.i18n import SOURCE
from headway.reviews.figures import figures_of
from headway.reviews.report import Review
from headway.server.admin.operator import Operator
from headway.server.backups.backups import STALE_HOURS, last_of
from headway.server.core.database import Database, sqlite_file
from headway.server.core.schema import RATINGS, RESULTS, REVIEWS, SEATS, TABLES
from headway.server.tables.rows import setup_of
from headway.server.tables.setup import Setup
from headway.server.tables.standings import beginner, standings
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore
from headway.server.tables.view import Progress, progress
from headway.settings import ServerSettings, cache_dir, data_dir, texts_dir, unknown_variables

if TYPE_CHECKING:
    from headway.progress import Show

Level = Literal["good", "doubtful", "wrong"]
LITTLE_MB = 1000
TOO_LITTLE_MB = 100
CLOCK_SECONDS = 2.0
"""How far the clocks of the machine and of the database may be apart."""
_FIRST_YEAR = 2025
_LOCAL = ("127.0.0.1", "localhost", "::1")
MOST_SHOWN = 20
"""Tables, ratings and reviews with something wrong that are named."""
LAST_BITS = 1e-9
_SHOWN = RESULTS.c.measure, RESULTS.c.worth, RESULTS.c.luck, RESULTS.c.loss, RESULTS.c.kinds


class Finding(msgspec.Struct, frozen=True):
    """The outcome of a check; `key` names its sentence, which `values` fill in."""

    level: Level
    key: str
    values: dict[str, Any] = {}


def good(key: str, **values: Any) -> Finding:
    """Returns that everything is as it should be."""
    return Finding("good", f"doctor.{key}", values)


def doubtful(key: str, **values: Any) -> Finding:
    """Returns what works, but should be known to an operator."""
    return Finding("doubtful", f"doctor.{key}", values)


def wrong(key: str, **values: Any) -> Finding:
    """Returns what has to be mended."""
    return Finding("wrong", f"doctor.{key}", values)


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
    folders = {cache_dir(), *_data_folders(settings)}
    for folder in sorted(folders):
        if not _writable(folder):
            yield wrong("folder", folder=folder)
    texts = texts_dir()
    if texts and not texts.is_dir():
        yield wrong("texts", folder=texts)
    if file and file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield wrong("readable", file=file)
    yield good("folders", n=len(folders))


def _data_folders(settings: ServerSettings) -> list[Path]:
    """Returns the folders of the data and of the backups."""
    file = sqlite_file(settings.database_url)
    backups = [Path(settings.backups)] if settings.backups else []
    return [file.parent if file else data_dir(), *backups]


def _writable(folder: Path) -> bool:
    """Tells whether a folder can be written, or made."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def disk_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks the room on the disks of the data and of the backups: a copy has to fit."""
    file = sqlite_file(settings.database_url)
    size = file.stat().st_size / 1e6 if file and file.exists() else 0.0
    for folder in filter(Path.exists, _data_folders(settings)):
        free = shutil.disk_usage(folder).free / 1e6
        values = {"folder": folder, "free": round(free), "size": round(size)}
        if free < TOO_LITTLE_MB:
            yield wrong("disk_full", **values)
        elif free < max(LITTLE_MB, 2 * size):
            yield doubtful("disk", **values)
        else:
            yield good("disk_room", **values)


def compiled_found(_: ServerSettings) -> Iterator[Finding]:
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


def redis_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks that Redis answers, where processes talk through it."""
    if not settings.channels:
        return
    from redis import Redis
    from redis.exceptions import RedisError

    client = Redis.from_url(settings.channels, socket_timeout=5, socket_connect_timeout=5)
    try:
        client.ping()
        yield good("redis")
    except (RedisError, OSError) as error:
        address = make_url(settings.channels).render_as_string()
        yield wrong("no_redis", address=address, reason=str(error) or type(error).__name__)
    finally:
        client.close()


def backups_found(settings: ServerSettings) -> Iterator[Finding]:
    """Checks that the last backup on schedule is not old."""
    if not settings.backups:
        yield doubtful("no_backups")
        return
    last = last_of(Path(settings.backups))
    if last is None:
        yield wrong("never_backed_up", folder=settings.backups)
        return
    hours = round((time.time() - last.stat().st_mtime) / 3600)
    if hours > STALE_HOURS:
        yield wrong("stale_backup", file=last, hours=hours)
    else:
        yield good("backup", file=last, hours=hours)


async def tables_found(database: Database, store: TableStore, show: Show) -> list[Finding]:
    """Checks every table; says what is wrong with the first ones, and how many there are."""
    query = select(TABLES.c.id).order_by(TABLES.c.created, TABLES.c.id)
    table_ids = await database.column(query)
    found: list[Finding] = []
    bad = 0
    for done, table_id in enumerate(table_ids, 1):
        problems = await _table_found(database, store, table_id)
        bad += bool(problems)
        if bad <= MOST_SHOWN:
            found += problems
        show(done, len(table_ids))
    if bad:
        return [*found, wrong("tables_bad", n=bad, tables=len(table_ids))]
    return [good("tables", n=len(table_ids))]


async def _table_found(database: Database, store: TableStore, table_id: str) -> list[Finding]:
    def work(connection: Connection) -> tuple[Any, list[Any], list[Any]]:
        row = connection.execute(select(TABLES).where(TABLES.c.id == table_id)).mappings().first()
        seats = select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.seat)
        results = select(RESULTS).where(RESULTS.c.table_id == table_id).order_by(RESULTS.c.seat)
        return row, list(connection.execute(seats)), list(connection.execute(results))

    row, seats, results = await database.read(work)
    if row is None:  # deleted meanwhile
        return []
    events = await store.events_since(table_id, 0)
    events = [event for event in events if event.number <= row["number"]]
    setup = setup_of(row)
    if not _promised(setup):
        return [wrong("table_deal", table=table_id)]
    try:
        state = TableState.new(setup)
        for event in events:
            state = state.after(event)
    except (HeadwayError, AssertionError, ValueError) as error:
        key = error.sentence("en") if isinstance(error, HeadwayError) else repr(error)
        return [wrong("table_broken", table=table_id, reason=key)]
    checks = {
        "table_number": state.number == row["number"],
        "table_end": (state.finished, state.ended) == (row["finished"], row["ended"]),
        "table_progress": _same_result(state, row["progress"]),
        "table_seats": [who.name for who in state.occupants] == [seat.name for seat in seats],
        "table_results": _same_standings(state, results),
    }
    return [wrong(what, table=table_id) for what, fits in checks.items() if not fits]


def _promised(setup: Setup) -> bool:
    """Tells whether the seed is the one that the table promised; some promise nothing."""
    promised = setup.commitment
    return not promised or dealer.promise(setup.seed, setup.salt).commitment == promised


def _same_result(state: TableState, stored: Any) -> bool:
    if not state.finished:
        return True
    shown = msgspec.convert(stored, Progress | None)
    return shown is not None and shown.totals == progress(state).totals


def _same_standings(state: TableState, stored: list[Any]) -> bool:
    """Tells whether the results are those of the game; who left the server has none any more."""
    if not state.finished or state.setup.training:
        return not stored
    after = {(one.seat, one.total, one.place) for one in standings(state)}
    kept = {(row.seat, row.total, row.place) for row in stored}
    named = all(who.name for who in state.occupants)  # who has deleted an account is nameless
    return kept == after if named else kept <= after


def ratings_found(connection: Connection) -> list[Finding]:
    """Checks ratings: possible numbers, and a game behind each step that is not deleted."""
    rated = select(RESULTS.c.guest, RESULTS.c.bot, RESULTS.c.game, func.count()).where(
        RESULTS.c.mu.is_not(None)
    )
    games: Counter[tuple[str, str]] = Counter()
    grouped = rated.group_by(RESULTS.c.guest, RESULTS.c.bot, RESULTS.c.game)
    for guest, bot, game, count in connection.execute(grouped):
        if guest or bot:
            games[guest or f"bot:{bot}", game] += count
    found, start = [], beginner()
    rows = connection.execute(select(RATINGS).where(~RATINGS.c.who.startswith("puzzle:"))).all()
    for row in rows:
        possible = math.isfinite(row.mu) and 0 < row.sigma <= start.sigma + LAST_BITS
        if not possible or row.games < games[row.who, row.game]:
            found.append(wrong("rating", who=row.who, game=row.game))
    return found[:MOST_SHOWN] or [good("ratings", n=len(rows))]


def reviews_found(connection: Connection) -> list[Finding]:
    """Checks the reviews that are made, one at a time: a review can be large."""
    made = select(REVIEWS.c.key, REVIEWS.c.engine).where(REVIEWS.c.finished)
    keys = connection.execute(made.order_by(REVIEWS.c.asked, REVIEWS.c.key)).all()
    found = [wrong(what, table=row.key) for row in keys if (what := _wrong_in(connection, row))]
    return found[:MOST_SHOWN] or [good("reviews", n=len(keys))]


def _wrong_in(connection: Connection, row: Any) -> str:
    """Returns the key of what is wrong in a review; empty if nothing is."""
    this = (REVIEWS.c.key == row.key) & (REVIEWS.c.engine == row.engine)
    content = connection.scalar(select(REVIEWS.c.content).where(this))
    try:
        review = msgspec.json.decode(zlib.decompress(content or b""), type=Review)
        figures = {seat.seat: seat for seat in figures_of(review)}
    except (zlib.error, msgspec.DecodeError, HeadwayError):
        return "review_broken"
    beside = (RESULTS.c.table_id == row.key) & (RESULTS.c.reviewed == row.engine)
    for kept in connection.execute(select(RESULTS.c.seat, *_SHOWN).where(beside)):
        seat = figures.get(kept.seat)
        if seat is None:
            return "review_figures"
        sums = seat.measure, seat.result, seat.luck, seat.loss, msgspec.to_builtins(seat.kinds)
        if sums != tuple(kept)[1:]:
            return "review_figures"
    return ""


async def findings(settings: ServerSettings, quick: bool, show: Show) -> AsyncIterator[Finding]:
    """Yields what each check finds; a `quick` examination replays no table."""
    checks = (
        settings_found, folders_found, disk_found, compiled_found, redis_found, backups_found,
    )  # fmt: skip
    for found in chain.from_iterable(check(settings) for check in checks):
        yield found
    try:
        async with Operator.at(settings.database_url) as operator:
            async for found in database_found(operator.database):
                yield found
            for found in await operator.read(ratings_found):
                yield found
            if not quick:
                for found in await operator.read(reviews_found):
                    yield found
                for found in await tables_found(operator.database, operator.tables, show):
                    yield found
    except HeadwayError as error:
        yield wrong("database", reason=error.sentence(SOURCE))
