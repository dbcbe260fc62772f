"""Days and hours, in the server's time zone, and the time of events.

This is the one place that knows when it is.
"""

from __future__ import annotations

import datetime
import re
import time
from collections.abc import Callable
from zoneinfo import ZoneInfo

from headway.server.core.errors import not_found

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
DAYS_OF_WEEK = 7


class SteadyTime:
    """The time in seconds since 1970, which never goes back while the process runs.

    A machine's clock can be set back, by hand or by a time server. Clocks at tables compare times,
    so a player would gain what the machine lost. Set forward, it is followed at once.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._last, self._last_monotonic = wall(), monotonic()

    def __call__(self) -> float:
        """Returns the time."""
        monotonic = self._monotonic()
        passed = monotonic - self._last_monotonic
        self._last, self._last_monotonic = max(self._wall(), self._last + passed), monotonic
        return self._last


steady_time = SteadyTime()


class Calendar:
    """The calendar of a server; `fixed_day` stops it on a day, for tests.

    `idle_hours` are those in which the server may do what nobody has asked for: from the first to
    before the last, over midnight if that is earlier.
    """

    def __init__(
        self,
        fixed_day: str = "",
        zone: str = "UTC",
        idle_hours: tuple[int, int] = (0, 24),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self.fixed_day = parse_day(fixed_day) if fixed_day else ""
        self.zone = ZoneInfo(zone) if zone != "UTC" else datetime.UTC  # without files of zones
        self._idle_from, self._idle_to = idle_hours

    def today(self) -> str:
        """Returns the day, as `2026-11-16`."""
        return self.fixed_day or self._now().date().isoformat()

    def _now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._clock(), self.zone)

    def end_of(self, day: str) -> float:
        """Returns when a day ends, in seconds since 1970."""
        next_day = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
        midnight = datetime.datetime.combine(next_day, datetime.time(0, tzinfo=self.zone))
        return midnight.timestamp()

    def idle_now(self) -> bool:
        """Tells whether the server may do now what nobody has asked for."""
        hour, first, last = self._now().hour, self._idle_from, self._idle_to
        return first <= hour < last if first <= last else hour >= first or hour < last

    def is_today(self, day: str) -> bool:
        """Tells whether it is that day; the empty day is never today."""
        return day != "" and day == self.today()


def parse_day(text: str) -> str:
    """Returns the day that a text names; refuses any other text."""
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise not_found("server.no_day") from None


def day_before(day: str) -> str:
    """Returns the day before."""
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()


def day_after(day: str) -> str:
    """Returns the day after."""
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()


def week(played_days: list[str], today: str) -> list[bool]:
    """Returns on which of the last seven days somebody has played, today as the last one."""
    played, days = set(played_days), [today]
    while len(days) < DAYS_OF_WEEK:
        days.insert(0, day_before(days[0]))
    return [day in played for day in days]


def streak(played_days: list[str], today: str) -> int:
    """Returns how many days in a row somebody has played, up to today or yesterday."""
    played = set(played_days)
    day = today if today in played else day_before(today)
    length = 0
    while day in played:
        length, day = length + 1, day_before(day)
    return length
