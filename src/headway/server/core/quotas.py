"""How much of a kind a guest and an address may have."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import NamedTuple
from weakref import WeakValueDictionary

from headway.server.core.errors import too_often


class Quota(NamedTuple):
    """The most things of a kind, for a guest and for an address."""

    key: str
    """The sentence that says so."""
    per_guest: int
    per_address: int


class Usage(NamedTuple):
    """How much of a quota a guest and an address have used."""

    quota: Quota
    guest: int
    address: int


class Quotas:
    """Admits what is new; `factor` multiplies all quotas, 0 switches them off."""

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def admit(
        self, network: str, used: Callable[[], Awaitable[Iterable[Usage]]]
    ) -> AsyncIterator[None]:
        """Refuses what is beyond a quota; what is written inside the block counts from now on.

        The requests of one address are admitted one after the other, so that none slips through.
        """
        if not self.factor:
            yield
            return
        lock = self._locks.setdefault(network, asyncio.Lock())
        async with lock:
            for quota, *counts in await used():
                for count, most in zip(counts, (quota.per_guest, quota.per_address), strict=True):
                    if count >= most * self.factor:
                        raise too_often(quota.key, most=count)
            yield
