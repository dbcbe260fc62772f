"""Limits: how often somebody may ask, and how much of a kind a guest and an address may have.

Rate limits are token buckets, in memory or shared by all processes in Redis. What counts against a
quota, its feature says.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any, NamedTuple, cast
from weakref import WeakValueDictionary

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from headway.server.core import metrics
from headway.server.core.errors import RefusedError, WrongPasswordError, too_often, unavailable
from headway.server.core.log import Outage
from headway.server.web.context import context_of

log = logging.getLogger("headway.limits")
MOST_BUCKETS = 50_000
REDIS_TIMEOUT_SECONDS = 0.25
"""How long a request waits for Redis; then each process counts for itself."""
REDIS_RETRY_SECONDS = 5.0
MOST_PASSWORDS_WAITING = 100
"""Requests of one address that wait while one of its passwords is hashed."""


class Limit(NamedTuple):
    """Requests per second in the long run, and at once."""

    rate: float
    burst: float


ADDRESS_FACTOR = 10.0
"""How many guests' requests one address may send to a route that is limited for guests."""
LIMITS = {
    # A room of forty people behind one address opens the page at the same time: each browser
    # fetches all files of the client, to keep them, and then asks for what the page shows.
    "files": Limit(100, 6000),
    "address": Limit(100, 3000),
    "guest": Limit(20, 80),
    "tables": Limit(0.5, 20),
    "joins": Limit(0.2, 20),
    "tokens": Limit(0.1, 10),
    "seeks": Limit(0.2, 20),
    "notices": Limit(0.1, 20),
    "calendars": Limit(0.2, 30),
    "accounts": Limit(0.05, 60),
    "wrong_passwords": Limit(0.2, 60),
    "wrong_passwords_for_name_at_address": Limit(0.05, 10),
    "wrong_passwords_for_name": Limit(1, 300),
    "passkeys": Limit(0.5, 60),
    "hints": Limit(0.2, 10),
    "documents": Limit(1, 20),
    "pictures": Limit(2, 20),
    "replays": Limit(2, 30),
    "reviews": Limit(0.5, 30),
    "review_progress": Limit(5, 40),
    "attempts": Limit(1, 30),
    "practice": Limit(1, 30),
    "paper": Limit(2, 60),
    "sockets": Limit(2, 40),
    "messages": Limit(20, 60),
    "phrases": Limit(0.25, 6),
    "remarks": Limit(0.25, 6),
    "reports": Limit(0.02, 10),
}


class TooOftenError(RefusedError):
    """Asked too often; after `wait_seconds` it works again."""

    def __init__(self, wait_seconds: int) -> None:
        super().__init__(HTTPStatus.TOO_MANY_REQUESTS, "server.too_often", seconds=wait_seconds)
        self.wait_seconds = wait_seconds


class LocalBuckets:
    """Buckets in this process's memory."""

    def __init__(self) -> None:
        self._buckets: dict[str, tuple[float, float, float]] = {}
        """What is left in each bucket, since when, and when it is full again."""

    async def take(self, name: str, limit: Limit, amount: int = 1) -> float:
        """Takes from a bucket; returns 0, or the seconds until an empty one has enough.

        A negative amount gives back what was taken.
        """
        now = time.monotonic()
        left, at, _ = self._buckets.get(name, (limit.burst, now, now))
        left = min(limit.burst, left + (now - at) * limit.rate)
        if left < amount:
            return (amount - left) / limit.rate
        left = min(limit.burst, left - amount)
        self._buckets[name] = left, now, now + (limit.burst - left) / limit.rate
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets = {name: one for name, one in self._buckets.items() if one[2] > now}
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets = {}
        return 0.0

    async def close(self) -> None:
        """Does nothing: nothing is open."""


# Redis runs a script as a whole, so two processes never take the same token. Its own clock counts.
_TAKE = """
local rate, burst, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1] or burst), tonumber(kept[2] or now)
left = math.min(burst, left + (now - at) * rate)
if left < amount then return tostring((amount - left) / rate) end
left = math.min(burst, left - amount)
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil((burst - left) / rate) + 1)
return '0'
"""


class SharedBuckets(LocalBuckets):
    """Buckets in Redis; while it does not answer, each process counts for itself."""

    def __init__(self, address: str) -> None:
        super().__init__()
        from redis.asyncio import Redis

        options = {
            "socket_timeout": REDIS_TIMEOUT_SECONDS,
            "socket_connect_timeout": REDIS_TIMEOUT_SECONDS,
        }
        self._redis: Any = cast(Any, Redis).from_url(address, **options)
        self._script = self._redis.register_script(_TAKE)
        self._retry_at = 0.0
        self._outage = Outage(log, "shared limits")

    async def take(self, name: str, limit: Limit, amount: int = 1) -> float:
        """Takes from a bucket; returns 0, or the seconds to wait."""
        from redis.exceptions import RedisError

        if time.monotonic() >= self._retry_at:
            try:
                arguments = [*limit, amount]
                wait = float(await self._script(keys=[f"headway:limit:{name}"], args=arguments))
                self._outage.back()
                return wait
            except (RedisError, OSError) as error:
                self._outage.lost(error)
                self._retry_at = time.monotonic() + REDIS_RETRY_SECONDS
        return await super().take(name, limit, amount)

    async def close(self) -> None:
        """Closes the connections."""
        with contextlib.suppress(Exception):
            await self._redis.aclose()


class Limits:
    """The limits of a server; `factor` multiplies all of them, 0 switches them off."""

    def __init__(self, factor: float, channels: str = "") -> None:
        self.factor = factor
        shared = channels.startswith(("redis", "unix"))
        self._buckets = SharedBuckets(channels) if shared and factor else LocalBuckets()
        self._hashing: Counter[str] = Counter()
        """How many requests of each address need a password hashed, one at a time."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def take(self, kind: str, key: str, times: float = 1.0) -> None:
        """Takes one; raises `TooOftenError` if none is left. The limit holds `times` its amount."""
        wait = await self._take(kind, key, times, 1)
        if wait:
            metrics.RATE_LIMITED.labels(kind).inc()
            raise TooOftenError(max(1, round(wait)))

    async def _take(self, kind: str, key: str, times: float, amount: int) -> float:
        if not self.factor:
            return 0.0
        rate, burst = LIMITS[kind]
        limit = Limit(rate * self.factor * times, burst * self.factor * times)
        return await self._buckets.take(f"{kind}:{key}", limit, amount)

    @contextlib.asynccontextmanager
    async def new_account(self, address: str) -> AsyncIterator[None]:
        """Counts an account that the block opens; one that it refuses does not count."""
        async with self._password_turn(address):
            await self.take("accounts", address)
            try:
                yield
            except RefusedError:
                await self._take("accounts", address, 1.0, -1)
                raise

    @contextlib.asynccontextmanager
    async def password_try(self, address: str, name: str) -> AsyncIterator[None]:
        """Counts a wrong password, for its name at its address, for each of the two alone.

        The limit for a name from everywhere is generous, so that strangers lock nobody out. A right
        password never counts: what is taken for it comes back before the next try of its address.
        """
        buckets = {
            "wrong_passwords_for_name_at_address": f"{address} {name}",
            "wrong_passwords": address,
            "wrong_passwords_for_name": name,
        }
        taken: dict[str, str] = {}
        async with self._password_turn(address):
            try:
                for kind, key in buckets.items():
                    await self.take(kind, key)
                    taken[kind] = key
                yield
            except WrongPasswordError:
                taken.clear()
                raise
            finally:
                for kind, key in taken.items():
                    await self._take(kind, key, 1.0, -1)

    @contextlib.asynccontextmanager
    async def _password_turn(self, address: str) -> AsyncIterator[None]:
        """Lets the passwords of an address be hashed one after the other.

        So addresses take turns, however many passwords one of them sends.
        """
        if self._hashing[address] >= MOST_PASSWORDS_WAITING:
            raise unavailable()
        self._hashing[address] += 1
        try:
            async with self._turns.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._hashing[address] -= 1
            if not self._hashing[address]:
                del self._hashing[address]

    async def close(self) -> None:
        """Closes connections."""
        await self._buckets.close()


def limited(kind: str) -> Callable[..., Awaitable[None]]:
    """Returns a guard that limits how often a guest uses a route, and all guests of an address.

    A new guest has nothing but an address.
    """

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        context, limits = context_of(connection), connection.app.state.limits
        await limits.take(kind, context.address if context.new_guest else context.guest)
        if not context.new_guest:
            await limits.take(kind, f"all of {context.address}", ADDRESS_FACTOR)

    return guard


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
