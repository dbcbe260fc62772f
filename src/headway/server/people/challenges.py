"""Secrets that work once and for a short time: for passkeys and second devices."""

from __future__ import annotations

import secrets
import time
from typing import Literal

from sqlalchemy import Connection, delete, insert, select

from headway.server.core.database import Database
from headway.server.core.schema import CHALLENGES
from headway.server.people.guests import secret_hash

Use = Literal["register", "sign_in", "device"]
SECONDS = 300.0
"""How long one works."""
MOST_PER_GUEST = 10
"""How many of a guest's wait at the same time; older ones stop working."""


class Challenges:
    """The one-time secrets of a server; only their hashes are kept."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def new(self, use: Use, guest: str) -> bytes:
        """Returns a fresh secret of 32 bytes for a guest."""
        secret, now = secrets.token_bytes(32), time.time()
        row = {"hash": secret_hash(secret.hex()), "use": use, "guest": guest}

        def work(connection: Connection) -> None:
            connection.execute(delete(CHALLENGES).where(CHALLENGES.c.until < now))
            mine = select(CHALLENGES.c.hash).where(CHALLENGES.c.guest == guest)
            newest_first = mine.order_by(CHALLENGES.c.until.desc())
            old = list(connection.scalars(newest_first.offset(MOST_PER_GUEST - 1)))
            connection.execute(delete(CHALLENGES).where(CHALLENGES.c.hash.in_(old)))
            connection.execute(insert(CHALLENGES).values(**row, until=now + SECONDS))

        await self.database.write(work)
        return secret

    async def guest_of(self, use: Use, secret: bytes) -> str | None:
        """Returns for whom a secret was made, if it still works."""
        query = select(CHALLENGES.c.guest).where(
            CHALLENGES.c.hash == secret_hash(secret.hex()),
            CHALLENGES.c.use == use,
            CHALLENGES.c.until > time.time(),
        )
        guest: str | None = await self.database.value(query)
        return guest

    async def take(self, use: Use, secret: bytes) -> str | None:
        """Returns for whom a secret was made, and ends it; None for one that does not work."""
        guest = await self.guest_of(use, secret)
        this = CHALLENGES.c.hash == secret_hash(secret.hex())
        taken = guest is not None and await self.database.change(delete(CHALLENGES).where(this))
        return guest if taken else None
