"""What a table is in the database: its rows, and the transaction that writes a batch of events.

The rows of an event are made before it is written, because the thread that writes must not touch a
game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, insert, update
from sqlalchemy.dialects import postgresql, sqlite

from headway.server.core.database import NumberTakenError
from headway.server.core.schema import (
    DUELS,
    EVENTS,
    FEATS,
    REMARKS,
    RESULTS,
    REVIEWS,
    SEATS,
    TABLES,
    TRIES,
)
from headway.server.tables import results
from headway.server.tables.events import BEGIN, TableEvent
from headway.server.tables.results import Ending
from headway.server.tables.setup import Setup
from headway.server.tables.state import TableState
from headway.server.tables.view import progress

_PROJECTED = "number", "changed", "started", "finished", "ended", "free", "wake", "progress"
"""The columns of a table that follow from its events."""
_ADD_EVENTS = {
    dialect: dialect.insert(EVENTS)
    .on_conflict_do_nothing()
    .returning(EVENTS.c.table_id, EVENTS.c.number)
    for dialect in (postgresql, sqlite)
}
_UPDATE_TABLE = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("key"))
    .values({n: bindparam(n) for n in _PROJECTED})
)
_NAMED = sqlite.dialect(paramstyle="named")
_SQLITE_ADD_EVENT = str(sqlite.insert(EVENTS).on_conflict_do_nothing().compile(dialect=_NAMED))
_SQLITE_UPDATE_TABLE = str(_UPDATE_TABLE.compile(dialect=_NAMED))
Key = tuple[str, int]
"""What no other event has: its table and number."""


class NewRows(NamedTuple):
    """The rows of a new table and of its seats."""

    table: dict[str, Any]
    seats: list[dict[str, Any]]

    @classmethod
    def of(cls, state: TableState) -> NewRows:
        """Returns the rows of a table that is set up."""
        setup = state.setup
        row = msgspec.to_builtins(setup) | {"seed": str(setup.seed)}
        row["chairs"] = row.pop("occupants")
        row |= projection(state, setup.created)
        row.pop("key")
        return cls(row, seat_rows(state))


@dataclass
class Entry:
    """An event on its way into the database, with the rows of all that follows from it."""

    key: Key
    event: TableEvent
    table: dict[str, Any]
    seats: list[dict[str, Any]]
    rematch: NewRows | None
    """A table to set up in the same transaction."""
    ending: Ending | None
    written: asyncio.Future[bool]


def write_batch(dialect: Any, batch: list[Entry], connection: Connection) -> set[Key]:
    """Writes events whose numbers are free, with all that follows; returns their keys."""
    if dialect is sqlite and not any(e.seats or e.rematch or e.ending for e in batch):
        return _write_moves(batch, connection)
    for entry in batch:
        if entry.rematch:
            insert_table(entry.rematch, connection)
    adding = _ADD_EVENTS[dialect]
    events = [asdict(entry.event) | {"drops": list(entry.event.drops)} for entry in batch]
    written = {(row.table_id, row.number) for row in connection.execute(adding, events)}
    winners = [entry for entry in batch if entry.key in written]
    if any(entry.rematch and entry.key not in written for entry in batch):
        raise NumberTakenError
    if winners:
        connection.execute(_UPDATE_TABLE, [entry.table for entry in winners])
        for entry in winners:
            _write_seats(entry, connection)
        results.write(connection, dialect, [e.ending for e in winners if e.ending])
    return written


def _write_moves(batch: list[Entry], connection: Connection) -> set[Key]:
    """Writes events that change no seat and end no game, as most do, to SQLite.

    SQLAlchemy takes as long for a statement as SQLite, which is a fifth of all that a move costs.
    """
    cursor, written = connection.connection.cursor(), set[Key]()
    for entry in batch:
        event = asdict(entry.event) | {"drops": _json(entry.event.drops)}
        if cursor.execute(_SQLITE_ADD_EVENT, event).rowcount:
            table = entry.table | {"progress": _json(entry.table["progress"])}
            cursor.execute(_SQLITE_UPDATE_TABLE, table)
            written.add(entry.key)
    cursor.close()
    return written


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _write_seats(entry: Entry, connection: Connection) -> None:
    """Writes the seat that an event changes, or all of them when the free ones are taken away."""
    here = SEATS.c.table_id == entry.event.table_id
    if entry.event.kind == BEGIN:
        connection.execute(delete(SEATS).where(here))
        connection.execute(insert(SEATS), entry.seats)
    elif entry.seats:
        seat = entry.event.seat
        changing = update(SEATS).where(here, SEATS.c.seat == seat)
        connection.execute(changing.values(**entry.seats[seat], hidden=False))


def insert_table(rows: NewRows, connection: Connection) -> None:
    """Writes a new table."""
    connection.execute(insert(TABLES).values(**rows.table))
    connection.execute(insert(SEATS), rows.seats)


def remove_tables(connection: Connection, table_ids: Sequence[str]) -> None:
    """Deletes tables with all that is stored about them."""
    for rows in (TRIES, RESULTS, SEATS, EVENTS, DUELS, FEATS, REMARKS):
        connection.execute(delete(rows).where(rows.c.table_id.in_(table_ids)))
    connection.execute(delete(REVIEWS).where(REVIEWS.c.key.in_(table_ids)))
    connection.execute(delete(TABLES).where(TABLES.c.id.in_(table_ids)))


def projection(state: TableState, at: float) -> dict[str, Any]:
    """Returns the columns of a table that follow from its events, the last of which was then."""
    return {
        "key": state.setup.id,
        "number": state.number,
        "changed": at,
        "started": state.started,
        "finished": state.finished,
        "ended": state.ended,
        "free": bool(state.free_seats()),
        "wake": state.wake_at(at),
        "progress": msgspec.to_builtins(progress(state)),
    }


def seat_rows(state: TableState) -> list[dict[str, Any]]:
    """Returns the rows of a table's seats."""
    seats = enumerate(state.occupants)
    return [{"table_id": state.setup.id, "seat": seat, **asdict(who)} for seat, who in seats]


def setup_of(row: Any) -> Setup:
    """Returns the set-up that a row of the database says."""
    fields = {str(name): value for name, value in row.items()} | {"occupants": row["chairs"]}
    return msgspec.convert(fields, Setup, strict=False)  # the seed is text in the database
