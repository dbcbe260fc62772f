"""The level of the bots that loses as much as a player.

The limits lie between the losses of the bots in 14 games of Next Station and 10 of Ticket to Ride
each, in London (docs/review.md has the table). `python -m headway.bench.grades` reviews more games
and prints the limits that follow from them.
"""

from __future__ import annotations

from typing import NamedTuple

from headway.reviews.report import Level


class Fitted(NamedTuple):
    """Up to these losses a game is played like each level, best first; above all: the lowest."""

    expert: int
    driver: int
    commuter: int


LIMITS: dict[str, dict[str, Fitted]] = {
    "next-station": {
        "london": Fitted(2500, 8000, 27500),
    },
    "ticket-to-ride": {
        "london": Fitted(29000, 81000, 86000),
    },
}
"""In thousandths, by game and map; other maps use the first map of the game."""

LOST: dict[str, dict[Level, int]] = {
    "next-station": {"tourist": 53000, "commuter": 22300, "driver": 2700, "expert": 0},
    "ticket-to-ride": {"tourist": 143000, "commuter": 88000, "driver": 74000, "expert": 18000},
}
"""What each level loses in a game in the median, in thousandths: the table of docs/review.md."""


def limits_of(game: str, map_name: str) -> Fitted:
    """Returns the limits of a map."""
    fitted = LIMITS[game]
    return fitted.get(map_name) or next(iter(fitted.values()))


def level_of(loss: int, limits: Fitted) -> Level:
    """Returns the level that loses as much in a game."""
    if loss <= limits.expert:
        return "expert"
    if loss <= limits.driver:
        return "driver"
    return "commuter" if loss <= limits.commuter else "tourist"
