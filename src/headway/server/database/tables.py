"""The database: tables with their events, guests, tokens. `ledger` and `register` keep the rest.

Events are only ever added; only who somebody was is changed in them (`register`). `append` gathers
those that arrive together into one transaction; an event whose number is taken already is not
written, and its writer is told so. The event that ends a game brings its results along.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import bindparam, event, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from headway.errors import InputError
from headway.server.calendar import Days
from headway.server.database import results as ledger
from headway.server.database.results import Ending
from headway.server.database.schema import (
    BOT_TRIES,
    EVENTS,
    GUESTS,
    SEATS,
    SECRETS,
    TABLES,
    TOKENS,
    TRIES,
)
from headway.server.metrics import METRICS
from headway.server.table.clocks import Clock
from headway.server.table.state import FLAG, MOVE, Chair, Happening, Setup, Sitting

log = logging.getLogger("headway.store")
TODAY = Days()


def async_url(address: str) -> str:
    """The address with the driver that Headway uses."""
    url = make_url(address)
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    name = drivers.get(url.get_backend_name(), url.drivername)
    return url.set(drivername=name).render_as_string(hide_password=False)


def open_engine(address: str) -> AsyncEngine:
    """An engine for SQLite (write-ahead log, one writer at a time, patient) or PostgreSQL."""
    try:
        url = async_url(address)
    except ArgumentError:
        raise InputError("server.database_address") from None
    if make_url(url).get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError("server.database_address")
    if not url.startswith("sqlite"):
        return create_async_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
    if make_url(url).database in (None, "", ":memory:"):
        raise InputError("server.database_file")
    engine = create_async_engine(url, connect_args={"timeout": 15}, pool_size=5)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # BEGIN is ours, see below
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        mode = "" if connection.get_execution_options().get("reads") else " IMMEDIATE"
        connection.exec_driver_sql("BEGIN" + mode)

    return engine


@dataclass
class Entry:
    """An event on its way into the database, with what follows from it."""

    event: Happening
    sitting: Sitting
    new_table: Sitting | None = None
    """A table to be set up in the same breath: a rematch."""
    written: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Store:
    """All that is kept. Give it an engine; `open` and `close` it around use."""

    def __init__(self, engine: AsyncEngine, days: Days = TODAY) -> None:
        self.engine = engine
        self.days = days
        self.dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        self.waiting: asyncio.Queue[Entry] = asyncio.Queue()
        self.writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Starts the writer."""
        self.writer = asyncio.create_task(self._write_all(), name="store writer")

    async def close(self) -> None:
        """Stops the writer and closes all connections."""
        if self.writer:
            self.writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.writer
        await self.engine.dispose()

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading."""
        async with self.engine.connect() as connection:
            await connection.execution_options(reads=True)
            yield connection

    async def ping(self) -> None:
        """Raises if the database does not answer."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    # Tables

    async def set_up(self, sitting: Sitting) -> None:
        """Writes a new table."""
        async with self.engine.begin() as connection:
            await self._insert_table(connection, sitting)

    async def set_up_try(self, sitting: Sitting) -> str:
        """Writes the table of a guest's try at a deal of the day; the id of the one that counts.

        Whoever has one already keeps it, and of two that begin at once one is written.
        """
        setup = sitting.setup
        key = {"day": setup.day, "game": setup.game, "map": setup.map, "guest": setup.host}
        adding = self.dialect.insert(TRIES).values(**key, table_id=setup.id)
        with contextlib.suppress(Taken):
            async with self.engine.begin() as connection:
                await self._insert_table(connection, sitting)
                new = adding.on_conflict_do_nothing().returning(TRIES.c.table_id)
                if (await connection.execute(new)).first() is None:
                    raise Taken
            return setup.id
        async with self.reading() as connection:
            tries = await ledger.tries_of(connection, setup.host, setup.day)
        return tries[setup.game, setup.map]

    async def _insert_table(self, connection: AsyncConnection, sitting: Sitting) -> None:
        setup = sitting.setup
        row = msgspec.to_builtins(setup) | {"seed": str(setup.seed)}
        row |= _follows(sitting, setup.created)
        row.pop("key")
        await connection.execute(insert(TABLES).values(**row))
        chairs = [_chair_row(setup.id, seat, c) for seat, c in enumerate(setup.chairs)]
        await connection.execute(insert(SEATS), chairs)

    async def load(self, table: str) -> Sitting | None:
        """The table as its events make it; None if there is none."""
        async with self.reading() as connection:
            row = (await connection.execute(select(TABLES).where(TABLES.c.id == table))).first()
            if row is None:
                return None
            events = await self._events(connection, table, 0)
        return Sitting.replayed(_setup(row._mapping), events)

    async def events_since(self, table: str, number: int) -> list[Happening]:
        """The events behind a number."""
        async with self.reading() as connection:
            return await self._events(connection, table, number)

    async def _events(
        self, connection: AsyncConnection, table: str, number: int
    ) -> list[Happening]:
        wanted = (
            select(EVENTS)
            .where(EVENTS.c.table_id == table, EVENTS.c.number > number)
            .order_by(EVENTS.c.number)
        )
        return [_happening(row) for row in await connection.execute(wanted)]

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        async with self.reading() as connection:
            wanted = select(TABLES.c.id, TABLES.c.number).where(TABLES.c.id.in_(tables))
            return {row.id: row.number for row in await connection.execute(wanted)}

    async def awake(self, until: float, most: int = 200) -> list[str]:
        """The tables that somebody has to look after now, the longest waiting first."""
        wanted = select(TABLES.c.id).where(TABLES.c.wake <= until).order_by(TABLES.c.wake)
        async with self.reading() as connection:
            return list((await connection.execute(wanted.limit(most))).scalars())

    async def let_sleep(self, table: str) -> None:
        """Nobody has to look after this table any more."""
        async with self.engine.begin() as connection:
            await connection.execute(update(TABLES).where(TABLES.c.id == table).values(wake=None))

    async def heads(
        self, *, guest: str | None = None, most: int = 100
    ) -> list[tuple[Any, list[Chair]]]:
        """Rows and chairs of a guest's tables, or of public ones with a free seat, newest first."""
        wanted = select(TABLES).order_by(TABLES.c.changed.desc()).limit(most)
        if guest:
            own = (SEATS.c.guest == guest) | (SEATS.c.former == guest)
            held = select(SEATS.c.table_id).where(own)
            wanted = wanted.where(TABLES.c.id.in_(held))
        else:
            wanted = wanted.where(TABLES.c.public, TABLES.c.free, ~TABLES.c.finished)
        async with self.reading() as connection:
            rows = [row._mapping for row in await connection.execute(wanted)]
            seats = select(SEATS).where(SEATS.c.table_id.in_([row["id"] for row in rows]))
            chairs: dict[str, list[Chair]] = {}
            for row in await connection.execute(seats.order_by(SEATS.c.table_id, SEATS.c.seat)):
                chair = Chair(row.name, row.guest, row.bot, row.former)
                chairs.setdefault(row.table_id, []).append(chair)
        return [(row, chairs[row["id"]]) for row in rows]

    # Events

    async def append(
        self, event: Happening, sitting: Sitting, new_table: Sitting | None = None
    ) -> bool:
        """Commits an event after which the table is `sitting`; False if its number is taken."""
        entry = Entry(event, sitting, new_table)
        self.waiting.put_nowait(entry)
        try:
            return await entry.written
        except Taken:
            return False

    async def _write_all(self) -> None:
        while True:
            batch = [await self.waiting.get()]
            while not self.waiting.empty() and len(batch) < 200:
                batch.append(self.waiting.get_nowait())
            # Everybody takes the same tables in the same order, so that nobody waits in a circle.
            batch.sort(key=lambda entry: (entry.event.table, entry.event.number))
            await self._write(batch)

    async def _write(self, batch: list[Entry]) -> None:
        began = time.perf_counter()
        try:
            written = await self._commit(batch)
            METRICS.span("headway_commit_seconds", time.perf_counter() - began)
        except Exception as error:
            if len(batch) == 1:
                if not batch[0].written.done():
                    batch[0].written.set_exception(error)
                return
            log.warning("batch written one by one", extra={"error": type(error).__name__})
            for entry in batch:
                await self._write([entry])
            return
        for entry in batch:
            if not entry.written.done():
                key = entry.event.table, entry.event.number
                entry.written.set_result(key in written)

    async def _commit(self, batch: list[Entry]) -> set[tuple[str, int]]:
        """Writes what can be written of a batch in one transaction, and says which that was."""
        async with self.engine.begin() as connection:
            for entry in batch:
                if entry.new_table:
                    await self._insert_table(connection, entry.new_table)
            rows = [_event_row(entry.event) for entry in batch]
            adding = self.dialect.insert(EVENTS).on_conflict_do_nothing()
            returning = adding.returning(EVENTS.c.table_id, EVENTS.c.number)
            found = await connection.execute(returning, rows)
            written = {(row.table_id, row.number) for row in found}
            winners = [e for e in batch if (e.event.table, e.event.number) in written]
            if any(entry.new_table and entry not in winners for entry in batch):
                raise Taken
            if winners:
                await self._project(connection, winners)
                await ledger.write(connection, self.dialect, self._endings(winners))
        return written

    def _endings(self, winners: list[Entry]) -> list[Ending]:
        today = self.days.today()
        return [
            Ending(entry.sitting, entry.event.at, today)
            for entry in winners
            if entry.event.kind in (MOVE, FLAG) and entry.sitting.finished
        ]

    async def add_bot_try(self, day: str, game: str, map: str, bot: str, total: int) -> None:
        """Keeps what a bot made of a deal of the day; the first one counts."""
        row = {"day": day, "game": game, "map": map, "bot": bot, "total": total}
        adding = self.dialect.insert(BOT_TRIES).values(**row).on_conflict_do_nothing()
        async with self.engine.begin() as connection:
            await connection.execute(adding)

    async def add_results(self, sitting: Sitting, at: float) -> None:
        """Writes the results of a game that was over before results were written."""
        async with self.engine.begin() as connection:
            await ledger.write(connection, self.dialect, [Ending(sitting, at, "")])

    async def _project(self, connection: AsyncConnection, winners: list[Entry]) -> None:
        rows = [_follows(entry.sitting, entry.event.at) for entry in winners]
        names = [name for name in rows[0] if name != "key"]
        changing = update(TABLES).where(TABLES.c.id == bindparam("key"))
        await connection.execute(changing.values({n: bindparam(n) for n in names}), rows)
        for entry in winners:
            if entry.event.kind in ("sit", "leave", "bot"):
                seat, table = entry.event.seat, entry.event.table
                row = _chair_row(table, seat, entry.sitting.chairs[seat])
                here = (SEATS.c.table_id == table) & (SEATS.c.seat == seat)
                await connection.execute(update(SEATS).where(here).values(**row))

    # Guests

    async def guest_name(self, guest: str) -> str | None:
        """The name that a guest has chosen."""
        async with self.reading() as connection:
            wanted = select(GUESTS.c.name).where(GUESTS.c.id == guest)
            return (await connection.execute(wanted)).scalar()

    async def name_guest(self, guest: str, name: str, now: float) -> None:
        """Keeps the name that a guest has chosen."""
        row = {"id": guest, "name": name, "created": now}
        adding = self.dialect.insert(GUESTS).values(**row)
        keeping = adding.on_conflict_do_update(index_elements=["id"], set_={"name": name})
        async with self.engine.begin() as connection:
            await connection.execute(keeping)

    async def add_token(self, hash: str, guest: str, name: str, now: float, most: int) -> bool:
        """Keeps a token by its hash; False if the guest has the most already."""
        async with self.engine.begin() as connection:
            wanted = select(TOKENS.c.hash).where(TOKENS.c.guest == guest)
            if len((await connection.execute(wanted)).all()) >= most:
                return False
            row = {"hash": hash, "guest": guest, "name": name, "created": now}
            await connection.execute(insert(TOKENS).values(**row))
        return True

    async def token_guest(self, hash: str) -> str | None:
        """The guest in whose name a token plays."""
        async with self.reading() as connection:
            wanted = select(TOKENS.c.guest).where(TOKENS.c.hash == hash)
            return (await connection.execute(wanted)).scalar()

    async def secret(self, fresh: bytes) -> bytes:
        """The secret that signs cookies: the one that is kept, else the fresh one, kept now."""
        adding = self.dialect.insert(SECRETS).values(name="cookies", value=fresh)
        async with self.engine.begin() as connection:
            await connection.execute(adding.on_conflict_do_nothing())
            value: bytes = (await connection.execute(select(SECRETS.c.value))).scalar_one()
        return value


class Taken(Exception):
    """Somebody else did it at the same time: nothing of it is written."""


def _follows(sitting: Sitting, at: float) -> dict[str, Any]:
    """The columns that follow from the events."""
    return {
        "key": sitting.setup.id,
        "number": sitting.number,
        "changed": at,
        "started": sitting.started,
        "finished": sitting.finished,
        "free": any(chair.kind == "open" for chair in sitting.chairs),
        "wake": sitting.wake(at),
    }


def _event_row(event: Happening) -> dict[str, Any]:
    row = msgspec.structs.asdict(event)
    row["table_id"] = row.pop("table")
    row["drops"] = list(event.drops)
    return row


def _happening(row: Any) -> Happening:
    return Happening(
        table=row.table_id,
        number=row.number,
        at=row.at,
        kind=row.kind,
        seat=row.seat,
        guest=row.guest,
        client_id=row.client_id,
        text=row.text,
        drops=tuple(row.drops),
    )


def _chair_row(table: str, seat: int, chair: Chair) -> dict[str, Any]:
    return {"table_id": table, "seat": seat, **msgspec.structs.asdict(chair)}


def _setup(row: Any) -> Setup:
    fields = {name: row[name] for name in Setup.__struct_fields__}
    fields |= {
        "seed": int(row["seed"]),
        "clock": msgspec.convert(row["clock"], Clock),
        "chairs": tuple(msgspec.convert(chair, Chair) for chair in row["chairs"]),
    }
    return Setup(**fields)
