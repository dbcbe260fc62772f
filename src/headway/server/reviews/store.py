"""Reviews in the database: the queue of those to make, who makes which, and finished ones.

A claim is a lease: while it lasts, no other process makes the review. A killed process loses its
claims when they end, and another continues from what is stored.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Subquery, case, delete, func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from headway.reviews.figures import SeatFigures
from headway.server.core.database import Database
from headway.server.core.quotas import Quota, Usage
from headway.server.core.schema import RESULTS, REVIEW_RESULTS, REVIEWS

LEASE_SECONDS = 15.0
"""How long a claim lasts after the last sign of life of its process."""
WAITING_REVIEWS = Quota("server.waiting_reviews", 50, 200)
MOST_ATTEMPTS = 3
"""A review that ends its worker so often is not tried again."""
CANDIDATES = 20
"""How many of the next reviews a process tries to claim before it waits."""
SENT_RECORD_SECONDS = 7 * 86_400.0
"""How long reviews of records that somebody sent are kept."""
MOST_SENT = 2000
"""How many of them are kept: about 100 MB."""
NOBODY = ""
"""In place of the owner: nobody waits for the review."""
SENT = "sent:"
"""How the keys of records begin that somebody sent."""


class StoredReview(NamedTuple):
    """A review as it is stored: how much of it is done, and its content."""

    key: str
    owner: str
    """Who waits for it."""
    done: int
    total: int
    failed: bool
    finished: bool
    record: bytes
    content: bytes
    """The JSON of the first figures, or of the finished review."""
    results: list[bytes]
    """Those of the tasks that are done, in order, until the review is finished."""
    ahead: int
    """Reviews that come before it."""


class ReviewStore:
    """Reads and writes reviews of one version of the engine."""

    def __init__(self, database: Database, engine: str, lease_seconds: float) -> None:
        self.database, self.engine, self.lease_seconds = database, engine, lease_seconds

    async def ask(self, key: str, owner: str, record: bytes, network: str = "") -> None:
        """Puts a review into the queue, unless it is there or finished.

        One that nobody waits for comes after all others, until somebody asks for it. Reviews with
        the same `network` take turns as those of one address.
        """
        adding = self.database.dialect.insert(REVIEWS).values(
            key=key,
            engine=self.engine,
            owner=owner,
            network=network,
            asked=time.time(),
            record=zlib.compress(record),
            holder="",
            lease=0.0,
            done=0,
            total=0,
            failed=0,
            finished=False,
            content=b"",
            searched=owner == NOBODY,
        )
        async with self.database.writing() as connection:
            await connection.execute(adding.on_conflict_do_nothing())
            if key.startswith(SENT):
                await _forget_oldest(connection)

    async def read(self, key: str) -> StoredReview | None:
        """Returns a review; None if nobody asked for it."""
        async with self.database.reading() as connection:
            row = (await connection.execute(select(REVIEWS).where(*self._is(key)))).first()
            if row is None:
                return None
            ahead, results = 0, list[bytes]()
            if not row.finished:
                ahead = await self._ahead(connection, key)
                done = select(REVIEW_RESULTS.c.result).where(*self._results_of(key))
                rows = await connection.execute(done.order_by(REVIEW_RESULTS.c.task))
                results = list(rows.scalars())
        return StoredReview(
            key=row.key,
            owner=row.owner,
            done=row.done,
            total=row.total,
            failed=row.failed >= MOST_ATTEMPTS,
            finished=row.finished,
            record=zlib.decompress(row.record),
            content=zlib.decompress(row.content) if row.content else b"",
            results=results,
            ahead=ahead,
        )

    async def claim_next(self, holder: str) -> str | None:
        """Claims the review that comes next; returns its key, None if there is nothing to do."""
        queue = self._queue()
        free = select(queue.c.key).where(queue.c.lease < time.time())
        async with self.database.reading() as connection:
            rows = await connection.execute(free.order_by(*_place(queue)).limit(CANDIDATES))
            keys = list(rows.scalars())
        for key in keys:
            if await self.claim(key, holder):
                return str(key)
        return None

    async def adopt(self, key: str, owner: str, network: str) -> None:
        """Moves a review that nobody waited for to its new owner's place in the queue."""
        alone = (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.owner == NOBODY)
        values = {"owner": owner, "network": network, "asked": time.time(), "searched": False}
        await self._update((*alone, REVIEWS.c.failed == 0), values)

    async def waiting_of(self, owner: str) -> int:
        """Returns how many reviews somebody waits for."""
        return await self._waiting(REVIEWS.c.owner == owner)

    async def used(self, owner: str, network: str) -> list[Usage]:
        """Returns how many reviews somebody and an address wait for."""
        there = await self._waiting(REVIEWS.c.network == network)
        return [Usage(WAITING_REVIEWS, await self.waiting_of(owner), there)]

    async def _waiting(self, whose: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(REVIEWS).where(*self._to_make(), whose)
        async with self.database.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def failed_among(self, keys: set[str]) -> set[str]:
        """Returns which of some reviews cannot be made."""
        if not keys:
            return set()
        failed = (REVIEWS.c.engine == self.engine, REVIEWS.c.failed >= MOST_ATTEMPTS)
        query = select(REVIEWS.c.key).where(REVIEWS.c.key.in_(keys), *failed)
        async with self.database.reading() as connection:
            return set((await connection.execute(query)).scalars())

    async def claim(self, key: str, holder: str) -> bool:
        """Claims a review that nobody makes; of two that try at once, one succeeds."""
        now = time.time()
        free = (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.lease < now)
        values = {"holder": holder, "lease": now + self.lease_seconds}
        return await self._update(free, values)

    async def renew(self, key: str, holder: str) -> bool:
        """Lets a claim last longer; False if it is lost."""
        mine = (*self._is(key), REVIEWS.c.holder == holder)
        return await self._update(mine, {"lease": time.time() + self.lease_seconds})

    async def begin(self, key: str, holder: str, first: bytes, total: int) -> bool:
        """Stores the first figures and the number of tasks; False if the claim is lost."""
        return await self._update(
            self._mine(key, holder), {"total": total, "content": zlib.compress(first)}
        )

    async def append(self, key: str, holder: str, done: int, results: Sequence[bytes]) -> bool:
        """Stores the results of the tasks that follow those `done`; False if the claim is lost."""
        rows = [
            {"key": key, "engine": self.engine, "task": task, "result": result}
            for task, result in enumerate(results, done)
        ]
        async with self.database.writing() as connection:
            mine = update(REVIEWS).where(*self._mine(key, holder), REVIEWS.c.done == done)
            counted = await connection.execute(mine.values(done=done + len(results)))
            if counted.rowcount != 1:
                return False
            await connection.execute(insert(REVIEW_RESULTS), rows)
        return True

    async def finish(
        self, key: str, holder: str, report: bytes, figures: Sequence[SeatFigures] = ()
    ) -> bool:
        """Stores the whole review, and its figures beside the results of its game."""
        values = {
            "done": REVIEWS.c.total,
            "finished": True,
            "owner": NOBODY,  # nobody needs to know any more
            "network": "",
            "holder": "",
            "lease": 0.0,
            "content": zlib.compress(report),
        }
        async with self.database.writing() as connection:
            changed = await connection.execute(
                update(REVIEWS).where(*self._mine(key, holder)).values(**values)
            )
            if changed.rowcount == 1:
                await connection.execute(delete(REVIEW_RESULTS).where(*self._results_of(key)))
                await keep_figures(connection, key, self.engine, figures)
        return changed.rowcount == 1

    async def claim_search(self, holder: str) -> str | None:
        """Claims a finished review to search it for puzzles; None if there is nothing to do."""
        now = time.time()
        to_search = (REVIEWS.c.engine == self.engine, ~REVIEWS.c.searched, REVIEWS.c.finished)
        free = (*to_search, REVIEWS.c.lease < now, ~REVIEWS.c.key.startswith(SENT))
        query = select(REVIEWS.c.key).where(*free).order_by(REVIEWS.c.asked.desc()).limit(1)
        async with self.database.reading() as connection:
            key = (await connection.execute(query)).scalar()
        values = {"holder": holder, "lease": now + self.lease_seconds}
        claimed = key and await self._update((*self._is(key), *free), values)
        return str(key) if claimed else None

    async def end_search(self, key: str) -> None:
        """Notes that a review is searched for puzzles."""
        await self._update(self._is(key), {"searched": True, "holder": "", "lease": 0.0})

    async def give_up(self, key: str, holder: str) -> None:
        """Notes that an attempt failed; the next one may come at once."""
        free = {"owner": NOBODY, "network": "", "holder": "", "lease": 0.0}
        await self._held(key, holder, {"failed": REVIEWS.c.failed + 1, **free})

    async def release(self, key: str, holder: str) -> None:
        """Ends a claim, so that another process need not wait for its end."""
        mine = (*self._is(key), REVIEWS.c.holder == holder)
        await self._update(mine, {"holder": "", "lease": 0.0})

    async def remove_old(self) -> None:
        """Deletes reviews of records that were sent long ago."""
        old = REVIEWS.c.asked < time.time() - SENT_RECORD_SECONDS
        sent = REVIEWS.c.key.startswith(SENT)
        async with self.database.writing() as connection:
            await connection.execute(delete(REVIEWS).where(old, sent))

    async def _held(self, key: str, holder: str, values: dict[str, Any]) -> bool:
        return await self._update(self._mine(key, holder), values)

    def _mine(self, key: str, holder: str) -> tuple[Any, ...]:
        return (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.holder == holder)

    async def _update(self, where: tuple[Any, ...], values: dict[str, Any]) -> bool:
        async with self.database.writing() as connection:
            changed = await connection.execute(update(REVIEWS).where(*where).values(**values))
        return changed.rowcount == 1

    def _is(self, key: str) -> tuple[Any, ...]:
        return REVIEWS.c.key == key, REVIEWS.c.engine == self.engine

    def _results_of(self, key: str) -> tuple[Any, ...]:
        return REVIEW_RESULTS.c.key == key, REVIEW_RESULTS.c.engine == self.engine

    def _to_make(self) -> tuple[Any, ...]:
        attempts_left = REVIEWS.c.failed < MOST_ATTEMPTS
        return REVIEWS.c.engine == self.engine, ~REVIEWS.c.finished, attempts_left

    def _queue(self) -> Subquery:
        """The reviews to make; `rank` is how many of the same address come before each.

        Within an address, the first review of everybody comes before anybody's second.
        """
        order = REVIEWS.c.asked, REVIEWS.c.key
        whose = REVIEWS.c.network, REVIEWS.c.owner
        own_rank = func.row_number().over(partition_by=whose, order_by=order).label("own_rank")
        late = case((REVIEWS.c.owner == NOBODY, 1), else_=0).label("late")
        columns = REVIEWS.c.key, REVIEWS.c.network, REVIEWS.c.asked, REVIEWS.c.lease, late, own_rank
        own = select(*columns).where(*self._to_make()).subquery()
        order_there = own.c.own_rank, own.c.asked, own.c.key
        rank = func.row_number().over(partition_by=own.c.network, order_by=order_there)
        return select(own, rank.label("rank")).subquery()

    async def _ahead(self, connection: AsyncConnection, key: str) -> int:
        queue = self._queue()
        mine = (await connection.execute(select(queue).where(queue.c.key == key))).first()
        if mine is None:
            return 0
        before = tuple_(*_place(queue)) < tuple_(mine.late, mine.rank, mine.asked, mine.key)
        query = select(func.count()).select_from(queue).where(before)
        return int((await connection.execute(query)).scalar_one())


def _place(queue: Subquery) -> tuple[Any, ...]:
    """The order of the queue: the first of every address, the second …, those of nobody."""
    return queue.c.late, queue.c.rank, queue.c.asked, queue.c.key


async def keep_figures(
    connection: AsyncConnection, table_id: str, engine: str, figures: Sequence[SeatFigures]
) -> None:
    """Writes the figures of a review beside the results of its game."""
    for seat in figures:
        here = (RESULTS.c.table_id == table_id) & (RESULTS.c.seat == seat.seat)
        values = {
            "reviewed": engine,
            "measure": seat.measure,
            "worth": seat.result,
            "luck": seat.luck,
            "loss": seat.loss,
            "kinds": msgspec.to_builtins(seat.kinds),
        }
        await connection.execute(update(RESULTS).where(here).values(**values))


async def _forget_oldest(connection: AsyncConnection) -> None:
    """Deletes the oldest reviews of sent records beyond the most that are kept."""
    sent = REVIEWS.c.key.startswith(SENT)
    newest = select(REVIEWS.c.asked).where(sent).order_by(REVIEWS.c.asked.desc())
    last = (await connection.execute(newest.offset(MOST_SENT).limit(1))).scalar()
    if last is not None:
        await connection.execute(delete(REVIEWS).where(sent, REVIEWS.c.asked <= last))
