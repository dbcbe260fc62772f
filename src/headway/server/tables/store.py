"""Reads tables from the database, and writes their events.

Events are written in batches: everything that waits goes into one transaction, so a burst of moves
costs one commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Collection, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from headway.server.core import metrics
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, DatabaseAwayError, NumberTakenError
from headway.server.core.errors import not_found
from headway.server.core.schema import (
    EVENTS,
    HEARTBEAT,
    SEATS,
    TABLES,
    TRIES,
)
from headway.server.tables import results
from headway.server.tables.events import BEGIN, BOT, LEAVE, MOVES, SIT, TableEvent
from headway.server.tables.results import Ending
from headway.server.tables.rows import (
    Entry,
    Key,
    NewRows,
    insert_table,
    projection,
    remove_tables,
    seat_rows,
    setup_of,
    write_batch,
)
from headway.server.tables.setup import Occupant, Setup
from headway.server.tables.state import TableState

log = logging.getLogger("headway.database")
MOST_EVENTS_PER_BATCH = 200
IDS_PER_QUERY = 500
MOST_TO_REMOVE = 100
"""Expired tables deleted in one transaction."""
WAITING_TABLE_SECONDS = 7 * 86_400.0
"""How long a table waits for its players after its last change; then the watchdog deletes it, or
`headway admin housekeeping`."""
LOBBY_SECONDS = 3600.0
"""How long a public table waits in the list of open tables after its last change."""


_HERE = TABLES.c.id == bindparam("key")
_TABLE = select(TABLES).where(_HERE)
_NUMBER = select(TABLES.c.number).where(_HERE)
_EVENTS_SINCE = (
    select(EVENTS)
    .where(EVENTS.c.table_id == bindparam("key"), EVENTS.c.number > bindparam("since"))
    .order_by(EVENTS.c.number)
)
_CLOCK_RUNS = and_(
    TABLES.c.wake.is_not(None),
    TABLES.c.started.is_not(None),
    TABLES.c.clock["kind"].as_string().is_not(None),  # left out for no clock
)


class SilentTable(NamedTuple):
    """A table whose clock ran while no process served: its last event, and the time since then."""

    id: str
    number: int
    since: float


class OpenTable(NamedTuple):
    """An unfinished table, as far as quotas need it."""

    id: str
    host: str
    changed: float
    waiting: bool
    with_bots: bool

    @classmethod
    def of(cls, setup: Setup) -> OpenTable:
        """Returns a table that is about to be set up."""
        kinds = {occupant.kind for occupant in setup.occupants}
        return cls(setup.id, setup.host, setup.created, "open" in kinds, "bot" in kinds)


class TableRow(NamedTuple):
    """What the database knows of a table without its events."""

    id: str
    game: str
    map: str
    day: str
    finished: bool
    occupants: list[Occupant]

    def is_held_by(self, guest: str | None) -> bool:
        """Tells whether a guest has a seat."""
        return guest is not None and any(who.guest == guest for who in self.occupants)


class TableStore:
    """Reads and writes tables; events are written while it runs."""

    def __init__(self, database: Database, calendar: Calendar) -> None:
        self.database = database
        self.calendar = calendar
        self._waiting: asyncio.Queue[Entry] = asyncio.Queue()

    # Setting up

    async def set_up(self, state: TableState) -> str:
        """Writes a new table; returns the id that counts.

        A guest who has a table for this deal of the day keeps it; of two that begin at once, one
        is written.
        """
        setup, rows = state.setup, NewRows.of(state)
        key = {"day": setup.day, "game": setup.game, "map": setup.map, "guest": setup.host}
        adding = self.database.dialect.insert(TRIES).values(**key, table_id=setup.id)
        new = adding.on_conflict_do_nothing().returning(TRIES.c.table_id)

        def work(connection: Connection) -> None:
            insert_table(rows, connection)
            if setup.day and connection.execute(new).first() is None:
                raise NumberTakenError

        with contextlib.suppress(NumberTakenError):
            await self.database.write(work)
            return setup.id
        tries = await self.database.read(partial(results.tries_of, guest=setup.host, day=setup.day))
        return tries[setup.game, setup.map]

    # Reading

    async def load(self, table_id: str) -> TableState | None:
        """Returns the table as its events make it; None if it does not exist."""

        def work(connection: Connection) -> tuple[Any, list[TableEvent]]:
            row = connection.execute(_TABLE, {"key": table_id}).mappings().first()
            return row, _events_since(connection, table_id, 0)

        row, events = await self.database.read(work)
        return TableState.replayed(setup_of(row), events) if row else None

    async def row(self, table_id: str) -> TableRow | None:
        """Returns a table without replaying its game; None if it does not exist."""
        columns = (TABLES.c[name] for name in TableRow._fields if name != "occupants")
        found = select(*columns).where(TABLES.c.id == table_id)

        def work(connection: Connection) -> TableRow | None:
            row = connection.execute(found).first()
            seats = _occupants(connection, [table_id])
            return TableRow(**row._asdict(), occupants=seats[table_id]) if row else None

        return await self.database.read(work)

    async def events_since(self, table_id: str, number: int) -> list[TableEvent]:
        """Returns the events after a number."""
        return await self.database.read(lambda c: _events_since(c, table_id, number))

    async def count_running(self, since: float) -> int:
        """Returns in how many unfinished games something has happened since then."""
        begun = TABLES.c.started.is_not(None), ~TABLES.c.finished, TABLES.c.changed > since
        return int(await self.database.value(select(func.count()).where(*begun)))

    async def number(self, table_id: str) -> int:
        """Returns the number of the last event of a table; -1 if it does not exist."""
        number = await self.database.read(lambda c: c.scalar(_NUMBER, {"key": table_id}))
        return -1 if number is None else number

    async def numbers(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Returns the number of the last event of each of these tables."""
        numbers: dict[str, int] = {}
        for start in range(0, len(table_ids), IDS_PER_QUERY):
            some = TABLES.c.id.in_(table_ids[start : start + IDS_PER_QUERY])
            rows = await self.database.rows(select(TABLES.c.id, TABLES.c.number).where(some))
            numbers |= {row.id: row.number for row in rows}
        return numbers

    async def due(self, at: float, most: int = 200) -> list[str]:
        """Returns the tables that need a process by then, the longest waiting first."""
        query = select(TABLES.c.id).where(TABLES.c.wake <= at).order_by(TABLES.c.wake)
        return await self.database.column(query.limit(most))

    async def put_to_sleep(self, table_id: str) -> None:
        """Notes that no process has to look after this table."""
        await self.database.change(update(TABLES).where(TABLES.c.id == table_id).values(wake=None))

    async def silent_tables(self, before: float) -> list[SilentTable]:
        """Returns the tables whose clocks run although nobody has served them since `before`."""
        query = select(TABLES.c.id, TABLES.c.number, TABLES.c.changed, HEARTBEAT.c.at).join(
            HEARTBEAT, HEARTBEAT.c.at < before
        )
        query = query.where(_CLOCK_RUNS, TABLES.c.changed < before).order_by(TABLES.c.wake)
        rows = await self.database.rows(query)
        return [SilentTable(row.id, row.number, max(row.changed, row.at)) for row in rows]

    async def note_alive(self, at: float) -> None:
        """Notes that a process served at this time, if a clock runs anywhere."""
        known = (HEARTBEAT.c.at < at) & exists().where(_CLOCK_RUNS)
        if await self.database.first(select(HEARTBEAT.c.at).where(known)):
            await self.database.change(update(HEARTBEAT).where(HEARTBEAT.c.at < at).values(at=at))

    async def heads(
        self,
        *,
        guest: str | None = None,
        most: int = 100,
        hidden: bool = True,
        watched: Collection[str] = (),
    ) -> list[tuple[Any, list[Occupant]]]:
        """Returns rows and occupants of a guest's tables, or of public ones with a free seat.

        The last changed comes first. Without `hidden`, those that the guest removed are left out.
        A public one that nobody has touched for an hour is left out, unless it is watched.
        """
        query = select(TABLES).order_by(TABLES.c.changed.desc()).limit(most)
        if guest:
            mine = _held_by(guest) if hidden else _held_by(guest) & ~SEATS.c.hidden
            query = query.where(TABLES.c.id.in_(select(SEATS.c.table_id).where(mine)))
        else:
            recent = TABLES.c.changed > time.time() - LOBBY_SECONDS
            alive = or_(recent, TABLES.c.id.in_(watched))
            query = query.where(TABLES.c.public, TABLES.c.free, ~TABLES.c.finished, alive)

        return await self.database.read(lambda connection: _with_occupants(connection, query))

    async def watchable(self, most: int, since: float) -> list[tuple[Any, list[Occupant]]]:
        """Returns public games that people play now, the last changed first."""
        people = select(SEATS.c.table_id).where(SEATS.c.guest.is_not(None))
        query = (
            select(TABLES)
            .where(TABLES.c.public, ~TABLES.c.finished, ~TABLES.c.ended)
            .where(TABLES.c.started.is_not(None))
            .where(TABLES.c.changed > since, TABLES.c.id.in_(people))
            .order_by(TABLES.c.changed.desc())
            .limit(most)
        )

        return await self.database.read(lambda connection: _with_occupants(connection, query))

    async def hide(self, table_id: str, guest: str) -> bool:
        """Removes a table from a guest's list of games, until the guest sits down there again.

        Returns whether the guest has a seat there, or had one.
        """
        here = (SEATS.c.table_id == table_id) & _held_by(guest)
        return await self.database.change(update(SEATS).where(here).values(hidden=True)) > 0

    async def open_tables(
        self, host: str, table_ids: Collection[str], idle_seconds: float
    ) -> list[OpenTable]:
        """Returns the unfinished tables of a host, and those of these, that changed lately."""
        bots = select(SEATS.c.table_id).where(SEATS.c.bot.is_not(None))
        query = select(
            TABLES.c.id,
            TABLES.c.host,
            TABLES.c.changed,
            TABLES.c.started.is_(None).label("waiting"),
            TABLES.c.id.in_(bots.where(SEATS.c.table_id == TABLES.c.id)).label("with_bots"),
        ).where(
            or_(TABLES.c.host == host, TABLES.c.id.in_(table_ids)),
            ~TABLES.c.finished,
            ~TABLES.c.ended,
            TABLES.c.changed > time.time() - idle_seconds,
        )
        return [OpenTable(*row) for row in await self.database.rows(query)]

    async def remove_waiting(self, changed_before: float, watched: Collection[str]) -> list[str]:
        """Deletes tables whose game never began, except watched ones; returns some of their ids."""
        query = select(TABLES.c.id).where(
            TABLES.c.started.is_(None),
            TABLES.c.changed < changed_before,
            TABLES.c.id.not_in(watched),
        )

        def work(connection: Connection) -> list[str]:
            expired = list(connection.scalars(query.limit(MOST_TO_REMOVE)))
            remove_tables(connection, expired)
            return expired

        return await self.database.write(work)

    # Writing events

    async def append(
        self, event: TableEvent, state: TableState, rematch: TableState | None = None
    ) -> bool:
        """Commits an event after which the table is in `state`; False if its number is taken.

        Refuses an event of a table that has been deleted.
        """
        over = event.kind in MOVES and state.finished
        entry = Entry(
            key=(event.table_id, event.number),
            event=event,
            table=projection(state, event.at),
            seats=seat_rows(state) if event.kind in (SIT, LEAVE, BOT, BEGIN) else [],
            rematch=NewRows.of(rematch) if rematch else None,
            ending=Ending.of(state, event.at, self.calendar.today()) if over else None,
            written=asyncio.get_running_loop().create_future(),
        )
        self._waiting.put_nowait(entry)
        try:
            return await entry.written
        except NumberTakenError:
            return False
        except (IntegrityError, sqlite3.IntegrityError):
            if await self.number(event.table_id) < 0:
                raise not_found("server.no_table") from None
            raise

    async def run(self) -> None:
        """Writes the events that wait, for ever."""
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and len(batch) < MOST_EVENTS_PER_BATCH:
                batch.append(self._waiting.get_nowait())
            # All processes lock the same tables in the same order, so none waits in a circle.
            batch.sort(key=attrgetter("key"))
            await self._write(batch)

    async def _write(self, batch: list[Entry]) -> None:
        began = time.perf_counter()
        try:
            written = await self._commit(batch)
            metrics.COMMIT_SECONDS.observe(time.perf_counter() - began)
        except Exception as error:
            if len(batch) == 1 or isinstance(error, DatabaseAwayError):
                # Nothing else would come through either, and each would wait its time.
                for entry in batch:
                    if not entry.written.done():
                        entry.written.set_exception(error)
                return
            log.warning("batch written one by one", extra={"error": type(error).__name__})
            for entry in batch:
                await self._write([entry])
            return
        for entry in batch:
            if not entry.written.done():
                entry.written.set_result(entry.key in written)

    async def _commit(self, batch: list[Entry]) -> set[Key]:
        """Writes a batch in one transaction; returns the keys of the events that were written."""
        return await self.database.write(partial(write_batch, self.database.dialect, batch))


def _with_occupants(connection: Connection, query: Any) -> list[tuple[Any, list[Occupant]]]:
    """Returns the rows of tables, each with its occupants."""
    rows = connection.execute(query).mappings().all()
    occupants = _occupants(connection, [row["id"] for row in rows])
    return [(row, occupants[row["id"]]) for row in rows]


def _occupants(connection: Connection, table_ids: Sequence[str]) -> dict[str, list[Occupant]]:
    """Returns the occupants of tables, seat by seat."""
    seats = select(SEATS).where(SEATS.c.table_id.in_(table_ids))
    occupants: dict[str, list[Occupant]] = {}
    for row in connection.execute(seats.order_by(SEATS.c.table_id, SEATS.c.seat)):
        occupant = Occupant(row.name, row.guest, row.bot, row.former, row.face)
        occupants.setdefault(row.table_id, []).append(occupant)
    return occupants


def _events_since(connection: Connection, table_id: str, number: int) -> list[TableEvent]:
    rows = connection.execute(_EVENTS_SINCE, {"key": table_id, "since": number})
    return [TableEvent(**{**row, "drops": tuple(row["drops"])}) for row in rows.mappings()]


def _held_by(guest: str) -> ColumnElement[bool]:
    return (SEATS.c.guest == guest) | (SEATS.c.former == guest)
