"""What people who watch a table are called: names that they chose, and nothing about the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from heapq import nsmallest

MOST_NAMED = 5
"""The watchers of a table who are named; the others are counted."""
MOST_ASKED = 20
"""The watchers of a table whose names are looked for."""
MOST_KEPT = 20_000
"""The names that a process keeps before it asks again."""

ChosenNames = Callable[[Collection[str]], Awaitable[dict[str, str]]]


async def _nobody(_: Collection[str]) -> dict[str, str]:
    return {}


class WatcherNames:
    """The names of watchers, read once from the database."""

    def __init__(self) -> None:
        self.chosen_names: ChosenNames = _nobody
        """Returns the names that guests have chosen, by guest; `process.py` sets it."""
        self._kept: dict[str, str | None] = {}

    async def of(self, guests: Collection[str]) -> dict[str, str]:
        """Returns the names of some guests; guests without one are left out."""
        asked = nsmallest(MOST_ASKED, guests)
        if unknown := [guest for guest in asked if guest not in self._kept]:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            chosen = await self.chosen_names(unknown)
            self._kept |= {guest: chosen.get(guest) for guest in unknown}
        names = {guest: self._kept.get(guest) for guest in asked}
        return {guest: name for guest, name in names.items() if name}

    def forget(self, guest: str) -> None:
        """Drops the name of a guest who has left, and may come back with another one."""
        self._kept.pop(guest, None)


def shown_names(names: dict[str, str], guest: str) -> list[str]:
    """Returns what a guest is told of the names, in alphabetical order, without the own one."""
    return sorted(name for other, name in names.items() if other != guest)[:MOST_NAMED]
