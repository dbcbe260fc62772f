"""Who is paired with whom: the same game and clock, maps that agree, and ratings that are near.

The longer somebody waits, the further off a rating may be. The first who waits of every address
comes before any second, so that nobody keeps the others waiting by asking often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

NEAR_POINTS = 100
"""Ratings this near are paired at once."""
POINTS_A_SECOND = 20
"""By how much ratings may differ more with each second that somebody waits."""


class Waiting(NamedTuple):
    """Somebody who looks for another to play with."""

    guest: str
    name: str
    face: str
    network: str
    game: str
    map: str
    clock: dict[str, Any]
    points: int
    asked: float

    def fits(self, other: Waiting, at: float) -> bool:
        """Tells whether two may be paired now."""
        wishes = self.game == other.game and self.clock == other.clock
        maps = self.map == other.map or not (self.map and other.map)
        waited = at - min(self.asked, other.asked)
        reach = NEAR_POINTS + POINTS_A_SECOND * waited
        return wishes and maps and abs(self.points - other.points) <= reach


def in_turn(waiting: Iterable[Waiting]) -> list[Waiting]:
    """Returns people in the order in which they are served: by address, then by time."""
    place: Counter[str] = Counter()
    ranked = []
    for one in sorted(waiting, key=lambda one: (one.asked, one.guest)):
        ranked.append((place[one.network], one))
        place[one.network] += 1
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]


def pairs(
    waiting: Iterable[Waiting], apart: Collection[frozenset[str]], at: float
) -> list[tuple[Waiting, Waiting]]:
    """Returns who plays with whom; nobody with one whom they avoid."""
    left, made = in_turn(waiting), []
    while left:
        first, *others = left
        left = others
        fitting = [
            one
            for one in others
            if first.fits(one, at) and frozenset((first.guest, one.guest)) not in apart
        ]
        if fitting:
            nearest = min(fitting, key=lambda one: abs(one.points - first.points))
            left.remove(nearest)
            made.append((first, nearest))
    return made
