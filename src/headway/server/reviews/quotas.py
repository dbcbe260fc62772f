"""How many reviews a guest and an address may have waiting."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from headway.server.core.errors import Reason, RefusedError
from headway.server.reviews.store import ReviewStore

PER_GUEST = 50
PER_ADDRESS = 200


class ReviewQuotas:
    """Admits new reviews; `factor` multiplies the quotas, 0 switches them off."""

    def __init__(self, store: ReviewStore, factor: float) -> None:
        self.store, self.factor = store, factor
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def admit(self, guest: str, network: str) -> AsyncIterator[None]:
        """Refuses a review beyond a quota; one that is written inside the block counts from now on.

        Reviews are admitted one after the other, so that none slips through.
        """
        if not self.factor:
            yield
            return
        async with self._lock:
            mine, theirs = await self.store.waiting_of(guest), await self.store.waiting_at(network)
            for count, most in ((mine, PER_GUEST), (theirs, PER_ADDRESS)):
                if count >= most * self.factor:
                    raise RefusedError(Reason.TOO_OFTEN, "server.waiting_reviews", most=count)
            yield
