"""How often somebody may ask: token buckets, in memory or shared by all processes in Redis."""

from __future__ import annotations

import contextlib
import logging
import time
from typing import Any, NamedTuple, Protocol, cast

from headway.server.errors import Refused
from headway.server.metrics import METRICS

log = logging.getLogger("headway.limits")
MOST_BUCKETS = 50_000
PATIENCE = 0.25
"""Seconds that a request waits for Redis; afterwards each process counts for itself."""
RETRY = 5.0
"""Seconds after which Redis is asked again."""


class Limit(NamedTuple):
    """So many a second in the long run, so many at once."""

    rate: float
    burst: float


LIMITS = {
    "address": Limit(100, 500),
    "guest": Limit(20, 80),
    "tables": Limit(0.5, 20),
    "tokens": Limit(0.1, 10),
    "claims": Limit(0.02, 10),
    "sign_in": Limit(0.2, 20),
    "sign_in_name": Limit(0.05, 10),
    "hints": Limit(0.2, 10),
    "pictures": Limit(2, 20),
    "replays": Limit(2, 30),
    "sockets": Limit(2, 40),
    "messages": Limit(20, 60),
}


class TooMany(Refused):
    """Asked too often; `wait` seconds help."""

    def __init__(self, wait: int) -> None:
        super().__init__(429, "server.too_often", seconds=wait)
        self.wait = wait


class Buckets(Protocol):
    """Where the buckets are kept."""

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one from a bucket; if it is empty, the seconds until it no longer is."""

    async def close(self) -> None:
        """Lets go of what is open."""


class OwnBuckets:
    """Buckets in this process's memory."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[float, float]] = {}
        self._full: dict[str, float] = {}

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one, or says how long to wait."""
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
        """Buckets that are full again need not be remembered."""
        for name, full in list(self._full.items()):
            if full <= now:
                del self._left[name], self._full[name]
        if len(self._left) > MOST_BUCKETS:
            self._left.clear()
            self._full.clear()

    async def close(self) -> None:
        """Nothing is open."""


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

        options = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        self._redis: Any = cast(Any, Redis).from_url(address, **options)
        self._script = self._redis.register_script(_TAKE)
        self._own = OwnBuckets()
        self._again = 0.0

    async def take(self, name: str, limit: Limit) -> float:
        """Takes one, or says how long to wait."""
        from redis.exceptions import RedisError

        if time.monotonic() >= self._again:
            try:
                return float(await self._script(keys=[f"headway:limit:{name}"], args=[*limit]))
            except (RedisError, OSError) as error:
                log.warning("limits not shared", extra={"error": type(error).__name__})
                self._again = time.monotonic() + RETRY
        return await self._own.take(name, limit)

    async def close(self) -> None:
        """Closes the connections."""
        with contextlib.suppress(Exception):
            await self._redis.aclose()


class Limits:
    """The limits of a server; `factor` loosens or tightens all of them, 0 switches them off."""

    def __init__(self, factor: float, channels: str = "") -> None:
        self.factor = factor
        shared = channels.startswith(("redis", "unix"))
        self._buckets: Buckets = SharedBuckets(channels) if shared and factor else OwnBuckets()

    async def take(self, kind: str, key: str) -> None:
        """Takes one; raises if there is none left."""
        if not self.factor:
            return
        rate, burst = LIMITS[kind]
        limit = Limit(rate * self.factor, burst * self.factor)
        wait = await self._buckets.take(f"{kind}:{key}", limit)
        if wait:
            METRICS.count("headway_rate_limited_total", kind=kind)
            raise TooMany(max(1, round(wait)))

    async def close(self) -> None:
        """Lets go of what is open."""
        await self._buckets.close()
