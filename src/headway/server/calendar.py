"""Days, by UTC: the one place that says which one it is."""

from __future__ import annotations

import datetime
import re

from headway.server.errors import Refused

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Days:
    """The calendar of a server; `chosen` stops it on a day, for tests."""

    def __init__(self, chosen: str = "") -> None:
        self.chosen = checked(chosen) if chosen else ""

    def today(self) -> str:
        """The day, as `2026-11-16`."""
        return self.chosen or datetime.datetime.now(datetime.UTC).date().isoformat()

    def is_today(self, day: str) -> bool:
        """Whether it is that day; no day is never today."""
        return day != "" and day == self.today()


def checked(day: str) -> str:
    """A day that was sent, if it is one."""
    try:
        if not _DAY.fullmatch(day):
            raise ValueError
        return datetime.date.fromisoformat(day).isoformat()
    except ValueError:
        raise Refused(404, "server.no_day") from None


def before(day: str) -> str:
    """The day before."""
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()


def end(day: str) -> float:
    """When a day ends, in seconds since 1970."""
    midnight = datetime.time(0, tzinfo=datetime.UTC)
    following = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
    return datetime.datetime.combine(following, midnight).timestamp()


def streak(played: list[str], today: str) -> int:
    """How many days in a row somebody has played, up to today or yesterday."""
    known = set(played)
    day = today if today in known else before(today)
    length = 0
    while day in known:
        length, day = length + 1, before(day)
    return length
