"""Processes for work that would hold up the event loop: bots think there, and pages are computed.

`Workers` has all of them, in two pools: one for bots, which may think for long, one for pages.
Each piece of work has a process to itself, so that a stuck one holds up no other. The queue is
fair, first between addresses and then between the guests of an address: who has used the workers
least comes first, and nobody is served twice at a time. Slow work leaves one worker of its pool
free, so that quick work never waits for it. Kinds of work take turns.

`start_task` is for tasks that nobody waits for: what goes wrong in one is logged, and asyncio has
no complaint.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from headway import process_pool
from headway.server.core.errors import RefusedError, unavailable
from headway.server.core.log import Outage

T = TypeVar("T")
Work = Callable[[], T]
"""Something to call in a worker; it must be picklable, as a `functools.partial` is."""
Owners = tuple[str, ...]
"""Who has work done, the widest first: an address, then a guest."""
PREPARE_SECONDS = 300.0
"""How long a worker may take to start and to load a bot, on the slowest machine."""
FORGET_SECONDS = 60.0
"""After this time, half of what somebody has used of the workers is forgotten."""
MOST_OWNERS = 1000
"""Owners whose use is remembered before those who used almost nothing are dropped."""
FEWEST_FOR_BOTS = 2
"""With fewer, a bot that answers at once would wait for one that thinks."""
PAGES_AT_ONCE = 2
"""Pages computed at the same time."""
PAGES_WAITING = 400
"""Pages that may wait for a worker; more are refused."""
PAGES_WAITING_PER_ADDRESS = 40
"""The same for one address."""
PAGE_SECONDS = 30.0
"""How long a page may take."""
RESTART_SECONDS = 1.0
"""How long a service that failed rests before it starts again."""
log = logging.getLogger("headway.workers")
task_log = logging.getLogger("headway.background")


class WorkerLostError(Exception):
    """No answer came: the worker took too long or ended."""


@dataclass(eq=False)
class Account:
    """On whose account work is done.

    `owners` are those who share the workers, the widest first: an address, then a guest. `awaited`
    tells whether a person is connected and waits; that comes before everything else. `slow` work
    takes a second or more. `background` work comes after everything else. Of two kinds of work that
    are equally urgent, the one comes next whose last turn is longer ago.
    """

    owners: Owners = ()
    awaited: Callable[[], bool] = bool
    slow: bool = False
    background: bool = False
    kind: str = ""
    others: list[Owners] = field(default_factory=list)
    """Others who wait for the same work: it comes as early as it would for any of them."""

    def askers(self) -> list[Owners]:
        """Returns everybody who waits for the work."""
        return [self.owners, *self.others]


NOBODY = Account()


class WorkerProcess:
    """One process, started when it is needed and started again when it is lost."""

    def __init__(self) -> None:
        self.busy = False
        self._pool: ProcessPoolExecutor | None = None

    @property
    def started(self) -> bool:
        """Whether there is a process."""
        return self._pool is not None

    def open(self) -> ProcessPoolExecutor:
        """Returns the process; it starts in the background."""
        if self._pool is None:
            self._pool = process_pool.open_pool(1)
            self._pool.submit(os.getpid)
        return self._pool

    async def close(self) -> None:
        """Ends the process, whatever it does."""
        pool, self._pool = self._pool, None
        if pool:
            await asyncio.to_thread(process_pool.kill, pool)

    async def run(self, work: Work[T], limit: float | None, prepare: Work[object] | None) -> T:
        """Returns what the work returns, unless it exceeds the limit or ends two processes.

        The limit counts from when the worker has prepared, or has loaded what the work needs:
        starting a process is not thinking.
        """
        for _ in range(2):
            try:
                ready = prepare or partial(_receive, work)
                await asyncio.wait_for(self._submit(ready), PREPARE_SECONDS)
                return await asyncio.wait_for(self._submit(work), limit)
            except BrokenProcessPool:
                log.warning("worker lost")
                await self.close()
            except TimeoutError:
                await self.close()
                raise WorkerLostError("took too long") from None
        raise WorkerLostError("ended its process")

    def _submit(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self.open(), work)


def _receive(_: Work[object]) -> None:
    """Does nothing: a process that receives work imports the module that the work comes from."""


@dataclass(eq=False)
class _Job:
    """Work that waits for any worker, its usual one if that is free."""

    account: Account
    usual: WorkerProcess
    worker: asyncio.Future[WorkerProcess]
    asked: float = field(default_factory=time.monotonic)
    began: float = 0.0


class PoolLoad(NamedTuple):
    """What a pool does; `seconds` is how long what waits longest has waited."""

    processes: int
    busy: int
    waiting: int
    seconds: float


class _Usage:
    """The seconds that owners have used of the workers lately."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[float, float]] = {}

    def of(self, owner: str) -> float:
        """Returns what an owner has used, less what is forgotten."""
        seconds, at = self._used.get(owner, (0.0, 0.0))
        return seconds * math.exp2((at - time.monotonic()) / FORGET_SECONDS)

    def add(self, owners: tuple[str, ...], seconds: float) -> None:
        """Notes that work was done for these owners."""
        now = time.monotonic()
        for owner in owners:
            self._used[owner] = self.of(owner) + seconds, now
        if len(self._used) > MOST_OWNERS:
            self._used = {o: used for o, used in self._used.items() if self.of(o) > 0.01}


class WorkerPool:
    """A number of worker processes and the queue before them."""

    def __init__(self, count: int) -> None:
        self._workers = [WorkerProcess() for _ in range(count)]
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._usage = _Usage()
        self._last_turns: dict[str, float] = {}
        """When each kind of work had its last turn."""

    @property
    def count(self) -> int:
        """How many pieces of work can be done at the same time."""
        return len(self._workers)

    def open(self) -> None:
        """Starts one worker, so that the first work does not wait for it."""
        self._workers[0].open()

    async def close(self) -> None:
        """Ends all of them."""
        for worker in self._workers:
            await worker.close()

    def waiting(self, owner: str = "", kind: str = "") -> int:
        """Returns how many pieces of work wait for a worker: all, an owner's, or of a kind."""
        accounts = [job.account for job in self._waiting]
        return sum(
            (not owner or owner in account.owners) and (not kind or kind == account.kind)
            for account in accounts
        )

    def load(self) -> PoolLoad:
        """Returns how many processes there are and are busy, and what waits for them."""
        oldest = min((job.asked for job in self._waiting), default=None)
        waits = 0.0 if oldest is None else time.monotonic() - oldest
        started = sum(worker.started for worker in self._workers)
        return PoolLoad(started, len(self._running), len(self._waiting), waits)

    async def run(
        self,
        work: Work[T],
        limit: float | None,
        prepare: Work[object] | None = None,
        *,
        key: str = "",
        account: Account = NOBODY,
    ) -> T:
        """Does the work in a free worker; the same key prefers the same worker and its cache."""
        usual = self._workers[zlib.crc32(key.encode()) % len(self._workers)]
        job = _Job(account, usual, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._assign()
        try:
            worker = await job.worker
            return await worker.run(work, limit, prepare)
        finally:
            if job in self._waiting:
                self._waiting.remove(job)
            elif job.worker.done() and not job.worker.cancelled():
                self._release(job)

    def _release(self, job: _Job) -> None:
        job.worker.result().busy = False
        self._running.remove(job)
        self._usage.add(job.account.owners, time.monotonic() - job.began)
        self._assign()

    def _assign(self) -> None:
        """Gives free workers to those who wait."""
        while job := min(filter(self._ready, self._waiting), key=self._rank, default=None):
            self._waiting.remove(job)
            worker = next(worker for worker in [job.usual, *self._workers] if not worker.busy)
            worker.busy = True
            self._running.append(job)
            job.began = self._last_turns[job.account.kind] = time.monotonic()
            job.worker.set_result(worker)

    def _ready(self, job: _Job) -> bool:
        running = [other.account for other in self._running]
        served = {other.owners[-1:] for other in running if other.owners}
        if job.worker.done() or all(asker[-1:] in served for asker in job.account.askers()):
            return False
        slow = sum(other.slow for other in running)
        if job.account.slow and slow >= max(1, len(self._workers) - 1):
            return False
        return any(not worker.busy for worker in self._workers)

    def _rank(self, job: _Job) -> tuple[bool, bool, float, list[float]]:
        account = job.account
        last_turn = self._last_turns.get(account.kind, 0.0)
        used = min([self._used(owner) for owner in asker] for asker in account.askers())
        return account.background, not account.awaited(), last_turn, used

    def _used(self, owner: str) -> float:
        """Returns the seconds that an owner has used lately, those of running work included."""
        now = time.monotonic()
        running = [now - job.began for job in self._running if owner in job.account.owners]
        return self._usage.of(owner) + sum(running)


class PagePool(WorkerPool):
    """Computes what pages show: pictures, replays, games on paper. Refuses while too much waits."""

    def refuse_crowd(self, owners: Owners) -> None:
        """Refuses work while too much waits already, in all or of this address."""
        mine = self.waiting(owners[0]) if owners else 0
        if self.waiting() >= PAGES_WAITING or mine >= PAGES_WAITING_PER_ADDRESS:
            raise unavailable()

    async def page(self, work: Work[T], account: Account, prepare: Work[object] | None = None) -> T:
        """Returns what the work returns; refuses if it takes too long."""
        try:
            return await self.run(work, PAGE_SECONDS, prepare, account=account)
        except WorkerLostError:
            raise unavailable() from None

    async def json(self, work: Callable[[], object], owners: Owners) -> bytes:
        """Returns what the work returns, as JSON; refuses while too much waits."""
        self.refuse_crowd(owners)
        return await self.page(partial(_as_json, work), Account(owners))


def _as_json(work: Callable[[], object]) -> bytes:
    return msgspec.json.encode(work())


class Workers:
    """The worker processes of a server process: `bots` think in some, others compute `pages`.

    Without a number for bots, there are as many as cores, which server processes share.
    """

    def __init__(self, bots: int = 0, server_processes: int = 1) -> None:
        share = math.ceil((os.cpu_count() or 1) / max(1, server_processes))
        self.bots = WorkerPool(bots or max(FEWEST_FOR_BOTS, share))
        self.pages = PagePool(PAGES_AT_ONCE)

    def open(self) -> None:
        """Starts one worker, so that the first move of a bot does not wait for it."""
        self.bots.open()

    async def close(self) -> None:
        """Ends all of them."""
        await self.bots.close()
        await self.pages.close()


def start_task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Starts work; an error ends it, and the log says so."""

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            _log_error(name, error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(ended)
    return task


async def cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancels tasks, and waits until they have ended."""
    cancelled = list(tasks)
    for task in cancelled:
        task.cancel()
    await asyncio.gather(*cancelled, return_exceptions=True)


@asynccontextmanager
async def running(service: Callable[[], Awaitable[None]], name: str) -> AsyncIterator[None]:
    """Runs a service as long as the block; after an error, which the log tells, it starts again."""
    task = start_task(_keep_running(service, name), name)
    try:
        yield
    finally:
        await cancel([task])


async def _keep_running(service: Callable[[], Awaitable[None]], name: str) -> None:
    while True:
        try:
            return await service()
        except Exception as error:
            _log_error(name, error)
        await asyncio.sleep(RESTART_SECONDS)


async def repeat(work: Callable[[], Awaitable[None]], seconds: float, outage: Outage) -> None:
    """Does work for ever, with a pause after each time; what goes wrong is an outage."""
    while True:
        try:
            await work()
            outage.back()
        except Exception as error:
            outage.lost(error)
        await asyncio.sleep(seconds)


def _log_error(name: str, error: BaseException) -> None:
    if isinstance(error, RefusedError):  # the database is away: it says so itself
        task_log.warning("task ended early", extra={"task": name, "key": error.key})
    else:
        task_log.error("task failed", extra={"task": name}, exc_info=error)


def take_error(task: asyncio.Future[Any]) -> None:
    """Takes the error of a task whose waiters may all have left; for `add_done_callback`."""
    if not task.cancelled():
        task.exception()
