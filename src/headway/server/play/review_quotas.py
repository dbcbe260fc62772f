"""How many reviews a guest and an address may have waiting.

The database counts the reviews of a guest. Which reviews an address has asked for only this process
knows, because no address is stored anywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from headway.server.database.reviews import ReviewStore
from headway.server.errors import Reason, RefusedError

PER_GUEST = 50
PER_ADDRESS = 200


class ReviewQuotas:
    """Admits new reviews; `factor` multiplies the quotas, 0 switches them off."""

    def __init__(self, store: ReviewStore, factor: float) -> None:
        self.store, self.factor = store, factor
        self._lock = asyncio.Lock()
        self._by_network: dict[str, set[str]] = {}

    @contextlib.asynccontextmanager
    async def admit(self, key: str, guest: str, network: str) -> AsyncIterator[None]:
        """Refuses a review beyond a quota; one that is written inside the block counts from now on.

        Reviews are admitted one after the other, so that none slips through.
        """
        if not self.factor:
            yield
            return
        async with self._lock:
            self._by_network[network] = await self.store.still_waiting(
                self._by_network.get(network, set())
            )
            mine, theirs = await self.store.waiting_of(guest), len(self._by_network[network])
            for count, most in ((mine, PER_GUEST), (theirs, PER_ADDRESS)):
                if count >= most * self.factor:
                    raise RefusedError(Reason.TOO_OFTEN, "server.waiting_reviews", most=count)
            yield
            self._by_network[network].add(key)
            await self._forget()

    async def _forget(self) -> None:
        """Drops what is no longer waiting once there is much of it."""
        if sum(map(len, self._by_network.values())) <= 10 * PER_ADDRESS:
            return
        waiting = await self.store.still_waiting(set().union(*self._by_network.values()))
        left = {network: keys & waiting for network, keys in self._by_network.items()}
        self._by_network = {network: keys for network, keys in left.items() if keys}
