"""Makes reviews in the bot workers, after all moves of running games.

The database is the queue. Every process claims the review that comes next, works on it piece by
piece, and stores each piece. So a review survives its process, and no two processes make the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import secrets
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Literal, TypeVar
from weakref import WeakValueDictionary

import msgspec

from headway import record, reviews
from headway.games.presentation import LuckSkill
from headway.reviews.arithmetic import LOST
from headway.reviews.presentation import luck_and_skill
from headway.reviews.puzzles import Attempt, known_attempt
from headway.reviews.report import Level, Measure, Review, Turn
from headway.server.core.database import DatabaseAwayError
from headway.server.core.errors import RefusedError, conflict, not_found, unavailable
from headway.server.core.workers import (
    Account,
    Owners,
    Work,
    WorkerLostError,
    WorkerPool,
    cancel,
    take_error,
)
from headway.server.reviews import tasks as review_tasks
from headway.server.reviews.store import LEASE_SECONDS, NOBODY, SENT, ReviewStore, StoredReview
from headway.server.reviews.tasks import SeatSoFar
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bot_tasks import REVIEW, compile_bot
from headway.server.tables.bots import BotCompiler
from headway.server.tables.results import not_reviewed
from headway.server.web.limits import Quotas

log = logging.getLogger("headway.reviews")
T = TypeVar("T")
GAMES_AT_ONCE = 20
"""How many of my last games I can have reviewed at once."""
PIECE_LIMIT_SECONDS = 300.0
"""How long a worker may take for one piece of a review, below all other work of a busy machine."""
BLOCK = 6
"""Tasks that a worker does one after the other, for others to do the next ones meanwhile."""
MOST_LANES = 4
"""Workers that work on one review at the same time: each needs its memory."""
POLL_SECONDS = 5.0
"""How often a process looks for reviews that another one left unfinished."""
ATTEMPTS, REVIEWS = "attempts", "reviews"
"""Two kinds of work that take turns: neither waits for the other to end."""
ATTEMPTS_WAITING_PER_ADDRESS = 20
FOLLOW_SECONDS = 4.0
"""How long a request waits for a review to change: a server that stops waits for requests, too."""
REMOTE_NEWS_SECONDS = 1.0
"""How often such a request looks for changes that another process has made."""
FOLLOWERS_PER_ADDRESS = 20
"""Requests of one address that wait at the same time; others are answered at once."""
SIGNS_PER_LEASE = 3
"""How often a process renews a claim within its time."""


class ReviewState(msgspec.Struct, frozen=True):
    """A review and how far it is.

    While it is made, `seats` are the turns that are known so far and `ahead` is the number of
    reviews that come before it. `review` is there when it is finished.
    """

    id: str
    version: str
    """Another one whenever anything here changes; who sends it along waits for the next one."""
    state: Literal["waiting", "running", "done", "failed"]
    done: int
    total: int
    ahead: int
    seats: list[SeatSoFar]
    review: Review | None
    levels: dict[Level, int] = {}
    """What each level of the bots loses in a game, in thousandths; with the review."""
    luck_and_skill: list[LuckSkill] = []
    """What the posters of the seats say, in their order; with the review."""


class ReviewQueue(msgspec.Struct, frozen=True):
    """Reviews of mine that are still to be made, and how many of my last games have none."""

    waiting: int
    missing: int


class ReviewedDecision(msgspec.Struct, frozen=True):
    """A turn of a finished review in which a seat decided, and the record it is in."""

    key: str
    record: bytes
    seat: int
    index: int
    measure: Measure
    turn: Turn


class ClaimLostError(Exception):
    """Another process has taken over."""


class ClaimedWork:
    """Claims one review after the other and works on each.

    `claim` returns the key of the next one, None if there is nothing to do. `give_up` gets the key
    of one that cannot be worked on. `wake` is set when there may be something to do.
    """

    def __init__(
        self,
        store: ReviewStore,
        wake: asyncio.Event,
        claim: Callable[[], Awaitable[str | None]],
        work: Callable[[str], Awaitable[None]],
        give_up: Callable[[str], Awaitable[None]],
    ) -> None:
        self._store, self._wake = store, wake
        self._claim, self._work, self._give_up = claim, work, give_up
        self.key: str | None = None
        """The review that is worked on."""

    async def run(self, seconds: float) -> None:
        """Works for ever, and looks for work at least this often; another process continues."""
        try:
            while True:
                self._wake.clear()
                await self._work_on_all()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), seconds)
        finally:
            if self.key:
                await self._store.release(self.key)

    async def _work_on_all(self) -> None:
        try:
            while key := await self._claim():
                self.key = key
                with contextlib.suppress(ClaimLostError):
                    await self._work(key)
                self.key = None
        except DatabaseAwayError:
            log.warning("reviews wait for the database")
        except Exception:
            log.exception("work on a review failed", extra={"review": self.key})
            if self.key:
                with contextlib.suppress(DatabaseAwayError):
                    await self._give_up(self.key)
        self.key = None

    async def while_claimed(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for a part of the work and renews the claim; raises if the claim is lost."""
        assert self.key
        task = asyncio.create_task(work)
        task.add_done_callback(take_error)
        try:
            while True:
                limit = self._store.lease_seconds / SIGNS_PER_LEASE
                done, _ = await asyncio.wait({task}, timeout=limit)
                if done:
                    return task.result()
                if not await self._store.renew(self.key):
                    raise ClaimLostError
        finally:
            task.cancel()


class Reviewing:
    """The reviews of a server process."""

    def __init__(
        self,
        authority: TableAuthority,
        pool: WorkerPool,
        compiler: BotCompiler,
        budget: int,
        quota_factor: float,
    ) -> None:
        engine = f"{reviews.ENGINE}@{budget}" if budget else reviews.ENGINE
        self.store = ReviewStore(authority.store.database, engine, LEASE_SECONDS)
        self._authority = authority
        self._quotas = Quotas(quota_factor)
        self._pool, self._compiler, self._budget = pool, compiler, budget or None
        self._address_key = secrets.token_bytes(32)
        self._wake = asyncio.Event()
        give_up = self.store.give_up
        self.making = ClaimedWork(self.store, self._wake, self._next, self._make_review, give_up)
        self._news: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        """Set when a review has changed, for those who follow it."""
        self._following: Counter[str] = Counter()
        """The number of requests of each address that wait."""
        self.finished = asyncio.Event()
        """Set when this process has made a review, for those who search it."""

    async def run(self) -> None:
        """Makes reviews for ever; what is stored stays, and another process continues."""
        await self.making.run(POLL_SECONDS)

    # Asking

    async def ask_table(self, table_id: str, guest: str, network: str) -> ReviewState:
        """Asks for the review of a finished table; the same one for everybody."""
        stored = await self.store.read(table_id)
        if stored and not stored.finished and stored.owner == NOBODY:
            await self.store.adopt(table_id, guest, self._disguised(network))
            self._wake.set()
            stored = await self.store.read(table_id)
        if stored:
            return self._state_of(stored)
        text = await self._record_of(table_id)
        return await self._asked(table_id, guest, network, text)

    async def _record_of(self, table_id: str) -> bytes:
        """Returns a table's record without its seed, which the best found would tell, and names.

        Names stay with the table, where they can be changed and forgotten.
        """
        state = await self._authority.refresh(table_id)
        if not state.finished:
            raise conflict("server.not_over")
        sealed = await asyncio.to_thread(state.playing().record, sealed=True)
        sealed.names = None
        return sealed.json()

    async def queue_of(self, guest: str) -> ReviewQueue:
        """Returns what somebody waits for."""
        missing = len(await self._not_reviewed(guest))
        return ReviewQueue(await self.store.waiting_of(guest), missing)

    async def ask_games(self, guest: str, network: str) -> ReviewQueue:
        """Asks for reviews of somebody's last games; quotas may leave some for another time."""
        asked = 0
        for table_id in await self._not_reviewed(guest):
            try:
                await self.ask_table(table_id, guest, network)
                asked += 1
            except RefusedError:
                if not asked:
                    raise
                break
        return await self.queue_of(guest)

    async def _not_reviewed(self, guest: str) -> list[str]:
        query = not_reviewed(guest, self.store.engine, GAMES_AT_ONCE)
        return await self.store.database.column(query)

    async def prefetch(self, table_id: str) -> None:
        """Has the review of a finished table made at the lowest priority, before somebody asks."""
        await self.store.ask(table_id, NOBODY, await self._record_of(table_id))
        self._wake.set()

    async def ask_record(self, text: str, guest: str, network: str) -> ReviewState:
        """Asks for the review of a record that somebody sent, in the form of `canonical_record`."""
        key = SENT + hashlib.sha256(text.encode()).hexdigest()
        found = await self.find(key)
        return found or await self._asked(key, guest, network, text.encode())

    async def find(self, key: str) -> ReviewState | None:
        """Returns the review of a table or of a record that was sent; None if nobody asked."""
        stored = await self.store.read(key)
        return self._state_of(stored) if stored else None

    async def follow(self, key: str, since: str, network: str) -> ReviewState | None:
        """Returns the review as `find` does, as soon as it differs from the version `since`.

        Returns it as it is after a few seconds, without a version to wait for, and if too many
        requests of the same address wait already.
        """
        if not since or self._following[network] >= FOLLOWERS_PER_ADDRESS:
            return await self.find(key)
        self._following[network] += 1
        try:
            end = time.monotonic() + FOLLOW_SECONDS
            while True:
                news = self._news.setdefault(key, asyncio.Event())
                found, left = await self.find(key), end - time.monotonic()
                if found is None or found.version != since or left <= 0:
                    return found
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), min(left, REMOTE_NEWS_SECONDS))
        finally:
            self._following -= Counter([network])  # drops those of whom none waits

    def _tell(self, key: str) -> None:
        """Wakes the requests that follow a review."""
        if news := self._news.pop(key, None):
            news.set()

    async def decision(self, key: str, seat: int, index: int) -> ReviewedDecision:
        """Returns a decision of a finished review; raises if there is no such one."""
        stored = await self.store.read(key)
        if stored is None:
            raise not_found()
        if not stored.finished:
            raise conflict("server.not_reviewed")
        review = msgspec.json.decode(stored.content, type=Review)
        for report in review.seats:
            if report.seat == seat and index < len(report.turns) and report.turns[index].played:
                return ReviewedDecision(
                    key, stored.record, seat, index, report.measure, report.turns[index]
                )
        raise not_found("server.no_decision")

    async def attempt(self, decision: ReviewedDecision, move: str, owners: Owners) -> Attempt:
        """Returns what a legal move loses: from the report, else from a new look."""
        known = known_attempt(decision.measure, decision.turn, move)
        if known:
            return known
        if self._pool.waiting(owners[0], ATTEMPTS) >= ATTEMPTS_WAITING_PER_ADDRESS:
            raise unavailable()
        game = record.read(decision.record).game
        await self._compiler.ready(game, REVIEW)
        place = decision.seat, decision.index
        work = partial(review_tasks.attempt, decision.record, self._budget, *place, move)
        account = Account(owners, lambda: True, slow=True, background=True, kind=ATTEMPTS)
        try:
            return await self.work(decision.key, game, work, account)
        except WorkerLostError:
            raise unavailable() from None

    async def _asked(self, key: str, guest: str, network: str, text: bytes) -> ReviewState:
        disguised = self._disguised(network)
        async with self._quotas.admit(disguised, partial(self.store.used, guest, disguised)):
            await self.store.ask(key, guest, text, disguised)
        self._wake.set()
        stored = await self.store.read(key)
        assert stored
        return self._state_of(stored)

    def _disguised(self, network: str) -> str:
        """Returns what stands for an address in the queue.

        The database must not tell addresses. The key is in the memory of this process alone, so
        nobody can compute them back; the addresses of another process count as others.
        """
        return hmac.digest(self._address_key, network.encode(), "sha256").hex()[:16]

    def _state_of(self, stored: StoredReview) -> ReviewState:
        if stored.finished:
            review = msgspec.json.decode(stored.content, type=Review)
            levels, total = LOST[review.game], stored.total
            bars = [luck_and_skill(seat) for seat in review.seats]
            finished = ReviewState(stored.key, "done", "done", total, total, 0, [], review, levels)
            return msgspec.structs.replace(finished, luck_and_skill=bars)
        seats = list[SeatSoFar]()
        if stored.content:
            seats = review_tasks.seats_so_far(stored.content, stored.results)
        state: Literal["waiting", "running", "failed"] = "running" if stored.content else "waiting"
        state = "failed" if stored.failed else state
        key, done, ahead = stored.key, stored.done, stored.ahead
        version = f"{state}-{done}-{ahead}"
        return ReviewState(key, version, state, done, stored.total, ahead, seats, None)

    # Making

    async def _next(self) -> str | None:
        """Claims the review that comes next; forgets old ones when the queue is empty."""
        if key := await self.store.claim_next():
            return key
        await self.store.remove_old()
        return None

    async def _make_review(self, key: str) -> None:
        """Makes a claimed review piece by piece; stops if the claim is lost."""
        stored = await self.store.read(key)
        if stored is None:  # deleted with the account that asked for it
            return
        log.info("review begun", extra={"review": key})
        game, held = record.read(stored.record).game, self.making.while_claimed
        try:
            await held(self._compiler.ready(game, REVIEW))
            results = await held(self._results(stored, game))
            work = partial(review_tasks.report, stored.record, self._budget, results)
            await self.store.finish(key, *await held(self._piece(key, game, work)))
            self._tell(key)
            self.finished.set()
        except WorkerLostError:
            log.warning("review failed", extra={"review": key})
            await self.store.give_up(key)

    async def _results(self, stored: StoredReview, game: str) -> list[bytes]:
        """Returns the results of all tasks; does those that are left in several workers."""
        key, text, total, results = stored.key, stored.record, stored.total, stored.results
        if not total:
            # The first figures are quick: they need not wait for a search for puzzles.
            begin = partial(review_tasks.first_figures, text, self._budget)
            first = await self._piece(key, game, begin, slow=False)
            if not await self.store.begin(key, first.content, first.total):
                raise ClaimLostError
            self._tell(key)
            total = first.total
        blocks = deque(range(len(results), total, BLOCK))
        done: dict[int, list[bytes]] = {}

        async def work_on(lane: int) -> None:
            """Does one block after the other; stores those of which none before is missing."""
            while blocks:
                first = blocks.popleft()
                done[first] = await self._block(
                    stored, game, (first, min(first + BLOCK, total)), lane
                )
                while block := done.pop(len(results), None):
                    if not await self.store.append(key, len(results), block):
                        raise ClaimLostError
                    results.extend(block)
                    self._tell(key)

        count = min(self._pool.count, MOST_LANES)
        lanes = [asyncio.create_task(work_on(lane)) for lane in range(count)]
        try:
            await asyncio.gather(*lanes)
        finally:
            await cancel(lanes)
        return results

    async def _block(
        self, stored: StoredReview, game: str, place: tuple[int, int], lane: int
    ) -> list[bytes]:
        """Returns the results of some tasks, done in a lane.

        Slow work leaves one worker free; the last lane uses that too, for moments.
        """
        results: list[bytes] = []
        last = lane == self._pool.count - 1
        seconds = review_tasks.SHORT_PIECE_SECONDS if last else review_tasks.PIECE_SECONDS
        while place[0] + len(results) < place[1]:
            left = place[0] + len(results), place[1]
            work = partial(review_tasks.do_tasks, stored.record, self._budget, left, seconds)
            results += await self._piece(stored.key, game, work, slow=not last, lane=lane)
        return results

    async def _piece(
        self, key: str, game: str, work: Work[T], slow: bool = True, lane: int = 0
    ) -> T:
        owners = f"review {key}", f"review {key} {lane}"
        account = Account(owners, lambda: True, slow=slow, background=True, kind=REVIEWS)
        return await self.work(f"{key} {lane}", game, work, account)

    async def work(self, key: str, game: str, work: Work[T], account: Account) -> T:
        """Returns what work returns in a worker that has compiled the reviewer of a game."""
        load = partial(compile_bot, game, REVIEW)
        return await self._pool.run(work, PIECE_LIMIT_SECONDS, load, key=key, account=account)
