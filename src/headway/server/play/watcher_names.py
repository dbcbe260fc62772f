"""What people who watch a table are called: names that they chose, and nothing about the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from heapq import nsmallest

MOST_NAMED = 5
"""The watchers of a table who are named; the others are counted."""
MOST_ASKED = 20
"""The watchers of a table whose names are looked for."""
MOST_KEPT = 2000
"""The names that a process keeps before it asks again."""


async def _nobody(_: str) -> str | None:
    return None


class WatcherNames:
    """The names of watchers, read once from the database."""

    def __init__(self) -> None:
        self.chosen_name: Callable[[str], Awaitable[str | None]] = _nobody
        """Returns the name that a guest has chosen; `process.py` sets it."""
        self._kept: dict[str, str | None] = {}

    async def of(self, guests: Collection[str]) -> list[str]:
        """Returns the names of some guests in alphabetical order; guests without one have none."""
        names = [await self._name(guest) for guest in nsmallest(MOST_ASKED, guests)]
        return sorted(name for name in names if name)[:MOST_NAMED]

    async def _name(self, guest: str) -> str | None:
        if guest not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[guest] = await self.chosen_name(guest)
        return self._kept[guest]

    def forget(self, guest: str) -> None:
        """Drops the name of a guest who has left, and may come back with another one."""
        self._kept.pop(guest, None)
