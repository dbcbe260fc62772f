"""Reviews in the database: the queue of those to make, who makes which, and finished ones.

A claim is a lease: while it lasts, no other process makes the review. A killed process loses its
claims when they end, and another continues from what is stored.
"""

from __future__ import annotations

import secrets
import time
import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Subquery,
    case,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)

from headway.reviews.figures import SeatFigures
from headway.server.core.database import Database
from headway.server.core.schema import RESULTS, REVIEW_RESULTS, REVIEWS
from headway.server.web.limits import Quota, Usage

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
_FREE = {"holder": "", "lease": 0.0}
_OVER = {"owner": NOBODY, "network": "", **_FREE}
"""Nobody makes it, and nobody needs to know who asked."""


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
        self._holder = secrets.token_hex(8)
        """Who holds the claims of this process."""

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

        def work(connection: Connection) -> None:
            connection.execute(adding.on_conflict_do_nothing())
            if key.startswith(SENT):
                _forget_oldest(connection)

        await self.database.write(work)

    async def read(self, key: str) -> StoredReview | None:
        """Returns a review; None if nobody asked for it."""
        return await self.database.read(partial(self._read, key))

    def _read(self, key: str, connection: Connection) -> StoredReview | None:
        row = connection.execute(select(REVIEWS).where(*self._is(key))).first()
        if row is None:
            return None
        ahead, results = 0, list[bytes]()
        if not row.finished:
            ahead = self._ahead(connection, key)
            done = select(REVIEW_RESULTS.c.result).where(*self._results_of(key))
            results = list(connection.scalars(done.order_by(REVIEW_RESULTS.c.task)))
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

    async def claim_next(self) -> str | None:
        """Claims the review that comes next; returns its key, None if there is nothing to do."""
        queue = self._queue()
        free = select(queue.c.key).where(queue.c.lease < time.time())
        next_ones = free.order_by(*_place(queue)).limit(CANDIDATES)
        for key in await self.database.column(next_ones):
            if await self.claim(key):
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
        return int(await self.database.value(query))

    async def failed_among(self, keys: set[str]) -> set[str]:
        """Returns which of some reviews cannot be made."""
        failed = (REVIEWS.c.engine == self.engine, REVIEWS.c.failed >= MOST_ATTEMPTS)
        query = select(REVIEWS.c.key).where(REVIEWS.c.key.in_(keys), *failed)
        return set(await self.database.column(query))

    async def claim(self, key: str) -> bool:
        """Claims a review that nobody makes; of two that try at once, one succeeds."""
        now = time.time()
        free = (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.lease < now)
        values = {"holder": self._holder, "lease": now + self.lease_seconds}
        return await self._update(free, values)

    async def renew(self, key: str) -> bool:
        """Lets a claim last longer; False if it is lost."""
        mine = (*self._is(key), REVIEWS.c.holder == self._holder)
        return await self._update(mine, {"lease": time.time() + self.lease_seconds})

    async def begin(self, key: str, first: bytes, total: int) -> bool:
        """Stores the first figures and the number of tasks; False if the claim is lost."""
        values = {"total": total, "content": zlib.compress(first)}
        return await self._update(self._mine(key), values)

    async def append(self, key: str, done: int, results: Sequence[bytes]) -> bool:
        """Stores the results of the tasks that follow those `done`; False if the claim is lost."""
        rows = [
            {"key": key, "engine": self.engine, "task": task, "result": result}
            for task, result in enumerate(results, done)
        ]
        mine = update(REVIEWS).where(*self._mine(key), REVIEWS.c.done == done)

        def work(connection: Connection) -> bool:
            counted = connection.execute(mine.values(done=done + len(results))).rowcount == 1
            if counted:
                connection.execute(insert(REVIEW_RESULTS), rows)
            return counted

        return await self.database.write(work)

    async def finish(self, key: str, report: bytes, figures: Sequence[SeatFigures] = ()) -> bool:
        """Stores the whole review, and its figures beside the results of its game."""
        values = {
            "done": REVIEWS.c.total,
            "finished": True,
            "content": zlib.compress(report),
        }
        finishing = update(REVIEWS).where(*self._mine(key)).values(**values, **_OVER)

        def work(connection: Connection) -> bool:
            finished = connection.execute(finishing).rowcount == 1
            if finished:
                connection.execute(delete(REVIEW_RESULTS).where(*self._results_of(key)))
                keep_figures(connection, key, self.engine, figures)
            return finished

        return await self.database.write(work)

    async def claim_search(self) -> str | None:
        """Claims a finished review to search it for puzzles; None if there is nothing to do."""
        now = time.time()
        to_search = (REVIEWS.c.engine == self.engine, ~REVIEWS.c.searched, REVIEWS.c.finished)
        free = (*to_search, REVIEWS.c.lease < now, ~REVIEWS.c.key.startswith(SENT))
        query = select(REVIEWS.c.key).where(*free).order_by(REVIEWS.c.asked.desc()).limit(1)
        key = await self.database.value(query)
        values = {"holder": self._holder, "lease": now + self.lease_seconds}
        claimed = key and await self._update((*self._is(key), *free), values)
        return str(key) if claimed else None

    async def end_search(self, key: str) -> None:
        """Notes that a review is searched for puzzles."""
        await self._update(self._is(key), {"searched": True, **_FREE})

    async def give_up(self, key: str) -> None:
        """Notes that an attempt failed; the next one may come at once."""
        await self._update(self._mine(key), {"failed": REVIEWS.c.failed + 1, **_OVER})

    async def release(self, key: str) -> None:
        """Ends a claim, so that another process need not wait for its end."""
        mine = (*self._is(key), REVIEWS.c.holder == self._holder)
        await self._update(mine, _FREE)

    async def backlog(self) -> tuple[int, float]:
        """Returns how many reviews are to be made, and when somebody asked for the oldest, or 0."""
        columns: tuple[Any, ...] = (func.count(), func.min(REVIEWS.c.asked))
        count, oldest = await self.database.first(select(*columns).where(*self._to_make()))
        return int(count), float(oldest or 0.0)

    async def remove_old(self) -> None:
        """Deletes reviews of records that were sent long ago."""
        old = REVIEWS.c.asked < time.time() - SENT_RECORD_SECONDS
        sent = REVIEWS.c.key.startswith(SENT)
        await self.database.change(delete(REVIEWS).where(old, sent))

    def _mine(self, key: str) -> tuple[Any, ...]:
        return (*self._is(key), ~REVIEWS.c.finished, REVIEWS.c.holder == self._holder)

    async def _update(self, where: tuple[Any, ...], values: dict[str, Any]) -> bool:
        return await self.database.change(update(REVIEWS).where(*where).values(**values)) == 1

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

    def _ahead(self, connection: Connection, key: str) -> int:
        queue = self._queue()
        mine = connection.execute(select(queue).where(queue.c.key == key)).first()
        if mine is None:
            return 0
        before = tuple_(*_place(queue)) < tuple_(mine.late, mine.rank, mine.asked, mine.key)
        query = select(func.count()).select_from(queue).where(before)
        return int(connection.execute(query).scalar_one())


def _place(queue: Subquery) -> tuple[Any, ...]:
    """The order of the queue: the first of every address, the second …, those of nobody."""
    return queue.c.late, queue.c.rank, queue.c.asked, queue.c.key


def keep_figures(
    connection: Connection, table_id: str, engine: str, figures: Sequence[SeatFigures]
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
        connection.execute(update(RESULTS).where(here).values(**values))


def _forget_oldest(connection: Connection) -> None:
    """Deletes the oldest reviews of sent records beyond the most that are kept."""
    sent = REVIEWS.c.key.startswith(SENT)
    newest = select(REVIEWS.c.asked).where(sent).order_by(REVIEWS.c.asked.desc())
    last = connection.execute(newest.offset(MOST_SENT).limit(1)).scalar()
    if last is not None:
        connection.execute(delete(REVIEWS).where(sent, REVIEWS.c.asked <= last))
