"""Time that passes while a server is away, without waiting for it."""

from __future__ import annotations

from server.services import Server
from sqlalchemy import update
from support.own_loop import run

from headway.server.core.database import Database, open_engine
from headway.server.core.schema import (
    EVENTS,
    HEARTBEAT,
    TABLES,
)


def time_passes(server: Server, seconds: float) -> None:
    """Makes everything that a killed server has stored older, as if it had been away so long."""
    columns = {
        TABLES: ("created", "changed", "started", "wake"),
        EVENTS: ("at",),
        HEARTBEAT: ("at",),
    }

    async def shift() -> None:
        database = Database(open_engine(server.backing.database))
        for table, names in columns.items():
            earlier = {name: table.c[name] - seconds for name in names}
            await database.change(update(table).values(earlier))
        await database.close()

    run(shift())
