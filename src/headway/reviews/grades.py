"""The level of the bots that loses as much as a player.

The limits lie between the losses of the bots in 14 games of Next Station and 10 of Ticket to Ride
each, in London (docs/review.md has the table). `headway bench --review` plays and reviews more
games and prints the limits that follow from them.
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
