"""Reviews in the database: the queue of those to make, who makes which, and finished ones.

A claim is a lease: while it lasts, no other process makes the review. A killed process loses its
claims when they end, and another continues from what is stored.
"""

from __future__ import annotations

import time
import zlib
from collections import Counter
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update

from headway.server.database.engine import Database
from headway.server.database.schema import REVIEWS

LEASE_SECONDS = 15.0
"""How long a claim lasts after the last sign of life of its process."""
MOST_ATTEMPTS = 3
"""A review that ends its worker so often is not tried again."""
MOST_WAITING = 200
"""How far into the queue a process looks for the next review to make."""
SENT_RECORD_SECONDS = 7 * 86_400.0
"""How long reviews of records that somebody sent are kept."""
SENT = "sent:"
"""How the keys of records begin that somebody sent."""


class StoredReview(NamedTuple):
    """A review as it is stored: how much of it is done, and its content."""

    key: str
    done: int
    total: int
    failed: bool
    finished: bool
    record: bytes
    content: bytes
    """The JSON of the results so far, or of the finished review."""
    ahead: int
    """Reviews that come before it."""


class ReviewStore:
    """Reads and writes reviews of one version of the engine."""

    def __init__(self, database: Database, engine: str, lease_seconds: float) -> None:
        self.database, self.engine, self.lease_seconds = database, engine, lease_seconds

    async def ask(self, key: str, owner: str, record: bytes) -> None:
        """Puts a review into the queue, unless it is there or finished."""
        adding = self.database.dialect.insert(REVIEWS).values(
            key=key,
            engine=self.engine,
            owner=owner,
            asked=time.time(),
            record=zlib.compress(record),
            holder="",
            lease=0.0,
            done=0,
            total=0,
            failed=0,
            finished=False,
            content=b"",
        )
        async with self.database.writing() as connection:
            await connection.execute(adding.on_conflict_do_nothing())

    async def read(self, key: str) -> StoredReview | None:
        """Returns a review; None if nobody asked for it."""
        async with self.database.reading() as connection:
            row = (await connection.execute(select(REVIEWS).where(*self._is(key)))).first()
            if row is None:
                return None
            waiting = [] if row.finished else await self._waiting(connection)
        ahead = [entry.key for entry in waiting].index(key) if _has(waiting, key) else 0
        return StoredReview(
            key=row.key,
            done=row.done,
            total=row.total,
            failed=row.failed >= MOST_ATTEMPTS,
            finished=row.finished,
            record=zlib.decompress(row.record),
            content=zlib.decompress(row.content) if row.content else b"",
            ahead=ahead,
        )

    async def claim_next(self, holder: str) -> str | None:
        """Claims the review that comes next; returns its key, None if there is nothing to do."""
        async with self.database.reading() as connection:
            waiting = await self._waiting(connection)
        for row in waiting:
            if row.lease < time.time() and await self.claim(row.key, holder):
                return str(row.key)
        return None

    async def claim(self, key: str, holder: str) -> bool:
        """Claims a review that nobody makes; of two that try at once, one succeeds."""
        now = time.time()
        free = (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.lease < now)
        values = {"holder": holder, "lease": now + self.lease_seconds}
        return await self._update(free, values)

    async def renew(self, key: str, holder: str) -> bool:
        """Lets a claim last longer; False if it is lost."""
        return await self._held(key, holder, {"lease": time.time() + self.lease_seconds})

    async def save(self, key: str, holder: str, done: int, total: int, results: bytes) -> bool:
        """Stores what is made so far; False if the claim is lost."""
        values = {
            "done": done,
            "total": total,
            "content": zlib.compress(results, 1),
            "lease": time.time() + self.lease_seconds,
        }
        return await self._held(key, holder, values)

    async def finish(self, key: str, holder: str, report: bytes) -> bool:
        """Stores the whole review."""
        values = {
            "done": REVIEWS.c.total,
            "finished": True,
            "owner": "",  # nobody needs to know any more
            "holder": "",
            "content": zlib.compress(report),
        }
        return await self._held(key, holder, values)

    async def give_up(self, key: str, holder: str) -> None:
        """Notes that an attempt failed; the next one may come at once."""
        failed = {"failed": REVIEWS.c.failed + 1, "owner": "", "holder": "", "lease": 0.0}
        await self._held(key, holder, failed)

    async def release(self, key: str, holder: str) -> None:
        """Ends a claim, so that another process need not wait for its end."""
        await self._held(key, holder, {"holder": "", "lease": 0.0})

    async def remove_old(self) -> None:
        """Deletes reviews of records that were sent long ago."""
        old = REVIEWS.c.asked < time.time() - SENT_RECORD_SECONDS
        sent = REVIEWS.c.key.startswith(SENT)
        async with self.database.writing() as connection:
            await connection.execute(delete(REVIEWS).where(old, sent))

    async def _held(self, key: str, holder: str, values: dict[str, Any]) -> bool:
        mine = (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.holder == holder)
        return await self._update(mine, values)

    async def _update(self, where: tuple[Any, ...], values: dict[str, Any]) -> bool:
        async with self.database.writing() as connection:
            changed = await connection.execute(update(REVIEWS).where(*where).values(**values))
        return changed.rowcount == 1

    def _is(self, key: str) -> tuple[Any, ...]:
        return REVIEWS.c.key == key, REVIEWS.c.engine == self.engine

    async def _waiting(self, connection: Any) -> list[Any]:
        """Returns the reviews to make in their order: the first of everybody, then the second …"""
        query = (
            select(REVIEWS.c.key, REVIEWS.c.owner, REVIEWS.c.lease)
            .where(REVIEWS.c.engine == self.engine, ~REVIEWS.c.finished)
            .where(REVIEWS.c.failed < MOST_ATTEMPTS)
            .order_by(REVIEWS.c.asked)
            .limit(MOST_WAITING)
        )
        rows = list(await connection.execute(query))
        before: Counter[str] = Counter()
        ranks = []
        for row in rows:
            ranks.append(before[row.owner])
            before[row.owner] += 1
        order = sorted(range(len(rows)), key=lambda i: (ranks[i], i))
        return [rows[i] for i in order]


def _has(rows: list[Any], key: str) -> bool:
    return any(row.key == key for row in rows)
