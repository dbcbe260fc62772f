"""Lanes: the processes in which bots think, each by itself, so that a stuck one holds up no other.

Who asks with the same key gets the same lane whenever it is free: a bot finds there what it knew.
"""

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
log = logging.getLogger("headway.bots")


class Lost(Exception):
    """No answer came: the process took too long or ended."""


class Lane:
    """One process, made when it is needed and made anew when it is lost."""

    def __init__(self) -> None:
        self.busy = False
        self._pool: ProcessPoolExecutor | None = None

    def open(self) -> ProcessPoolExecutor:
        """The process; it starts in the background."""
        if self._pool is None:
            self._pool = process_pool.open_pool(1)
            self._pool.submit(os.getpid)
        return self._pool

    async def close(self) -> None:
        """Ends the process, whatever it does."""
        pool, self._pool = self._pool, None
        if pool:
            await asyncio.to_thread(process_pool.kill, pool)

    async def run(self, limit: float | None, work: Callable[..., T], *given: object) -> T:
        """What the work gives, unless it takes longer than the limit or ends two processes."""
        for _ in range(2):
            try:
                running = asyncio.get_running_loop().run_in_executor(self.open(), work, *given)
                return await asyncio.wait_for(running, limit)
            except BrokenProcessPool:
                log.warning("bot worker lost")
                await self.close()
            except TimeoutError:
                await self.close()
                raise Lost("took too long") from None
        raise Lost("ended its process")


class Lanes:
    """All lanes of a server."""

    def __init__(self, count: int) -> None:
        self._lanes = [Lane() for _ in range(count)]
        self._free = asyncio.Semaphore(count)

    def open(self) -> None:
        """Starts one, so that the first move does not wait for it."""
        self._lanes[0].open()

    async def close(self) -> None:
        """Ends all of them."""
        for lane in self._lanes:
            await lane.close()

    async def run(self, key: str, limit: float | None, work: Callable[..., T], *given: object) -> T:
        """Does the work in a lane as soon as one is free, by preference in that of the key."""
        async with self._free:
            usual = self._lanes[zlib.crc32(key.encode()) % len(self._lanes)]
            lane = next(lane for lane in [usual, *self._lanes] if not lane.busy)
            return await self._run(lane, limit, work, *given)

    async def everywhere(self, work: Callable[[], None]) -> None:
        """Does the work once in every lane, one after the other, each when it is free."""
        for lane in self._lanes:
            while lane.busy:
                await asyncio.sleep(0.1)
            async with self._free:
                if not lane.busy:
                    await self._run(lane, None, work)

    async def _run(
        self, lane: Lane, limit: float | None, work: Callable[..., T], *given: object
    ) -> T:
        lane.busy = True
        try:
            return await lane.run(limit, work, *given)
        finally:
            lane.busy = False
