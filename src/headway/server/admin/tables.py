"""What operators see of tables, and do about them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, func, select

from headway.errors import InputError
from headway.server.admin.acts import note
from headway.server.admin.operator import Operator
from headway.server.core.schema import EVENTS, PUZZLES, SEATS, TABLES
from headway.server.tables import decisions
from headway.server.tables.results import remove_puzzles
from headway.server.tables.rows import remove_tables

Phase = Literal["waiting", "running", "finished", "ended"]
PHASES = {
    "waiting": TABLES.c.started.is_(None) & ~TABLES.c.ended,
    "running": TABLES.c.started.is_not(None) & ~TABLES.c.finished & ~TABLES.c.ended,
    "finished": TABLES.c.finished,
    "ended": TABLES.c.ended,
}


class AdminTable(msgspec.Struct, frozen=True):
    """A table as an operator sees it: who sits there, not what is hidden in the game."""

    id: str
    phase: Phase
    game: str
    map: str
    seats: list[str]
    guests: list[str]
    public: bool
    day: str
    created: float
    changed: float
    events: int


def tables(connection: Connection, phase: str, most: int) -> list[AdminTable]:
    """Returns tables, those that changed last first."""
    query = select(TABLES).order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(most)
    if phase:
        query = query.where(PHASES[phase])
    return [_table(connection, row) for row in connection.execute(query).all()]


def table(connection: Connection, table_id: str) -> AdminTable:
    """Returns a table; refuses an id that none has."""
    row = connection.execute(select(TABLES).where(TABLES.c.id == table_id)).first()
    if row is None:
        raise InputError("admin.no_table", table=table_id)
    return _table(connection, row)


def _table(connection: Connection, row: Any) -> AdminTable:
    here = select(SEATS).where(SEATS.c.table_id == row.id).order_by(SEATS.c.seat)
    seats = connection.execute(here).all()
    events = select(func.count()).select_from(EVENTS).where(EVENTS.c.table_id == row.id)
    return AdminTable(
        id=row.id,
        phase=_phase(row),
        game=row.game,
        map=row.map,
        seats=[seat.bot or seat.name or "-" for seat in seats],
        guests=sorted({guest for seat in seats for guest in (seat.guest, seat.former) if guest}),
        public=row.public,
        day=row.day,
        created=row.created,
        changed=row.changed,
        events=connection.scalar(events) or 0,
    )


def _phase(row: Any) -> Phase:
    if row.ended:
        return "ended"
    if row.finished:
        return "finished"
    return "waiting" if row.started is None else "running"


async def end(operator: Operator, table_id: str) -> None:
    """Ends a table without a result; what was played can still be looked at."""
    await operator.authority.change(table_id, decisions.end)
    await operator.write(lambda connection: note(connection, "table.end", table_id))


async def remove(operator: Operator, table_id: str) -> None:
    """Deletes a table with all that is stored about it; ratings stay as they moved."""

    def work(connection: Connection) -> None:
        table(connection, table_id)
        remove_puzzles(connection, PUZZLES.c.table_id == table_id)
        remove_tables(connection, [table_id])
        note(connection, "table.delete", table_id)

    await operator.write(work)
