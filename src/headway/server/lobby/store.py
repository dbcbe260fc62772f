"""Who looks for somebody to play with, in the database, where all processes see them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select, update

from headway.server.core.database import Database, NumberTakenError
from headway.server.core.schema import RATINGS, SEEKS
from headway.server.lobby.pairing import Waiting
from headway.server.tables.standings import Skill, beginner

CLAIMED = "?"
"""In place of a table, while a process sets it up."""


class SeekStore:
    """Reads and writes what people look for."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, one: Waiting, lease: float) -> Waiting:
        """Keeps what somebody looks for, in place of what they looked for before.

        Returns it with the points of their rating.
        """
        rated = select(RATINGS).where(RATINGS.c.who == one.guest, RATINGS.c.game == one.game)

        def work(connection: Connection) -> Waiting:
            row = connection.execute(rated).first()
            skill = Skill(row.mu, row.sigma, row.games) if row else beginner()
            known = one._replace(points=skill.points())
            connection.execute(delete(SEEKS).where(SEEKS.c.guest == one.guest))
            values = known._asdict() | {"lease": lease, "table_id": ""}
            connection.execute(SEEKS.insert().values(**values))
            return known

        return await self.database.write(work)

    async def remove(self, guests: Collection[str]) -> None:
        """Forgets what some people look for."""
        if guests:
            await self.database.change(delete(SEEKS).where(SEEKS.c.guest.in_(guests)))

    async def renew(self, guests: Collection[str], lease: float) -> None:
        """Lets what some people look for count for longer."""
        theirs = update(SEEKS).where(SEEKS.c.guest.in_(guests))
        await self.database.change(theirs.values(lease=lease))

    async def waiting(self, at: float) -> list[Waiting]:
        """Returns everybody who waits, through any process."""
        open_ = (SEEKS.c.table_id == "") & (SEEKS.c.lease > at)
        rows = await self.database.rows(select(SEEKS).where(open_))
        return [Waiting(*(getattr(row, name) for name in Waiting._fields)) for row in rows]

    async def found(self, guests: Collection[str]) -> dict[str, str]:
        """Returns the tables that were found for some people."""
        done = SEEKS.c.guest.in_(guests) & SEEKS.c.table_id.not_in(["", CLAIMED])
        rows = await self.database.rows(select(SEEKS.c.guest, SEEKS.c.table_id).where(done))
        return {row.guest: row.table_id for row in rows}

    async def claim(self, guests: Collection[str]) -> bool:
        """Takes people out of the waiting ones, all or none; False if another process did."""
        theirs = update(SEEKS).where(SEEKS.c.guest.in_(guests), SEEKS.c.table_id == "")

        def work(connection: Connection) -> None:
            if connection.execute(theirs.values(table_id=CLAIMED)).rowcount != len(guests):
                raise NumberTakenError

        try:
            await self.database.write(work)
        except NumberTakenError:
            return False
        return True

    async def seat(self, guests: Collection[str], table_id: str) -> None:
        """Notes the table that was found; none lets them wait again."""
        theirs: Any = update(SEEKS).where(SEEKS.c.guest.in_(guests))
        await self.database.change(theirs.values(table_id=table_id))
