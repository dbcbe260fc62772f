"""Log lines about a service that is away: once, then ever more seldom, and when it is back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

FIRST_REMINDER_SECONDS = 60.0
LAST_REMINDER_SECONDS = 3600.0


class Outage:
    """Whether a service is away, as the parts of a process that use it find out."""

    def __init__(
        self, log: logging.Logger, service: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.log = log
        self.service = service
        self._clock = clock
        self._without: set[str] = set()
        self._since = 0.0
        self._remind_at = 0.0
        self._pause = 0.0

    def lost(self, error: Exception, part: str = "") -> None:
        """Notes that a part failed: the first failure is logged, then a reminder now and then."""
        now, kind = self._clock(), type(error).__name__
        if not self._without:
            self._since, self._pause = now, FIRST_REMINDER_SECONDS
            self._remind_at = now + self._pause
            self.log.warning("%s lost", self.service, extra={"error": kind})
        elif now >= self._remind_at:
            self._pause = min(LAST_REMINDER_SECONDS, 2 * self._pause)
            self._remind_at = now + self._pause
            extra = {"error": kind, "seconds": round(now - self._since)}
            self.log.warning("%s still lost", self.service, extra=extra)
        self._without.add(part)

    def back(self, part: str = "") -> None:
        """Notes that a part succeeded; when nobody misses the service any more, a line says so."""
        if part in self._without:
            self._without.discard(part)
            if not self._without:
                seconds = round(self._clock() - self._since)
                self.log.info("%s back", self.service, extra={"seconds": seconds})
