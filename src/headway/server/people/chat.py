"""Free words between the players of a table whose host allows them, and reports of such.

Words stay with their table until it is deleted, or the account of who wrote them. Only who plays
there, or did, can read them; nobody hears whom they avoid. A report copies what was written.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from headway.server.core.database import Database
from headway.server.core.errors import conflict, forbidden, invalid, not_found
from headway.server.core.fields import REMARK_LENGTH
from headway.server.core.schema import REMARKS, REPORTS
from headway.server.people.acquaintances import Acquaintances
from headway.server.people.names import visible_line
from headway.server.tables.authority import TableAuthority
from headway.server.tables.news import ConnectionHub
from headway.server.tables.schema import Remark
from headway.server.tables.setup import Persona

MOST_REMARKS = 200
"""What a table keeps, the newest."""


class Chat:
    """What players write to each other."""

    def __init__(
        self,
        database: Database,
        authority: TableAuthority,
        connections: ConnectionHub,
        acquaintances: Acquaintances,
    ) -> None:
        self.database = database
        self.authority = authority
        self.connections = connections
        self.acquaintances = acquaintances

    async def of(self, table_id: str, guest: str) -> list[Remark]:
        """Returns what a player may read of what was written at a table, the oldest first."""
        state = await self.authority.get(table_id)
        if guest not in state.players:
            raise forbidden("server.not_at_table")
        unheard = await self.acquaintances.unheard_by(guest)
        rows = await self.database.rows(_newest(table_id))
        return [_remark(row) for row in reversed(rows) if row.guest not in unheard]

    async def write(self, table_id: str, guest: str, persona: Persona, text: str) -> Remark:
        """Keeps what a player writes, and tells the others who play."""
        state = await self.authority.get(table_id)
        seat = next(iter(state.held_by(guest)), None)
        if seat is None:
            raise forbidden("server.not_at_table")
        if not state.setup.chat:
            raise conflict("server.no_chat")
        line = visible_line(text)
        if not 0 < len(line) <= REMARK_LENGTH:
            raise invalid("server.remark_length", most=REMARK_LENGTH)
        values = {"table_id": table_id, "seat": seat, "guest": guest, "name": persona.name}
        values |= {"text": line, "at": time.time()}

        def work(connection: Connection) -> Remark:
            row = connection.execute(insert(REMARKS).values(**values).returning(REMARKS)).one()
            old = _newest(table_id).with_only_columns(REMARKS.c.id).limit(None)
            connection.execute(delete(REMARKS).where(REMARKS.c.id.in_(old.offset(MOST_REMARKS))))
            return _remark(row)

        remark = await self.database.write(work)
        deaf = await self.acquaintances.deaf_to(guest)
        self.connections.say(table_id, remark, guest, deaf, state.players)
        return remark

    async def report(self, table_id: str, guest: str, number: int) -> None:
        """Shows an operator what somebody else wrote; once for each reader."""
        state = await self.authority.get(table_id)
        this = (REMARKS.c.id == number) & (REMARKS.c.table_id == table_id)

        def work(connection: Connection) -> None:
            row = connection.execute(select(REMARKS).where(this)).first()
            if guest not in state.players or row is None or row.guest == guest:
                raise not_found("server.no_remark")
            values = {"guest": guest, "other": row.guest, "table_id": table_id, "said": row.at}
            same = [REPORTS.c[name] == value for name, value in values.items()]
            if connection.execute(select(REPORTS.c.id).where(*same)).first() is None:
                more = {"name": row.name, "seat": row.seat, "text": row.text, "at": time.time()}
                connection.execute(insert(REPORTS).values(**values, **more))

        await self.database.write(work)


def _newest(table_id: str) -> Any:
    here = select(REMARKS).where(REMARKS.c.table_id == table_id)
    return here.order_by(REMARKS.c.id.desc()).limit(MOST_REMARKS)


def _remark(row: Any) -> Remark:
    return Remark(row.id, row.seat, row.name, row.text, row.at)
