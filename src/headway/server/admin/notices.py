"""The notice: a line from the operator on every page, until a moment."""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from headway.server.core.database import Database
from headway.server.core.schema import NOTICES


class OperatorNotice(msgspec.Struct, frozen=True):
    """What the operator tells everybody, and until when; number 0 says that there is nothing."""

    number: int = 0
    text: str = ""
    until: float = 0.0


def put_up(connection: Connection, text: str, until: float) -> None:
    """Replaces the notice."""
    number = (connection.scalar(select(func.max(NOTICES.c.number))) or 0) + 1
    connection.execute(delete(NOTICES))
    connection.execute(insert(NOTICES).values(number=number, text=text, until=until))


def last(connection: Connection) -> OperatorNotice:
    """Returns the last notice, which may be over."""
    row = connection.execute(select(NOTICES).order_by(NOTICES.c.number.desc())).first()
    return OperatorNotice(*row) if row else OperatorNotice()


class StandingNotice:
    """The notice that holds, in memory."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._last = OperatorNotice()

    async def read(self) -> bool:
        """Reads the last notice; returns whether it is another one than before."""
        before, self._last = self._last, await self.database.read(last)
        return self._last != before

    @property
    def now(self) -> OperatorNotice:
        """The notice that everybody is shown now."""
        return self._last if self._last.until > time.time() else OperatorNotice()

    @property
    def number(self) -> int:
        """Its number, 0 if there is none."""
        return self.now.number
