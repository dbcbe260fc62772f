"""The processes in which bots think, each by itself, so that a stuck one holds up no other."""

from __future__ import annotations

import asyncio
import logging
import os
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from headway import process_pool

T = TypeVar("T")
Work = Callable[[], T]
"""Something to call in a worker; it must be picklable, as a `functools.partial` is."""
PREPARE_SECONDS = 300.0
"""How long a worker may take to start and to load a bot, on the slowest machine."""
log = logging.getLogger("headway.bots")


class WorkerLostError(Exception):
    """No answer came: the worker took too long or ended."""


class BotWorker:
    """One process, started when it is needed and started again when it is lost."""

    def __init__(self) -> None:
        self.busy = False
        self._pool: ProcessPoolExecutor | None = None

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

        The limit counts from when the worker has prepared: starting a process is not thinking.
        """
        for _ in range(2):
            try:
                if prepare:
                    await asyncio.wait_for(self._submit(prepare), PREPARE_SECONDS)
                return await asyncio.wait_for(self._submit(work), limit)
            except BrokenProcessPool:
                log.warning("bot worker lost")
                await self.close()
            except TimeoutError:
                await self.close()
                raise WorkerLostError("took too long") from None
        raise WorkerLostError("ended its process")

    def _submit(self, work: Work[T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self.open(), work)


class BotWorkers:
    """All workers of a server."""

    def __init__(self, count: int) -> None:
        self._workers = [BotWorker() for _ in range(count)]
        self._free = asyncio.Semaphore(count)

    def open(self) -> None:
        """Starts one worker, so that the first move does not wait for it."""
        self._workers[0].open()

    async def close(self) -> None:
        """Ends all of them."""
        for worker in self._workers:
            await worker.close()

    async def run(
        self, key: str, work: Work[T], limit: float | None, prepare: Work[object] | None = None
    ) -> T:
        """Does the work in a free worker; the same key prefers the same worker and its cache."""
        async with self._free:
            usual = self._workers[zlib.crc32(key.encode()) % len(self._workers)]
            worker = next(worker for worker in [usual, *self._workers] if not worker.busy)
            return await self._run(worker, work, limit, prepare)

    async def everywhere(self, work: Work[None]) -> None:
        """Does the work once in every worker, one after the other, each when it is free."""
        for worker in self._workers:
            while worker.busy:
                await asyncio.sleep(0.1)
            async with self._free:
                if not worker.busy:
                    await self._run(worker, work, None, None)

    async def _run(
        self, worker: BotWorker, work: Work[T], limit: float | None, prepare: Work[object] | None
    ) -> T:
        worker.busy = True
        try:
            return await worker.run(work, limit, prepare)
        finally:
            worker.busy = False
