"""Work on reviews that a process has claimed, so that no other process does the same."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from headway.server.core.database import DatabaseAwayError
from headway.server.core.workers import take_error
from headway.server.reviews.store import ReviewStore

log = logging.getLogger("headway.reviews")
T = TypeVar("T")
SIGNS_PER_LEASE = 3
"""How often a process renews a claim within its time."""


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
