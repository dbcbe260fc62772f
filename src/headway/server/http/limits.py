"""Rate limits: token buckets, in memory or shared by all processes in Redis."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol, cast

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from headway.server import metrics
from headway.server.errors import Reason, RefusedError
from headway.server.http.context import context_of

log = logging.getLogger("headway.limits")
MOST_BUCKETS = 50_000
REDIS_TIMEOUT_SECONDS = 0.25
"""How long a request waits for Redis; then each process counts for itself."""
REDIS_RETRY_SECONDS = 5.0


class Limit(NamedTuple):
    """Requests per second in the long run, and at once."""

    rate: float
    burst: float


ADDRESS_FACTOR = 10.0
"""How many guests' requests one address may send to a route that is limited for guests."""
LIMITS = {
    "address": Limit(100, 500),
    "guest": Limit(20, 80),
    "tables": Limit(0.5, 20),
    "joins": Limit(0.2, 20),
    "tokens": Limit(0.1, 10),
    "claims": Limit(0.02, 10),
    "sign_in": Limit(0.2, 20),
    "sign_in_name_at_address": Limit(0.05, 10),
    "sign_in_name": Limit(1, 300),
    "hints": Limit(0.2, 10),
    "pictures": Limit(2, 20),
    "replays": Limit(2, 30),
    "reviews": Limit(0.5, 30),
    "review_progress": Limit(5, 40),
    "attempts": Limit(1, 30),
    "practice": Limit(1, 30),
    "paper": Limit(2, 60),
    "sockets": Limit(2, 40),
    "messages": Limit(20, 60),
}


class TooOftenError(RefusedError):
    """Asked too often; after `wait_seconds` it works again."""

    def __init__(self, wait_seconds: int) -> None:
        super().__init__(Reason.TOO_OFTEN, "server.too_often", seconds=wait_seconds)
        self.wait_seconds = wait_seconds


class Buckets(Protocol):
    """Where buckets are kept."""

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one from a bucket; returns 0, or the seconds until an empty one has one."""

    async def close(self) -> None:
        """Closes connections."""


class LocalBuckets:
    """Buckets in this process's memory."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[float, float]] = {}
        self._full: dict[str, float] = {}

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one; returns 0, or the seconds to wait."""
        now = time.monotonic()
        left, at = self._left.get(name, (limit.burst, now))
        left = min(limit.burst, left + (now - at) * limit.rate)
        if left < 1:
            return (1 - left) / limit.rate
        self._left[name] = left - 1, now
        self._full[name] = now + (limit.burst - left + 1) / limit.rate
        if len(self._left) > MOST_BUCKETS:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Drops buckets that are full again."""
        for name, full in list(self._full.items()):
            if full <= now:
                del self._left[name], self._full[name]
        if len(self._left) > MOST_BUCKETS:
            self._left.clear()
            self._full.clear()

    async def close(self) -> None:
        """Does nothing: nothing is open."""


# Redis runs a script as a whole, so two processes never take the same token. Its own clock counts.
_TAKE = """
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1] or burst), tonumber(kept[2] or now)
left = math.min(burst, left + (now - at) * rate)
if left < 1 then return tostring((1 - left) / rate) end
redis.call('HSET', KEYS[1], 'left', tostring(left - 1), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil((burst - left + 1) / rate) + 1)
return '0'
"""


class SharedBuckets:
    """Buckets in Redis; while it does not answer, each process counts for itself."""

    def __init__(self, address: str) -> None:
        from redis.asyncio import Redis

        options = {
            "socket_timeout": REDIS_TIMEOUT_SECONDS,
            "socket_connect_timeout": REDIS_TIMEOUT_SECONDS,
        }
        self._redis: Any = cast(Any, Redis).from_url(address, **options)
        self._script = self._redis.register_script(_TAKE)
        self._local = LocalBuckets()
        self._retry_at = 0.0

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one; returns 0, or the seconds to wait."""
        from redis.exceptions import RedisError

        if time.monotonic() >= self._retry_at:
            try:
                return float(await self._script(keys=[f"headway:limit:{name}"], args=[*limit]))
            except (RedisError, OSError) as error:
                log.warning("limits not shared", extra={"error": type(error).__name__})
                self._retry_at = time.monotonic() + REDIS_RETRY_SECONDS
        return await self._local.take(name, limit)

    async def close(self) -> None:
        """Closes the connections."""
        with contextlib.suppress(Exception):
            await self._redis.aclose()


class Limits:
    """The limits of a server; `factor` multiplies all of them, 0 switches them off."""

    def __init__(self, factor: float, channels: str = "") -> None:
        self.factor = factor
        shared = channels.startswith(("redis", "unix"))
        self._buckets: Buckets = SharedBuckets(channels) if shared and factor else LocalBuckets()

    async def take(self, kind: str, key: str, times: float = 1.0) -> None:
        """Takes one; raises `TooOftenError` if none is left. The limit holds `times` its amount."""
        if not self.factor:
            return
        rate, burst = LIMITS[kind]
        limit = Limit(rate * self.factor * times, burst * self.factor * times)
        wait = await self._buckets.take(f"{kind}:{key}", limit)
        if wait:
            metrics.RATE_LIMITED.labels(kind).inc()
            raise TooOftenError(max(1, round(wait)))

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
