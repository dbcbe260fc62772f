"""Bans: people who may look on and sign out, but change nothing else."""

from __future__ import annotations

import time
from typing import NamedTuple

from sqlalchemy import select

from headway.server.core.database import Database
from headway.server.core.errors import forbidden
from headway.server.core.schema import BANS

ALLOWED = ("DELETE /api/account/session", "POST /api/account/delete")
"""What a banned person may still do: leave."""


class Ban(NamedTuple):
    """Until when somebody is banned, None for good, and what they are told."""

    until: float | None
    reason: str


class Bans:
    """The bans that hold, in memory."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._bans: dict[str, Ban] = {}

    async def read(self) -> None:
        """Reads all bans."""
        rows = await self.database.rows(select(BANS))
        self._bans = {row.guest: Ban(row.until, row.reason) for row in rows}

    def refuse(self, guest: str, request: str) -> None:
        """Refuses somebody who is banned, unless they want to leave."""
        ban = self._bans.get(guest)
        if (
            ban is None
            or (ban.until is not None and ban.until <= time.time())
            or request in ALLOWED
        ):
            return
        key = "server.banned" if ban.until is None else "server.banned_until"
        at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ban.until or 0))
        raise forbidden(key, until=at, reason=ban.reason)
